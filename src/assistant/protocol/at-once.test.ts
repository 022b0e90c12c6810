/**
 * Calls that one statement answers together with the look-up of their token. They return the same answers and refusals as
 * the official server, to the same callers, in the same order and words. An empty `_meta` has no meaning, but routes a
 * message to the official server.
 */

import { request } from "node:http";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { type Agent, agentOf, MCP_HEADERS } from "../../../test/support/mcp/mcp.ts";
import { changedByOperator } from "../../../test/support/world/people.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { issueAccessToken } from "../../features/access/oauth/tokens.ts";

const world = useWorld({ environment: { MATCHBOOK_RATE_LIMIT: "1000:2000" } });
const customer = world.made("POST /customers", { name: 'Søn "& 日本" 🍏', external_id: "acme" });
const product = world.made("POST /products", { name: "Work", default_price: 100 });
let admin: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1250.5 };
  const bill = async (title: string | null, is_issued: boolean): Promise<void> => {
    const draft = {
      customer_id: customer.id,
      title,
      lines: [line, { ...line, agreed_value: 0.01 }],
    };
    const { id } = await world.done("POST /invoices", draft);
    if (is_issued) await world.done(`POST /invoices/${id}/issue`);
  };
  for (let at = 0; at < 11; at += 1) await bill(`Title,\n"${at}" of  11`, true);
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    currency: "DKK",
    frequency: "monthly",
    start_date: "2026-03-01",
    lines: [line],
  });
  await world.done(`POST /recurring-series/${id}/activate`);
  await world.done(`POST /recurring-series/${id}/occurrences/2026-03/issue`);
  await bill(null, false);
});
afterEach(() => {
  vi.useRealTimers();
});

const listing = (args: Json, more: Json = {}) => ({
  jsonrpc: "2.0",
  id: "seven",
  method: "tools/call",
  params: { name: "list_invoices", arguments: args, ...more },
});
const everything = listing({ scope: "all" });

interface Answered {
  readonly status: number | undefined;
  readonly headers: Json;
  readonly text: string;
}

/** The answer to a body. With `between`, the rest of the body is sent only after `between` has run behind the gate. */
function answered(
  { token }: Pick<Agent, "token">,
  message: Json | string,
  between?: () => Promise<unknown>,
  more: Record<string, string> = {},
): Promise<Answered> {
  const body = Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
  const headers = {
    ...MCP_HEADERS,
    authorization: `Bearer ${token}`,
    "content-length": String(body.length),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${world.origin}/api/mcp`, { method: "POST", headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => {
        const { date: _, "x-request-id": id = "", ...others } = reply.headers;
        const text = Buffer.concat(chunks).toString().replaceAll(String(id), "");
        resolve({ status: reply.statusCode, headers: { ...others, "content-length": "" }, text });
      });
    });
    sent.on("error", reject);
    if (between === undefined) return void sent.end(body);
    // The framework handles the request event first, so the gate has been passed when this listener runs.
    world.app.server.server.once("request", () => {
      between().then(() => sent.end(body.subarray(20)), reject);
    });
    sent.write(body.subarray(0, 20));
  });
}

const read = async (agent: Pick<Agent, "token">) => {
  const { status, text } = await answered(agent, everything);
  if (status !== 200) return status;
  return JSON.parse(text).result.structuredContent?.in_scope ?? "refused";
};

/** An agent whose token was used a moment ago. */
async function seen(fields: Parameters<typeof agentOf>[1] = { role: "admin" }): Promise<Agent> {
  const agent = await agentOf(world, fields);
  expect(await read(agent)).toBe(13);
  return agent;
}

describe("a call answered by one statement", () => {
  it("returns the same bytes as the official server", async () => {
    const first = (args: Json) => admin.done("list_invoices", { scope: "all", ...args });
    const { next_cursor: cursor } = await first({ limit: 10 });
    const all: Json[] = [
      {},
      { limit: 10 },
      { limit: 10, cursor },
      { limit: 50 },
      { limit: 3 },
      { origin: "one_time", limit: 10 },
      { origin: "series" },
      { status: "issued" },
      { status: "draft", limit: 20 },
      { customer: customer.id, limit: 10 },
      { customer: customer.id.toUpperCase() },
      { customer: world.account.account_id },
      // Calls that need more than one statement.
      { customer: "ext:acme" },
      { search: "title" },
      { scope: "mine" },
      // Calls that are refused.
      { customer: "ext:unknown" },
      { cursor: "invalid" },
      { limit: 0 },
      { costumer: "Acme" },
    ];
    for (const args of all) {
      const given = { scope: "all", ...args };
      const expected = await answered(admin, listing(given, { _meta: {} }));
      expect(expected.status).toBe(200);
      expect(await answered(admin, listing(given)), JSON.stringify(args)).toEqual(expected);
    }
    expect(await read(admin)).toBe(13);
  });

  it("needs one statement, including the look-up of its token, without drafts priced by hours", async () => {
    const asked = (args: Json) => statementsOf(() => answered(admin, listing(args)));

    expect(await asked({ scope: "all", origin: "series" })).toBe(1);
    expect(await asked({ scope: "all" })).toBe(1);
    expect(await asked({ scope: "mine", status: "issued" })).toBeGreaterThan(1);

    const by_hours = { product_id: product.id, recognition_method: "hours", hourly_rate: 900 };
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      lines: [by_hours],
    });
    expect(await asked({ scope: "all" })).toBe(2);
    await world.done(`DELETE /invoices/${id}`);
  });

  it("is counted in the metrics like any other call", async () => {
    const count = async () =>
      Number(
        /seconds_count\{tool="list_invoices",outcome="done"\} (\d+)/.exec(
          await world.services.metrics.text(),
        )?.[1] ?? 0,
      );
    const before = await count();
    await read(admin);
    expect(await count()).toBe(before + 1);
  });

  it("releases the places of disconnected clients", async () => {
    for (let index = 0; index < 20; index += 1) {
      const body = JSON.stringify(everything);
      const headers = { ...MCP_HEADERS, authorization: `Bearer ${admin.token}` };
      const sent = request(`${world.origin}/api/mcp`, { method: "POST", headers });
      sent.on("error", () => {});
      sent.setHeader("content-length", Buffer.byteLength(body));
      sent.end(body);
      await new Promise((resolve) => setTimeout(resolve, index % 4));
      sent.destroy();
    }
    expect(await read(admin)).toBe(13);
  });
});

/** Events that end a token. */
const ends: [string, (agent: Agent) => Promise<unknown>][] = [
  ["revoked", ({ grant_id }) => world.sql("delete from oauth_grants where id = $1", [grant_id])],
  [
    "expired with its grant",
    ({ grant_id }) =>
      world.sql("update oauth_grants set expires_at = now() where id = $1", [grant_id]),
  ],
  ["of a deactivated user", ({ user_id }) => changedByOperator(world, user_id, { active: false })],
];

describe("a token that was valid before", () => {
  let refused: Answered;
  beforeAll(async () => {
    refused = await answered({ token: "junk" }, everything);
    expect(refused.status).toBe(401);
  });

  it.each(ends)("that is now %s is refused at its next call", async (_what, end) => {
    const agent = await seen();
    await end(agent);
    for (let time = 0; time < 2; time += 1) {
      expect(await answered(agent, everything)).toEqual(refused);
    }
  });

  it.each(ends)("that is %s while its request arrives is refused", async (_what, end) => {
    const agent = await seen();
    expect(await answered(agent, everything, () => end(agent))).toEqual(refused);
  });

  it("is refused from the second of its expiry", async () => {
    const passed = async () =>
      void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 41_000 });
    const made = Math.floor(Date.now() / 1000) - 560;
    for (const is_sending of [false, true]) {
      const { grant_id, user_id } = await seen();
      const subject = { grant_id, user_id, client_id: "c", scopes: ["mcp:read"] as const };
      const old = { token: await issueAccessToken(world.services, subject, made) };
      expect([await read(old), await read(old)]).toEqual([13, 13]);
      if (!is_sending) await passed();
      expect(await answered(old, everything, is_sending ? passed : undefined)).toEqual(refused);
      vi.useRealTimers();
    }
  });

  it("is refused before any fault of the body", async () => {
    const [live, gone] = [await seen(), await seen()];
    await world.sql("delete from oauth_grants where id = $1", [gone.grant_id]);
    const bodies: [string, Record<string, string>, number][] = [
      ["{", {}, 400],
      ["hello", { "content-type": "text/plain" }, 415],
      [`"${"x".repeat(1_000_001)}"`, {}, 413],
      [JSON.stringify({ ...everything, method: "nothing" }), {}, 200],
    ];
    for (const [body, headers, status] of bodies) {
      expect((await answered(live, body, undefined, headers)).status).toBe(status);
      const again = await seen();
      await world.sql("delete from oauth_grants where id = $1", [again.grant_id]);
      expect(await answered(again, body, undefined, headers)).toMatchObject({
        status: 401,
        text: refused.text,
      });
    }
  });

  it("has the current permissions of its user", async () => {
    for (const between of [false, true]) {
      const agent = await seen();
      const demote = () => changedByOperator(world, agent.user_id, { role: "standard" });
      if (!between) await demote();
      const { text } = await answered(agent, everything, between ? demote : undefined);
      const { result } = JSON.parse(text);
      expect(result).toMatchObject({ isError: true });
      expect(result.structuredContent.error.code).toBe("ROLE_FORBIDDEN");
    }
  });

  it("reads its own account, also with simultaneous calls of another account", async () => {
    const { account_id } = await world.openAnother();
    const other = await agentOf(world, { role: "admin", account_id });
    expect([await read(other), await read(other)]).toEqual([0, 0]);
    const both = Array.from({ length: 6 }, (_, at) => read(at % 2 === 0 ? other : admin));
    expect(await Promise.all(both)).toEqual([0, 13, 0, 13, 0, 13]);
    expect(await answered(other, listing({ scope: "all", customer: customer.id }))).toMatchObject({
      status: 200,
      text: expect.not.stringContaining("Title"),
    });
  });

  it("has its own rate limit, which is checked after its validity", async () => {
    const agent = await seen();
    let last: Answered | undefined;
    for (let time = 0; last?.status !== 429 && time < 60; time += 1) {
      const some = await Promise.all(Array.from({ length: 20 }, () => answered(agent, everything)));
      last = some.find(({ status }) => status === 429) ?? last;
    }
    expect(last).toMatchObject({ status: 429, text: expect.stringContaining("RATE_LIMITED") });
    expect(await read(admin)).toBe(13);
    await world.sql("delete from oauth_grants where id = $1", [agent.grant_id]);
    expect(await answered(agent, everything)).toEqual(refused);
  });
});
