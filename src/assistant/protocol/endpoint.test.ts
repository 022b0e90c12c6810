/** The checks of the MCP endpoint in their order, both generations of the protocol, and unreadable requests. */

import { pino } from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, MCP_HEADERS, mcpRequest } from "../../../test/support/mcp/mcp.ts";
import { rawRequest } from "../../../test/support/mcp/raw.ts";
import { changedByOperator } from "../../../test/support/world/people.ts";
import { type Json, openWorld, type Reply, useWorld } from "../../../test/support/world/world.ts";

let admin: Agent;
let standard: Agent;
const world = useWorld();
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
  standard = await agentOf(world);
});

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const bearer = (token: string) => ({ ...MCP_HEADERS, authorization: `Bearer ${token}` });
const CHALLENGE =
  'Bearer resource_metadata="http://localhost:0/.well-known/oauth-protected-resource/api/mcp"';

describe("the checks", () => {
  it.each(["evil.example", "localhost.evil.example", "evil.example:3000", "[::2]"])(
    "refuse the host %s before anything else",
    async (host) => {
      const reply = await rawRequest(world, { host }, list);
      expect(reply).toMatchObject({ status: 403, body: { error: { code: "HOST_NOT_ALLOWED" } } });
    },
  );

  it.each(["https://evil.example", "null", "http://localhost", "http://localhost:1"])(
    "refuse pages of the origin %s with and without a token",
    async (origin) => {
      for (const headers of [MCP_HEADERS, bearer(admin.token)]) {
        const reply = await mcpRequest(world, { ...headers, origin }, list);
        expect(reply.status).toBe(403);
        expect(reply.body.error.code).toBe("ORIGIN_NOT_ALLOWED");
      }
    },
  );

  it("continue with the token for pages of the service's own origin", async () => {
    const { base_url } = world.services.config;
    expect((await mcpRequest(world, { ...MCP_HEADERS, origin: base_url }, list)).status).toBe(401);
  });

  it.each(["application/json", "text/event-stream", "*/*", "text/html", ""])(
    "answer 406 to Accept: %s before they check the credential",
    async (accept) => {
      for (const headers of [MCP_HEADERS, bearer("junk"), bearer(admin.token)]) {
        const reply = await mcpRequest(world, { ...headers, accept }, list);
        expect(reply.status).toBe(406);
        expect(reply.body).toMatchObject({
          error: { code: "NOT_ACCEPTABLE", message: expect.any(String) },
        });
        expect(reply.headers.get("www-authenticate")).toBeNull();
      }
    },
  );

  it("answer 401 with the exact challenge and body without a token", async () => {
    const reply = await mcpRequest(world, MCP_HEADERS, list);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe(CHALLENGE);
    expect(reply.body).toEqual({ error: { code: "UNAUTHORIZED", message: expect.any(String) } });
  });

  it("answer the same to invalid tokens and to keys of the REST API", async () => {
    const { keys } = world.account;
    const tokens = ["junk", keys.read_write, keys.read, "a.b.c", "x".repeat(6000)];
    for (const authorization of [...tokens.map((token) => `Bearer ${token}`), "Basic YTpi"]) {
      const reply = await mcpRequest(world, { ...MCP_HEADERS, authorization }, list);
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe(CHALLENGE);
    }
  });

  it("ignore a token in the query", async () => {
    const path = `/api/mcp?access_token=${admin.token}`;
    const reply = await fetch(`${world.origin}${path}`, {
      method: "POST",
      headers: MCP_HEADERS,
      body: JSON.stringify(list),
    });
    expect(reply.status).toBe(401);
  });

  it.each(["GET", "PUT", "PATCH", "DELETE"])(
    "answer 405 to %s with a token, and 401 without a token",
    async (method) => {
      const refused = await mcpRequest(world, bearer(admin.token), undefined, method);
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("POST");
      expect((await mcpRequest(world, MCP_HEADERS, undefined, method)).status).toBe(401);
    },
  );

  it("answer 401 from the first call after the grant is deleted", async () => {
    const agent = await agentOf(world);
    expect((await agent.rpc("tools/list")).status).toBe(200);
    await world.sql("delete from oauth_grants where id = $1", [agent.grant_id]);
    expect((await agent.rpc("tools/list")).status).toBe(401);
  });

  it("answer 401 to a deactivated user", async () => {
    const agent = await agentOf(world);
    await world.done(`PATCH /users/${agent.user_id}`, { active: false });
    expect((await agent.rpc("tools/list")).status).toBe(401);
  });
});

describe("scopes", () => {
  it("above those of the token cause 403, with the challenge to request them", async () => {
    const agent = await agentOf(world, { scope: "mcp:write" });
    const reply = await agent.rpc("tools/call", { name: "plan_issue_invoice", arguments: {} });

    expect(reply.status).toBe(403);
    expect(reply.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="mcp:read mcp:write mcp:issue", resource_metadata="http://localhost:0/.well-known/oauth-protected-resource/api/mcp"`,
    );
    expect(reply.body.error).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      message: expect.stringContaining("plan_issue_invoice"),
    });
  });

  it("apply to each call of a batch", async () => {
    const agent = await agentOf(world, { scope: "mcp:read" });
    const params = { name: "commit", arguments: { plan_id: "x" } };
    const batch = [list, { jsonrpc: "2.0", id: 2, method: "tools/call", params }];
    expect((await mcpRequest(world, bearer(agent.token), batch)).status).toBe(403);
  });

  it("follow the current role of the user", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const catalogue = async () => (await agent.rpc("tools/list")).body.result.tools;
    const before = await catalogue();
    await changedByOperator(world, agent.user_id, { role: "standard" });
    expect(before).toEqual((await admin.rpc("tools/list")).body.result.tools);
    expect(await catalogue()).toEqual((await standard.rpc("tools/list")).body.result.tools);
  });
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the protocol that names its version in every message. */
const modern = (method: string, params: Json = {}, more: Record<string, string> = {}) =>
  mcpRequest(
    world,
    {
      ...bearer(admin.token),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(params.name ? { "mcp-name": params.name } : {}),
      ...more,
    },
    { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: META } },
  );

describe("both generations of the protocol", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "answer initialize of %s in JSON and without a session",
    async (protocolVersion) => {
      const clientInfo = { name: "test", version: "1" };
      const params = { protocolVersion, clientInfo, capabilities: {} };
      const reply = await admin.rpc("initialize", params);

      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
      expect(reply.headers.get("mcp-session-id")).toBeNull();
      expect(reply.body.result).toMatchObject({
        protocolVersion,
        serverInfo: { name: "matchbook" },
      });
    },
  );

  it("list the same tools", async () => {
    const names = (reply: Json) => reply.body.result.tools.map(({ name }: Json) => name);
    expect(names(await modern("tools/list"))).toEqual(names(await admin.rpc("tools/list")));
  });

  it("call the same tools", async () => {
    const params = { name: "plan_save_customer", arguments: { name: "Modern A/S" } };
    const { body } = await modern("tools/call", params);
    expect(body.result.structuredContent).toMatchObject({
      kind: "save_customer",
      summary: 'Creates the customer "Modern A/S".',
    });
  });

  it("answer a notification with 202", async () => {
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await mcpRequest(world, bearer(admin.token), note)).status).toBe(202);
  });

  it("refuse subscriptions", async () => {
    const reply = await modern("subscriptions/listen", { notifications: {} });
    expect(reply).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });
});

describe("a batch", () => {
  it.each(["before", "after"])(
    "with a cancellation %s its own request is answered",
    async (when) => {
      const call = { ...list, id: 5 };
      const cancel = {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 5 },
      };
      const batch = when === "before" ? [cancel, call] : [call, cancel];
      const reply = await mcpRequest(world, bearer(admin.token), batch);
      expect(reply.status).toBe(200);
      expect([reply.body].flat()).toMatchObject([{ id: 5, result: {} }]);
      expect((await mcpRequest(world, bearer(admin.token), [cancel])).status).toBe(202);
    },
  );
});

describe("invalid calls", () => {
  it("of an unknown tool cause an error of JSON-RPC", async () => {
    for (const name of [
      "drop_tables",
      "__proto__",
      "constructor",
      "toString",
      "",
      "x".repeat(5000),
    ]) {
      const { body } = await admin.rpc("tools/call", { name, arguments: {} });
      expect(body.error).toMatchObject({ code: -32602, message: expect.stringMatching(/no tool/) });
    }
  });

  it("with invalid arguments return a result with the fault and the expected value of each", async () => {
    const params = {
      name: "list_invoices",
      arguments: { limit: 0, status: "paid", from: "tomorrow", costumer: "Acme" },
    };
    const { body } = await admin.rpc("tools/call", params);
    expect(body.result.isError).toBe(true);
    const { error } = body.result.structuredContent;
    expect(error.code).toBe("VALIDATION_FAILED");
    expect(error.field_errors.map((fault: Json) => [fault.field, fault.code])).toEqual([
      ["status", "invalid_value"],
      ["from", "invalid_format"],
      ["limit", "too_small"],
      ["costumer", expect.any(String)],
    ]);
    const { text } = body.result.content[0];
    expect(text).toContain("status: ");
    expect(text).toContain("Right: one of draft, issued.");
    expect(text).toContain("Right: a day such as 2026-03-31");
    expect(text).toContain("Right: a whole number from 1 to 100");
    expect(text).toContain("Did you mean customer? It takes scope, ");
  });

  it("of an unknown method cause an error of JSON-RPC", async () => {
    const { body } = await admin.rpc("resources/list");
    expect(body.error.code).toBe(-32601);
  });
});

describe("an unreadable request", () => {
  const bodies: [string, unknown][] = [
    ["invalid JSON", "{"],
    ["an empty body", undefined],
    ["null", "null"],
    ["a number", "1"],
    ["an empty batch", "[]"],
    ["a batch of junk", "[1, null, {}]"],
    ["a batch of a thousand", JSON.stringify(Array.from({ length: 1000 }, () => list))],
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["another version", { ...list, jsonrpc: "1.0" }],
    ["an invalid id", { ...list, id: { a: 1 } }],
    ["params that are a list", { ...list, params: [1] }],
    ["an invalid name of a tool", { ...list, method: "tools/call", params: { name: 1 } }],
    ["null params", { ...list, method: "tools/call", params: null }],
    [
      "arguments that are a list",
      { ...list, method: "tools/call", params: { name: "commit", arguments: [1] } },
    ],
    [
      "a name of the prototype",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"commit","arguments":{"__proto__":{"plan_id":"x"},"constructor":1}}}`,
    ],
    [
      "NUL bytes",
      {
        ...list,
        method: "tools/call",
        params: { name: "commit", arguments: { plan_id: "a\u0000b" } },
      },
    ],
    ["deep nesting", `${"[".repeat(100)}${"]".repeat(100)}`],
    ["a megabyte", `"${"x".repeat(1_000_001)}"`],
    ["an unknown version", { ...list, params: { _meta: { ...META, x: 1 } } }],
  ];
  it.each(bodies)("with %s is answered in JSON without a 5xx status", async (_what, body) => {
    for (const more of [{}, { "mcp-protocol-version": "2199-01-01" }]) {
      const reply = await mcpRequest(world, { ...bearer(admin.token), ...more }, body);
      expect(reply.status).toBeLessThan(500);
      expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.(ts|js|mjs):\d|node_modules/);
    }
  });

  it("of another content type causes 415", async () => {
    const headers = { ...bearer(admin.token), "content-type": "text/plain" };
    expect((await mcpRequest(world, headers, "hello")).status).toBe(415);
  });
});

describe("the rate limit", () => {
  it("is 120 requests a minute for each grant", async () => {
    const limited = await openWorld({ environment: { MATCHBOOK_RATE_LIMIT: "50:100" } });
    try {
      const [busy, other] = [await agentOf(limited), await agentOf(limited)];
      // Twenty parallel requests: sequential ones would not exceed the rate on a slow machine.
      let [allowed, refused] = [0, undefined as Reply | undefined];
      while (refused === undefined) {
        const replies = await Promise.all(Array.from({ length: 20 }, () => busy.rpc("ping")));
        allowed += replies.filter(({ status }) => status === 200).length;
        refused = replies.find(({ status }) => status === 429);
      }
      expect(allowed).toBeGreaterThanOrEqual(120);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(refused.body.error.code).toBe("RATE_LIMITED");
      expect((await other.rpc("ping")).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe("the rate limit of batches", () => {
  it("counts each message of a batch", async () => {
    const limited = await openWorld({ environment: { MATCHBOOK_RATE_LIMIT: "50:100" } });
    try {
      const { token } = await agentOf(limited);
      const headers = { ...MCP_HEADERS, authorization: `Bearer ${token}` };
      const batch = Array.from({ length: 50 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
      const statuses: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await mcpRequest(limited, headers, batch)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("the log", () => {
  it("has a line for each call of a tool, without tokens and arguments", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line) => lines.push(line) });
    const logged = await openWorld({ overrides: { log } });
    try {
      const agent = await agentOf(logged, { role: "admin" });
      const { plan_id } = await agent.done("plan_save_customer", { name: "Secret A/S" });
      await agent.done("commit", { plan_id });
      await mcpRequest(logged, bearer("mbk_notAToken"), list);
      const text = lines.join("");
      expect(text).toContain('"tool":"plan_save_customer"');
      expect(text).toContain(agent.user_id);
      for (const secret of [agent.token, "mbk_notAToken", "Secret A/S", plan_id]) {
        expect(text).not.toContain(secret);
      }
    } finally {
      await logged.close();
    }
  });
});

describe("metrics", () => {
  it("count calls of tools by name and outcome", async () => {
    await admin.done("plan_save_customer", { name: "Counted" });
    await admin.refused("commit", { plan_id: "plan_x" });
    const text = await world.services.metrics.text();
    expect(text).toMatch(
      /matchbook_tool_seconds_count\{tool="plan_save_customer",outcome="done"\} \d/,
    );
    expect(text).toMatch(/matchbook_tool_seconds_count\{tool="commit",outcome="refused"\} \d/);
  });
});
