/** Why a line earns another amount than was booked: each cause with its amount, and that the causes add up. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyLine } from "../../../test/support/revenue/any-line.ts";
import { factsOf, type GivenLine, sumOf } from "../../../test/support/revenue/revenue.ts";
import type { Month } from "../base/calendar.ts";
import { type DatedLine, partsOfDifference } from "./difference.ts";
import type { ForeignLine } from "./functional.ts";
import { functionalMonths } from "./functional.ts";
import { earnedMonths, measuredWork } from "./recognition.ts";
import { conventions } from "./spread.ts";

const OCTOBER = "2026-10" as Month;

/** A line of which everything was known at the booking. */
function dated(given: GivenLine, late: Partial<DatedLine> = {}): DatedLine {
  const facts = factsOf(given);
  const { worked } = facts;
  return {
    facts,
    foreign: null,
    work: { before: worked, with_registered: worked, now: worked },
    is_new: false,
    is_issued_late: false,
    is_completed_late: false,
    late_credits: facts.credits.map(() => null),
    ...late,
  };
}

/** `[cause, amount]` of each part, in minor units. */
function parts(line: DatedLine, booked: bigint): [string, bigint][] | null {
  const found = partsOfDifference(line, "monthly", OCTOBER, booked);
  return (
    found?.map(({ cause, credit_note_id, amount }) => [credit_note_id ?? cause, amount]) ?? null
  );
}

const value = { method: "value", agreed: 90_000n, service: ["2026-10-01", "2026-12-31"] } as const;
const onIssue = { method: "on_issue", agreed: 100n, issued: "2026-10-05" } as const;
const byHours = { method: "hours", rate: 1000 } as const;
const hours = (...worked: [string, string, number][]): GivenLine => ({ ...byHours, worked });

describe("the difference of a line", () => {
  it("is nothing where nothing came later", () => {
    expect(parts(dated(value), 30_000n)).toEqual([]);
  });

  it("is a changed line where no late fact explains it", () => {
    expect(parts(dated(value), 20_000n)).toEqual([["changed", 10_000n]]);
    expect(parts(dated(value, { facts: null }), 20_000n)).toEqual([["changed", -20_000n]]);
  });

  it("names each late credit note, and none that was known", () => {
    const credits = [
      ["2026-10-10", 30n],
      ["2026-10-20", 50n],
      ["2026-10-21", 7n],
    ] as const;
    const line = dated({ ...onIssue, credits }, { late_credits: ["note 1", null, "note 3"] });
    expect(parts(line, 50n)).toEqual([
      ["note 1", -30n],
      ["note 3", -7n],
    ]);
  });

  it("tells hours that were registered late from hours that were changed", () => {
    const was = factsOf(hours(["bo", "2026-10-01", 2], ["bo", "2026-10-02", 1])).worked;
    const now = factsOf(hours(["bo", "2026-10-01", 2], ["bo", "2026-10-30", 3])).worked;
    const [, late] = now;
    const work = { before: was, with_registered: [...was, ...(late ? [late] : [])], now };
    const line = dated(hours(["bo", "2026-10-01", 2], ["bo", "2026-10-30", 3]), { work });
    expect(parts(line, 300_000n)).toEqual([
      ["hours_registered", 300_000n],
      ["hours_changed", -100_000n],
    ]);
  });

  it("counts late hours of a draft that is issued since, whose work is frozen", () => {
    const issued = {
      ...hours(["bo", "2026-10-01", 2], ["bo", "2026-10-30", 3]),
      issued: "2026-11-02",
    };
    const facts = factsOf(issued);
    const [first] = facts.worked;
    const work = { before: first ? [first] : [], with_registered: facts.worked, now: facts.worked };
    const frozen = { ...facts, measured: measuredWork(facts), worked: [] };
    const line = dated(issued, { facts: frozen, work, is_issued_late: true });
    expect(parts(line, 200_000n)).toEqual([["hours_registered", 300_000n]]);
  });

  it("names late completions, late issues and later invoices", () => {
    const milestone = { method: "milestone", agreed: 500n, completed: "2026-10-31" } as const;
    expect(parts(dated(milestone, { is_completed_late: true }), 0n)).toEqual([["completed", 500n]]);
    expect(parts(dated(onIssue, { is_issued_late: true }), 0n)).toEqual([["issued", 100n]]);
    expect(parts(dated(value, { is_new: true }), 0n)).toEqual([["new_invoice", 30_000n]]);
  });
});

describe("the parts of any line", () => {
  const anyForeign = fc.option(fc.bigInt(1n, 9_000_000n));
  const anyFlags = fc.record({
    is_new: fc.boolean(),
    is_issued_late: fc.boolean(),
    is_completed_late: fc.boolean(),
    late: fc.array(fc.boolean(), { maxLength: 6 }),
    cut: fc.nat(6),
  });

  it("add up to what it earns now less what is booked, whatever came late", () => {
    const convention = fc.constantFrom(...conventions);
    const booked = fc.bigInt(-1_000_000n, 1_000_000n);
    fc.assert(
      fc.property(
        anyLine(),
        convention,
        booked,
        anyFlags,
        anyForeign,
        (given, by, was, flags, rate) => {
          const facts = factsOf(given);
          const { is_new, is_issued_late, is_completed_late, late, cut } = flags;
          const foreign: ForeignLine | null =
            rate === null
              ? null
              : {
                  from_digits: 2,
                  to_digits: 2,
                  closingRate: () => rate,
                  issue:
                    facts.issue_date === null
                      ? null
                      : {
                          date: facts.issue_date,
                          rate_micro: rate,
                          amount_functional: facts.amount ?? 0n,
                          credits: facts.credits.map(({ effective, amount }) => ({
                            effective,
                            functional: amount,
                          })),
                        },
                };
          const before = facts.worked.slice(0, cut);
          const line = dated(given, {
            foreign,
            is_new,
            is_issued_late,
            is_completed_late,
            work: { before, with_registered: facts.worked, now: facts.worked },
            late_credits: facts.credits.map((_, index) => (late[index] ? `note ${index}` : null)),
          });
          for (const month of ["2024-12", "2025-02", "2025-03"] as Month[]) {
            const now =
              functionalMonths(earnedMonths(facts, by, month), foreign).find(
                (one) => one.month === month,
              )?.earned_functional ?? 0n;
            const found = partsOfDifference(line, by, month, was);
            expect(sumOf((found ?? []).map(({ amount }) => amount))).toBe(now - was);
            expect(found?.every(({ amount }) => amount !== 0n)).toBe(true);
          }
        },
      ),
    );
  });

  it("are not known while a rate is missing", () => {
    const foreign = { from_digits: 2, to_digits: 2, closingRate: () => null, issue: null };
    expect(parts(dated(value, { foreign }), 0n)).toBeNull();
  });
});
