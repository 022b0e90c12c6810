/** Interest on overdue amounts. */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../base/calendar.ts";
import { interestOf, yearlyRates } from "./late-interest.ts";
import type { OpenItem } from "./open-item.ts";

const day = (text: string) => text as CalendarDate;

function item(takes: OpenItem["takes"] = []): OpenItem {
  return {
    id: "invoice",
    kind: "invoice",
    is_credit: false,
    customer_id: "acme",
    currency: "DKK",
    date: day("2026-02-01"),
    ended_on: null,
    amount: 1_000_000n,
    functional: 1_000_000n,
    takes,
  };
}

describe("interest", () => {
  it("counts each day after the due date through the day of the reminder", () => {
    expect(interestOf(item(), day("2026-03-01"), day("2026-03-31"), () => 1015n)).toEqual({
      amount: 8_342n,
      through: "2026-03-31",
      is_rate_missing: false,
    });
  });

  it("is on what was open at the end of each day, also when the invoice is paid by that time", () => {
    const paid = {
      date: day("2026-03-11"),
      reversed_on: null,
      amount: 1_000_000n,
      functional: 1_000_000n,
    };
    const { amount } = interestOf(item([paid]), day("2026-03-01"), day("2026-03-31"), () => 1015n);
    // Nine days, 2 to 10 March: 1,000,000 × 9 × 10.15 % ÷ 365.
    expect(amount).toBe(2_503n);
  });

  it("waits where the rate of the half-year is missing", () => {
    const first_half = (one: CalendarDate) => (one < "2026-07-01" ? 1015n : null);
    expect(interestOf(item(), day("2026-06-20"), day("2026-07-10"), first_half)).toEqual({
      amount: 2_781n,
      through: "2026-06-30",
      is_rate_missing: true,
    });
    expect(interestOf(item(), day("2026-07-05"), day("2026-07-10"), first_half)).toEqual({
      amount: 0n,
      through: null,
      is_rate_missing: true,
    });
  });

  it("waits while it comes to nothing", () => {
    const little = { ...item(), amount: 10_00n, functional: 10_00n };
    expect(interestOf(little, day("2026-03-01"), day("2026-03-02"), () => 1015n)).toEqual({
      amount: 0n,
      through: null,
      is_rate_missing: false,
    });
  });

  it("changes with the rate of each half-year", () => {
    const rates = yearlyRates(
      { interest: "statutory", statutory_margin: 8 },
      new Map([
        ["2026-01-01", 2_15],
        ["2026-07-01", 1_60],
      ]),
    );
    expect(rates(day("2026-06-30"))).toBe(1015n);
    expect(rates(day("2026-07-01"))).toBe(960n);
    expect(rates(day("2027-01-01"))).toBeNull();
    // 10 days of June and 5 of July: 1,000,000 × (10 × 10.15 % + 5 × 9.60 %) ÷ 365.
    expect(interestOf(item(), day("2026-06-20"), day("2026-07-05"), rates).amount).toBe(4_096n);
  });

  it.each<[Parameters<typeof yearlyRates>[0], bigint | null]>([
    [{ interest: "none", statutory_margin: 8 }, 0n],
    [{ interest: { rate: 12.5 }, statutory_margin: 8 }, 1250n],
    [{ interest: "statutory", statutory_margin: 0 }, 0n],
  ])("has the rate of %j", (settings, expected) => {
    const below = new Map([["2026-01-01", -45]]);
    expect(yearlyRates(settings, below)(day("2026-03-01"))).toBe(expected);
  });

  it("is nothing where all days are charged", () => {
    expect(interestOf(item(), day("2026-03-31"), day("2026-03-31"), () => 1015n)).toEqual({
      amount: 0n,
      through: null,
      is_rate_missing: false,
    });
  });
});
