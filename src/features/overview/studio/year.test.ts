/** The steps of the example year, for last days at the begin, in the middle and at the end of months. */
import { describe, expect, it } from "vitest";
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  mondayOf,
  monthOf,
} from "../../../domain/base/calendar.ts";
import { PROJECTS, RETAINERS } from "./work.ts";
import { type HoursOfDay, stepsOfYear, type YearStep } from "./year.ts";

const DAYS = [
  "2026-11-19",
  "2026-01-01",
  "2026-02-28",
  "2028-02-29",
  "2026-12-31",
  "2027-03-01",
  "2026-08-02",
] as const;

const yearOf = (day: string) => stepsOfYear(day as CalendarDate);

function allOf<Do extends YearStep["do"]>(steps: readonly YearStep[], what: Do) {
  return steps.filter((step): step is Extract<YearStep, { do: Do }> => step.do === what);
}

const hoursOf = (steps: readonly YearStep[]): HoursOfDay[] =>
  allOf(steps, "hours").flatMap(({ rows }) => rows);

describe.each(DAYS)("the year that ends on %s", (ends_on) => {
  const steps = yearOf(ends_on);

  it("is the same each time", () => expect(yearOf(ends_on)).toEqual(steps));

  it("closes eleven months one after the other, and leaves the last two open", () => {
    const months = allOf(steps, "close").map(({ month }) => month);
    expect(months).toHaveLength(11);
    expect(months.toSorted()).toEqual(months);
    const first_open = monthOf(addDays(firstDayOf(monthOf(ends_on as CalendarDate)), -1));
    expect(months.at(-1)).toBe(monthOf(addDays(firstDayOf(first_open), -1)));
  });

  it("has a statement of the bank for each day of the year, before its month is closed", () => {
    const statements = allOf(steps, "bank");
    expect(statements).toHaveLength(13);
    for (const [at, { from }] of statements.entries()) {
      const before = statements[at - 1];
      if (before !== undefined) expect(from).toBe(addDays(before.to, 1));
    }
    expect(statements.at(-1)?.to).toBe(ends_on);
    for (const { month } of allOf(steps, "close")) {
      const closed = steps.findIndex((step) => step.do === "close" && step.month === month);
      const booked = steps.findIndex((step) => step.do === "bank" && step.from === `${month}-01`);
      expect([month, booked >= 0 && booked < closed]).toEqual([month, true]);
    }
  });

  it("reminds one customer twice, at least ten days after the first time", () => {
    const [first, second] = allOf(steps, "remind").map(({ at }) => Date.parse(at) / 86_400_000);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(10);
  });

  it("never moves its clock back, and not beyond its last day", () => {
    const times = steps.map(({ at }) => at);
    expect(times.toSorted()).toEqual(times);
    expect(times.at(-1)?.slice(0, 10)).toBe(ends_on);
  });

  it("registers hours on working days alone, at most nine of a person on a day, and in the running week", () => {
    const rows = hoursOf(steps);
    for (const { date } of rows) expect(date < addDays(mondayOf(date), 5), date).toBe(true);
    const by_day = new Map<string, number>();
    for (const { person, date, hours } of rows) {
      by_day.set(`${person} ${date}`, (by_day.get(`${person} ${date}`) ?? 0) + hours);
    }
    expect(Math.max(...by_day.values())).toBeLessThanOrEqual(9);
    expect(rows.every(({ date }) => date <= ends_on)).toBe(true);
    expect(rows.length).toBeGreaterThan(270);
    expect(rows.length).toBeLessThan(380);
    const last_day = rows.at(-1)?.date ?? "";
    expect(last_day >= mondayOf(ends_on as CalendarDate)).toBe(true);
  });

  it("registers no hours on work that is invoiced or not begun", () => {
    const place = new Map<string, number>();
    for (const [at, step] of steps.entries()) {
      if (step.do === "project") place.set(step.project.external_id, at);
      if (step.do === "issue") place.delete(step.work);
      if (step.do !== "hours") continue;
      for (const { work } of step.rows) {
        expect(place.has(work) || RETAINERS.some(({ external_id }) => external_id === work)).toBe(
          true,
        );
      }
    }
    expect([...place.keys()], "five drafts are left").toHaveLength(5);
  });
});

it("contains all five methods, four shares and one milestone that is not completed", () => {
  const lines = [...PROJECTS, ...RETAINERS.flatMap((one) => one.lines)];
  const methods = new Set([...lines.map(({ method }) => method), "on_issue"]);
  expect([...methods].sort()).toEqual(["hours", "milestone", "on_issue", "progress", "value"]);
  expect(PROJECTS.filter(({ workshop }) => workshop !== undefined).length).toBeGreaterThan(3);
  expect(PROJECTS.some(({ shares }) => shares?.length === 4)).toBe(true);
  const milestones = PROJECTS.filter(({ method }) => method === "milestone");
  expect(milestones.filter(({ is_completed }) => !is_completed)).toHaveLength(1);
  expect([PROJECTS.length, RETAINERS.length]).toEqual([14, 6]);
});
