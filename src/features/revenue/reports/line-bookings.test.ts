/** The explanation of lines that were removed, or moved to another account, customer or currency. */
import { describe, expect, it } from "vitest";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();

const explain = (one: Studio, line: Json, month = "2026-02"): Promise<Json> =>
  one.done(`GET /recognition/explain?line_id=${line.id}&month=${month}`);

/** The customers and accounts under which the month is booked. */
const booksOf = (one: Studio, { accruals }: Json): string[] =>
  accruals.map((row: Json) => {
    const whose = row.customer_id === one.customer ? "" : " of another";
    const { accrual_month, status, account_number, earned, currency } = row;
    return `${accrual_month} ${status} ${account_number} ${earned} ${currency}${whose}`;
  });

/** A draft with two lines of February, which is booked. */
async function bookedDraft(one: Studio): Promise<Json> {
  const line = one.service(280, "2026-02-01", "2026-02-28");
  const invoice = await one.draft([line, { ...line, agreed_value: 56 }]);
  await one.booked("2026-02");
  return invoice;
}

describe("a line that was removed", () => {
  it("is explained as long as bookings remain", async () => {
    const one = await studio();
    const { id, lines } = await bookedDraft(one);
    const [kept, removed] = lines;
    await one.done(`PATCH /invoices/${id}`, { lines: [kept] });
    const { id: accrual_id } = await one.accrual("2026-02");

    const gone = await explain(one, removed);

    expect(gone).toMatchObject({
      line_id: removed.id,
      month: "2026-02",
      customer_id: one.customer,
      contract: { invoice_id: id, series_id: null },
      currency: "DKK",
      recognition_method: null,
      progress: null,
      rows: [],
      amount: 0,
      earned_to_date: 0,
      exact_to_date: "0.00",
      earned: 0,
      users: [],
      functional: null,
      forecast: false,
      sentence:
        "The line was removed: in 2026-02 it earned nothing. The accrual of 2026-02 booked 56.00 DKK. The accrual of 2026-03 will book -56.00 DKK.",
    });
    expect(gone.accruals[0]).toMatchObject({ accrual_id, carried: false });
    expect(gone.accruals[1]).toMatchObject({ accrual_id: null, carried: true });
  });

  it("adds up to 0 when its booking is reversed, and has none when it is reopened", async () => {
    const one = await studio();
    const { id, lines } = await bookedDraft(one);
    const february = await one.accrual("2026-02");
    await one.done(`DELETE /invoices/${id}`);
    one.at("2026-04-02");
    const march = await one.booked("2026-03");

    const reported = await explain(one, lines[0]);
    expect(booksOf(one, reported)).toEqual([
      "2026-02 booked 1010 280 DKK",
      "2026-03 booked 1010 -280 DKK",
    ]);
    expect(reported.sentence).toMatch(/The accrual of 2026-03 booked -280.00 DKK\.$/);

    expect((await one.reopen(march.id)).status).toBe(200);
    expect((await one.reopen(february.id)).status).toBe(200);
    expect(booksOf(one, await explain(one, lines[0]))).toEqual([]);
  });

  it("is not found when it was never booked", async () => {
    const one = await studio();
    const { id, lines } = await one.draft([one.service(280, "2026-02-01", "2026-02-28")]);
    await one.done(`DELETE /invoices/${id}`);
    const path = `/recognition/explain?line_id=${lines[0].id}&month=2026-02`;
    expect(await one.tried(`GET ${path}`)).toBe("404 NOT_FOUND");
    expect((await (await studio()).rest(`GET ${path}`)).status).toBe(404);
  });
});

describe("a line that was moved", () => {
  it("names both accounts, and adds up to its earned amount", async () => {
    const one = await studio();
    const { id, lines } = await bookedDraft(one);
    const other = await one.done("POST /products", { name: "Care", account_number: 1020 });
    await one.done(`PATCH /invoices/${id}`, {
      lines: [{ ...lines[0], product_id: other.id }, lines[1]],
    });

    const reported = await explain(one, lines[0]);

    expect(reported).toMatchObject({ earned: 280, recognition_method: "value" });
    expect(booksOf(one, reported)).toEqual([
      "2026-02 booked 1010 280 DKK",
      "2026-03 draft 1020 280 DKK",
      "2026-03 draft 1010 -280 DKK",
    ]);
  });

  it("names both customers, and adds up to its earned amount", async () => {
    const one = await studio();
    const { id, lines } = await bookedDraft(one);
    const other = await one.newCustomer("Other");
    await one.done(`PATCH /invoices/${id}`, { customer_id: other });

    const reported = await explain(one, lines[0]);

    expect(reported).toMatchObject({ customer_id: other, earned: 280 });
    expect(booksOf(one, reported)).toEqual([
      "2026-02 booked 1010 280 DKK",
      "2026-02 draft 1010 280 DKK of another",
      "2026-03 draft 1010 -280 DKK",
    ]);
  });

  it("names both currencies, and the present one adds up to its earned amount", async () => {
    const one = await studio();
    await one.rate("EUR", "2026-01-01", 7.5);
    const { id, lines } = await bookedDraft(one);
    await one.done(`PATCH /invoices/${id}`, { currency: "EUR" });

    const reported = await explain(one, lines[0]);

    expect(reported).toMatchObject({ currency: "EUR", earned: 280 });
    expect(booksOf(one, reported)).toEqual([
      "2026-02 booked 1010 280 DKK",
      "2026-03 draft 1010 280 EUR",
      "2026-03 draft 1010 -280 DKK",
    ]);
  });
});

describe("the line of an occurrence that waits for its invoice", () => {
  it.each([
    ["that is far ahead", "2026-03-10", true],
    ["long after its period", "2027-09-10", false],
  ])("is explained in a month %s", async (_when, today, forecast) => {
    const one = await studio();
    const { id } = await one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "monthly",
      start_date: "2026-02-01",
      lines: [one.value(300)],
      issue_timing: { mode: "end-of-period" },
    });
    await one.done(`POST /recurring-series/${id}/activate`);
    const [line] = (await one.done("GET /recognition?from=2026-02&to=2026-02")).data;
    const ahead = () => explain(one, { id: line.line_id }, "2027-06");
    if (forecast) expect(await ahead()).toMatchObject({ earned: 0, accruals: [] });

    await one.booked("2026-02");
    one.at(today);

    const reported = { customer_id: one.customer, earned: 0, earned_to_date: 300, forecast };
    expect(await ahead()).toMatchObject(reported);
  });
});
