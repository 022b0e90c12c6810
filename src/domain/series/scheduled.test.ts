/** The periods that will be invoiced, each with the month of its invoice, without those that are left to a person. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../base/calendar.ts";
import type { IssueTiming, Recurrence } from "./period.ts";
import { isScheduled, periodsToInvoice } from "./scheduled.ts";

const series = (fields: Partial<Record<keyof Recurrence, string | null>> = {}): Recurrence =>
  ({
    frequency: "monthly",
    alignment: "anniversary",
    start_date: "2026-01-15",
    end_date: null,
    ...fields,
  }) as Recurrence;

const START: IssueTiming = { mode: "start-of-period", offset_days: 0 };
const END: IssueTiming = { mode: "end-of-period", offset_days: 0 };
const MANUAL: IssueTiming = { mode: "manual", offset_days: 0 };

const NONE: ReadonlySet<number> = new Set();

const found = (
  of: Recurrence,
  timing: IssueTiming,
  activated_on: string,
  today: string,
  to: string,
  failed = NONE,
): string[] => {
  const day = activated_on as CalendarDate;
  const periods = periodsToInvoice(of, timing, day, failed, today as CalendarDate, to as Month);
  return [...periods].map(({ period, month }) => `${period.key} in ${month}`);
};

describe("the periods that are invoiced in November, asked on the 9th", () => {
  it.each<[string, Recurrence, IssueTiming, string, string[]]>([
    ["are those that begin later in it, at the start", series(), START, "2026-11-01", ["2026-11"]],
    ["are those that end in it, at the end", series(), END, "2026-11-01", ["2026-10"]],
    ["are those that end in it, by hand", series(), MANUAL, "2026-11-01", ["2026-10"]],
    ["may begin later", series(), { ...START, offset_days: -30 }, "2026-11-01", ["2026-12"]],
    ["may have ended before", series(), { ...END, offset_days: 40 }, "2026-11-01", ["2026-09"]],
    [
      "are every week of it that is not over",
      series({ frequency: "weekly", start_date: "2026-11-09" }),
      START,
      "2026-11-01",
      ["2026-W46", "2026-W47", "2026-W48", "2026-W49"],
    ],
    [
      "are those that the scheduler missed",
      series(),
      START,
      "2026-09-15",
      ["2026-09", "2026-10", "2026-11"],
    ],
    ["are none that fell due before the activation", series(), START, "2026-11-16", []],
    ["are those that fall due on its day", series(), START, "2026-11-15", ["2026-11"]],
    ["are those by hand whenever it was activated", series(), MANUAL, "2026-11-16", ["2026-10"]],
    ["are none before the series", series({ start_date: "2026-12-01" }), START, "2026-11-01", []],
    ["are none after its end", series({ end_date: "2026-07-01" }), START, "2026-11-01", []],
  ])("%s", (_name, of, timing, activated_on, keys) => {
    const all = found(of, timing, activated_on, "2026-11-09", "2026-11");
    expect(all).toEqual(keys.map((key) => `${key} in 2026-11`));
  });
});

describe("the periods that are invoiced by January", () => {
  it.each<[string, IssueTiming, ReadonlySet<number>, string[]]>([
    [
      "follow the start",
      START,
      NONE,
      ["2026-11 in 2026-11", "2026-12 in 2026-12", "2027-01 in 2027-01"],
    ],
    [
      "follow the end, on whichever day they began",
      { ...END, offset_days: 20 },
      NONE,
      ["2026-10 in 2026-12", "2026-11 in 2027-01"],
    ],
    [
      "include those by hand",
      MANUAL,
      NONE,
      ["2026-10 in 2026-11", "2026-11 in 2026-12", "2026-12 in 2027-01"],
    ],
    [
      "include failed ones, which are dated when they succeed",
      START,
      new Set([6]),
      ["2026-07 in 2026-11", "2026-11 in 2026-11", "2026-12 in 2026-12", "2027-01 in 2027-01"],
    ],
  ])("%s", (_name, timing, failed, expected) => {
    expect(found(series(), timing, "2026-11-05", "2026-11-09", "2027-01", failed)).toEqual(
      expected,
    );
  });

  it("include a failed one of a series that is over", () => {
    const over = series({ end_date: "2026-02-01" });
    expect(found(over, START, "2026-01-01", "2026-11-09", "2026-11", new Set([0]))).toEqual([
      "2026-01 in 2026-11",
    ]);
  });
});

describe("a period is scheduled", () => {
  const [day, after] = ["2026-11-15", "2026-11-16"] as CalendarDate[];

  it.each([
    ["without a due day", null, after, true],
    ["without an activation", day, null, true],
    ["from the day of the activation", after, after, true],
    ["not before it", day, after, false],
  ])("%s", (_name, due_on, activated_on, is_scheduled) => {
    expect(isScheduled(due_on ?? null, activated_on ?? null)).toBe(is_scheduled);
  });
});
