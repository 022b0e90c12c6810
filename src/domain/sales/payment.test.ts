/** Which terms apply, and the day on which an invoice falls due (spec 10.2). */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { type ContractTerms, paymentOf, termFaults, termsOf } from "./payment.ts";

describe("paymentOf", () => {
  it.each<[ContractTerms, string, string]>([
    [{ type: "Netto", days: 14 }, "2026-11-20", "2026-12-04"],
    [{ type: "Netto", days: 0 }, "2026-11-20", "2026-11-20"],
    [{ type: "Netto", days: 30 }, "2026-01-31", "2026-03-02"],
    [{ type: "Netto", days: 30 }, "2028-01-31", "2028-03-01"],
    [{ type: "Netto", days: 1 }, "2028-02-28", "2028-02-29"],
    [{ type: "Netto", days: 14 }, "2026-12-24", "2027-01-07"],
    [{ type: "CurrentMonthOut", days: 0 }, "2026-11-20", "2026-11-30"],
    [{ type: "CurrentMonthOut", days: 15 }, "2026-11-20", "2026-12-15"],
    [{ type: "CurrentMonthOut", days: 30 }, "2026-11-30", "2026-12-30"],
    [{ type: "CurrentMonthOut", days: 0 }, "2027-02-01", "2027-02-28"],
    [{ type: "CurrentMonthOut", days: 0 }, "2028-02-29", "2028-02-29"],
    [{ type: "NettoCash", days: 0 }, "2026-11-20", "2026-11-20"],
  ])("%o from %s is due on %s", (terms, issue_date, due_date) => {
    expect(paymentOf(terms, issue_date as CalendarDate)).toEqual({ ...terms, due_date });
  });

  it("gives NettoCash no days, even where some are stored", () => {
    const payment = paymentOf({ type: "NettoCash", days: 8 }, "2026-11-20" as CalendarDate);
    expect(payment).toEqual({ type: "NettoCash", days: 0, due_date: "2026-11-20" });
  });
});

describe("termsOf", () => {
  const standard: ContractTerms = { type: "CurrentMonthOut", days: 15 };

  it.each<[string, string | null, number | null, ContractTerms]>([
    ["those of the configuration where the customer has none", null, null, standard],
    ["Netto where the customer has only days", null, 8, { type: "Netto", days: 8 }],
    ["the customer's own", "Netto", 30, { type: "Netto", days: 30 }],
    [
      "0 days where the customer has only a type",
      "CurrentMonthOut",
      null,
      { type: "CurrentMonthOut", days: 0 },
    ],
    ["cash without days", "NettoCash", null, { type: "NettoCash", days: 0 }],
    ["a stored 0 as a value", null, 0, { type: "Netto", days: 0 }],
  ])("are %s", (_, payment_condition_type, payment_condition_number_of_days, expected) => {
    const customer = { payment_condition_type, payment_condition_number_of_days };
    expect(termsOf(customer, standard)).toEqual(expected);
  });
});

describe("termFaults", () => {
  it("refuses days with NettoCash only", () => {
    expect(termFaults("NettoCash", 8, "days")).toMatchObject([
      { field: "days", code: "not_allowed" },
    ]);
    expect(termFaults("NettoCash", 0, "days")).toEqual([]);
    expect(termFaults("NettoCash", null, "days")).toEqual([]);
    expect(termFaults("Netto", 8, "days")).toEqual([]);
    expect(termFaults(null, 8, "days")).toEqual([]);
  });
});
