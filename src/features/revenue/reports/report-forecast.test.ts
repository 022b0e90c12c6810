/** The scheduled earnings of future months (spec 3.11). */
import { describe, expect, it } from "vitest";
import { type Studio, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { studio } = useStudios();
const TODAY = "2026-03-10";

/** An active series of one line that is paid in advance. */
async function active(one: Studio, amount: number, fields: Json = {}): Promise<Json> {
  const { id } = await one.done("POST /recurring-series", {
    customer_id: one.customer,
    frequency: "monthly",
    start_date: "2026-01-01",
    lines: [one.value(amount)],
    ...fields,
  });
  return one.done(`POST /recurring-series/${id}/activate`);
}

const quarterly = { frequency: "quarterly" };

async function rows({ done }: Studio, from: string, to: string, query = ""): Promise<Json[]> {
  const seen: Json[] = [];
  for (let cursor = ""; ; ) {
    const page = await done(`GET /recognition?from=${from}&to=${to}&limit=100${query}${cursor}`);
    seen.push(...page.data);
    if (!page.has_more) return seen;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** The earnings of each month, for any grouping. */
async function earned(
  one: Studio,
  from: string,
  to: string,
  query = "&group_by=month",
): Promise<Record<string, number>> {
  const months: Record<string, number> = {};
  for (const row of await rows(one, from, to, query)) {
    // A period that has begun without an invoice is an asset also in months without earnings.
    if (row.earned === 0) continue;
    months[row.month] = Math.round(((months[row.month] ?? 0) + row.earned) * 100) / 100;
  }
  return months;
}

describe("a forecast of series", () => {
  it("gives 50,000 in each of 36 months for a monthly 20,000 and a quarterly 90,000", async () => {
    const one = await studio(TODAY);
    await active(one, 20_000);
    await active(one, 90_000, quarterly);

    const months = await rows(one, "2026-04", "2029-03", "&group_by=month");

    expect(months).toHaveLength(36);
    for (const month of months) {
      expect(month).toMatchObject({ earned: 50_000, forecast: true, currency: "DKK" });
    }
    for (const month of ["2026-04", "2026-08", "2029-03"]) {
      for (const query of ["", "&group_by=customer", "&group_by=user", "&group_by=product"]) {
        expect(await earned(one, month, month, query)).toEqual({ [month]: 50_000 });
      }
      const basis = "&group_by=month&basis=booking_month";
      expect(await earned(one, month, month, basis)).toEqual({ [month]: 50_000 });
    }
  });

  it("shows each period as its future invoice, on its planned date", async () => {
    const one = await studio(TODAY);
    const { id } = await active(one, 90_000, quarterly);

    const quarter = await rows(one, "2026-04", "2026-06", `&series=${id}`);

    const row = {
      object: "recognition_entry",
      customer_id: one.customer,
      invoice_id: null,
      series_id: id,
      opening_contract_id: null,
      product_id: one.product.id,
      user_id: null,
      currency: "DKK",
      contract_asset: 0,
      hours: 0,
      forecast: true,
    };
    const ahead = quarter.filter(({ period }) => period === "2026-Q2");
    const { line_id } = ahead[0];
    const line = { ...row, period: "2026-Q2", line_id, earned: 30_000 };
    expect(ahead).toEqual([
      { ...line, month: "2026-04", invoiced: 90_000, contract_liability: 60_000 },
      { ...line, month: "2026-05", invoiced: 0, contract_liability: 30_000 },
      { ...line, month: "2026-06", invoiced: 0, contract_liability: 0 },
    ]);
    const { data } = await one.done(`GET /recurring-series/${id}/occurrences/2026-Q2/lines`);
    expect(data.map((one: Json) => one.id)).toEqual([line_id]);
  });

  it("changes nothing in months that have begun", async () => {
    const one = await studio(TODAY);
    await active(one, 20_000);
    await active(one, 90_000, { ...quarterly, start_date: "2026-02-15" });
    const hourly = await active(one, 1, {
      lines: [one.hours()],
      start_date: "2026-03-01",
      issue_timing: { mode: "end-of-period" },
    });
    const { data } = await one.done(`GET /recurring-series/${hourly.id}/occurrences/2026-03/lines`);
    await one.work({ lines: data }, "2026-03-04", 2);

    for (const query of ["", "&group_by=month", "&basis=booking_month", "&group_by=user"]) {
      const alone = await rows(one, "2026-01", "2026-03", query);
      const beside = await rows(one, "2026-01", "2026-12", query);
      expect(beside.filter(({ month }) => month <= "2026-03")).toEqual(alone);
      expect(alone.filter(({ forecast }) => forecast)).toEqual([]);
    }
  });

  it("counts the days of periods that begin in the middle of a month", async () => {
    const one = await studio(TODAY);
    await one.done("PATCH /configuration", { recognition_convention: "daily" });
    await active(one, 31_000, { start_date: "2026-01-16" });

    // April: 15 of the 31 days from 16 March, and 15 of the 30 from 16 April.
    expect(await earned(one, "2026-04", "2026-05")).toEqual({
      "2026-04": 30_500,
      "2026-05": 31_500,
    });
  });

  it("counts neither skipped or dropped periods, nor those after the end", async () => {
    const one = await studio(TODAY);
    const { id } = await active(one, 31_000);
    await one.done(`POST /recurring-series/${id}/occurrences/2026-05/skip`);
    await active(one, 10_000, { end_date: "2026-04-30" });
    const cancelled = await active(one, 62_000);
    await one.done(`POST /recurring-series/${cancelled.id}/cancel`, { end_date: "2026-06-15" });
    await one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "monthly",
      start_date: "2026-01-01",
      lines: [one.value(7)],
    });

    expect(await earned(one, "2026-04", "2026-07")).toEqual({
      "2026-04": 103_000,
      "2026-05": 62_000,
      // 15 of 30 days of June remain of the cancelled series.
      "2026-06": 62_000,
      "2026-07": 31_000,
    });
  });

  it("counts issued periods once", async () => {
    const one = await studio(TODAY);
    const { id } = await active(one, 20_000);
    await one.done(`POST /recurring-series/${id}/occurrences/2026-04/issue`);

    expect(await earned(one, "2026-04", "2026-05")).toEqual({
      "2026-04": 20_000,
      "2026-05": 20_000,
    });
    expect(await earned(one, "2026-04", "2026-05", "")).toEqual({
      "2026-04": 20_000,
      "2026-05": 20_000,
    });
  });

  it("has no hours, and shows revenue that is earned at the issue in its month", async () => {
    const one = await studio(TODAY);
    const end = { issue_timing: { mode: "end-of-period", offset_days: 5 } };
    await active(one, 1, { lines: [one.hours()], ...end });
    const progress = { ...one.value(900), recognition_method: "progress", budget_hours: 10 };
    await active(one, 1, { lines: [progress], ...end });
    const fee = { ...one.value(1200), recognition_method: "on_issue" };
    await active(one, 1, { lines: [fee], frequency: "quarterly", ...end });

    expect(await earned(one, "2026-04", "2026-12")).toEqual({ "2026-07": 1200, "2026-10": 1200 });
  });

  it("states the user, and filters by user", async () => {
    const one = await studio(TODAY);
    const eva = await one.newUser();
    const assignees = [
      { user_id: one.bo, distribution_percentage: 60 },
      { user_id: eva, distribution_percentage: 40 },
    ];
    await active(one, 1000, { lines: [{ ...one.value(1000), assignees }] });

    const april = await rows(one, "2026-04", "2026-04", "&group_by=user");
    expect(april.filter((row) => row.earned > 0).map((row) => [row.user_id, row.earned])).toEqual(
      [
        [one.bo, 600],
        [eva, 400],
      ].sort(),
    );
    expect(await earned(one, "2026-05", "2026-05", `&user=${eva}`)).toEqual({ "2026-05": 400 });
  });

  it("converts at the last known rate, and settles the amounts that it invoices", async () => {
    const one = await studio(TODAY);
    await one.rate("USD", "2026-02-28", 7);
    await active(one, 300, { currency: "USD", start_date: "2026-04-01", frequency: "quarterly" });

    const months = await rows(one, "2026-04", "2026-06", "&group_by=month");
    expect(months.map((row) => [row.earned, row.invoiced, row.contract_liability])).toEqual([
      [700, 2100, 1400],
      [700, 0, 700],
      [700, 0, 0],
    ]);
    const [row] = await rows(one, "2026-05", "2026-05");
    expect(row).toMatchObject({ currency: "USD", earned: 100, contract_liability: 100 });
  });

  it("ends with the periods that begin in the 36th month ahead", async () => {
    const one = await studio(TODAY);
    await active(one, 20_000);
    await active(one, 90_000, quarterly);

    expect(await earned(one, "2029-02", "2029-12")).toEqual({
      "2029-02": 50_000,
      "2029-03": 50_000,
    });
    expect(await earned(one, "2030-01", "2030-12")).toEqual({});
  });

  it("pages through many weeks without repeating a row", async () => {
    const one = await studio(TODAY);
    await one.done("PATCH /configuration", { recognition_convention: "daily" });
    await active(one, 70, { frequency: "weekly", start_date: "2026-03-02" });

    const seen: Json[] = [];
    for (let cursor = ""; ; ) {
      const page = await one.done(`GET /recognition?from=2026-04&to=2026-09&limit=7${cursor}`);
      seen.push(...page.data);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(await rows(one, "2026-04", "2026-09"));
    const keys = seen.map((row) => `${row.month} ${row.line_id}`);
    expect(new Set(keys).size).toBe(keys.length);
    // 70.00 a week, 10.00 for every day from April through September.
    const sum = seen.reduce((total, row) => total + row.earned, 0);
    expect(Math.round(sum * 100) / 100).toBe(1830);
  });

  it("explains a period that has not begun and has no invoice", async () => {
    const one = await studio(TODAY);
    const { id } = await active(one, 90_000, quarterly);
    const [row] = (await rows(one, "2027-02", "2027-02", `&series=${id}`)).filter(
      (entry) => entry.earned > 0,
    );

    const reported = await one.done(
      `GET /recognition/explain?line_id=${row.line_id}&month=2027-02`,
    );

    expect(reported).toMatchObject({
      period: "2027-Q1",
      earned: 30_000,
      earned_to_date: 60_000,
      amount: 90_000,
      issue_date: null,
      forecast: true,
      accruals: [],
    });
  });
});

describe("a forecast of a running year", () => {
  it("adds up to the year, and counts its renewal from the month after its last", async () => {
    const one = await studio("2026-07-10");
    await one.done("PATCH /configuration", { recognition_convention: "daily" });
    const yearly = { frequency: "yearly", start_date: "2026-03-15" };
    const { id } = await active(one, 36_500, yearly);
    await one.done(`POST /recurring-series/${id}/occurrences/2026/issue`);

    const months = await earned(one, "2026-03", "2027-04");

    const year = Object.entries(months).filter(([month]) => month <= "2027-03");
    expect(year.reduce((total, [, amount]) => total + amount, 0)).toBeCloseTo(36_500, 5);
    expect(months["2027-03"]).toBe(1400);
    // 366 days from 15 March 2027, because 2028 is a leap year.
    expect(months["2027-04"]).toBeCloseTo((36_500 * 30) / 366, 1);
    expect(await earned(one, "2026-03", "2027-04", "")).toEqual(months);
  });

  it("counts a renewal at the beginning of a month in full, and every later one", async () => {
    const one = await studio(TODAY);
    await active(one, 120_000, { frequency: "yearly", start_date: "2025-07-01" });

    const months = await rows(one, "2026-04", "2029-03", "&group_by=month");

    expect(new Set(months.map((row) => row.earned))).toEqual(new Set([10_000]));
    expect(months).toHaveLength(36);
  });
});
