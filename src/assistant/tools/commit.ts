/** `commit`: carries out a plan to which a person has agreed. */
import * as z from "zod";
import { firstOf, fitting, MOST_LINES } from "../protocol/answer-size.ts";
import { inThePast } from "../protocol/plan-words.ts";
import { commitPlan } from "../protocol/plans.ts";
import { type Delivered, type Proposal, shownDelivery } from "../protocol/proposal.ts";
import { defineTool, type Tool } from "../protocol/tool.ts";
import { deliveryText } from "../protocol/words.ts";

const CommitInput = z.object({
  plan_id: z.string().max(64).describe("As a plan_* tool answered it: `plan_` and 26 characters."),
});

const Delivery = z.object({
  channel: z.string(),
  address: z.string().nullable(),
  state: z.string(),
  send_error: z.string().nullable(),
  at: z.string(),
});

const CommitResult = z.object({
  plan_id: z.string(),
  kind: z.string(),
  resource_type: z.string(),
  id: z.string().nullable(),
  resource: z.record(z.string(), z.unknown()).nullable().meta({
    description: "The created or changed resource in its current state; null if it was deleted.",
  }),
  delivery: Delivery.nullable().describe(
    "For an invoice or credit note that was to be sent: whether it was sent.",
  ),
});

/** Returns the `commit` tool, the only tool that changes data. */
export function commitTool(proposals: ReadonlyMap<string, Proposal>): Tool {
  return defineTool<z.output<typeof CommitInput>>({
    name: "commit",
    title: "Carry out a plan",
    description:
      "Carries out a plan of one of the plan_* tools. Use it only after the person has seen what the plan does and has agreed to it. A plan is valid for 15 minutes and for one commit; after a lost answer, call it again with the same plan_id to learn the outcome.",
    scope: "mcp:write",
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    input: () => CommitInput,
    output: CommitResult,
    async call(cx, { plan_id }) {
      const { kind, summary, resource_type, ids, document, delivery } = await commitPlan(
        cx,
        proposals,
        plan_id,
      );
      const made = document === null ? null : (JSON.parse(document) as Resource);
      const id = ids[0] ?? null;
      return fitting(MOST_LINES, (most) => {
        const resource = made && withFirstLines(made, most);
        const text = textOfCommit(summary, resource_type, ids, resource, delivery);
        const sent = delivery && shownDelivery(delivery);
        return {
          text,
          structured: { plan_id, kind, resource_type, id, resource, delivery: sent },
        };
      });
    },
  });
}

type Resource = Readonly<Record<string, unknown>>;

/** Returns the resource with the first of its lines; where some are left out, with the number of all lines. */
function withFirstLines(resource: Resource, most: number): Resource {
  const { lines } = resource;
  const first = firstOf(resource, most) as Resource;
  if (!Array.isArray(lines) || lines.length <= most) return first;
  return { ...first, line_count: lines.length };
}

/** The tools that show the lines that a commit leaves out. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  invoice: "get_invoice",
  recurring_series: "get_series",
  credit_note: "get_credit_note",
};

function textOfCommit(
  summary: string,
  resource_type: string,
  ids: readonly string[],
  resource: Resource | null,
  delivery: Delivered | null,
): string {
  const numbers = ["ledger_invoice_number", "ledger_credit_note_number"]
    .map((field) => resource?.[field])
    .filter((number) => typeof number === "number");
  const send_error = resource?.send_error;
  const is_accepted = resource_type === "accrual" && resource?.pending === true;
  return [
    `Done: ${inThePast(summary)}`,
    `${resource_type.replaceAll("_", " ")} ${ids.join(", ")}${numbers.length > 0 ? `, number ${numbers[0]} in the books` : ""}${resource === null ? ", which is deleted now" : ""}.`,
    ...(resource?.line_count === undefined
      ? []
      : [`It has ${resource.line_count} lines: ${SHOWN_BY[resource_type]} shows all of them.`]),
    ...(is_accepted
      ? ["The accounting system has accepted it and books it later: it is a draft until then."]
      : []),
    ...(typeof send_error === "string"
      ? [`It is booked but has not been sent: ${sentence(send_error)} Do not issue it again.`]
      : delivery === null
        ? []
        : [deliveryText(delivery)]),
  ].join("\n");
}

/** A phrase of the service as the end of a sentence. */
function sentence(phrase: string): string {
  return /[.!?]$/.test(phrase) ? phrase : `${phrase}.`;
}
