/** Revenue in the currency of the books: the table of spec 2.7. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLine } from "../../../test/support/revenue/any-line.ts";
import { foreignLine, units } from "../../../test/support/revenue/books.ts";
import { factsOf, type GivenLine, LATEST, sumOf } from "../../../test/support/revenue/revenue.ts";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { functional } from "../sales/totals.ts";
import { balanceOf } from "./accrual.ts";
import { type ForeignLine, functionalMonths } from "./functional.ts";
import { earnedMonths } from "./recognition.ts";

const draft: GivenLine = {
  method: "hours",
  rate: 100,
  worked: [
    ["anna", "2025-01-31", 8],
    ["anna", "2025-02-01", 2],
  ],
};
const hourly: GivenLine = { ...draft, issued: "2025-02-14" };

type Row = [month: string, earned: number | null, invoiced: number, exchange: number | null];

const monthsOf = (given: GivenLine, foreign: ForeignLine | null) =>
  functionalMonths(earnedMonths(factsOf(given), "monthly", LATEST), foreign);
const orNull = (amount: bigint | null) => (amount === null ? null : units(amount));

function table(given: GivenLine, closing: Record<string, number>, issue_rate: number): Row[] {
  const foreign = foreignLine(given, (month) => closing[month] ?? null, issue_rate);
  return monthsOf(given, foreign).map((one) => [
    one.month,
    orNull(one.earned_functional),
    units(one.invoiced_functional),
    orNull(one.exchange_difference),
  ]);
}

describe("a line in a foreign currency", () => {
  it.each<[string, GivenLine, Record<string, number>, number, Row[]]>([
    [
      "is earned at closing rates before its issue, whose month takes the difference",
      hourly,
      { "2025-01": 7.1 },
      7.05,
      [
        ["2025-01", 5_680, 0, 0],
        ["2025-02", 1_410, 7_050, -40],
      ],
    ],
    [
      "gains where the rate of the issue is above the closing rate",
      hourly,
      { "2025-01": 7 },
      7.05,
      [
        ["2025-01", 5_600, 0, 0],
        ["2025-02", 1_410, 7_050, 40],
      ],
    ],
    [
      "converts each month before its issue at the rate of that month",
      { ...hourly, issued: "2025-03-01" },
      { "2025-01": 7.1, "2025-02": 7.2 },
      7.05,
      [
        ["2025-01", 5_680, 0, 0],
        ["2025-02", 1_440, 0, 0],
        ["2025-03", 0, 7_050, -70],
      ],
    ],
    [
      "needs no closing rate in the month of its issue or later",
      { ...hourly, issued: "2025-01-31" },
      {},
      7.05,
      [
        ["2025-01", 5_640, 7_050, 0],
        ["2025-02", 1_410, 0, 0],
      ],
    ],
    [
      "is unknown where a closing rate is missing, and so is the difference",
      hourly,
      {},
      7.05,
      [
        ["2025-01", null, 0, 0],
        ["2025-02", 1_410, 7_050, null],
      ],
    ],
    [
      "has an unknown difference where the rate of one of several months is missing",
      { ...hourly, issued: "2025-03-01" },
      { "2025-02": 7.2 },
      7.05,
      [
        ["2025-01", null, 0, 0],
        ["2025-02", 1_440, 0, 0],
        ["2025-03", 0, 7_050, null],
      ],
    ],
    [
      "that is prepaid earns all months at the rate of the issue, and the last one clears it to 0",
      {
        method: "value",
        agreed: 100n,
        service: ["2025-01-01", "2025-03-31"],
        issued: "2025-01-01",
      },
      { "2025-01": 9, "2025-02": 9, "2025-03": 9 },
      7.055,
      [
        ["2025-01", 2.33, 7.06, 0],
        ["2025-02", 2.4, 0, 0],
        ["2025-03", 2.33, 0, 0],
      ],
    ],
    [
      "is credited at the rate of its invoice",
      { ...hourly, issued: "2025-02-14", credits: [["2025-04-01", 400_00n]] },
      { "2025-01": 7.05, "2025-04": 9 },
      7.05,
      [
        ["2025-01", 5_640, 0, 0],
        ["2025-02", 1_410, 7_050, 0],
        ["2025-04", -2_820, -2_820, 0],
      ],
    ],
    [
      "is converted from yen, which have no decimals",
      { method: "on_issue", agreed: 12_345n, digits: 0, issued: "2025-01-31" },
      {},
      0.0456,
      [["2025-01", 562.93, 562.93, 0]],
    ],
    [
      "is converted from dinars, which have three",
      { method: "on_issue", agreed: 12_345n, digits: 3, issued: "2025-01-31" },
      {},
      22.5,
      [["2025-01", 277.76, 277.76, 0]],
    ],
  ])("%s", (_, given, closing, issue_rate, rows) => {
    expect(table(given, closing, issue_rate)).toEqual(rows);
  });

  it("uses only closing rates while it is a draft", () => {
    expect(table(draft, { "2025-01": 7.1, "2025-02": 7.2 }, 1)).toEqual([
      ["2025-01", 5_680, 0, 0],
      ["2025-02", 1_440, 0, 0],
    ]);
  });

  it("clears to 0 when its credits were rounded in another order than they take effect", () => {
    const reported: GivenLine = {
      method: "on_issue",
      agreed: 3n,
      issued: "2025-01-01",
      credits: [
        ["2025-02-01", 1n],
        ["2025-03-01", 1n],
      ],
    };
    const day = (text: string) => text as CalendarDate;
    const foreign: ForeignLine = {
      ...foreignLine(reported, () => null, 1.5),
      issue: {
        date: day("2025-01-01"),
        rate_micro: 1_500_000n,
        amount_functional: 5n,
        credits: [
          { effective: day("2025-02-01"), functional: 1n },
          { effective: day("2025-03-01"), functional: 2n },
        ],
      },
    };
    const months = monthsOf(reported, foreign);
    expect(months.map((one) => one.invoiced_functional)).toEqual([5n, -1n, -2n]);
    for (const count of [1, 2, 3]) expect(balanceOf(months.slice(0, count))).toBe(0n);
  });
});

describe("a line in the currency of the books", () => {
  it("has the same amounts and no exchange differences", () => {
    for (const one of monthsOf(hourly, null)) {
      expect(one).toMatchObject({
        earned_functional: one.earned,
        invoiced_functional: one.invoiced,
        exchange_difference: 0n,
      });
    }
  });
});

describe("every line in a foreign currency", () => {
  const rate = fc.integer({ min: 1, max: 20_000_000 }).map((micro) => micro / 1_000_000);
  const closingOf = (rates: readonly number[]) => (month: Month) =>
    rates[Number(month.slice(5)) % rates.length] ?? null;

  it("is at the rate of its issue from that month on, and at 0 once all is earned and invoiced", () => {
    fc.assert(
      fc.property(
        anyLine({ issued: true }),
        fc.array(rate, { minLength: 3 }),
        rate,
        (given, closing, at) => {
          const foreign = foreignLine(given, closingOf(closing), at);
          const months = monthsOf(given, foreign);
          const conversion = {
            rate_micro: foreign.issue?.rate_micro ?? 0n,
            from_digits: foreign.from_digits,
            to_digits: 2,
          };
          for (const [index, { month }] of months.entries()) {
            if (month < (given.issued ?? "").slice(0, 7)) continue;
            const so_far = months.slice(0, index + 1);
            const earned = sumOf(so_far.map((one) => one.earned));
            const invoiced = sumOf(so_far.map((one) => one.invoiced));
            const open = functional(earned, conversion) - functional(invoiced, conversion);
            expect(balanceOf(so_far)).toBe(open);
          }
        },
      ),
    );
  });

  it("has no exchange difference when all its rates are 1", () => {
    fc.assert(
      fc.property(anyLine({ issued: true }), (given) => {
        const at_one = monthsOf(
          { ...given, digits: 2 },
          foreignLine({ ...given, digits: 2 }, () => 1, 1),
        );
        expect(at_one).toEqual(monthsOf({ ...given, digits: 2 }, null));
      }),
    );
  });
});
