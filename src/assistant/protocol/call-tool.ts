/** Calls a tool in one of the account's slots for requests: in this thread, or in another thread where the call may take long. */

import type { PersonContext } from "../../platform/commands/context.ts";
import type { AnyAsked, AskedTool, Reply } from "../../platform/http/asked.ts";
import { logOfRequest } from "../../platform/runtime/log.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { ANYTHING, unlessLong } from "../../platform/threads/takes-long.ts";
import { fitting } from "./answer-size.ts";
import type { Tool, ToolResult } from "./tool.ts";

export function contextOf(
  services: Services,
  caller: PersonContext["caller"],
  request_id: string,
  left: AbortSignal,
): PersonContext {
  return { ...contextFor(services, caller, logOfRequest(services.log, request_id), left), caller };
}

/** Calls a tool and returns its result. Throws the refusals of the tool, and RATE_LIMITED. */
export async function callTool(
  services: Services,
  tool: Tool,
  cx: PersonContext,
  input: unknown,
  request_id: string,
): Promise<ToolResult> {
  const { heavy, shares } = services;
  const { account_id } = cx.caller;
  const is_heavy = tool.heavy !== undefined;
  let release = await shares.take(account_id, is_heavy, cx.signal);
  try {
    if (heavy === null) return await answerOf(tool, cx, input);
    const light = { ...cx, leaves_if_long: true };
    const here = is_heavy ? null : await unlessLong(() => answerOf(tool, light, input));
    if (here !== null) return here;
    if (!is_heavy) {
      release();
      release = await shares.take(account_id, true, cx.signal);
    }
    const { readOnlyHint: is_read } = tool.annotations;
    const asked = { tool: tool.name, caller: cx.caller, request_id, input, is_read };
    const { body } = await heavy.answer(asked, "computation", tool.heavy ?? ANYTHING, cx);
    return JSON.parse(Buffer.from(body as Uint8Array).toString()) as ToolResult;
  } finally {
    release();
  }
}

/** Returns the result of a tool. A page that is too large is made again with fewer rows. */
async function answerOf(tool: Tool, cx: PersonContext, input: unknown): Promise<ToolResult> {
  const { limit } = input as { readonly limit?: number };
  if (tool.annotations.readOnlyHint && limit !== undefined) {
    return fitting(limit, (rows) => tool.call(cx, { ...(input as object), limit: rows }));
  }
  return tool.call(cx, input);
}

/** Calls a tool in the thread to which the call was passed. */
export async function answerTool(
  tools: readonly Tool[],
  cx: PersonContext,
  { tool: name, input }: AskedTool,
): Promise<Reply> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return { status: 200, headers: {}, body: JSON.stringify(await answerOf(tool, cx, input)) };
}

export function isToolCall(asked: AnyAsked): asked is AskedTool {
  return "tool" in asked;
}
