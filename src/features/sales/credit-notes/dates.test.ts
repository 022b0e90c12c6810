/** The date of a credit note (spec 5.5): never before that of its invoice, in document, entry, VAT and revenue. */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, product, issued, fullCredit, partCredit, post, credited } = useSales();

const lock = (period_lock_date: string | null) =>
  world.done("PATCH /configuration", { period_lock_date });
const entryOf = async (guid: string): Promise<Json> =>
  (await world.done("GET /ledger/entries?limit=100")).data.find(
    (entry: Json) => entry.guid === guid,
  );

describe("POST /credit-notes with a date before the invoice's", () => {
  it("uses the invoice's date in the note, the entry, the VAT and the revenue", async () => {
    const invoice = await issued([1000], { issue_date: "2026-02-10" });

    const note = await credited(partCredit(invoice, [400], { credit_date: "2026-01-20" }));

    expect(note.credit_date).toBe("2026-02-10");
    expect((await entryOf(note.id)).date).toBe("2026-02-10");
    const january = "GET /ledger/trial-balance?from=2026-01-01&to=2026-01-31";
    expect((await world.done(january)).accounts).toEqual([]);
    const [frozen] = await world.sql(
      "select snapshot::json ->> 'issue_date' as date from issued_documents where document_id = $1",
      [note.id],
    );
    expect(frozen?.date).toBe("2026-02-10");
    const revenue = `GET /recognition?from=2026-01&to=2026-02&invoice=${invoice.id}`;
    expect(
      (await world.done(revenue)).data.map((row: Json) => [row.month, row.earned, row.invoiced]),
    ).toEqual([["2026-02", 600, 600]]);
    expect(await world.done(`GET /credit-notes/${note.id}`)).toEqual(note);
    const { data } = await world.done(`GET /invoices/${invoice.id}/credit-notes`);
    expect(data).toEqual([note]);
  });

  it.each([
    ["the invoice's date", "2026-02-10", "2026-02-10"],
    ["a later date", "2026-02-11", "2026-02-11"],
    ["an earlier date, as the invoice's", "2026-02-09", "2026-02-10"],
  ])("accepts %s", async (_what, credit_date, expected) => {
    const invoice = await issued([10], { issue_date: "2026-02-10" });

    const body = fullCredit(invoice, { credit_date });
    const preview = await world.done("POST /credit-notes/preview", body);

    expect(preview.credit_date).toBe(expected);
    expect((await credited(body)).credit_date).toBe(expected);
  });

  it("is repeated with the date that was sent, and conflicts with the date that was stored", async () => {
    const invoice = await issued([1000], { issue_date: "2026-02-10" });
    const body = partCredit(invoice, [400], { credit_date: "2026-01-20" });
    const note = await credited(body);

    expect(await post(body)).toMatchObject({ status: 200, body: note });
    const other = await post({ ...body, credit_date: "2026-02-10" });
    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("is refused only when the stored date is locked", async () => {
    const invoice = await issued([1000], { issue_date: "2026-02-10" });
    const body = partCredit(invoice, [400], { credit_date: "2026-01-20" });
    await lock("2026-02-28");
    const refused = await post(body);
    await lock("2026-01-31");
    const note = await credited(body);
    await lock(null);

    expect(refusal(refused)).toBe("409 PERIOD_LOCKED");
    const details = { date: "2026-02-10", period_lock_date: "2026-02-28" };
    expect(refused.body.error.details).toEqual(details);
    expect(note.credit_date).toBe("2026-02-10");
  });
});

it("the credit of a cancellation is not dated before its invoice either", async () => {
  const series = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 3100 }],
  });
  const invoice = await world.done(`POST /recurring-series/${series.id}/occurrences/2026-03/issue`);
  expect(invoice.issue_date).toBe("2026-03-10");
  world.clock.set("2026-03-05T09:00:00Z");

  const { credit_notes } = await world.done(`POST /recurring-series/${series.id}/cancel`, {});

  const [{ id }] = credit_notes;
  expect((await world.done(`GET /credit-notes/${id}`)).credit_date).toBe("2026-03-10");
  await world.done("POST /scheduler-runs");
  expect((await entryOf(id)).date).toBe("2026-03-10");
  world.clock.set("2026-03-10T09:00:00Z");
});

it("the migration to this rule states the date of older notes, and moves that of queued ones", async () => {
  const invoice = await issued([1000], { issue_date: "2026-02-10" });
  const booked = await credited(partCredit(invoice, [400], { credit_date: "2026-02-20" }));
  const waiting = "0190a000-0000-7000-8000-00000000c0de";
  await world.sql(
    `insert into credit_notes (account_id, id, invoice_id, customer_id, kind, status, credit_date,
       queue_state, document, updated_at)
     values ($1, $2, $3, $4, 'full', 'draft', '2026-01-20', 'queued', $5, now())`,
    [world.account.account_id, waiting, invoice.id, customer.id, '{"object":"credit_note"}'],
  );
  await world.sql(
    `update credit_notes set document = regexp_replace(document, ',"credit_date":"[0-9-]+"}$', '}')`,
  );

  const client = new pg.Client({ connectionString: world.database_url });
  await client.connect();
  await client.query(await readFile("migrations/0017_books.sql", "utf8"));
  await client.end();

  expect(await world.done(`GET /credit-notes/${booked.id}`)).toEqual(booked);
  const rows = await world.sql(
    "delete from credit_notes where id = $1 returning credit_date, document",
    [waiting],
  );
  expect(rows).toEqual([
    {
      credit_date: "2026-02-10",
      document: '{"object":"credit_note","credit_date":"2026-02-10"}',
    },
  ]);
});
