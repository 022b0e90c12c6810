/**
 * What comes of one call of a tool that is offered: arguments are judged by the schema that the catalogue shows, names in
 * them found, the tool called. Whatever is refused is a result. The official server and the short way (`plain-message.ts`)
 * both come here.
 */
import { Problem } from "../../domain/base/problem.ts";
import type { Caller, Person } from "../../platform/context.ts";
import { problemFromDatabase } from "../../platform/http/problems.ts";
import { jsonText } from "../../platform/json.ts";
import type { Services } from "../../platform/services.ts";
import { type FindNamed, withoutNames } from "./arguments.ts";
import { callTool, contextOf } from "./call-tool.ts";
import type { OfferedTool } from "./catalogue.ts";
import { invalidArguments } from "./invalid-arguments.ts";
import { failed, notTheirView, refused } from "./refusals.ts";
import type { ToolResult } from "./tool.ts";

export type Personal = Caller & { readonly person: Person };

type Refused = ReturnType<typeof refused>;

interface ToolCall {
  readonly request_id: string;
  readonly caller: Personal;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
  readonly offered: OfferedTool;
  readonly sent: Readonly<Record<string, unknown>>;
}

/** What a tool answers, or what it refuses. Throws nothing. */
export async function outcomeOfCall(
  services: Services,
  findNamed: FindNamed,
  call: ToolCall,
): Promise<ToolResult | Refused> {
  const { request_id, offered } = call;
  const { name } = offered.tool;
  const started = performance.now();
  const outcome = await outcomeOf(services, findNamed, call);
  const is_error = isRefused(outcome);
  services.metrics.observeTool(name, is_error, (performance.now() - started) / 1000);
  services.log.info({ request_id, tool: name, is_error }, "tool");
  return outcome;
}

export function isRefused(outcome: ToolResult | Refused): outcome is Refused {
  return "isError" in outcome;
}

/** The result as JSON-RPC carries it. */
export function resultText(outcome: ToolResult | Refused): string {
  if (isRefused(outcome)) return jsonText(outcome);
  const { text, structured } = outcome;
  const data = typeof structured === "string" ? structured : jsonText(structured);
  return `{"content":[{"type":"text","text":${jsonText(text)}}],"structuredContent":${data}}`;
}

/** The data of a result as a value. */
export function structuredOf({ structured }: ToolResult): Record<string, unknown> {
  return typeof structured === "string" ? JSON.parse(structured) : { ...structured };
}

async function outcomeOf(
  services: Services,
  findNamed: FindNamed,
  { request_id, caller, left, offered, sent }: ToolCall,
): Promise<ToolResult | Refused> {
  const { tool, listed, input, forbids_all } = offered;
  if (forbids_all && sent.scope === "all") return refused(notTheirView(), request_id);
  const parsed = input.safeParse(sent, { reportInput: true });
  if (!parsed.success) {
    return refused(invalidArguments(tool.name, listed.inputSchema, parsed.error), request_id);
  }
  try {
    const cx = contextOf(services, caller, request_id, left);
    const named = await withoutNames(cx, input, parsed.data, findNamed);
    const result = await callTool(services, tool, cx, named, request_id);
    if (services.checks_replies) tool.output.parse(structuredOf(result));
    return result;
  } catch (thrown) {
    const error = problemFromDatabase(thrown);
    if (error instanceof Problem) return refused(error, request_id);
    services.log.error({ request_id, tool: tool.name, err: error }, "a tool failed");
    return failed(request_id);
  }
}
