/** Bookings of credit notes: journal entries, VAT by running totals, currencies and VAT treatment (spec 2.7 and 9.3 to 9.5). */
import { beforeAll, describe, expect, it } from "vitest";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, product, line, issued, fullCredit, partCredit, credited, postingsOf } = useSales();

const totalsOf = (note: Json): Promise<Json> => world.done(`GET /credit-notes/${note.id}/totals`);

/** The summed postings of several documents, without the ledger accounts whose sum is 0. */
async function sumOf(guids: readonly string[]): Promise<Record<number, number>> {
  const sums: Record<number, number> = {};
  for (const guid of guids) {
    for (const [account, amount] of await postingsOf(guid)) {
      sums[account] = Math.round((sums[account] ?? 0) * 100 + amount * 100) / 100;
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

describe("the journal entry of a credit note", () => {
  beforeAll(async () => {
    await world.done(`PATCH /products/${product.id}`, { account_number: 1010 });
  });

  it("reverses the invoice's entry for a full credit of 2,000 + 500", async () => {
    const invoice = await issued([2000, 500]);

    const note = await credited(fullCredit(invoice));

    expect(await postingsOf(invoice.id)).toEqual([
      [6190, 3125],
      [1010, -2500],
      [7680, -625],
    ]);
    expect(await postingsOf(note.id)).toEqual([
      [6190, -3125],
      [1010, 2500],
      [7680, 625],
    ]);
  });

  it("reverses 10,000 of 12,000", async () => {
    const invoice = await issued([12_000]);

    const note = await credited(partCredit(invoice, [10_000]));

    expect(await postingsOf(note.id)).toEqual([
      [6190, -12_500],
      [1010, 10_000],
      [7680, 2500],
    ]);
  });

  it("is dated by the credit date, numbered in its own series and names the customer", async () => {
    const invoice = await issued([100]);
    const note = await credited(fullCredit(invoice, { credit_date: "2026-03-17" }));

    const { data } = await world.done("GET /ledger/entries?limit=100");

    expect(data.find((entry: Json) => entry.guid === note.id)).toMatchObject({
      kind: "credit_note",
      number: note.ledger_credit_note_number,
      date: "2026-03-17",
      text: `Credit note ${note.ledger_credit_note_number} Acme A/S`,
      postings: [
        { account_number: 6190, debit: 0, credit: 125, customer_id: invoice.customer_id },
        { account_number: 1010, debit: 100, credit: 0 },
        { account_number: 7680, debit: 25, credit: 0 },
      ],
    });
  });

  it("uses the accounts of the invoice's lines, even after the product's account changes", async () => {
    const other = await world.done("POST /products", { name: "Goods", account_number: 1000 });
    const lines = [line(100), line(40, { product_id: other.id })];
    const invoice = await issued([], { lines });
    await world.done(`PATCH /products/${other.id}`, { account_number: 1050 });

    const note = await credited(partCredit(invoice, [10, 4]));

    expect(await postingsOf(note.id)).toEqual([
      [6190, -17.5],
      [1000, 4],
      [1010, 10],
      [7680, 3.5],
    ]);
  });
});

describe("VAT of partial credits", () => {
  it.each<[string, number[], number[][], number[]]>([
    ["0.10 as 0.05 and 0.05", [0.1], [[0.05], [0.05]], [0.01, 0.02]],
    [
      "0.99 in three parts",
      [0.33, 0.33, 0.33],
      [[0.33], [0, 0.33], [0, 0, 0.33]],
      [0.08, 0.09, 0.08],
    ],
    ["0.02 in two parts", [0.02], [[0.01], [0.01]], [0, 0.01]],
    ["100.01 in thirds, then the rest", [100.01], [[33.34], [33.34], [33.33]], [8.34, 8.33, 8.33]],
  ])("adds up to that of the invoice: %s", async (_what, values, parts, vat) => {
    const invoice = await issued(values);
    const notes: Json[] = [];
    for (const part of parts) notes.push(await credited(partCredit(invoice, part)));

    const totals = await Promise.all(notes.map(totalsOf));

    expect(totals.map((one) => one.vat)).toEqual(vat);
    expect(await sumOf([invoice.id, ...notes.map((note) => note.id)])).toEqual({});
  });

  it("adds up for 40 credits of one øre each and a full credit of the rest", async () => {
    const invoice = await issued([0.41, 99.99]);
    const notes: Json[] = [];
    for (let round = 0; round < 40; round += 1) {
      notes.push(await credited(partCredit(invoice, [0.01, round % 3 === 0 ? 0.07 : 0])));
    }
    notes.push(await credited(fullCredit(invoice)));

    expect(await sumOf([invoice.id, ...notes.map((note) => note.id)])).toEqual({});
  });
});

describe("GET /credit-notes/{ref}/totals", () => {
  let exempt: Json;
  beforeAll(async () => {
    exempt = await world.done("POST /products", { name: "Exempt", account_number: 1410 });
    await world.done("PATCH /ledger/accounts/1410", { vat_code: "DK0" });
  });

  it("shows positive amounts, one row with quantity 1 for each line, and the VAT of each code", async () => {
    const lines = [line(1000, { discount: 12.5 }), line(80, { product_id: exempt.id })];
    const invoice = await issued([], { lines });

    const note = await credited(partCredit(invoice, [100.2, 80], { external_id: "totals" }));

    const totals = await totalsOf(note);
    expect(totals).toEqual({
      object: "totals",
      currency: "DKK",
      net: 180.2,
      vat: 25.05,
      gross: 205.25,
      lines: [
        {
          line_id: invoice.lines[0].id,
          net: 100.2,
          rows: [{ quantity: 1, unit_price: 100.2, discount: 0, net: 100.2 }],
        },
        {
          line_id: invoice.lines[1].id,
          net: 80,
          rows: [{ quantity: 1, unit_price: 80, discount: 0, net: 80 }],
        },
      ],
      vat_breakdown: [
        { vat_code: "DK25", rate: 25, base: 100.2, vat: 25.05 },
        { vat_code: "DK0", rate: 0, base: 80, vat: 0 },
      ],
      warnings: [
        {
          code: "SELLER_INCOMPLETE",
          message:
            "The credit note shows no name, no address and no VAT number of the seller, as its invoice.",
          field: "seller",
        },
      ],
    });
    expect(await world.done("GET /credit-notes/ext:totals/totals")).toEqual(totals);
  });

  it("leaves out VAT codes without a credited amount", async () => {
    const lines = [line(1000), line(80, { product_id: exempt.id })];
    const invoice = await issued([], { lines });

    const note = await credited(partCredit(invoice, [undefined, 80]));

    expect((await totalsOf(note)).vat_breakdown).toEqual([
      { vat_code: "DK0", rate: 0, base: 80, vat: 0 },
    ]);
  });
});

describe("the VAT treatment and the rate of a credit note are those of its invoice:", () => {
  it("EU services with reverse charge in euro, at the invoice's rate", async () => {
    await world.done("PATCH /configuration", { seller: { vat_number: "12345674" } });
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const { id: customer_id } = await world.done("POST /customers", {
      name: "Bergmann GmbH",
      country_key: "DE",
      street: "Hafenstr. 7",
      city: "Hamburg",
      vat_number: "DE136695976",
    });
    const advice = await world.done("POST /products", { name: "Advice", account_number: 1150 });
    const invoice = await issued([], {
      customer_id,
      currency: "EUR",
      lines: [line(1000, { product_id: advice.id })],
    });
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.5 });
    await world.done(`PATCH /customers/${customer_id}`, { country_key: "DK", vat_number: null });

    const part = await credited(partCredit(invoice, [400]));
    const rest = await credited(fullCredit(invoice));

    expect(await postingsOf(part.id)).toEqual([
      [6190, -2984],
      [1150, 2984],
    ]);
    expect(await postingsOf(rest.id)).toEqual([
      [6190, -4476],
      [1150, 4476],
    ]);
    expect(await totalsOf(part)).toMatchObject({
      currency: "EUR",
      net: 400,
      vat: 0,
      vat_breakdown: [{ vat_code: "EU_SERVICES_RC", rate: 0, base: 400, vat: 0 }],
    });
    expect(await sumOf([invoice.id, part.id, rest.id])).toEqual({});
  });

  it("a rate that rounds every part, without a remainder", async () => {
    await world.done("PUT /exchange-rates/USD/2026-01-01", { rate: 6.402537 });
    const invoice = await issued([10.01, 3.33], { currency: "USD" });
    const notes: Json[] = [];
    for (let round = 0; round < 7; round += 1) {
      notes.push(await credited(partCredit(invoice, [0.37, 0.11])));
    }
    notes.push(await credited(fullCredit(invoice)));

    expect(await sumOf([invoice.id, ...notes.map((note) => note.id)])).toEqual({});
  });

  it("currencies without decimals and with three", async () => {
    await world.done("PUT /exchange-rates/JPY/2026-01-01", { rate: 0.045123 });
    await world.done("PUT /exchange-rates/KWD/2026-01-01", { rate: 22.512345 });
    const [yen, dinar] = [
      await issued([1001], { currency: "JPY" }),
      await issued([1.005], { currency: "KWD" }),
    ];

    const notes = [
      await credited(partCredit(yen, [333])),
      await credited(fullCredit(yen)),
      await credited(partCredit(dinar, [0.335])),
      await credited(fullCredit(dinar)),
    ];

    const shown = await Promise.all(notes.map(totalsOf));
    expect(shown.map(({ net, vat }) => [net, vat])).toEqual([
      [333, 83],
      [668, 167],
      [0.335, 0.084],
      [0.67, 0.167],
    ]);
    expect(shown[2].lines[0].rows).toEqual([
      { quantity: 1, unit_price: 0.335, discount: 0, net: 0.335 },
    ]);
    const guids = notes.map((note) => note.id);
    expect(await sumOf([yen.id, dinar.id, ...guids])).toEqual({});
  });

  it("the largest line, in parts", async () => {
    const invoice = await issued([10_000_000_000]);
    const part = await credited(partCredit(invoice, [9_999_999_999.99]));
    const rest = await credited(fullCredit(invoice));

    expect(rest.lines).toMatchObject([{ amount: 0.01 }]);
    expect((await totalsOf(part)).vat).toBe(2_500_000_000);
    expect((await totalsOf(rest)).vat).toBe(0);
  });
});
