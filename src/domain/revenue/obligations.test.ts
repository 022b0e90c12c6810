/** The expected release of liabilities, and remaining obligations by year. */
import { describe, expect, it } from "vitest";
import type { Month } from "../base/calendar.ts";
import { type ExpectedMonth, releaseOf, remainingOf } from "./obligations.ts";

const expected = (...months: [string, bigint][]): ExpectedMonth[] =>
  months.map(([month, earned]) => ({ month: month as Month, earned }));

describe("the release of a liability", () => {
  it.each<[string, bigint, ExpectedMonth[], [string, bigint][], bigint]>([
    [
      "follows the expected months",
      30n,
      expected(["2026-02", 10n], ["2026-03", 20n]),
      [
        ["2026-02", 10n],
        ["2026-03", 20n],
      ],
      0n,
    ],
    [
      "takes the earliest month first",
      30n,
      expected(["2026-03", 20n], ["2026-02", 20n]),
      [
        ["2026-02", 20n],
        ["2026-03", 10n],
      ],
      0n,
    ],
    [
      "adds up the lines of a month",
      30n,
      expected(["2026-02", 10n], ["2026-02", 15n]),
      [["2026-02", 25n]],
      5n,
    ],
    ["has no date without expected months", 30n, [], [], 30n],
    ["releases no more than there is", 5n, expected(["2026-02", 10n]), [["2026-02", 5n]], 0n],
    [
      "ignores months that take revenue back",
      9n,
      expected(["2026-02", -4n], ["2026-03", 9n]),
      [["2026-03", 9n]],
      0n,
    ],
    ["is nothing for no liability", 0n, expected(["2026-02", 10n]), [], 0n],
  ])("%s", (_what, liability, months, released, undated) => {
    expect(releaseOf(liability, months)).toEqual({
      months: released.map(([month, amount]) => ({ month, amount })),
      undated,
    });
  });
});

describe("remaining obligations", () => {
  it.each<[string, bigint, ExpectedMonth[], [string, bigint][], bigint]>([
    [
      "by year",
      100n,
      expected(["2026-11", 30n], ["2026-12", 30n], ["2027-01", 40n]),
      [
        ["2026", 60n],
        ["2027", 40n],
      ],
      0n,
    ],
    ["without a date", 100n, [], [], 100n],
    ["partly without a date", 100n, expected(["2027-01", 40n]), [["2027", 40n]], 60n],
    ["after a credit", 0n, expected(["2027-01", -40n], ["2027-02", 40n]), [["2027", 0n]], 0n],
  ])("%s", (_what, rest, months, years, undated) => {
    const found = remainingOf(rest, months);
    expect([[...found.years], found.undated]).toEqual([years, undated]);
  });
});
