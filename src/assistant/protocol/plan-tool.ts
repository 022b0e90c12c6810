/** Makes the tools from proposals: one `plan_*` tool for each, and one `commit` for all. */
import * as z from "zod";
import { Warning } from "../../platform/http/schemas.ts";
import { fitting, MOST_LINES } from "./answer-size.ts";
import { namesOfChanges } from "./plan-names.ts";
import { firstChanges, PlannedChange, textOfPlan } from "./plan-words.ts";
import { remember } from "./plans.ts";
import { kindOf, type Proposal } from "./proposal.ts";
import { defineTool, type Tool } from "./tool.ts";

/** The instructions of the server name these fields. */
const PlanResult = z.object({
  plan_id: z.string(),
  url: z.string(),
  kind: z.string(),
  expires_at: z.string(),
  summary: z.string(),
  changes: z.array(PlannedChange),
  effects: z.array(z.string()),
  warnings: z.array(z.string()),
});

/** The plan to issue a document also has the codes of its warnings about the document; `warnings` has the same sentences. */
const IssuePlanResult = PlanResult.extend({
  document_warnings: z.array(Warning).optional(),
});

/** Returns the tool that plans a proposal. */
export function planTool(proposal: Proposal): Tool {
  return defineTool({
    name: proposal.name,
    title: proposal.title,
    description: `${proposal.description} Only \`commit\` changes anything.`,
    scope: proposal.scope,
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: proposal.input,
    ...(proposal.takes_back && { takes_back: proposal.takes_back }),
    output: proposal.scope === "mcp:issue" ? IssuePlanResult : PlanResult,
    has_known_output: true,
    async call(cx, sent) {
      const { plan_id, url, expires_at, shown } = await remember(cx, proposal, sent);
      return fitting(MOST_LINES, async (most) => {
        const listed = firstChanges(shown, most);
        const { left_out: _, ...data } = listed;
        const names = await namesOfChanges(cx, listed.changes);
        return {
          text: textOfPlan({ plan_id, url, expires_at }, listed, names),
          structured: { plan_id, url, kind: kindOf(proposal), expires_at, ...data },
        };
      });
    },
  });
}
