import { beforeAll, describe, expect, it } from "vitest";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, draft, partCredit, credited } = useSales();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
let product_id: string;
let anna: Json;
beforeAll(async () => {
  const { data } = await world.done("GET /products");
  product_id = data[0].id;
  anna = await world.done("POST /users", { name: "Anna", email: "anna@studio.example" });
  await world.done("PATCH /configuration", {
    account_roles: { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 },
  });
});

const explain = (line_id: string, month: string): Promise<Json> =>
  world.done(`GET /recognition/explain?line_id=${line_id}&month=${month}`);

const book = async (month: string): Promise<Json> => {
  const { id } = await world.done(`GET /accruals?customer=${customer.id}&month=${month}`);
  return world.done(`POST /accruals/${id}/book`);
};

describe("GET /recognition/explain", () => {
  it("follows a line through its booking, late work and the voucher that carries it", async () => {
    const { id, lines } = await draft([], {
      lines: [{ product_id, recognition_method: "hours", hourly_rate: 1_200, discount: 5 }],
    });
    const line_id = lines[0].id;
    const work = (date: string, hours: number) =>
      world.done("POST /work-registrations", { line_id, user_id: anna.id, date, hours });
    await work("2026-01-20", 10);
    expect((await explain(line_id, "2026-01")).accruals).toMatchObject([
      { accrual_month: "2026-01", status: "draft", carried: false, earned: 11_400 },
    ]);
    const january = await book("2026-01");
    await work("2026-01-30", 2.5);

    const late = await explain(line_id, "2026-01");

    expect(late).toMatchObject({
      object: "recognition_explanation",
      line_id,
      month: "2026-01",
      customer_id: customer.id,
      contract: { invoice_id: id, series_id: null },
      recognition_method: "hours",
      discount: 5,
      rows: [{ quantity: 12.5, unit_price: 1_200, discount: 5, net: 14_250 }],
      amount: 14_250,
      net: 14_250,
      earned_before: 0,
      earned_to_date: 14_250,
      earned: 14_250,
      users: [{ user_id: anna.id, earned: 14_250 }],
      functional: null,
      forecast: false,
    });
    expect(late.sentence).toContain("12.50 h at 1200.00 less 5.00 %, 14250.00 DKK in all");
    const common = { customer_id: customer.id, account_number: 1000, currency: "DKK" };
    expect(late.accruals).toEqual([
      {
        accrual_id: january.id,
        accrual_month: "2026-01",
        ...common,
        status: "booked",
        carried: false,
        earned: 11_400,
        ledger_voucher_guid: january.ledger_voucher_guid,
        ledger_voucher_number: january.ledger_voucher_number,
      },
      {
        accrual_id: null,
        accrual_month: "2026-02",
        ...common,
        status: "draft",
        carried: true,
        earned: 2_850,
        ledger_voucher_guid: null,
        ledger_voucher_number: null,
      },
    ]);
    const february = await book("2026-02");
    const { accruals } = await explain(line_id, "2026-01");
    expect(accruals.map((one: Json) => [one.accrual_id, one.status, one.earned])).toEqual([
      [january.id, "booked", 11_400],
      [february.id, "booked", 2_850],
    ]);
  });

  it("keeps the hours with which an issued line was booked", async () => {
    const { id, lines } = await draft([], {
      lines: [{ product_id, recognition_method: "hours", hourly_rate: 800 }],
    });
    const line_id = lines[0].id;
    const fields = { line_id, user_id: anna.id, date: "2026-03-02", hours: 3 };
    await world.done("POST /work-registrations", fields);
    await world.done(`POST /invoices/${id}/issue`);

    const { rows, sentence, issue_date } = await explain(line_id, "2026-03");

    expect(rows).toEqual([{ quantity: 3, unit_price: 800, discount: 0, net: 2_400 }]);
    expect(sentence).toContain("3.00 h at 800.00, 2400.00 DKK in all");
    expect(issue_date).toBe("2026-03-10");
  });

  it("names the credit notes of a month, and foreign amounts with their rate", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.5 });
    const { id } = await draft([], {
      currency: "EUR",
      issue_date: "2026-03-02",
      lines: [
        {
          product_id,
          recognition_method: "value",
          agreed_value: 100,
          service_from: "2026-03-01",
          service_to: "2026-04-30",
        },
      ],
    });
    const invoice = await world.done(`POST /invoices/${id}/issue`);
    const note = await credited(partCredit(invoice, [10], { credit_date: "2026-03-05" }));

    const march = await explain(invoice.lines[0].id, "2026-03");
    const april = await explain(invoice.lines[0].id, "2026-04");

    expect(march).toMatchObject({
      amount: 100,
      net: 90,
      earned: 45,
      invoiced: 90,
      credit_notes: [
        {
          credit_note_id: note.id,
          effective_date: "2026-03-05",
          amount: 10,
          service_ends_on: null,
        },
      ],
      functional: {
        currency: "DKK",
        rate: 7.5,
        rate_of: "issue",
        earned: 337.5,
        invoiced: 675,
        exchange_difference: 0,
      },
    });
    expect(april).toMatchObject({ earned: 45, forecast: true, accruals: [] });
  });

  it("explains the line of an occurrence without an invoice", async () => {
    const series = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      start_date: "2026-02-10",
      issue_timing: { mode: "end-of-period" },
      lines: [{ product_id, recognition_method: "value", agreed_value: 2_800 }],
    });
    await world.done(`POST /recurring-series/${series.id}/activate`, {});
    const { data } = await world.done(
      `GET /recurring-series/${series.id}/occurrences/2026-02/lines`,
    );

    expect(await explain(data[0].id, "2026-02")).toMatchObject({
      contract: { invoice_id: null, series_id: series.id },
      period: "2026-02",
      service_from: "2026-02-10",
      service_to: "2026-03-09",
      progress: { unit: "months", part: "0.678571…", whole: "0.968894…" },
      earned: 1_961,
    });
  });

  it.each([
    ["an unknown line", 404, `line_id=${UNKNOWN_ID}&month=2026-01`],
    ["no line", 422, "month=2026-01"],
    ["a malformed line id", 422, "line_id=x&month=2026-01"],
    ["no month", 422, `line_id=${UNKNOWN_ID}`],
    ["an invalid month", 422, `line_id=${UNKNOWN_ID}&month=2026-13`],
  ])("refuses %s with %i", async (_what, status, query) => {
    expect((await world.rest(`GET /recognition/explain?${query}`)).status).toBe(status);
  });
});

describe("GET /recognition/rollforward", () => {
  it("adds up for each contract, and pages without repeating or omitting one", async () => {
    const all = await world.done("GET /recognition/rollforward?from=2026-01&to=2026-03&limit=100");
    expect(all.data.length).toBeGreaterThan(3);
    for (const one of all.data) {
      const cents = (amount: number) => Math.round(amount * 100);
      const closing =
        cents(one.opening) +
        cents(one.earned) -
        cents(one.invoiced) +
        cents(one.exchange_difference);
      expect(closing, JSON.stringify(one)).toBe(cents(one.closing));
      const position = one.contract_asset_closing - one.contract_liability_closing;
      expect(cents(position)).toBe(cents(one.closing));
    }

    const paged: Json[] = [];
    for (let cursor = ""; ; ) {
      const page = await world.done(
        `GET /recognition/rollforward?from=2026-01&to=2026-03&limit=1${cursor}`,
      );
      paged.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(all.data);
  });

  it("opens with the balance of the earlier months, and states carried amounts", async () => {
    const { data } = await world.done(
      `GET /recognition/rollforward?from=2026-02&to=2026-02&customer=${customer.id}`,
    );
    const hours = data.find((one: Json) => one.carried !== 0);

    expect(hours).toMatchObject({
      opening: 11_400,
      earned: 2_850,
      carried: 2_850,
      closing: 14_250,
    });
  });
});
