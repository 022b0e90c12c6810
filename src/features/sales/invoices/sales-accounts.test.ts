/**
 * The accounts of the built-in chart that keep sales by their VAT treatment, unless the product names an account: on documents,
 * and on the accruals before and after them.
 */
import { describe, expect, it } from "vitest";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, studio } = useStudios();

const GERMAN = {
  name: "Bergmann GmbH",
  street: "Hafenstr. 7",
  city: "Hamburg",
  country_key: "DE",
  vat_number: "DE136695976",
};
const seller = { vat_number: "12345674" };
const AMERICAN = { name: "Acme Inc.", country_key: "US" };

/** Revenue accounts of a document's entry. */
async function revenueOf({ done }: Studio, guid: string): Promise<number[]> {
  const { data } = await done("GET /ledger/entries?limit=100");
  const entry = data.find((one: Json) => one.guid === guid);
  return entry.postings
    .map((posting: Json) => posting.account_number)
    .filter((number: number) => number < 2000);
}

async function sold(one: Studio, product: Json, fields: Json): Promise<Json> {
  const { id } = await one.done("POST /customers", fields);
  await one.done("PATCH /configuration", { seller });
  return one.issued([{ ...one.value(100), product_id: product.id }], { customer_id: id });
}

describe("a product without an account", () => {
  it.each<[string, Json, number]>([
    ["at home", { name: "Acme A/S" }, 1000],
    ["to a company elsewhere in the EU", GERMAN, 1150],
    ["to a person elsewhere in the EU", { ...GERMAN, is_person: true }, 1000],
    ["to a company elsewhere in the EU without a number", { name: "B", country_key: "SE" }, 1000],
    ["outside of the EU", AMERICAN, 1200],
  ])("is sold %s on the account of that treatment", async (_what, customer, expected) => {
    const one = await studio();
    const product = await one.done("POST /products", { name: "Advice" });

    const invoice = await sold(one, product, customer);

    expect(await revenueOf(one, invoice.id)).toEqual([expected]);
    const note = await one.done("POST /credit-notes", {
      external_id: "all",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
    });
    expect(await revenueOf(one, note.id)).toEqual([expected]);
  });

  it.each<[number, Json, number]>([
    [1050, GERMAN, 1050],
    [1050, AMERICAN, 1100],
    [1998, GERMAN, 1150],
    [1998, { name: "Acme A/S" }, 1998],
  ])(
    "is sold on the default account %d as sales of that account",
    async (number, customer, expected) => {
      const one = await studio();
      await one.done("PATCH /configuration", { default_revenue_account: number });
      const product = await one.done("POST /products", { name: "Things" });

      expect(product.account_number).toBe(number);
      expect(await revenueOf(one, (await sold(one, product, customer)).id)).toEqual([expected]);
    },
  );

  it("still has none when it is sent back as read, and has one with a number of its own", async () => {
    const one = await studio();
    const product = await one.done("POST /products", { name: "Advice" });
    const of = async (): Promise<number[]> =>
      revenueOf(one, (await sold(one, product, AMERICAN)).id);
    const change = (changes: Json) => one.done(`PATCH /products/${product.id}`, changes);

    await change(product);
    await change({ account_number: 1000, name: "Good advice" });
    expect(await of()).toEqual([1200]);
    await change({ account_number: 1010 });
    expect(await of()).toEqual([1010]);
    await change({ account_number: 1000 });
    expect(await of()).toEqual([1000]);
    expect((await change({ account_number: null })).account_number).toBe(1000);
    expect(await of()).toEqual([1200]);
  });

  it.each([1000, 1010])("is not a product that was created with %d", async (account_number) => {
    const one = await studio();
    const product = await one.done("POST /products", { name: "Advice", account_number });

    expect(await revenueOf(one, (await sold(one, product, AMERICAN)).id)).toEqual([account_number]);
  });

  it("is not a product from before this choice was stored", async () => {
    const one = await studio();
    await world.sql(
      `insert into products (account_id, id, name, account_number, names_account, unit,
         default_price, quantity, document, updated_at)
       select account_id, '0190a000-0000-7000-8000-00000000aaaa', name, 1000, names_account, unit,
         default_price, quantity, document, now()
       from products where id = $1`,
      [one.product.id],
    );
    const old = { id: "0190a000-0000-7000-8000-00000000aaaa" };

    expect(await revenueOf(one, (await sold(one, old, AMERICAN)).id)).toEqual([1000]);
  });
});

describe("accruals and documents use the same account", () => {
  /** Ten hours in February on a draft for a domestic customer, on a product that names no account. */
  async function worked(): Promise<Studio & { readonly invoice: Json }> {
    const one = await studio("2026-04-10");
    const product = await one.done("POST /products", { name: "Advice" });
    const invoice = await one.draft([one.hours({ product_id: product.id })]);
    await one.work(invoice, "2026-02-03", 10);
    return { ...one, invoice };
  }
  /** Revenue accounts with their balances, credit above 0. */
  const revenue = async ({ done }: Studio): Promise<[number, number][]> =>
    (await done("GET /ledger/trial-balance")).accounts
      .filter(({ number }: Json) => number < 2000)
      .map(({ number, closing }: Json) => [number, 0 - closing]);

  it("from the draft on", async () => {
    const one = await worked();
    const { id } = await one.done("POST /customers", AMERICAN);
    await one.done(`PATCH /invoices/${one.invoice.id}`, { customer_id: id });

    await one.booked("2026-02", id);
    expect(await revenue(one)).toEqual([[1200, 10_000]]);
    await one.done(`POST /invoices/${one.invoice.id}/issue`);
    one.at("2026-05-10");
    await one.booked("2026-04", id);

    expect(await revenue(one)).toEqual([[1200, 10_000]]);
  });

  it("after the customer moves abroad between the accrual and the invoice", async () => {
    const one = await worked();
    await one.booked("2026-02");
    expect(await revenue(one)).toEqual([[1000, 10_000]]);
    await one.done("PATCH /configuration", { seller });
    await one.done(`PATCH /customers/${one.customer}`, GERMAN);

    await one.done(`POST /invoices/${one.invoice.id}/issue`);
    expect(await revenueOf(one, one.invoice.id)).toEqual([1150]);
    one.at("2026-05-10");
    // March is the first open month: its accrual reverses the February amount on the old account.
    await one.booked("2026-03");
    await one.booked("2026-04");

    expect(await revenue(one)).toEqual([
      [1000, 0],
      [1150, 10_000],
    ]);
    const { roles } = await one.done("GET /accruals/reconciliation?month=2026-04");
    expect(roles.map(({ difference }: Json) => difference)).toEqual(roles.map(() => 0));
  });

  it("after the lines of the draft are sent again", async () => {
    const one = await worked();
    await one.done(`PATCH /customers/${one.customer}`, AMERICAN);
    await one.done(`PATCH /invoices/${one.invoice.id}`, { lines: one.invoice.lines });

    await one.booked("2026-02");

    expect(await revenue(one)).toEqual([[1200, 10_000]]);
  });

  it("for the periods of a series, after a change of its customer", async () => {
    const one = await studio("2026-04-10");
    const product = await one.done("POST /products", { name: "Retainer" });
    const { id } = await one.done("POST /customers", AMERICAN);
    const line = { ...one.value(1000), product_id: product.id };
    const series = await one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "monthly",
      start_date: "2026-02-01",
      issue_timing: { mode: "manual" },
      lines: [line],
    });
    await one.done(`PATCH /recurring-series/${series.id}`, { customer_id: id });
    await one.done(`POST /recurring-series/${series.id}/lines`, {
      scope: "all",
      line: { ...line, agreed_value: 500 },
    });
    await one.done(`POST /recurring-series/${series.id}/activate`);

    await one.booked("2026-02", id);
    expect(await revenue(one)).toEqual([[1200, 1500]]);
    const invoice = await one.done(`POST /recurring-series/${series.id}/occurrences/2026-02/issue`);

    expect(await revenueOf(one, invoice.id)).toEqual([1200]);
  });
});
