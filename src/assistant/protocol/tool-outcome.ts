/**
 * Runs a tool call: replaces `today` and `yesterday` in the arguments by days, validates them by the catalogue's schema, replaces
 * names by ids, and calls the tool. Every refusal is a result. The official server and the short path (`plain-message.ts`) both use it.
 */
import * as z from "zod";
import { type FieldError, Problem } from "../../domain/base/problem.ts";
import type { Caller, Person } from "../../platform/commands/context.ts";
import type { ReadRow } from "../../platform/database/stored-read.ts";
import { refusalFrom } from "../../platform/http/client-left.ts";
import { unknownField, unknownFieldsIn } from "../../platform/http/known-fields.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import { jsonText } from "../../platform/runtime/json.ts";
import { logOfRequest } from "../../platform/runtime/log.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { type FindNamed, hasIdsAlone, withoutNames } from "./arguments.ts";
import { callTool, contextOf } from "./call-tool.ts";
import type { OfferedTool } from "./catalogue.ts";
import { withDays } from "./day-words.ts";
import { invalidArguments } from "./invalid-arguments.ts";
import { wholeInput } from "./listed-schema.ts";
import { failed, notTheirView, refused } from "./refusals.ts";
import type { ToolRead, ToolResult } from "./tool.ts";

/** The read of a call in one SQL query. */
type SingleToolRead = NonNullable<ToolRead["single"]>;

export type PersonCaller = Caller & { readonly person: Person };

type Refused = ReturnType<typeof refused>;

interface Call {
  readonly request_id: string;
  readonly caller: PersonCaller;
  readonly offered: OfferedTool;
  readonly sent: Readonly<Record<string, unknown>>;
}

interface ToolCall extends Call {
  /** Aborts when the client leaves. */
  readonly left: AbortSignal;
}

/** Returns the result or the refusal of a tool. Throws nothing. */
export function outcomeOfCall(
  services: Services,
  findNamed: FindNamed,
  call: ToolCall,
): Promise<ToolResult | Refused> {
  return withTelemetry(services, call, () => outcomeOf(services, findNamed, call));
}

/** Returns the one query that reads the data of the call; undefined where the call needs more queries or is to be refused. */
export function readOfCall({ caller, offered, sent }: Call): SingleToolRead | undefined {
  const { tool, input } = offered;
  if (tool.read === undefined) return undefined;
  const parsed = input.safeParse(sent);
  if (!parsed.success || !hasIdsAlone(input, parsed.data)) return undefined;
  try {
    return tool.read({ caller }, parsed.data).single;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns the result of a tool for the row that was read for it, or its refusal. Throws nothing. */
export function outcomeOfRead(
  services: Services,
  call: Call,
  read: SingleToolRead,
  found: ReadRow,
): Promise<ToolResult | Refused> {
  const { request_id, caller } = call;
  return withTelemetry(services, call, async () => {
    try {
      const cx = {
        ...contextFor(services, caller, logOfRequest(services.log, request_id)),
        caller,
      };
      const result = await read.answerFrom(found)(cx);
      if (services.checks_replies) call.offered.tool.output.parse(structuredOf(result));
      return result;
    } catch (thrown) {
      return refusedFor(services, call, thrown);
    }
  });
}

/** Measures and logs the call as every call, and returns its outcome. */
async function withTelemetry(
  services: Services,
  { request_id, offered }: Call,
  outcomeFor: () => Promise<ToolResult | Refused>,
): Promise<ToolResult | Refused> {
  const { name } = offered.tool;
  const started = performance.now();
  const outcome = await outcomeFor();
  const is_error = isRefused(outcome);
  services.metrics.observeTool(name, is_error, (performance.now() - started) / 1000);
  services.log.info({ request_id, tool: name, is_error }, "tool");
  return outcome;
}

export function isRefused(outcome: ToolResult | Refused): outcome is Refused {
  return "isError" in outcome;
}

/** Returns the result in the form of JSON-RPC, as text. */
export function resultText(outcome: ToolResult | Refused): string {
  if (isRefused(outcome)) return jsonText(outcome);
  const { text, structured } = outcome;
  const data = typeof structured === "string" ? structured : jsonText(structured);
  return `{"content":[{"type":"text","text":${jsonText(text)}}],"structuredContent":${data}}`;
}

/** Returns the data of a result as a value. */
export function structuredOf({ structured }: ToolResult): Record<string, unknown> {
  return typeof structured === "string" ? JSON.parse(structured) : { ...structured };
}

async function outcomeOf(
  services: Services,
  findNamed: FindNamed,
  call: ToolCall,
): Promise<ToolResult | Refused> {
  const { request_id, caller, left, offered } = call;
  const { tool, input, writable, answered, forbids_all } = offered;
  if (forbids_all && call.sent.scope === "all") return refused(notTheirView(), request_id);
  try {
    const cx = contextOf(services, caller, request_id, left);
    const sent = await withDays(cx, input, call.sent);
    const parsed = input.safeParse(sent, { reportInput: true });
    if (!parsed.success || unknownFieldsIn(sent, writable, answered).length > 0) {
      const faults = faultsOf(offered, sent, parsed.error);
      return refused(invalidArguments(tool.name, wholeInput(input), faults), request_id);
    }
    const named = await withoutNames(cx, input, parsed.data, findNamed);
    const result = await callTool(services, tool, cx, named, request_id);
    if (services.checks_replies) tool.output.parse(structuredOf(result));
    return result;
  } catch (thrown) {
    return refusedFor(services, call, thrown);
  }
}

/** Returns the faults of arguments: first those that the schema refuses, then unknown fields at any depth. */
function faultsOf(
  { writable, answered }: OfferedTool,
  sent: Call["sent"],
  error: z.ZodError | undefined,
): FieldError[] {
  const issues = error?.issues.filter(({ code }) => code !== "unrecognized_keys") ?? [];
  return [
    ...fieldErrorsFrom(new z.ZodError(issues)),
    ...unknownFieldsIn(sent, writable, answered).map(({ path }) => unknownField(path)),
  ];
}

/** Returns the refusal for an error that was thrown. */
function refusedFor(services: Services, { request_id, offered }: Call, thrown: unknown): Refused {
  const error = refusalFrom(thrown);
  if (error instanceof Problem) return refused(error, request_id);
  services.log.error({ request_id, tool: offered.tool.name, err: error }, "a tool failed");
  return failed(request_id);
}
