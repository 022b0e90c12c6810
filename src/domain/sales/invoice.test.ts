/** When a draft may be issued in a foreign currency: the maximum age of its rate (spec 5.3). */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { Problem } from "../base/problem.ts";
import { decideIssue, type Invoice } from "./invoice.ts";

const day = (text: string) => text as CalendarDate;

/** The issue date, or the code and details of the refusal. */
function decided(currency: string, rate_date: string | null, rate_max_age_days: number | null) {
  const draft = {
    status: "draft",
    lines: [{}],
    issue_date: day("2026-03-10"),
    currency,
  } as unknown as Pick<Invoice, "status" | "lines" | "issue_date" | "currency">;
  try {
    return decideIssue(draft, {
      today: day("2026-03-10"),
      is_being_issued: false,
      net: 1n,
      customer_is_active: true,
      lock: { period_lock_date: null },
      ledger_is_connected: true,
      functional_currency: "DKK",
      rate_date: rate_date === null ? null : day(rate_date),
      rate_max_age_days,
    }).issue_date;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.code, error.extras.details];
  }
}

describe("decideIssue", () => {
  it.each<[string, string | null, number | null]>([
    ["EUR", "2020-01-01", null],
    ["EUR", "2026-03-03", 7],
    ["EUR", "2026-03-10", 0],
    ["DKK", null, 0],
  ])(
    "accepts %s with a rate of %s that may be at most %s days old",
    (currency, rate_date, most) => {
      expect(decided(currency, rate_date, most)).toBe("2026-03-10");
    },
  );

  it.each<[string | null, number | null, object]>([
    [null, null, {}],
    [null, 7, {}],
    ["2026-03-02", 7, { rate_date: "2026-03-02", rate_max_age_days: 7 }],
    ["2026-03-09", 0, { rate_date: "2026-03-09", rate_max_age_days: 0 }],
  ])("refuses a rate of %s that may be at most %s days old", (rate_date, most, details) => {
    expect(decided("EUR", rate_date, most)).toEqual([
      "EXCHANGE_RATE_MISSING",
      { currency: "EUR", date: "2026-03-10", ...details },
    ]);
  });
});
