/**
 * Parallel calls over real HTTP against one database. Every test states what must hold in any order of the calls,
 * and checks the stored state as well as the answers.
 */
import pg from "pg";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";
import { verifyJournal } from "../../ledger/reports/verify.ts";

// Seven calls wait for one row in parallel, and an account gets six tenths of the connections.
const {
  world,
  customer,
  product,
  draft: draftOf,
} = useSales({
  environment: { MATCHBOOK_DATABASE_CONNECTIONS: "20" },
});

const draft = (fields: object = {}) => draftOf([100], fields);

/** Makes parallel calls and counts how often each answer came. */
async function tally(calls: readonly Promise<Reply>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reply of await Promise.all(calls)) {
    const answer = refusal(reply);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

function times<Result>(count: number, make: (index: number) => Promise<Result>) {
  return Array.from({ length: count }, (_, index) => make(index));
}

function entriesOf(id: string): Promise<Json[]> {
  return world.sql("select number from ledger_entries where guid = $1", [id]);
}

describe("many parallel issues of one draft", () => {
  it("book it once, send it once and answer the other 39 with 409", async () => {
    const { id } = await draft({ auto_send: true });

    const answers = await tally(times(40, () => world.rest(`POST /invoices/${id}/issue`)));

    expect(answers).toEqual({ 200: 1, "409 INVOICE_ALREADY_ISSUED": 39 });
    expect(await entriesOf(id)).toHaveLength(1);
    const { data } = await world.done(`GET /invoices/${id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox" }]);
    expect(await world.mails()).toHaveLength(1);
  });

  it("of many drafts give each a number, without a gap", async () => {
    const drafts = await Promise.all(times(25, () => draft()));

    const issued = await Promise.all(
      drafts.map(({ id }) => world.done(`POST /invoices/${id}/issue`)),
    );

    const numbers = issued.map((invoice) => invoice.ledger_invoice_number).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0] + index));
  });
});

describe("30 parallel requests with one external_id and the same body", () => {
  it.each<[string, string, () => object]>([
    ["customer", "customers", () => ({ name: "One A/S", city: "Ribe" })],
    ["product", "products", () => ({ name: "One", default_price: 10 })],
    ["product with a number", "products", () => ({ name: "One", product_number: "P-1" })],
    ["product on a new account", "products", () => ({ name: "One", account_number: 1077 })],
    ["user", "users", () => ({ name: "One", email: "one@race.example" })],
    [
      "invoice",
      "invoices",
      () => ({
        customer_id: customer.id,
        lines: [{ product_id: product.id, recognition_method: "value" }],
      }),
    ],
  ])("create one %s", async (what, path, body) => {
    const external_id = `race ${what}`;
    const sent = { external_id, ...body() };

    const replies = await Promise.all(times(30, () => world.rest(`POST /${path}`, sent)));

    expect([...new Set(replies.map(refusal))].sort()).toEqual(
      path === "customers" ? ["201"] : ["200", "201"],
    );
    if (path !== "customers") {
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    const query = `external_id=${encodeURIComponent(external_id)}`;
    expect((await world.done(`GET /${path}?${query}`)).data).toEqual([replies[0]?.body]);
  });

  it.each<[string, string, (round: number) => object]>([
    ["user", "users", (round) => ({ name: "Same", email: `same-${round}@race.example` })],
    ["product", "products", (round) => ({ name: "Same", product_number: `S-${round}` })],
  ])("never fail on another unique field of a %s", async (_what, path, body) => {
    for (let round = 0; round < 30; round += 1) {
      const sent = { external_id: `unique ${round}`, ...body(round) };

      const answers = await tally(times(8, () => world.rest(`POST /${path}`, sent)));

      expect(answers).toEqual({ 200: 7, 201: 1 });
    }
  });

  it("but other content create one invoice each, and the others are refused", async () => {
    const answers = await tally(
      times(30, (index) =>
        world.rest("POST /invoices", {
          external_id: "race contents",
          customer_id: customer.id,
          title: `Title ${index}`,
          lines: [],
        }),
      ),
    );

    expect(answers).toEqual({ 201: 1, "409 EXTERNAL_ID_CONFLICT": 29 });
  });
});

/**
 * Makes calls that all need one row, in this order, while the test holds the row: each waits in the queue of the
 * database before the next is made. Without a row to hold, they run as they come.
 */
async function inOrder(
  row: { readonly table: string; readonly id: string } | null,
  calls: readonly (() => Promise<Reply>)[],
): Promise<Reply[]> {
  if (row === null) return Promise.all(calls.map((call) => call()));
  const client = new pg.Client({ connectionString: world.database_url });
  await client.connect();
  try {
    await client.query("begin");
    const column = row.table === "configurations" ? "account_id" : "id";
    await client.query(`select 1 from ${row.table} where ${column} = $1 for update`, [row.id]);
    const replies: Promise<Reply>[] = [];
    for (const call of calls) {
      replies.push(call());
      while ((await waiting(client)) < replies.length) await new Promise(setImmediate);
    }
    await client.query("rollback");
    return await Promise.all(replies);
  } finally {
    await client.end();
  }
}

async function waiting(client: pg.Client): Promise<number> {
  // Within a transaction, PostgreSQL keeps the statistics that were read first.
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

describe("a PATCH that races an issue", () => {
  it("takes effect before it or not at all: booked, shown and counted are the same 40 times", async () => {
    for (let round = 0; round < 40; round += 1) {
      const { id } = await draft();
      const lines = [
        { product_id: product.id, recognition_method: "value", agreed_value: 7 + round },
        { product_id: product.id, recognition_method: "value", agreed_value: 0.35 },
      ];
      const patch = () => world.rest(`PATCH /invoices/${id}`, { title: "Changed", lines });
      const issue = () => world.rest(`POST /invoices/${id}/issue`);
      const patch_first = round % 2 === 0;
      const is_queued = round % 4 < 2;

      const replies = await inOrder(
        is_queued ? { table: "invoices", id } : null,
        patch_first ? [patch, issue] : [issue, patch],
      );

      const [patched, issued] = patch_first ? replies : replies.toReversed();
      expect(issued?.status).toBe(200);
      const was_first = patched?.status === 200;
      if (!was_first) expect(patched && refusal(patched)).toBe("409 INVOICE_ALREADY_ISSUED");
      if (is_queued) expect(was_first).toBe(patch_first);
      await expectAgreement(id, was_first ? 735 + 100 * round : 10_000);
    }
  });
});

/** The invoice, its totals and its entry have the same net amount, in minor units. */
async function expectAgreement(id: string, net: number): Promise<void> {
  const invoice = await world.done(`GET /invoices/${id}`);
  const totals = await world.done(`GET /invoices/${id}/totals`);
  const shown = invoice.lines.map((line: Json) => Math.round(line.agreed_value * 100));
  const booked = await world.sql(
    `select (-p.amount)::int as amount from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     where e.guid = $1 and p.account_number = 1000`,
    [id],
  );
  expect(totals.lines.map((line: Json) => line.line_id)).toEqual(
    invoice.lines.map((line: Json) => line.id),
  );
  expect(shown.reduce((sum: number, amount: number) => sum + amount, 0)).toBe(net);
  expect(Math.round(totals.net * 100)).toBe(net);
  expect(booked).toEqual([{ amount: net }]);
}

describe("a DELETE that races an issue", () => {
  it("leaves either an issued invoice with its entry, or neither", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await draft();
      const remove = () => world.rest(`DELETE /invoices/${id}`);
      const issue = () => world.rest(`POST /invoices/${id}/issue`);
      const remove_first = round % 2 === 0;
      const is_queued = round % 4 < 2;

      const replies = await inOrder(
        is_queued ? { table: "invoices", id } : null,
        remove_first ? [remove, issue] : [issue, remove],
      );

      const answers = replies.map(refusal).sort().join(", ");
      const is_issued = answers === "200, 409 INVOICE_ALREADY_ISSUED";
      if (!is_issued) expect(answers).toBe("204, 404 NOT_FOUND");
      if (is_queued) expect(is_issued).toBe(!remove_first);
      const stored = await world.sql("select status from invoices where id = $1", [id]);
      expect(stored).toEqual(is_issued ? [{ status: "issued" }] : []);
      expect(await entriesOf(id)).toHaveLength(is_issued ? 1 : 0);
    }
  });
});

describe("a lock date that passes the issue date while invoices are issued", () => {
  it("prevents every entry on or before it", async () => {
    const { keys, account_id } = await world.openAnother();
    const key = keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", { name: "Late" }, key);
    const { id: product_id } = await world.done("POST /products", { name: "Late" }, key);
    const lines = [{ product_id, recognition_method: "value", agreed_value: 10 }];

    for (let day = 10; day < 20; day += 1) {
      const issue_date = `2026-01-${day}`;
      const body = { customer_id, lines, issue_date, auto_send: false };
      const drafts = await Promise.all(times(6, () => world.done("POST /invoices", body, key)));
      const issues = drafts.map(
        ({ id }) =>
          () =>
            world.rest(`POST /invoices/${id}/issue`, undefined, key),
      );
      const lock = () => world.rest("PATCH /configuration", { period_lock_date: issue_date }, key);
      const is_queued = day % 2 === 0;

      const replies = await inOrder(
        is_queued ? { table: "configurations", id: account_id } : null,
        [...issues.slice(0, 3), lock, ...issues.slice(3)],
      );

      const answers = replies.map(refusal);
      expect(answers.splice(3, 1)).toEqual(["200"]);
      for (const answer of answers) expect(["200", "409 PERIOD_LOCKED"]).toContain(answer);
      if (is_queued)
        expect(answers).toEqual([...Array(3).fill("200"), ...Array(3).fill("409 PERIOD_LOCKED")]);
      // The audit trail is in commit order: no booking follows the move of the lock date.
      const [last] = await world.sql(
        `select action, resource_type from audit_events
         where account_id = $1 and (resource_type = 'configuration' or action = 'issued')
         order by seq desc limit 1`,
        [account_id],
      );
      expect(last).toEqual({ action: "updated", resource_type: "configuration" });
    }
    expect(await verifyJournal(world.db, account_id)).toBeNull();
  });
});
