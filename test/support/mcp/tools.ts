/**
 * Tools called as functions, with the context of a user: their texts and answers, without a token or a connection. Arguments
 * and results are checked against their schemas.
 */
import * as z from "zod";
import { readTools } from "../../../src/assistant/catalogue.ts";
import { withoutNames } from "../../../src/assistant/protocol/arguments.ts";
import { withDays } from "../../../src/assistant/protocol/day-words.ts";
import type { Tool, ToolResult } from "../../../src/assistant/protocol/tool.ts";
import { structuredOf } from "../../../src/assistant/protocol/tool-outcome.ts";
import { findNamed } from "../../../src/assistant/views/names.ts";
import { Problem } from "../../../src/domain/base/problem.ts";
import type { PersonContext } from "../../../src/platform/commands/context.ts";
import { contextFor } from "../../../src/platform/runtime/services.ts";
import type { Json, World } from "../world/world.ts";
import { assistantOf } from "./assistant.ts";

/** The context of a user's assistant, with every scope by default, as a request with its token has it. */
export async function personContext(
  world: World,
  user_id: string,
  account_id: string = world.account.account_id,
): Promise<PersonContext> {
  const assistant = await assistantOf(world, { user_id, account_id });
  const caller = await assistant.caller();
  if (caller.person === null) throw new Error("the assistant has no user");
  const cx = contextFor(world.services, caller, world.services.log);
  return { ...cx, caller: { ...caller, person: caller.person } };
}

export interface ToolAnswer extends ToolResult {
  readonly structured: Json;
  /** The text, line by line. */
  readonly lines: readonly string[];
}

/** Calls a reading tool by its name. Throws its refusals, and an error for arguments or results that violate their schemas. */
export async function toolAnswer(
  cx: PersonContext,
  name: string,
  args: Json = {},
): Promise<ToolAnswer> {
  const tool = toolNamed(name);
  const input = tool.input(cx.caller.person.role);
  const sent = await withDays(cx, input, args);
  const named = await withoutNames(cx, input, input.parse(sent), findNamed);
  const result = await tool.call(cx, named);
  // The answer must be plain JSON, without fields that the tool does not declare.
  const structured = JSON.parse(JSON.stringify(structuredOf(result)));
  expectFits(tool, structured);
  return { ...result, structured, lines: result.text.split("\n") };
}

/** The code of the refusal, or `answered` when there is none. */
export async function refusalOf(given: Promise<unknown>): Promise<string> {
  try {
    await given;
    return "answered";
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

export function toolNamed(name: string): Tool {
  const tool = readTools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

function expectFits(tool: Tool, structured: Json): void {
  const shape = tool.output.strict();
  const parsed = shape.parse(structured);
  if (JSON.stringify(sorted(parsed)) !== JSON.stringify(sorted(structured))) {
    throw new Error(`${tool.name} returns fields that it does not declare`);
  }
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** A schema as assistants see it. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" });
}
