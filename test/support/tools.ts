/**
 * Tools called as functions, with the context of a person: what they say and answer, without a token or a
 * connection. Arguments and results are checked against their schemas.
 */
import * as z from "zod";
import type { UserId } from "../../src/domain/brand.ts";
import { Problem } from "../../src/domain/problem.ts";
import type { Role } from "../../src/domain/user.ts";
import { query } from "../../src/platform/database/database.ts";
import type { PersonContext, Tool, ToolResult } from "../../src/platform/mcp/tool.ts";
import { schedulerContext } from "../../src/platform/services.ts";
import { readTools } from "../../src/read-tools.ts";
import type { Json, World } from "./world.ts";

/** The context of a user's assistant with every scope. */
export async function personContext(
  world: World,
  user_id: string,
  account_id: string = world.account.account_id,
): Promise<PersonContext> {
  const cx = await schedulerContext(world.services, account_id);
  const [user] = await query<{ name: string; email: string; role: Role }>(
    world.db,
    "select name, email, role from users where account_id = $1 and id = $2",
    [account_id, user_id],
  );
  if (user === undefined) throw new Error(`there is no user ${user_id}`);
  const grant = { id: "grant", scopes: new Set(["mcp:read", "mcp:write", "mcp:issue"] as const) };
  const person = { ...user, user_id: user_id as UserId, grant };
  const actor = { kind: "user" as const, id: user_id };
  return { ...cx, caller: { ...cx.caller, actor, person } };
}

export interface Told extends ToolResult {
  readonly structured: Json;
  /** The text, line by line. */
  readonly lines: readonly string[];
}

/** Calls a reading tool by its name. Throws what it refuses, and for arguments or results that do not fit. */
export async function tell(cx: PersonContext, name: string, args: Json = {}): Promise<Told> {
  const tool = toolNamed(name);
  const input = tool.input(cx.caller.person.role).parse(args);
  const result = await tool.call(cx, input);
  // What is answered is plain JSON, and has no more fields than the tool declares.
  const structured = JSON.parse(JSON.stringify(result.structured));
  expectFits(tool, structured);
  return { ...result, structured, lines: result.text.split("\n") };
}

/** The code of the refusal, or `told` where there is none. */
export async function refusalOf(told: Promise<unknown>): Promise<string> {
  try {
    await told;
    return "told";
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
    throw new Error(`${tool.name} answers fields that it does not declare`);
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
