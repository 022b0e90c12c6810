/** The credits of a cancellation, in the numbers of spec 4.10. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineId } from "../base/brand.ts";
import { addDays, type CalendarDate, daysBetween } from "../base/calendar.ts";
import { LARGEST_LINE, round } from "../base/money.ts";
import {
  type CancelledLine,
  cancellationCredit,
  creditedService,
  type ServiceCut,
} from "./cancellation.ts";

const day = (text: string) => text as CalendarDate;
const span = (from: string, to: string) => ({ from: day(from), to: day(to) });
const march = span("2025-03-01", "2025-03-31");

const lineOf = (rest: bigint, fields: Partial<CancelledLine> = {}): CancelledLine => ({
  line_id: "line" as LineId,
  is_value: true,
  rest,
  shortened_to: null,
  ...fields,
});

describe("the credit of a cancellation", () => {
  it.each<[string, { from: CalendarDate; to: CalendarDate }, string, bigint, bigint]>([
    ["21 of the 31 days of March", march, "2025-03-10", 31_000_00n, 21_000_00n],
    ["all but the first day", march, "2025-03-01", 31_000_00n, 30_000_00n],
    ["the last day alone", march, "2025-03-30", 31_000_00n, 1_000_00n],
    ["nothing on the last day", march, "2025-03-31", 31_000_00n, 0n],
    ["nothing after the last day", march, "2025-04-01", 31_000_00n, 0n],
    ["all of it the day before", march, "2025-02-28", 31_000_00n, 31_000_00n],
    ["all of it long before", march, "2024-03-10", 31_000_00n, 31_000_00n],
    ["the unused part of what is left", march, "2025-03-10", 24_800_00n, 16_800_00n],
    [
      "76 of the 181 days of a half-year's licence",
      span("2025-01-01", "2025-06-30"),
      "2025-04-15",
      24_000_00n,
      10_077_35n,
    ],
    [
      "nothing of a single day's period, on that day",
      span("2025-03-01", "2025-03-01"),
      "2025-03-01",
      5n,
      0n,
    ],
    [
      "the rest after the kept part is rounded: 1 of 2 days",
      span("2025-03-01", "2025-03-02"),
      "2025-03-01",
      5n,
      2n,
    ],
    [
      "part of a February of 29 days",
      span("2024-02-01", "2024-02-29"),
      "2024-02-28",
      29_00n,
      1_00n,
    ],
  ])("covers %s", (_, period, end_date, rest, expected) => {
    expect(cancellationCredit(lineOf(rest), period, day(end_date))).toBe(expected);
  });

  it("is 0 for a line that is not recognised by value", () => {
    const line = lineOf(31_000_00n, { is_value: false });
    expect(cancellationCredit(line, march, day("2025-03-10"))).toBe(0n);
    expect(cancellationCredit(line, march, day("2025-02-10"))).toBe(0n);
  });

  it("is 0 when nothing is left, or all was credited otherwise", () => {
    expect(cancellationCredit(lineOf(0n), march, day("2025-03-10"))).toBe(0n);
    expect(cancellationCredit(lineOf(0n), march, day("2025-02-10"))).toBe(0n);
  });
});

describe("a second, earlier cancellation", () => {
  it("credits the remainder by the period that the first one left: 11,000, then 10,000", () => {
    const first = cancellationCredit(lineOf(31_000_00n), march, day("2025-03-20"));
    const shortened = lineOf(31_000_00n - first, { shortened_to: day("2025-03-20") });
    expect(first).toBe(11_000_00n);
    expect(cancellationCredit(shortened, march, day("2025-03-10"))).toBe(10_000_00n);
  });

  it.each(["2025-03-20", "2025-03-21", "2025-03-31", "2025-04-30"])(
    "credits nothing when it is not earlier: %s",
    (end_date) => {
      const line = lineOf(20_000_00n, { shortened_to: day("2025-03-20") });
      expect(cancellationCredit(line, march, day(end_date))).toBe(0n);
    },
  );

  it("credits all that is left when it is before the period", () => {
    const line = lineOf(20_000_00n, { shortened_to: day("2025-03-20") });
    expect(cancellationCredit(line, march, day("2025-02-28"))).toBe(20_000_00n);
  });

  it("does not change a manual credit made in between", () => {
    const line = lineOf(20_000_00n - 5_000_00n, { shortened_to: day("2025-03-20") });
    expect(cancellationCredit(line, march, day("2025-03-10"))).toBe(7_500_00n);
  });
});

describe("the service that a cancellation gives back", () => {
  it.each<[string, string | null, string | null, string | null]>([
    ["from the day after the new end", "2025-03-10", null, "2025-03-11 2025-03-31"],
    ["the last day alone", "2025-03-30", null, "2025-03-31 2025-03-31"],
    ["all of it when it lies after the new end", "2025-02-10", null, "2025-03-01 2025-03-31"],
    [
      "through the end that an earlier cancellation left",
      "2025-03-10",
      "2025-03-20",
      "2025-03-11 2025-03-20",
    ],
    ["none when the service ends before the new end", "2025-03-31", null, null],
    ["none for a manual credit", null, null, null],
  ])("is %s", (_, new_service_to, shortened_to, expected) => {
    const line = { service_from: march.from, service_to: march.to };
    const cut = {
      new_service_to: new_service_to && day(new_service_to),
      shortened_to: shortened_to && day(shortened_to),
    } as ServiceCut;
    const credited = creditedService(line, cut);
    expect(credited === undefined ? null : `${credited.from} ${credited.to}`).toBe(expected);
    expect(creditedService({ service_from: null, service_to: null }, cut)).toBeUndefined();
  });
});

describe("any cancellations, each earlier than the last", () => {
  const START = day("2025-01-01");
  const drawn = fc
    .record({
      amount: fc.bigInt({ min: 0n, max: LARGEST_LINE }),
      days: fc.integer({ min: 1, max: 366 }),
      ends: fc.uniqueArray(fc.integer({ min: -5, max: 366 }), { minLength: 1, maxLength: 5 }),
    })
    .map(({ amount, days, ends }) => ({
      amount,
      days,
      // Days that are kept; 0 and less is before the period.
      ends: ends.filter((end) => end < days).sort((a, b) => b - a),
    }));

  /** The credits of several cancellations, one after the other. */
  function creditsOf(amount: bigint, days: number, ends: readonly number[]): bigint[] {
    const period = { from: START, to: addDays(START, days - 1) };
    expect(daysBetween(period.from, period.to)).toBe(days);
    const credits: bigint[] = [];
    let line = lineOf(amount);
    for (const end of ends) {
      const end_date = addDays(START, end - 1);
      const credit = cancellationCredit(line, period, end_date);
      credits.push(credit);
      line = {
        ...line,
        rest: line.rest - credit,
        shortened_to: credit === 0n ? line.shortened_to : end_date,
      };
    }
    return credits;
  }

  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);

  it("never credit less than 0 or more than the line", () => {
    fc.assert(
      fc.property(drawn, ({ amount, days, ends }) => {
        const credits = creditsOf(amount, days, ends);
        expect(credits.every((credit) => credit >= 0n)).toBe(true);
        expect(sum(credits) <= amount).toBe(true);
        if ((ends.at(-1) ?? 1) <= 0) expect(sum(credits)).toBe(amount);
      }),
    );
  });

  it("keep the same amount as one cancellation on the final end, give or take one unit", () => {
    fc.assert(
      fc.property(drawn, ({ amount, days, ends }) => {
        const two = ends.slice(-2);
        const last = two.at(-1);
        if (last === undefined) return;
        const difference = sum(creditsOf(amount, days, two)) - sum(creditsOf(amount, days, [last]));
        expect(difference >= -1n && difference <= 1n).toBe(true);
      }),
    );
  });

  it("drift by half a unit at most with each further one", () => {
    fc.assert(
      fc.property(drawn, ({ amount, days, ends }) => {
        const last = ends.at(-1);
        if (last === undefined) return;
        const kept = amount - sum(creditsOf(amount, days, ends));
        const exactly = round(amount * BigInt(Math.max(0, last)), BigInt(days));
        const difference = kept < exactly ? exactly - kept : kept - exactly;
        expect(2n * difference <= BigInt(ends.length) + 1n).toBe(true);
      }),
    );
  });

  it("credit more the earlier they are", () => {
    fc.assert(
      fc.property(drawn, ({ amount, days, ends }) => {
        const alone = ends.map((end) => sum(creditsOf(amount, days, [end])));
        expect(alone).toEqual([...alone].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      }),
    );
  });
});
