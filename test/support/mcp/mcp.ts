/** Calls of the MCP endpoint over real HTTP, and a digest of the data that plans must not change. */
import { expect } from "vitest";
import { MCP_PATH } from "../../../src/assistant/protocol/endpoint.ts";
import { danishPlanSentence } from "../../../src/web/words/da-plans.ts";
import { send } from "../http/send.ts";
import type { Json, Reply, World } from "../world/world.ts";
import { type Assistant, type AssistantFields, assistantOf } from "./assistant.ts";

let count = 0;

export const MCP_HEADERS = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

/** Any request of the endpoint; the body is JSON unless it is a text. */
export async function mcpRequest(
  world: World,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
  method = "POST",
): Promise<Reply> {
  const reply = await send(`${world.origin}${MCP_PATH}`, {
    method,
    headers,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = reply.body.toString();
  const is_json = reply.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: reply.status,
    body: is_json && text !== "" ? JSON.parse(text) : text,
    headers: reply.headers,
  };
}

export interface Called {
  readonly is_error: boolean;
  readonly text: string;
  /** The structured content; for a refusal, its error. */
  readonly data: Json;
}

export interface Agent extends Assistant {
  /** A JSON-RPC request; returns the reply. */
  rpc(method: string, params?: Json): Promise<Reply>;
  /** The result of a tool; throws without a result. */
  call(tool: string, args?: Json): Promise<Called>;
  /** As `call`; throws for a refusal, and returns the data. */
  done(tool: string, args?: Json): Promise<Json>;
  /** The code of a tool's refusal; throws when the call succeeds. */
  refused(tool: string, args?: Json): Promise<string>;
  /** Plans and commits; returns the resource. */
  carried(tool: string, args?: Json): Promise<Json>;
}

/** A user with an assistant that calls tools. */
export async function agentOf(world: World, fields: AssistantFields = {}): Promise<Agent> {
  return agentFrom(world, await assistantOf(world, fields));
}

function agentFrom(world: World, assistant: Assistant): Agent {
  const rpc = (method: string, params: Json = {}): Promise<Reply> => {
    count += 1;
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${assistant.token}` };
    return mcpRequest(world, headers, { jsonrpc: "2.0", id: count, method, params });
  };
  const call = async (name: string, args: Json = {}): Promise<Called> => {
    const { status, body } = await rpc("tools/call", { name, arguments: args });
    if (body.result === undefined) {
      throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    }
    const { isError = false, content, structuredContent } = body.result;
    const data = isError ? structuredContent.error : structuredContent;
    if (!isError && name.startsWith("plan_")) requireDanish(data);
    return { is_error: isError, text: content[0].text, data };
  };
  const done = async (name: string, args: Json = {}): Promise<Json> => {
    const { is_error, text, data } = await call(name, args);
    if (is_error) throw new Error(`${name} was refused: ${text}`);
    return data;
  };
  return {
    ...assistant,
    rpc,
    call,
    done,
    async refused(name, args = {}) {
      const { is_error, text, data } = await call(name, args);
      if (!is_error) throw new Error(`${name} was not refused: ${text}`);
      return data.code;
    },
    async carried(name, args = {}) {
      const { plan_id } = await done(name, args);
      return (await done("commit", { plan_id })).resource;
    },
  };
}

/** Pages show a plan in Danish: each of its sentences has a Danish form. */
function requireDanish({ summary, effects, warnings }: Json): void {
  for (const sentence of [summary, ...effects, ...warnings]) {
    expect(danishPlanSentence(sentence), `${sentence} in Danish`).toBeDefined();
  }
}

/** Tables that every call changes. */
const NOT_BUSINESS = [
  ...["plans", "audit_events", "audit_heads", "oauth_grants", "rate_counters"],
  // Written after the answers, so the requests of a test may still arrive.
  "api_key_requests",
];

/** A digest of every row in the database, except in the tables that record an assistant's plans and tool calls. */
export async function digestOf(world: World): Promise<string> {
  const tables = await world.sql(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any($1)
     order by 1`,
    [NOT_BUSINESS],
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name} ' || md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest from ${name} t`,
  );
  const rows = await world.sql(`${digests.join(" union all ")} order by 1`);
  return rows.map(({ digest }) => digest).join("\n");
}
