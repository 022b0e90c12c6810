/** The external id as idempotency key (spec 5.5), also for parallel requests. */
import pg from "pg";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";

const { world, customer, line, draft, issued, fullCredit, partCredit, post, credited, postingsOf } =
  useSales();

function times<Result>(count: number, make: (index: number) => Promise<Result>) {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

const creditsOf = async (invoice: Json): Promise<Json[]> =>
  (await world.done(`GET /invoices/${invoice.id}/credit-notes`)).data;

describe("a repeat with the same external id answers 200 with the same credit note", () => {
  it.each<[string, (invoice: Json, body: Json) => object]>([
    ["unchanged", () => ({})],
    ["with its lines in another order", (_, body) => ({ lines: body.lines.toReversed() })],
    [
      "with its lines in capitals",
      (_, body) => ({
        lines: body.lines.map((line: Json) => ({
          ...line,
          invoice_line_id: line.invoice_line_id.toUpperCase(),
        })),
      }),
    ],
    [
      "with the invoice named by external id",
      (invoice) => ({ invoice: `ext:${invoice.external_id}` }),
    ],
    ["with the invoice in capitals", (invoice) => ({ invoice: invoice.id.toUpperCase() })],
    ["with a field that only answers have", () => ({ status: "issued" })],
  ])("%s", async (what, change) => {
    const invoice = await issued([100, 50], { external_id: `same ${what}` });
    const body = partCredit(invoice, [30, 20]);
    const first = await credited(body);

    const again = await post({ ...body, ...change(invoice, body) });

    expect([again.status, again.body]).toEqual([200, first]);
    expect(await creditsOf(invoice)).toEqual([first]);
  });

  it("when the first request named the invoice by external id, and the repeat by UUID", async () => {
    const invoice = await issued([100], { external_id: "by name" });
    const body = fullCredit(invoice, { invoice: "ext:by name" });
    const first = await credited(body);

    expect(await post({ ...body, invoice: invoice.id })).toMatchObject({
      status: 200,
      body: first,
    });
    expect(await post({ ...body, lines: [] })).toMatchObject({ status: 200, body: first });
  });

  it("whatever has happened to the invoice and the books since", async () => {
    const invoice = await issued([100]);
    const body = partCredit(invoice, [40]);
    const first = await credited(body);
    await credited(fullCredit(invoice));
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-31" });

    const again = await post(body);

    await world.done("PATCH /configuration", { period_lock_date: null });
    expect([again.status, again.body]).toEqual([200, first]);
    expect(await postingsOf(first.id)).toHaveLength(3);
  });
});

describe("other content under a used external id is 409 EXTERNAL_ID_CONFLICT:", () => {
  it.each<[string, (invoice: Json, other: Json) => object]>([
    ["another amount", (invoice) => partCredit(invoice, [30.01, 20])],
    ["another line", (invoice) => partCredit(invoice, [undefined, 20])],
    ["a missing line", (invoice) => partCredit(invoice, [30])],
    ["the amounts swapped", (invoice) => partCredit(invoice, [20, 30])],
    ["another kind", (invoice) => fullCredit(invoice)],
    ["another day", (invoice) => partCredit(invoice, [30, 20], { credit_date: "2026-03-11" })],
    ["another invoice", (_, other) => partCredit(other, [30, 20])],
    [
      "the same lines of another invoice",
      (invoice, other) => partCredit(invoice, [30, 20], { invoice: other.id }),
    ],
    [
      "an unknown invoice",
      (invoice) => partCredit(invoice, [30, 20], { invoice: "ext:not known at all" }),
    ],
  ])("%s", async (what, change) => {
    const [invoice, other] = [await issued([100, 50]), await issued([100, 50])];
    const external_id = `conflict ${what}`;
    const first = await credited(partCredit(invoice, [30, 20], { external_id }));

    const reply = await post({ ...change(invoice, other), external_id });

    expect(refusal(reply)).toBe("409 EXTERNAL_ID_CONFLICT");
    expect(await creditsOf(invoice)).toEqual([first]);
    expect(await creditsOf(other)).toEqual([]);
  });

  it("but another account may use the same external id", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    const others = await world.done("POST /customers", { name: "Other" }, key);
    const product = await world.done("POST /products", { name: "Other" }, key);
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 10 }];
    const body = { customer_id: others.id, auto_send: false, lines };
    const { id } = await world.done("POST /invoices", body, key);
    await world.done(`POST /invoices/${id}/issue`, undefined, key);
    const own = fullCredit(await issued([10]));
    await credited(own);

    const reply = await world.rest("POST /credit-notes", { ...own, invoice: id }, key);

    expect(reply).toMatchObject({ status: 201, body: { external_id: own.external_id } });
    expect(reply.body.ledger_credit_note_number).toBe(1);
  });
});

describe("in parallel", () => {
  it("30 requests with one external id create one credit note, which every answer shows", async () => {
    const invoice = await issued([100]);
    const body = fullCredit(invoice);

    const replies = await times(30, () => post(body));

    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(29).fill(200), 201]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(await creditsOf(invoice)).toEqual([replies[0]?.body]);
  });

  it("30 requests with one external id for different invoices create one, and the others are refused", async () => {
    const invoices = await times(30, () => issued([100]));
    const external_id = "one for all";

    const replies = await Promise.all(
      invoices.map((invoice) => post(fullCredit(invoice, { external_id }))),
    );

    const answers = replies.map(refusal).sort();
    expect(answers).toEqual(["201", ...Array(29).fill("409 EXTERNAL_ID_CONFLICT")]);
    const stored = await world.done(`GET /credit-notes?external_id=${external_id}`);
    expect(stored.data).toEqual([replies.find((reply) => reply.status === 201)?.body]);
  });

  it("20 partial credits never credit more than the line", async () => {
    const invoice = await issued([100, 7]);

    const replies = await times(20, () => post(partCredit(invoice, [15])));

    const answers = replies.map(refusal).sort();
    expect(answers).toEqual([
      ...Array(6).fill("201"),
      ...Array(14).fill("409 CREDIT_EXCEEDS_LINE"),
    ]);
    const credits = await creditsOf(invoice);
    expect(credits.map((note) => note.lines[0].amount)).toEqual(Array(6).fill(15));
    const numbers = credits.map((note) => note.ledger_credit_note_number).reverse();
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0] + index));
    const last = await credited(fullCredit(invoice));
    expect(last.lines.map((line: Json) => line.amount)).toEqual([10, 7]);
  });

  it("a full credit and a credit of the rest: the second one is refused", async () => {
    for (let round = 0; round < 12; round += 1) {
      const invoice = await issued([100, 50]);
      const full = () => post(fullCredit(invoice));
      const rest = () => post(partCredit(invoice, [100, 50]));
      const calls = round % 2 === 0 ? [full, rest] : [rest, full];

      const replies = await Promise.all(calls.map((call) => call()));

      expect(replies.map(refusal).sort()).toEqual(["201", "409 INVOICE_FULLY_CREDITED"]);
      expect(await creditsOf(invoice)).toHaveLength(1);
    }
  });
});

describe("a call that waits for the books holds neither the pollers' barrier nor the audit trail:", () => {
  it.each<[string, () => Promise<() => Promise<Reply>>]>([
    [
      "POST /credit-notes",
      async () => {
        const body = fullCredit(await issued([100]));
        return () => post(body);
      },
    ],
    [
      "POST /invoices/{ref}/issue",
      async () => {
        const { id } = await draft([100]);
        return () => world.rest(`POST /invoices/${id}/issue`);
      },
    ],
    [
      "POST /recurring-series/{ref}/occurrences/{period}/issue",
      async () => {
        const { id } = await world.done("POST /recurring-series", {
          customer_id: customer.id,
          frequency: "monthly",
          start_date: "2026-03-01",
          auto_send: false,
          lines: [line(100)],
        });
        return () => world.rest(`POST /recurring-series/${id}/occurrences/2026-03/issue`);
      },
    ],
  ])("%s", async (_what, prepare) => {
    const call = await prepare();
    const client = new pg.Client({ connectionString: world.database_url });
    const account = [world.account.account_id];
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from ledger_books where account_id = $1 for update", account);

      const reply = call();
      await waitingFor(client, 1);
      // If one of the calls held the barrier, this poll would wait for calls that wait for this test (spec 12.7).
      const poll = await world.rest("GET /credit-notes?updated_since=2026-01-01T00:00:00Z");
      await client.query(
        "select 1 from audit_heads where account_id = $1 for update nowait",
        account,
      );

      await client.query("rollback");
      expect(poll.status).toBe(200);
      expect((await reply).status).toBeLessThan(300);
    } finally {
      await client.end();
    }
  });
});

async function waitingFor(client: pg.Client, count: number): Promise<void> {
  for (;;) {
    // Within a transaction, PostgreSQL keeps the statistics that were read first.
    await client.query("select pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows[0].count === count) return;
    await new Promise(setImmediate);
  }
}
