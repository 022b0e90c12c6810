/**
 * Requests that wait for a lock or a connection: other requests are served meanwhile, and a request that waits too long is
 * refused with the time for a retry. No answer is 500, and a refused request changes nothing.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openApp } from "../../src/app.ts";
import {
  closeDatabase,
  openDatabase,
  type PoolLimits,
  REQUEST_LIMITS,
} from "../../src/platform/database/database.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { refusal } from "../support/http/refusal.ts";
import { assistantOf } from "../support/mcp/assistant.ts";
import { type Json, type Reply, useWorld } from "../support/world/world.ts";

const world = useWorld({ knows_origin: true });
const customer = world.made("POST /customers", { name: "Acme" });

/** Holds the locks of a statement until its transaction ends. */
let holder: pg.Client;
beforeEach(async () => {
  holder = new pg.Client({ connectionString: world.database_url });
  await holder.connect();
  await holder.query("begin");
});
afterEach(() => holder.end());
const holdCustomer = () =>
  holder.query("select from customers where id = $1 for update", [customer.id]);

/** Returns when at least `count` connections of this database wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const [row] = await world.sql(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row.count >= count) return;
    await delay(10);
  }
}

it("changes of one resource wait for each other, and no other account waits for them", async () => {
  const other = await world.openAnother();
  const key = other.keys.read_write;
  await holdCustomer();
  let answered = 0;
  const changes = Array.from({ length: 30 }, (_, index) =>
    world.rest(`PATCH /customers/${customer.id}`, { name: `Acme ${index}` }).finally(() => {
      answered += 1;
    }),
  );
  // The number of connections that one account may hold, of the ten for requests.
  await waiting(6);

  expect((await world.rest("POST /customers", { name: "Beside" }, key)).status).toBe(201);
  expect((await world.rest("GET /customers", undefined, key)).body.data).toHaveLength(1);
  expect((await fetch(`${world.origin}/readyz`)).status).toBe(200);
  expect(answered).toBe(0);

  await holder.query("rollback");
  const replies = await Promise.all(changes);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
});

/** The service with differently limited connections for `where`, for the duration of one callback. */
async function limited(
  connections: number,
  limits: Partial<PoolLimits>,
  work: (ask: (call: string, body?: object, headers?: object) => Promise<Reply>) => Promise<void>,
  where: "db" | "gate" = "db",
): Promise<void> {
  const { config, clock } = world.services;
  const db = openDatabase(world.serving_url, connections, () => {}, {
    ...REQUEST_LIMITS,
    ...limits,
  });
  const app = openApp(config, world.serving_url, openLog("silent"), {
    clock,
    [where]: db,
  });
  try {
    await app.server.listen({ host: "127.0.0.1", port: 0 });
    const address = app.server.server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await work(async (call, body, headers = {}) => {
      const [method = "", path = ""] = call.split(" ");
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${world.account.keys.read_write}`,
          ...(body ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      const is_json = response.headers.get("content-type")?.includes("json") ?? false;
      const content = is_json ? JSON.parse(text) : text;
      return { status: response.status, headers: response.headers, body: content };
    });
  } finally {
    await app.close();
    await closeDatabase(db);
  }
}

/** The refusal, and whether it states the time for a retry. */
const reported = (reply: Reply) => [refusal(reply), Number(reply.headers.get("retry-after")) > 0];

describe("a request that has waited too long", () => {
  it("for a lock is refused with RESOURCE_BUSY, and succeeds once the lock is free", async () => {
    await limited(2, { lock_ms: 100 }, async (ask) => {
      await holdCustomer();
      const call = `PATCH /api/v1/customers/${customer.id}`;
      expect(reported(await ask(call, { name: "Later" }))).toEqual(["409 RESOURCE_BUSY", true]);
      await holder.query("rollback");
      expect((await ask(call, { name: "Later" })).body.name).toBe("Later");
    });
  });

  it("for a lock can be repeated with its idempotency key, because the refusal is not stored", async () => {
    await limited(2, { lock_ms: 100 }, async (ask) => {
      const headers = { "idempotency-key": "busy" };
      await holder.query("lock table customers in share mode");
      const add = () => ask("POST /api/v1/customers", { name: "Twice" }, headers);
      expect(reported(await add())).toEqual(["409 RESOURCE_BUSY", true]);
      await holder.query("rollback");
      expect((await add()).status).toBe(201);
    });
  });

  it("for a table that is being changed is refused with RESOURCE_BUSY even if it only reads", async () => {
    await limited(2, { lock_ms: 100 }, async (ask) => {
      await holder.query("lock table customers in access exclusive mode");
      expect(reported(await ask("GET /api/v1/customers"))).toEqual(["409 RESOURCE_BUSY", true]);
    });
  });

  it("for a statement is refused with RATE_LIMITED", async () => {
    await limited(2, { statement_ms: 100 }, async (ask) => {
      await holder.query("lock table customers in access exclusive mode");
      expect(reported(await ask("GET /api/v1/customers"))).toEqual(["429 RATE_LIMITED", true]);
    });
  });

  it("for a connection is refused with RATE_LIMITED", async () => {
    await limited(1, { wait_ms: 100 }, async (ask) => {
      await holdCustomer();
      const call = `PATCH /api/v1/customers/${customer.id}`;
      const first = ask(call, { name: "First" });
      await waiting(1);
      expect(reported(await ask("GET /api/v1/customers"))).toEqual(["429 RATE_LIMITED", true]);
      await holder.query("rollback");
      expect((await first).status).toBe(200);
    });
  });
});

describe("during authentication, a wait for the lock", () => {
  const accept = "application/json, text/event-stream";
  const listed = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const client = { client_name: "Acme", redirect_uris: ["https://acme.example/answer"] };

  it.each<[string, string, string, Json, (token: string) => object, [number, Json]]>([
    [
      "of a key",
      "api_keys",
      "GET /api/v1/customers",
      undefined,
      () => ({}),
      [409, { error: expect.objectContaining({ code: "RESOURCE_BUSY" }) }],
    ],
    [
      "of an assistant's token",
      "oauth_grants",
      "POST /api/mcp",
      listed,
      (token) => ({ accept, authorization: `Bearer ${token}` }),
      [
        409,
        expect.objectContaining({
          error: expect.objectContaining({ data: { code: "RESOURCE_BUSY" } }),
        }),
      ],
    ],
    [
      "of a client that registers",
      "rate_counters",
      "POST /api/oauth/register",
      client,
      () => ({}),
      [429, expect.objectContaining({ error: "temporarily_unavailable" })],
    ],
    [
      "of a session",
      "sessions",
      "GET /settings",
      undefined,
      () => ({ cookie: `matchbook=${"x".repeat(43)}` }),
      [409, expect.stringContaining("Another change is in progress on the same data.")],
    ],
  ])(
    "%s ends in a refusal with the time for a retry",
    async (_whose, table, call, body, headers, expected) => {
      const { token } = await assistantOf(world);
      await limited(
        2,
        { lock_ms: 100 },
        async (ask) => {
          await holder.query(`lock table ${table} in access exclusive mode`);
          const reply = await ask(call, body, headers(token));
          expect([reply.status, reply.body]).toEqual(expected);
          expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
        },
        "gate",
      );
    },
  );
});

it("a period whose books are locked for too long has not failed: the next run issues it", async () => {
  const product = await world.done("POST /products", { name: "Retainer" });
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-04-01",
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }],
  });
  await world.done(`POST /recurring-series/${id}/activate`);
  world.clock.set("2026-05-02T08:00:00Z");
  await limited(5, { lock_ms: 100 }, async (ask) => {
    await holder.query("select from ledger_books for update");
    const held = await ask("POST /api/v1/scheduler-runs");
    expect(held.body).toMatchObject({ issued: [], failed: [], remaining: 1 });
    await holder.query("rollback");
    const after = await ask("POST /api/v1/scheduler-runs");
    expect(after.body).toMatchObject({ failed: [], remaining: 0 });
    expect(after.body.issued).not.toEqual([]);
  });
});
