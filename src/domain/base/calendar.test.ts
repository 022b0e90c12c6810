/** Calendar days, and which day it is for an account (spec 0.4). */
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import type { Timestamp } from "./brand.ts";
import {
  addDays,
  addMonths,
  addToMonth,
  addYears,
  type CalendarDate,
  calendarDate,
  dayIn,
  daysBetween,
  daysInMonth,
  firstDayOf,
  isTimeZone,
  lastDayOf,
  lastDayOfMonth,
  type Month,
  mondayOf,
  mondayOfWeek,
  month,
  monthOf,
  monthsApart,
  monthsFrom,
  weekKeyOf,
  weekOf,
} from "./calendar.ts";

const day = (text: string) => text as CalendarDate;

describe("calendarDate", () => {
  it.each(["2024-02-29", "2000-02-29", "1900-01-01", "2199-12-31", "2026-12-31"])(
    "accepts %s",
    (text) => {
      expect(calendarDate(text)).toBe(text);
    },
  );

  it.each([
    "2023-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "1899-12-31",
    "2200-01-01",
    "2026-1-1",
    "20260101",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-01\n",
    "٢٠٢٦-٠١-٠١",
    "",
  ])("refuses %j", (text) => {
    expect(calendarDate(text)).toBeUndefined();
  });
});

describe("dayIn", () => {
  it.each<[string, string, string]>([
    ["Europe/Copenhagen", "2025-03-31T22:30:00.000Z", "2025-04-01"],
    ["Europe/Copenhagen", "2025-03-31T21:59:59.999Z", "2025-03-31"],
    ["Europe/Copenhagen", "2025-12-31T22:59:59.999Z", "2025-12-31"],
    ["Europe/Copenhagen", "2025-12-31T23:00:00.000Z", "2026-01-01"],
    ["Europe/Copenhagen", "2025-03-29T23:30:00.000Z", "2025-03-30"],
    ["Europe/Copenhagen", "2025-10-26T22:30:00.000Z", "2025-10-26"],
    ["Europe/Copenhagen", "2028-02-29T12:00:00.000Z", "2028-02-29"],
    ["America/Los_Angeles", "2026-01-01T07:59:00.000Z", "2025-12-31"],
    ["Pacific/Kiritimati", "2025-12-31T10:00:00.000Z", "2026-01-01"],
    ["UTC", "2025-03-31T23:59:59.999Z", "2025-03-31"],
    ["UTC", "2025-04-01T00:00:00.000Z", "2025-04-01"],
    // In this time zone, the clock went back to the previous day one minute after midnight.
    ["America/St_Johns", "2010-11-07T02:30:30.000Z", "2010-11-07"],
    ["America/St_Johns", "2010-11-07T02:31:00.000Z", "2010-11-06"],
    ["America/St_Johns", "2010-11-07T03:30:00.000Z", "2010-11-07"],
    // The last time zone whose days began in the middle of a minute.
    ["Africa/Monrovia", "1971-06-01T00:44:29.000Z", "1971-05-31"],
    ["Africa/Monrovia", "1971-06-01T00:44:30.000Z", "1971-06-01"],
  ])("in %s, %s is %s", (zone, moment, expected) => {
    expect(dayIn(zone, moment as Timestamp)).toBe(expected);
  });
});

describe("isTimeZone", () => {
  it.each(["Europe/Copenhagen", "UTC", "America/Argentina/Buenos_Aires"])("accepts %s", (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(["", "Europe/Nowhere", "+01:00", "-05", "Europe/Copenhagen\n", "2025"])(
    "refuses %j",
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe("moving days", () => {
  it.each<[string, number, string]>([
    ["2028-02-28", 1, "2028-02-29"],
    ["2027-02-28", 1, "2027-03-01"],
    ["2028-03-01", -1, "2028-02-29"],
    ["2026-12-31", 1, "2027-01-01"],
    ["2199-12-31", 1, "2200-01-01"],
    ["1900-01-01", -1, "1899-12-31"],
    ["2026-03-29", 1, "2026-03-30"],
  ])("%s and %i days is %s", (start, days, expected) => {
    expect(addDays(day(start), days)).toBe(expected);
  });

  it.each<[string, number, string]>([
    ["2024-02-29", 1, "2025-02-28"],
    ["2024-02-29", 4, "2028-02-29"],
    ["2024-02-29", -1, "2023-02-28"],
    ["2025-02-28", 3, "2028-02-28"],
    ["2026-07-31", 10, "2036-07-31"],
  ])("%s and %i years is %s", (start, years, expected) => {
    expect(addYears(day(start), years)).toBe(expected);
  });

  it.each<[string, string]>([
    ["2028-02-01", "2028-02-29"],
    ["2027-02-28", "2027-02-28"],
    ["2026-04-30", "2026-04-30"],
    ["2026-12-01", "2026-12-31"],
  ])("the month of %s ends on %s", (start, expected) => {
    expect(lastDayOfMonth(day(start))).toBe(expected);
    expect(monthOf(day(start))).toBe(start.slice(0, 7));
  });

  it("is undone by the same number of days back, and days compare as text", () => {
    const start = fc
      .integer({ min: 0, max: 60_000 })
      .map((days) => addDays(day("1990-01-01"), days));
    fc.assert(
      fc.property(start, fc.integer({ min: -5_000, max: 5_000 }), (from, days) => {
        const moved = addDays(from, days);
        expect(addDays(moved, -days)).toBe(from);
        expect(Math.sign(days)).toBe(moved < from ? -1 : moved > from ? 1 : 0);
        expect(calendarDate(moved)).toBe(moved);
      }),
    );
  });
});

describe("month", () => {
  it.each(["1900-01", "2025-12", "2199-12"])("accepts %s", (text) => {
    expect(month(text)).toBe(text);
  });

  it.each([
    "2025-00",
    "2025-13",
    "2025-1",
    "202501",
    "2025-01-01",
    "1899-12",
    "2200-01",
    "2025-01\n",
    "",
  ])("refuses %j", (text) => {
    expect(month(text)).toBeUndefined();
  });
});

describe("moving months", () => {
  it.each<[string, number, string]>([
    ["2025-01", 0, "2025-01"],
    ["2025-01", 1, "2025-02"],
    ["2025-12", 1, "2026-01"],
    ["2026-01", -1, "2025-12"],
    ["2025-09", 1, "2025-10"],
    ["2025-06", 18, "2026-12"],
    ["2025-06", -18, "2023-12"],
    ["1999-12", 12, "2000-12"],
  ])("%s and %i months is %s", (start, months, expected) => {
    expect(addToMonth(start as Month, months)).toBe(expected);
    expect(monthsApart(start as Month, expected as Month)).toBe(months);
  });

  it.each<[string, string, string[]]>([
    ["2025-11", "2026-02", ["2025-11", "2025-12", "2026-01", "2026-02"]],
    ["2025-02", "2025-02", ["2025-02"]],
    ["2025-03", "2025-02", []],
  ])("from %s to %s are %j", (from, to, expected) => {
    expect(monthsFrom(from as Month, to as Month)).toEqual(expected);
  });

  it.each<[string, number]>([
    ["2025-01", 31],
    ["2025-04", 30],
    ["2025-12", 31],
    ["2025-02", 28],
    ["2024-02", 29],
    ["2000-02", 29],
    ["1900-02", 28],
    ["2100-02", 28],
  ])("%s has %i days, and ends with the last of them", (text, days) => {
    expect(daysInMonth(text as Month)).toBe(days);
    expect(firstDayOf(text as Month)).toBe(`${text}-01`);
    expect(lastDayOf(text as Month)).toBe(`${text}-${days}`);
  });

  it("agrees with the first and last days of the months", () => {
    const days = fc.integer({ min: 0, max: 60_000 }).map((n) => addDays(day("1990-01-01"), n));
    fc.assert(
      fc.property(days, (date) => {
        const of_date = monthOf(date);
        expect(lastDayOf(of_date)).toBe(lastDayOfMonth(date));
        expect(addToMonth(of_date, 1)).toBe(monthOf(addDays(lastDayOf(of_date), 1)));
        expect(addToMonth(of_date, -1)).toBe(monthOf(addDays(firstDayOf(of_date), -1)));
      }),
    );
  });
});

describe("any day", () => {
  const from = Temporal.PlainDate.from;
  const days = fc
    .integer({ min: 0, max: daysBetween(day("1900-01-01"), day("2199-12-31")) - 1 })
    .map((after) => from("1900-01-01").add({ days: after }));
  const text = (date: Temporal.PlainDate) => day(date.toString());

  it("moves and compares as in Temporal, and has the same week and month", () => {
    fc.assert(
      fc.property(days, days, fc.integer({ min: -400, max: 400 }), (one, other, count) => {
        expect(calendarDate(text(one))).toBe(text(one));
        expect(addDays(text(one), count)).toBe(text(one.add({ days: count })));
        expect(addMonths(text(one), count)).toBe(text(one.add({ months: count })));
        expect(addYears(text(one), count % 50)).toBe(text(one.add({ years: count % 50 })));
        expect(daysBetween(text(one), text(other))).toBe(one.until(other).days + 1);
        expect(mondayOf(text(one))).toBe(text(one.subtract({ days: one.dayOfWeek - 1 })));
        expect(weekOf(text(one))).toEqual({ year: one.yearOfWeek, week: one.weekOfYear });
        const is_known = one.yearOfWeek && one.yearOfWeek >= 1900 && one.yearOfWeek < 2200;
        const monday = is_known ? mondayOf(text(one)) : undefined;
        expect(mondayOfWeek(weekKeyOf(text(one)))).toBe(monday);
        expect(lastDayOfMonth(text(one))).toBe(text(one.with({ day: one.daysInMonth })));
      }),
      { numRuns: 2_000 },
    );
  });
});

it("a week has a key, and the key leads to its Monday", () => {
  expect(weekKeyOf(day("2026-11-22"))).toBe("2026-W47");
  expect(weekKeyOf(day("2027-01-01"))).toBe("2026-W53");
  expect(mondayOfWeek("2026-W01")).toBe("2025-12-29");
  // 2025 has 52 weeks.
  expect(mondayOfWeek("2025-W53")).toBe("2025-12-29");
  for (const text of ["2026-W54", "2026-W00", "2026-W7", "1826-W07", "2026-11", ""]) {
    expect(mondayOfWeek(text)).toBeUndefined();
  }
});
