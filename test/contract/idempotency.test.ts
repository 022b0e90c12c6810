/**
 * `Idempotency-Key`: a repetition returns the first answer, and nothing is done twice, also when the service is
 * killed or loses its database in between. The test can cut the connection; program and database are the real ones.
 */
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeExpired } from "../../src/features/access/sign-in/clean.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { transaction } from "../../src/platform/database/transaction.ts";
import { useFragileWorld } from "../support/database/fragile-world.ts";
import { operations, smallestOf } from "../support/http/openapi.ts";
import { callPlainly, type PlainReply } from "../support/http/plain-call.ts";
import { refusal } from "../support/http/refusal.ts";
import { rejected, steps } from "../support/ledger/scripted-ledger.ts";
import type { Json } from "../support/world/world.ts";

let customer_id: string;
let product_id: string;
const fragile = useFragileWorld();
const { world } = fragile;
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme", email: "ap@acme.example" }))
    .id;
  product_id = (await world.done("POST /products", { name: "Consulting" })).id;
  // The stored answer deletes the committed result: a copy lets `forgetAnswer` restore the state before it.
  await world.sql("create table before_answer (account_id uuid, key text, committed text)");
  await world.sql(`create function copy_committed() returns trigger language plpgsql as $$ begin
    insert into before_answer values (old.account_id, old.key, old.committed); return null; end $$`);
  await world.sql(`create trigger copy_committed after update on idempotency_keys for each row
    when (old.committed is not null and new.committed is null) execute function copy_committed()`);
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

let key: string;
let keys = 0;
beforeEach(() => {
  keys += 1;
  key = `key ${keys}`;
});

async function send(
  call: string,
  body?: Json,
  used: string = key,
  api_key: string = world.account.keys.read_write,
): Promise<PlainReply & { readonly body: Json }> {
  const [method = "", path = ""] = call.split(" ");
  const text =
    body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "idempotency-key": used };
  const reply = await callPlainly(world, method, path, api_key, { body: text, headers });
  return { ...reply, body: JSON.parse(reply.text) };
}

const line = (agreed_value: number): Json => ({
  product_id,
  recognition_method: "value",
  agreed_value,
});

async function draft(lines: readonly Json[] = [line(80)], auto_send = false): Promise<string> {
  return (await world.done("POST /invoices", { customer_id, lines, auto_send })).id;
}

async function countOf(name: string): Promise<number> {
  const [row] = await world.sql("select count(*)::int as n from customers where name = $1", [name]);
  return row.n;
}

/** Restores the state after the service was killed between its commit and its answer, with an expired lease. */
async function forgetAnswer(): Promise<void> {
  await world.sql(
    `update idempotency_keys k set status = null, answer = null,
       committed = (select committed from before_answer b where b.key = k.key limit 1),
       lease_until = clock_timestamp() - interval '1 second' where key = $1`,
    [key],
  );
}

describe("a POST that is repeated with its key", () => {
  it("receives exactly the first answer, and changes nothing", async () => {
    const first = await send("POST /customers", { name: "Once" });
    await world.done(`PATCH /customers/${first.body.id}`, { city: "Aarhus" });

    const again = await send("POST /customers", { name: "Once" });

    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await countOf("Once")).toBe(1);
  });

  it("stores no secret of an invitation with its answer", async () => {
    const { status } = await send("POST /users", { name: "New", email: "new@studio.example" });
    expect(status).toBe(201);
    const rows = await world.sql("select committed, answer from idempotency_keys where key = $1", [
      key,
    ]);
    expect(rows).toEqual([{ committed: null, answer: expect.not.stringContaining("token") }]);
  });

  it("may order its fields differently", async () => {
    const first = await send("POST /customers", '{"name":"Order","city":"Vejle"}');
    const again = await send("POST /customers", '{ "city": "Vejle", "name": "Order" }');

    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it("is matched by its key before its external id", async () => {
    const body = { external_id: "by both", customer_id };
    const first = await send("POST /invoices", body);

    expect((await send("POST /invoices", body)).status).toBe(201);
    expect((await world.rest("POST /invoices", body)).status).toBe(200);
    expect(refusal(await send("POST /invoices", { ...body, title: "x" }))).toBe(
      "409 IDEMPOTENCY_CONFLICT",
    );
    expect(first.status).toBe(201);
  });

  it("receives a refusal by state again, even if the state has changed since", async () => {
    const id = await draft([]);
    const first = await send(`POST /invoices/${id}/issue`);
    await world.done(`PATCH /invoices/${id}`, { lines: [line(10)] });

    const again = await send(`POST /invoices/${id}/issue`);

    expect(refusal(first)).toBe("409 INVOICE_EMPTY");
    expect([again.status, again.text]).toEqual([409, first.text]);
    expect((await send(`POST /invoices/${id}/issue`, undefined, "a new key")).status).toBe(200);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["404", () => send("POST /customers/ext:later/deactivate"), "404 NOT_FOUND"],
    ["422", () => send("POST /customers", {}), "422 VALIDATION_FAILED name required"],
    ["400", () => send("POST /customers", "{"), "400 MALFORMED_REQUEST"],
    [
      "403",
      () => send("POST /customers", { name: "x" }, key, world.account.keys.read),
      "403 INSUFFICIENT_SCOPE",
    ],
    ["401", () => send("POST /customers", { name: "x" }, key, "mbk_no"), "401 UNAUTHORIZED"],
  ])("is executed again after %s", async (status, first, expected) => {
    expect(refusal((await first()) as never)).toBe(expected);

    expect((await send("POST /customers", { name: `After ${status}` })).status).toBe(201);
  });

  it("resumes the booking after 500", async () => {
    await fragile.connect("scripted");
    const id = await draft([line(40)]);
    fragile.ledger.onBook(steps.bookedButUnknown, steps.unknown, steps.unknown);
    fragile.ledger.onFind(...Array(3).fill(async () => ({ state: "unknown" })));

    const first = await send(`POST /invoices/${id}/issue`);
    await fragile.letTimePass();
    const again = await send(`POST /invoices/${id}/issue`);

    await fragile.connect("builtin");
    expect(refusal(first)).toBe("500 LEDGER_UNAVAILABLE");
    expect([again.status, again.body.status]).toEqual([200, "issued"]);
    expect(fragile.ledger.documents.size).toBe(1);
    expect((await send(`POST /invoices/${id}/issue`)).text).toBe(again.text);
  });

  it("receives the refusal of the accounting system again", async () => {
    await fragile.connect("scripted");
    const id = await draft([line(40)]);
    fragile.ledger.onBook(rejected("UNKNOWN_CUSTOMER"));

    const first = await send(`POST /invoices/${id}/issue`);
    const again = await send(`POST /invoices/${id}/issue`);

    await fragile.connect("builtin");
    expect(refusal(first)).toBe("409 LEDGER_REJECTED");
    expect(again.text).toBe(first.text);
  });

  it.each<[string, () => Promise<Json>]>([
    ["another path", async () => send("POST /products", { name: "Same" })],
    ["another body", async () => send("POST /customers", { name: "Other" })],
    [
      "null for an omitted field",
      async () => send("POST /customers", { name: "Same", city: null }),
    ],
  ])("is refused if it has %s", async (_what, other) => {
    const first = await send("POST /customers", { name: "Same" });

    expect(refusal(await other())).toBe("409 IDEMPOTENCY_CONFLICT");
    expect((await send("POST /customers", { name: "Same" })).text).toBe(first.text);
  });

  it("does not affect a request with the same key in another account", async () => {
    const other = await world.openAnother();
    await send("POST /customers", { name: "Mine" });

    const others = await send(
      "POST /customers",
      { name: "Of another account" },
      key,
      other.keys.read_write,
    );

    expect([others.status, others.body.name]).toEqual([201, "Of another account"]);
  });

  it("is executed again after a day, when its key has expired and is removed", async () => {
    await send("POST /customers", { name: "Daily" });
    await world.sql("update idempotency_keys set expires_at = clock_timestamp() where key = $1", [
      key,
    ]);

    expect((await send("POST /customers", { name: "Daily" })).status).toBe(201);
    expect(await countOf("Daily")).toBe(2);

    await world.sql("update idempotency_keys set expires_at = clock_timestamp() where key = $1", [
      key,
    ]);
    await removeExpired(world.services);
    expect(await world.sql("select 1 from idempotency_keys where key = $1", [key])).toEqual([]);
  });

  it("is recognised for 24 hours", async () => {
    await send("POST /customers", { name: "Long" });
    const [row] = await world.sql(
      `select extract(epoch from expires_at - clock_timestamp())::int as seconds
       from idempotency_keys where key = $1`,
      [key],
    );
    expect(row.seconds).toBeGreaterThan(86_300);
    expect(row.seconds).toBeLessThanOrEqual(86_400);
  });
});

describe("the Idempotency-Key", () => {
  // `bank-statements.test.ts` has the calls with a file.
  const posts = operations.filter(({ method, takes_file }) => method === "POST" && !takes_file);

  it.each(posts.map((operation) => [operation.path, operation] as const))(
    "is validated by POST %s",
    async (path, { body, parameters }) => {
      const values: Json = { period: "2026-01", month: "2026-01" };
      const readable = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? UNKNOWN_ID);
      const sent = body ? smallestOf(body) : undefined;

      const long = await send(`POST ${readable}`, sent, "k".repeat(256));

      expect(parameters.map(({ name }) => name)).toContain("Idempotency-Key");
      expect(refusal(long)).toContain("422 VALIDATION_FAILED Idempotency-Key too_long");
    },
  );

  it("has 1 to 255 characters", async () => {
    expect((await send("POST /customers", { name: "x" }, "k".repeat(255))).status).toBe(201);
    const { origin, account } = world;
    const empty = await fetch(`${origin}/api/v1/customers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.keys.read_write}`,
        "content-type": "application/json",
        "idempotency-key": "",
      },
      body: '{"name":"x"}',
    });
    expect(((await empty.json()) as Json).error.field_errors).toMatchObject([
      { field: "Idempotency-Key", code: "too_short" },
    ]);
  });

  it("is ignored by other methods", async () => {
    const long = "k".repeat(300);
    expect((await send(`PATCH /customers/${customer_id}`, { city: "Ribe" }, long)).status).toBe(
      200,
    );
    expect((await send(`GET /customers/${customer_id}`, undefined, long)).status).toBe(200);
    const body = { city: "Ry" };
    expect((await send(`PATCH /customers/${customer_id}`, { city: "Ry" })).body).toMatchObject(
      body,
    );
    expect((await send(`PATCH /customers/${customer_id}`, { city: "Hobro" })).status).toBe(200);
  });
});

describe("while the first call is in progress", () => {
  it("a repetition is refused with REQUEST_IN_PROGRESS, and later receives the answer", async () => {
    const id = await draft();
    const held = await transaction(world.services.db, async (tx) => {
      await tx.rows(sql`select id from invoices where id = ${id} for update`);
      const first = send(`POST /invoices/${id}/issue`);
      const until = async () => {
        const rows = await world.sql("select 1 from idempotency_keys where key = $1", [key]);
        if (rows.length === 0) await until();
      };
      await until();
      const second = await send(`POST /invoices/${id}/issue`);
      expect(refusal(second)).toBe("409 REQUEST_IN_PROGRESS");
      expect(second.headers.get("retry-after")).toBe("1");
      const other = await send(`POST /invoices/${id}/send`);
      expect(refusal(other)).toBe("409 IDEMPOTENCY_CONFLICT");
      return { first };
    });

    const first = await held.first;

    expect(first.status).toBe(200);
    expect((await send(`POST /invoices/${id}/issue`)).text).toBe(first.text);
  });

  it("ten parallel calls create one customer", async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => send("POST /customers", { name: "Crowd" })),
    );

    const reported = replies.map((reply) => refusal(reply));
    expect(new Set(reported.filter((one) => one !== "409 REQUEST_IN_PROGRESS"))).toEqual(
      new Set(["201"]),
    );
    expect(
      new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text)).size,
    ).toBe(1);
    expect(await countOf("Crowd")).toBe(1);
  });

  it("a call whose key a repetition has claimed is rolled back", async () => {
    const id = await draft();
    const held = await transaction(world.services.db, async (tx) => {
      await tx.rows(sql`select id from invoices where id = ${id} for update`);
      const first = send(`POST /invoices/${id}/issue`);
      const until = async () => {
        const rows = await world.sql(
          "update idempotency_keys set claim = gen_random_uuid() where key = $1 returning 1",
          [key],
        );
        if (rows.length === 0) await until();
      };
      await until();
      return { first };
    });

    expect(refusal(await held.first)).toBe("409 REQUEST_IN_PROGRESS");
    expect((await world.done(`GET /invoices/${id}`)).status).toBe("draft");
  });
});

describe("a key whose request ended without an answer", () => {
  /** Leaves the key as a killed process does: with most of its lease remaining. */
  async function leave(process: string | null): Promise<void> {
    await send("POST /customers", { name: key });
    await world.sql("delete from customers where name = $1", [key]);
    await world.sql(
      `update idempotency_keys set status = null, answer = null, committed = null, process = $2,
         lease_until = clock_timestamp() + interval '1 minute' where key = $1`,
      [key, process],
    );
  }
  const lock = (process: string) =>
    world.owner.runner.connect().then(async (client) => {
      await client.query("select pg_advisory_lock(hashtextextended('process ' || $1, 2))", [
        process,
      ]);
      return () => client.release(true);
    });

  it("is free if no session holds the lock of its process, as in a restored backup", async () => {
    await leave(randomUUID());
    const repeated = await send("POST /customers", { name: key });
    expect([repeated.status, await countOf(key)]).toEqual([201, 1]);
  });

  it("is taken while its process holds the lock", async () => {
    const process = randomUUID();
    const letGo = await lock(process);
    await leave(process);
    const repeated = () => send("POST /customers", { name: key });
    expect(refusal(await repeated())).toBe("409 REQUEST_IN_PROGRESS");
    letGo();
    await expect.poll(async () => refusal(await repeated())).toBe("201");
    expect(await countOf(key)).toBe(1);
  });

  it("is taken until its lease ends if it names no process", async () => {
    await leave(null);
    expect(refusal(await send("POST /customers", { name: key }))).toBe("409 REQUEST_IN_PROGRESS");
  });
});

describe("after a kill between commit and answer, a repetition completes the first call:", () => {
  it("a customer is created once", async () => {
    const first = await send("POST /customers", { name: "Killed" });
    await forgetAnswer();

    const again = await send("POST /customers", { name: "Killed" });

    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await countOf("Killed")).toBe(1);
  });

  it("an invoice is issued and sent once, and answered with 200", async () => {
    const id = await draft([line(25)], true);
    const before = (await world.mails()).length;
    const first = await send(`POST /invoices/${id}/issue`);
    await forgetAnswer();

    const again = await send(`POST /invoices/${id}/issue`);

    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await world.mails()).length).toBe(before + 1);
  });

  it("a document is sent again only once", async () => {
    const id = await draft([line(25)]);
    await world.done(`POST /invoices/${id}/issue`);
    const before = (await world.mails()).length;
    const first = await send(`POST /invoices/${id}/send`);
    await forgetAnswer();

    const again = await send(`POST /invoices/${id}/send`);

    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await world.mails()).length).toBe(before + 1);
  });

  it("a credit note is created once, and answered with 201 again", async () => {
    const id = await draft([line(25)]);
    await world.done(`POST /invoices/${id}/issue`);
    const body = {
      external_id: `note ${id}`,
      invoice: id,
      kind: "full",
      credit_date: "2026-03-10",
    };
    const first = await send("POST /credit-notes", body);
    await forgetAnswer();

    const again = await send("POST /credit-notes", body);

    expect([again.status, again.text]).toEqual([first.status, first.text]);
  });

  it.each([
    [
      "begun",
      201,
      (document: string) => ({ begun: { document, delivery_id: null }, is_new: true }),
    ],
    ["repeated", 200, (document: string) => ({ repeat: document })],
  ])("a credit note that an earlier version has %s is answered", async (_, status, kept) => {
    const id = await draft([line(25)]);
    await world.done(`POST /invoices/${id}/issue`);
    const body = { external_id: `n ${id}`, invoice: id, kind: "full", credit_date: "2026-03-10" };
    const first = await send("POST /credit-notes", body);
    await forgetAnswer();
    await world.sql("update idempotency_keys set committed = $2 where key = $1", [
      key,
      JSON.stringify({ result: kept(first.text) }),
    ]);

    const again = await send("POST /credit-notes", body);

    expect([again.status, again.text]).toEqual([status, first.text]);
  });

  it("a line of a series is added once, and hours are registered once", async () => {
    const user = await world.done("POST /users", { name: "Ada", email: "ada@acme.example" });
    const series = await world.done("POST /recurring-series", {
      customer_id,
      frequency: "monthly",
      start_date: "2026-03-01",
      lines: [line(100)],
    });
    const path = `/recurring-series/${series.id}/lines`;
    const added = await send(`POST ${path}`, { scope: "all", line: line(50) });
    await forgetAnswer();
    expect((await send(`POST ${path}`, { scope: "all", line: line(50) })).text).toBe(added.text);
    expect((await world.done(`GET ${path}`)).data).toHaveLength(2);

    key = `${key} hours`;
    const { lines } = await world.done(`GET /invoices/${await draft()}`);
    const work = { line_id: lines[0].id, user_id: user.id, hours: 2, date: "2026-03-02" };
    const registered = await send("POST /work-registrations", work);
    await forgetAnswer();
    expect((await send("POST /work-registrations", work)).text).toBe(registered.text);
    expect((await world.done(`GET /work-registrations?user=${user.id}`)).data).toHaveLength(1);
  });

  it("a run of the scheduler is repeated, and issues nothing twice", async () => {
    const first = await send("POST /scheduler-runs");
    await forgetAnswer();

    const again = await send("POST /scheduler-runs");

    expect([first.status, again.status]).toEqual([201, 201]);
  });
});

describe.each(["before", "after"] as const)(
  "a connection that is lost %s a statement",
  (moment) => {
    it("of a creation leaves one customer after the repetition, and at most one before it", async () => {
      let statements = 0;
      const calls = fragile.lostAtEveryStatement(
        moment,
        async () => {
          keys += 1;
          return `Lost ${moment} ${keys}`;
        },
        (name) => fragile.post("/customers", { name }, { "idempotency-key": name }),
      );
      for await (const { target: name, statement } of calls) {
        statements = statement;
        await world.sql(
          "update idempotency_keys set lease_until = clock_timestamp() where status is null",
        );
        const again = await send("POST /customers", { name }, name);
        expect([statement, again.status, again.body.name]).toEqual([statement, 201, name]);
        expect([statement, await countOf(name)]).toEqual([statement, 1]);
        expect((await send("POST /customers", { name }, name)).text).toBe(again.text);
      }

      expect(statements).toBeGreaterThan(5);
    });
  },
);
