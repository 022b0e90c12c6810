/** Properties of every line and every history (spec 3.9, invariants 1, 2, 3, 8 and 11). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLine } from "../../../test/support/revenue/any-line.ts";
import { factsOf, LATEST, sumOf } from "../../../test/support/revenue/revenue.ts";
import { monthOf } from "../base/calendar.ts";
import {
  type EarnedMonth,
  earnedByUser,
  earnedMonths,
  lineAmount,
  measuredWork,
} from "./recognition.ts";
import { conventions } from "./spread.ts";

const convention = fc.constantFrom(...conventions);
const through = (months: readonly EarnedMonth[], last: string) =>
  months.filter(({ month }) => month <= last);
const earnedOf = (months: readonly EarnedMonth[]) => sumOf(months.map((one) => one.earned));
const invoicedOf = (months: readonly EarnedMonth[]) => sumOf(months.map((one) => one.invoiced));

describe("every line", () => {
  it("never earns less than 0 or more than its amount less credits", () => {
    fc.assert(
      fc.property(anyLine(), convention, (given, by) => {
        const facts = factsOf(given);
        const amount = lineAmount(facts);
        const months = earnedMonths(facts, by, LATEST);
        for (const { month } of months) {
          const credited = facts.credits.filter(({ effective }) => monthOf(effective) <= month);
          const rest = amount - sumOf(credited.map((credit) => credit.amount));
          const earned = earnedOf(through(months, month));
          expect(earned >= 0n && earned <= rest).toBe(true);
          const is_issued = facts.issue_date !== null && monthOf(facts.issue_date) <= month;
          expect(invoicedOf(through(months, month))).toBe(is_issued ? rest : 0n);
        }
      }),
    );
  });

  it("earns its invoiced amount in the end, unless its milestone is not reached", () => {
    fc.assert(
      fc.property(anyLine({ issued: true }), convention, (given, by) => {
        const months = earnedMonths(factsOf(given), by, LATEST);
        const is_reached = given.method !== "milestone" || given.completed !== undefined;
        expect(earnedOf(months)).toBe(is_reached ? invoicedOf(months) : 0n);
      }),
    );
  });

  it("attributes exactly the earned amount of each month to its users, with its sign", () => {
    fc.assert(
      fc.property(anyLine(), convention, (given, by) => {
        const facts = factsOf(given);
        for (const { month, earned } of earnedMonths(facts, by, LATEST)) {
          const amounts = earnedByUser(facts, month, earned).map((user) => user.amount);
          expect(sumOf(amounts)).toBe(earned);
          expect(amounts.every((amount) => amount > 0n === earned > 0n)).toBe(true);
        }
      }),
    );
  });

  it("has months in order, none of them empty, through the requested month", () => {
    fc.assert(
      fc.property(anyLine(), convention, fc.integer({ min: 0, max: 30 }), (given, by, count) => {
        const months = earnedMonths(factsOf(given), by, LATEST);
        expect(months.map(({ month }) => month)).toEqual(
          [...new Set(months.map(({ month }) => month))].sort(),
        );
        expect(months.every((one) => one.earned !== 0n || one.invoiced !== 0n)).toBe(true);
        const last = months[count]?.month ?? LATEST;
        expect(earnedMonths(factsOf(given), by, last)).toEqual(through(months, last));
      }),
    );
  });

  it("earns the same in whatever order its facts arrived", () => {
    fc.assert(
      fc.property(anyLine(), convention, (given, by) => {
        const facts = factsOf(given);
        const reversed = {
          ...facts,
          worked: facts.worked.toReversed(),
          credits: facts.credits.toReversed(),
        };
        expect(earnedMonths(reversed, by, LATEST)).toEqual(earnedMonths(facts, by, LATEST));
      }),
    );
  });

  it("earns the same from the work frozen at its issue as from the work itself", () => {
    fc.assert(
      fc.property(anyLine({ issued: true }), convention, (given, by) => {
        const facts = factsOf(given);
        const frozen = { ...facts, measured: measuredWork(facts), worked: [] };
        const months = earnedMonths(facts, by, LATEST);
        expect(earnedMonths(frozen, by, LATEST)).toEqual(months);
        for (const { month, earned } of months) {
          expect(earnedByUser(frozen, month, earned)).toEqual(earnedByUser(facts, month, earned));
        }
      }),
    );
  });

  it("never changes a month because of a later credit", () => {
    fc.assert(
      fc.property(anyLine({ issued: true }), convention, (given, by) => {
        const { credits, ...facts } = factsOf(given);
        const without = earnedMonths({ ...facts, credits: [] }, by, LATEST);
        const first = credits.map(({ effective }) => monthOf(effective)).sort()[0] ?? LATEST;
        const months = earnedMonths({ ...facts, credits }, by, LATEST);
        const untouched = (all: readonly EarnedMonth[]) => all.filter(({ month }) => month < first);
        expect(untouched(months)).toEqual(untouched(without));
      }),
    );
  });
});
