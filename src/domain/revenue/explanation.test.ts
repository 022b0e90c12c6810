import { describe, expect, it } from "vitest";
import { factsOf, type GivenLine } from "../../../test/support/revenue/revenue.ts";
import type { Month } from "../base/calendar.ts";
import { explain, fractionText, removedSentence } from "./explanation.ts";
import type { Convention } from "./spread.ts";

function explained(given: GivenLine, month: string, convention: Convention = "monthly") {
  return explain(factsOf(given), convention, month as Month, "DKK", null);
}

const LICENCE: GivenLine = {
  method: "value",
  agreed: 18_000_00n,
  service: ["2025-01-16", "2025-04-15"],
  issued: "2025-02-01",
};

describe("the sentence", () => {
  it.each<[string, GivenLine, string, Convention, string]>([
    [
      "a straight line by months",
      LICENCE,
      "2025-02",
      "monthly",
      "In 2025-02 the line earned 5967.92 DKK: 9048.13 DKK through 2025-02-28, rounded from 9048.128342…, less 3080.21 DKK through 2025-01-31. The total is the agreed value of 18000.00 DKK spread over 2025-01-16 to 2025-04-15 by whole months of weight 1: 1.516129… of 3.016129… months.",
    ],
    [
      "a straight line by days",
      LICENCE,
      "2025-02",
      "daily",
      "In 2025-02 the line earned 5600.00 DKK: 8800.00 DKK through 2025-02-28, less 3200.00 DKK through 2025-01-31. The total is the agreed value of 18000.00 DKK spread over 2025-01-16 to 2025-04-15 by days: 44 of 90 days.",
    ],
    [
      "a discount, and nothing before the issue",
      { method: "on_issue", agreed: 50_000_00n, discount: 10 },
      "2025-03",
      "monthly",
      "In 2025-03 the line earned 0.00 DKK: 0.00 DKK through 2025-03-31, less 0.00 DKK through 2025-02-28. The total is the agreed value of 50000.00 DKK less 10.00 %, 45000.00 DKK earned when it is issued, which it is not.",
    ],
    [
      "hours at two rates",
      {
        method: "hours",
        rate: 1200,
        discount: 5,
        assignees: [["bo"], ["cia", null, 950]],
        worked: [
          ["bo", "2025-02-10", 20],
          ["cia", "2025-02-20", 12.5],
          ["bo", "2025-03-05", 7.5],
        ],
      },
      "2025-02",
      "monthly",
      "In 2025-02 the line earned 34081.25 DKK: 34081.25 DKK through 2025-02-28, less 0.00 DKK through 2025-01-31. The total is 27.50 h at 1200.00 and 12.50 h at 950.00 less 5.00 %, 42631.25 DKK in all, as worked: 34081.25 of 42631.25 was worked by the end of the month.",
    ],
    [
      "progress against a budget",
      {
        method: "progress",
        agreed: 150_000_00n,
        budget: 200,
        worked: [["bo", "2025-02-10", 24]],
      },
      "2025-02",
      "monthly",
      "In 2025-02 the line earned 18000.00 DKK: 18000.00 DKK through 2025-02-28, less 0.00 DKK through 2025-01-31. The total is the agreed value of 150000.00 DKK by progress: 24.00 of 200.00 budgeted hours.",
    ],
    [
      "progress against the share of a budget that a partial period has",
      {
        method: "progress",
        agreed: 31_000_00n,
        share: { days: 11, of: 31 },
        budget: 3.55,
        nominal_budget: 10,
        worked: [["bo", "2025-02-10", 1]],
      },
      "2025-02",
      "monthly",
      "In 2025-02 the line earned 3100.00 DKK: 3100.00 DKK through 2025-02-28, less 0.00 DKK through 2025-01-31. The total is the agreed value of 31000.00 DKK for 11 of 31 days, 11000.00 DKK by progress: 1.00 of 3.548387… budgeted hours.",
    ],
    [
      "a milestone",
      { method: "milestone", agreed: 40_000_00n, completed: "2025-03-20" },
      "2025-03",
      "monthly",
      "In 2025-03 the line earned 40000.00 DKK: 40000.00 DKK through 2025-03-31, less 0.00 DKK through 2025-02-28. The total is the agreed value of 40000.00 DKK earned with its milestone, completed on 2025-03-20.",
    ],
    [
      "a credit on a prepaid quarter",
      {
        method: "value",
        agreed: 30_000_00n,
        service: ["2025-01-01", "2025-03-31"],
        issued: "2025-01-01",
        credits: [["2025-02-10", 6_000_00n]],
      },
      "2025-02",
      "monthly",
      "In 2025-02 the line earned 6000.00 DKK: 16000.00 DKK through 2025-02-28, less 10000.00 DKK through 2025-01-31. The total is the agreed value of 30000.00 DKK less 6000.00 DKK of credit notes, 24000.00 DKK, spread over 2025-01-01 to 2025-03-31 by whole months of weight 1: 2.000000 of 3.000000 months.",
    ],
    [
      "a cancellation that ends the service",
      {
        method: "value",
        agreed: 24_000_00n,
        service: ["2025-01-01", "2025-06-30"],
        issued: "2025-01-01",
        credits: [["2025-04-02", 10_077_35n, "2025-04-15"]],
      },
      "2025-04",
      "monthly",
      "In 2025-04 the line earned 1922.65 DKK: 13922.65 DKK through 2025-04-30, less 12000.00 DKK through 2025-03-31. The total is the agreed value of 24000.00 DKK less 10077.35 DKK of credit notes, 13922.65 DKK, spread over 2025-01-01 to 2025-04-15 by whole months of weight 1, whose service a credit ended on 2025-04-15: 3.500000 of 3.500000 months.",
    ],
  ])("for %s names every number that it uses", (_what, given, month, convention, sentence) => {
    expect(explained(given, month, convention).sentence).toBe(sentence);
  });
});

describe("the steps", () => {
  it("add up: the month is the total less the previous total", () => {
    const { earned, earned_to_date, earned_before } = explained(LICENCE, "2025-03");

    expect([earned, earned_to_date, earned_before]).toEqual([5_967_91n, 15_016_04n, 9_048_13n]);
  });

  it("state the total before rounding", () => {
    expect(explained(LICENCE, "2025-01").exact_to_date).toBe("3080.213903…");
    expect(explained(LICENCE, "2025-04").exact_to_date).toBe("18000.00");
  });
});

describe("a fraction as text", () => {
  it.each([
    [1n, 3n, "0.3333…"],
    [-1n, 3n, "-0.3333…"],
    [1n, 4n, "0.2500"],
    [0n, 7n, "0.0000"],
    [22n, 7n, "3.1428…"],
  ])("%s / %s", (numerator, denominator, text) => {
    expect(fractionText(numerator, denominator, 4)).toBe(text);
  });
});

describe("the sentence of a line that was removed", () => {
  const booking = (accrual_month: string, status: "draft" | "booked", earned: bigint) => ({
    accrual_month: accrual_month as Month,
    status,
    earned,
    currency: "DKK",
  });

  it.each([
    [[], "The line was removed: in 2025-02 it earned nothing."],
    [
      [booking("2025-02", "booked", 5600n), booking("2025-04", "draft", -5600n)],
      "The line was removed: in 2025-02 it earned nothing. The accrual of 2025-02 booked 56.00 DKK. The accrual of 2025-04 will book -56.00 DKK.",
    ],
  ])("names each accrual with rows of the line", (bookings, sentence) => {
    expect(removedSentence("2025-02" as Month, bookings)).toBe(sentence);
  });
});
