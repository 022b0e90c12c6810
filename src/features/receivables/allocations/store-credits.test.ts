/** Open items of booked documents, and the match of credit notes with their own invoices (spec 13.2), in real books. */
import { describe, expect, it } from "vitest";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, product, issued, fullCredit, partCredit, credited, postingsOf } =
  useSales();

const itemOf = async (id: string): Promise<Json> => {
  const [item] = await world.sql(`select * from open_items where id = $1`, [id]);
  return item ?? {};
};

const matchesOf = (invoice: Json) =>
  world.sql(
    `select amount, debit_functional, credit_functional, exchange_difference, date, credit_id, entry_no
     from allocations where debit_id = $1 order by id`,
    [invoice.id],
  );

/** The open amounts of all items in functional currency, and the balance of receivables, in minor units. */
async function receivables(): Promise<[bigint, bigint]> {
  const [row] = await world.sql(
    `select coalesce(sum(case when is_credit then -functional_open else functional_open end), 0)::bigint as items,
       (select coalesce(sum(p.amount), 0)::bigint from ledger_postings p
        where p.account_id = $1 and p.account_number = 6190) as books
     from open_items where account_id = $1`,
    [world.account.account_id],
  );
  return [row?.items, row?.books];
}

/** A monthly retainer of 310 net from 10 March 2026, which is active. */
async function retainer(): Promise<Json> {
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-10",
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 310 }],
  });
  return world.done(`POST /recurring-series/${id}/activate`);
}

describe("an issued invoice", () => {
  it("is an open item with its gross amount, and begins the receivables of its account", async () => {
    const invoice = await issued([1000], { issue_date: "2026-03-02" });
    expect(await itemOf(invoice.id)).toMatchObject({
      kind: "invoice",
      is_credit: false,
      customer_id: customer.id,
      number: `${invoice.ledger_invoice_number}`,
      date: "2026-03-02",
      due_date: "2026-03-16",
      amount: 1250_00n,
      functional: 1250_00n,
      open: 1250_00n,
      functional_open: 1250_00n,
    });
    const begun = await world.sql(`select begun_on from receivables_begins where account_id = $1`, [
      world.account.account_id,
    ]);
    expect(begun).toEqual([{ begun_on: "2026-03-02" }]);
  });

  it("in another currency has what it posted on receivables", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4612 });
    const invoice = await issued([333.33, 0.01], { currency: "EUR", issue_date: "2026-03-02" });
    const { amount, functional } = await itemOf(invoice.id);
    const [receivable] = await postingsOf(invoice.id);
    expect([amount, Number(functional) / 100]).toEqual([416_68n, receivable?.[1]]);
  });

  it("of a retainer has one, too", async () => {
    const { id } = await retainer();
    const invoice = await world.done(`POST /recurring-series/${id}/occurrences/2026-03/issue`);
    expect((await itemOf(invoice.id)).open).toBe(387_50n);
    world.clock.set("2026-06-12T08:00:00Z");
    const run = await world.done("POST /scheduler-runs");
    world.clock.set("2026-03-10T08:00:00Z");
    expect(run.issued.length).toBeGreaterThan(1);
    for (const { invoice_id } of run.issued) {
      expect((await itemOf(invoice_id)).open).toBe(387_50n);
    }
  });
});

describe("a credit note", () => {
  it("takes of its invoice what it credits, on its day, and posts nothing more", async () => {
    const invoice = await issued([1000], { issue_date: "2026-03-02" });
    const part = await credited(partCredit(invoice, [400], { credit_date: "2026-03-05" }));
    expect([await itemOf(invoice.id), await itemOf(part.id)]).toMatchObject([
      { open: 750_00n, functional_open: 750_00n },
      { amount: 500_00n, is_credit: true, due_date: null, open: 0n, functional_open: 0n },
    ]);
    const rest = await credited(fullCredit(invoice, { credit_date: "2026-03-06" }));
    expect((await itemOf(invoice.id)).open).toBe(0n);
    const taken = { exchange_difference: 0n, entry_no: null };
    expect(await matchesOf(invoice)).toEqual([
      {
        ...taken,
        amount: 500_00n,
        debit_functional: 500_00n,
        credit_functional: 500_00n,
        date: "2026-03-05",
        credit_id: part.id,
      },
      {
        ...taken,
        amount: 750_00n,
        debit_functional: 750_00n,
        credit_functional: 750_00n,
        date: "2026-03-06",
        credit_id: rest.id,
      },
    ]);
    const [items, books] = await receivables();
    expect(items).toBe(books);
  });

  it("in another currency takes to the last cent what it posted", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4612 });
    const lines = { currency: "EUR", issue_date: "2026-03-02" };
    const invoice = await issued([333.33, 100.01, 0.07], lines);
    for (const amounts of [[111.11], [undefined, 33.33], [0.01, 0.02, 0.03]]) {
      await credited(partCredit(invoice, amounts));
    }
    await credited(fullCredit(invoice));
    expect(await itemOf(invoice.id)).toMatchObject({ open: 0n, functional_open: 0n });
    for (const match of await matchesOf(invoice)) expect(match.exchange_difference).toBe(0n);
    const [items, books] = await receivables();
    expect(items).toBe(books);
  });

  it("of the same invoice at the same time leaves nothing out", async () => {
    const invoice = await issued([100, 100, 100, 100]);
    const credits = invoice.lines.map((_: Json, at: number) =>
      partCredit(
        invoice,
        [0, 1, 2, 3].map((one) => (one === at ? 100 : undefined)),
      ),
    );
    await Promise.all(credits.map((body: Json) => credited(body)));
    expect((await itemOf(invoice.id)).open).toBe(0n);
    expect(await matchesOf(invoice)).toHaveLength(4);
  });

  it("that a cancellation queued is matched when it is issued", async () => {
    const { id } = await retainer();
    const { id: invoice_id } = await world.done(
      `POST /recurring-series/${id}/occurrences/2026-03/issue`,
    );
    await world.done(`POST /recurring-series/${id}/cancel`, { end_date: "2026-03-20" });
    const { data } = await world.done(`GET /credit-notes?invoice=${invoice_id}`);
    await world.done(`POST /credit-notes/${data[0].id}/issue`);
    const item = await itemOf(invoice_id);
    expect(item.open).toBeLessThan(item.amount);
    expect(await matchesOf({ id: invoice_id })).toHaveLength(1);
  });
});
