/** The periods that a forecast counts, and the day from which each counts. */
import { describe, expect, it } from "vitest";
import type { Month } from "../base/calendar.ts";
import { periodsAhead } from "./forecast.ts";
import type { IssueTiming, Recurrence } from "./period.ts";

const START: IssueTiming = { mode: "start-of-period", offset_days: 0 };
const CURRENT = "2026-03" as Month;

const series = (fields: Partial<Record<keyof Recurrence, string | null>> = {}): Recurrence =>
  ({
    frequency: "monthly",
    alignment: "anniversary",
    start_date: "2026-01-01",
    end_date: null,
    ...fields,
  }) as Recurrence;

const ahead = (of: Recurrence, from: string, to: string, timing: Partial<IssueTiming> = {}) =>
  [...periodsAhead(of, { ...START, ...timing }, CURRENT, from as Month, to as Month)].map(
    ({ period, issue_date, counts_from }) =>
      [period.key, issue_date, ...(counts_from === period.from ? [] : [counts_from])].join(" "),
  );

describe("the periods that a forecast counts", () => {
  it.each<[string, Recurrence, string, string, string[]]>([
    [
      "begin after the present month",
      series(),
      "2026-01",
      "2026-05",
      ["2026-04 2026-04-01", "2026-05 2026-05-01"],
    ],
    ["are none of months that have begun", series(), "2026-01", "2026-03", []],
    [
      "may begin in the middle of a month",
      series({ start_date: "2026-01-15" }),
      "2026-04",
      "2026-04",
      ["2026-04 2026-04-15"],
    ],
    [
      "reach from the month before into this one",
      series({ start_date: "2026-01-15" }),
      "2026-05",
      "2026-05",
      ["2026-04 2026-04-15", "2026-05 2026-05-15"],
    ],
    [
      "are the quarter that contains a month",
      series({ frequency: "quarterly" }),
      "2026-06",
      "2026-06",
      ["2026-Q2 2026-04-01"],
    ],
    [
      "end with the series",
      series({ end_date: "2026-05-10" }),
      "2026-04",
      "2026-12",
      ["2026-04 2026-04-01", "2026-05 2026-05-01"],
    ],
    [
      "are none of a series that ended",
      series({ end_date: "2026-03-31" }),
      "2026-04",
      "2026-12",
      [],
    ],
    [
      "begin with a series to come",
      series({ start_date: "2026-05-20" }),
      "2026-04",
      "2026-05",
      ["2026-05 2026-05-20"],
    ],
    [
      "are weeks",
      series({ frequency: "weekly", start_date: "2026-03-02" }),
      "2026-04",
      "2026-04",
      ["2026-W15 2026-04-06", "2026-W16 2026-04-13", "2026-W17 2026-04-20", "2026-W18 2026-04-27"],
    ],
    [
      "begin 36 months ahead at the latest",
      series(),
      "2029-02",
      "2029-12",
      ["2029-02 2029-02-01", "2029-03 2029-03-01"],
    ],
    [
      "may end after that",
      series({ frequency: "quarterly" }),
      "2029-03",
      "2029-12",
      ["2029-Q1 2029-01-01"],
    ],
  ])("%s", (_what, of, from, to, expected) => {
    expect(ahead(of, from, to)).toEqual(expected);
  });

  it("are as many as there are weeks in three years", () => {
    const weekly = series({ frequency: "weekly", start_date: "2026-03-02" });
    expect(ahead(weekly, "2026-04", "2029-03")).toHaveLength(156);
  });

  it.each<[string, Partial<IssueTiming>, string, string[]]>([
    ["at its end", { mode: "end-of-period" }, "2026-04", ["2026-04 2026-04-30"]],
    [
      "later than its end",
      { mode: "end-of-period", offset_days: 20 },
      "2026-05",
      ["2026-04 2026-05-20", "2026-05 2026-06-20"],
    ],
    [
      "before its start",
      { offset_days: -20 },
      "2026-05",
      ["2026-05 2026-04-11", "2026-06 2026-05-12"],
    ],
    ["at its end in manual timing", { mode: "manual" }, "2026-04", ["2026-04 2026-04-30"]],
    [
      "never in a month that has begun",
      { offset_days: -60 },
      "2026-04",
      ["2026-04 2026-04-01", "2026-05 2026-04-01", "2026-06 2026-04-02"],
    ],
  ])("are invoiced %s", (_what, timing, month, expected) => {
    expect(ahead(series(), month, month, timing)).toEqual(expected);
  });
});

describe("the renewal of a year", () => {
  const yearly = (start_date: string) => series({ frequency: "yearly", start_date });

  it("counts from the month after the one in which the running year ends", () => {
    expect(ahead(yearly("2025-06-15"), "2026-06", "2027-06")).toEqual([
      "2026 2026-06-15 2026-07-01",
      "2027 2027-06-15",
    ]);
  });

  it("counts fully where it begins a month, or where no year ends before it", () => {
    expect(ahead(yearly("2025-06-01"), "2026-06", "2026-06")).toEqual(["2026 2026-06-01"]);
    expect(ahead(yearly("2026-06-15"), "2026-06", "2026-06")).toEqual(["2026 2026-06-15"]);
  });

  it("does not apply to shorter periods", () => {
    const half = series({ frequency: "half_yearly", start_date: "2025-12-15" });
    expect(ahead(half, "2026-06", "2026-06")).toEqual(["2026-H1 2026-06-15"]);
  });
});
