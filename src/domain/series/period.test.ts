/** Periods as spec 4.2 to 4.4 describe them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate, daysBetween, mondayOf, weekOf } from "../base/calendar.ts";
import {
  alignments,
  countPeriods,
  type Frequency,
  findPeriod,
  frequencies,
  type IssueTiming,
  indexContaining,
  periodAt,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timesOf,
} from "./period.ts";

const day = (text: string) => text as CalendarDate;

function recurrence(
  frequency: Frequency,
  start: string,
  fields: { readonly end?: string; readonly alignment?: Recurrence["alignment"] } = {},
): Recurrence {
  return {
    frequency,
    alignment: fields.alignment ?? "anniversary",
    start_date: day(start),
    end_date: fields.end === undefined ? null : day(fields.end),
  };
}

/** The first periods of a series. */
function firstPeriods(series: Recurrence, count: number): SeriesPeriod[] {
  const periods: SeriesPeriod[] = [];
  for (const period of periodsFrom(series, 0)) {
    periods.push(period);
    if (periods.length === count) break;
  }
  return periods;
}

const spans = (periods: readonly SeriesPeriod[]) => periods.map(({ from, to }) => `${from}..${to}`);
const keys = (periods: readonly SeriesPeriod[]) => periods.map(({ key }) => key);

/** The key of the period that the text names, or the reason why there is none. */
function found(series: Recurrence, text: string): string {
  const period = findPeriod(series, text);
  return typeof period === "string" ? period : period.key;
}

describe("periods by anniversary", () => {
  it.each<[string, Frequency, string[]]>([
    [
      "2025-01-31",
      "monthly",
      [
        "2025-01-31..2025-02-27",
        "2025-02-28..2025-03-30",
        "2025-03-31..2025-04-29",
        "2025-04-30..2025-05-30",
      ],
    ],
    [
      "2024-02-29",
      "yearly",
      [
        "2024-02-29..2025-02-27",
        "2025-02-28..2026-02-27",
        "2026-02-28..2027-02-27",
        "2027-02-28..2028-02-28",
        "2028-02-29..2029-02-27",
      ],
    ],
    [
      "2024-11-30",
      "quarterly",
      ["2024-11-30..2025-02-27", "2025-02-28..2025-05-29", "2025-05-30..2025-08-29"],
    ],
    [
      "2024-08-31",
      "half_yearly",
      ["2024-08-31..2025-02-27", "2025-02-28..2025-08-30", "2025-08-31..2026-02-27"],
    ],
    ["2025-12-24", "weekly", ["2025-12-24..2025-12-30", "2025-12-31..2026-01-06"]],
  ])("from %s %s", (start, frequency, expected) => {
    const periods = firstPeriods(recurrence(frequency, start), expected.length);
    expect(spans(periods)).toEqual(expected);
    expect(periods.every(({ days, nominal_days }) => days === nominal_days)).toBe(true);
    expect(periods.some((period) => period.is_final_partial)).toBe(false);
  });

  it("a start on the 31st does not drift", () => {
    const periods = firstPeriods(recurrence("monthly", "2025-01-31"), 60);
    const days = periods.map(({ from }) => Number(from.slice(8)));
    expect(days.slice(0, 12)).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect(days.slice(37, 40)).toEqual([29, 31, 30]);
    expect(periods[48]?.from).toBe("2029-01-31");
  });

  it("yearly from 29 February is the 28th in common years, the 29th again in 2028", () => {
    const periods = firstPeriods(recurrence("yearly", "2024-02-29"), 9);
    expect(periods.map(({ from }) => from)).toEqual([
      "2024-02-29",
      "2025-02-28",
      "2026-02-28",
      "2027-02-28",
      "2028-02-29",
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
    ]);
    expect(periods.map(({ days }) => days).slice(2, 5)).toEqual([365, 366, 365]);
  });
});

describe("periods by calendar", () => {
  it.each<[Frequency, string, string[]]>([
    ["weekly", "2025-12-31", ["2025-12-31..2026-01-04", "2026-01-05..2026-01-11"]],
    ["monthly", "2025-01-31", ["2025-01-31..2025-01-31", "2025-02-01..2025-02-28"]],
    ["quarterly", "2025-02-15", ["2025-02-15..2025-03-31", "2025-04-01..2025-06-30"]],
    ["half_yearly", "2025-11-03", ["2025-11-03..2025-12-31", "2026-01-01..2026-06-30"]],
    ["yearly", "2024-02-29", ["2024-02-29..2024-12-31", "2025-01-01..2025-12-31"]],
  ])("%s from %s begins partially, and is not final", (frequency, start, expected) => {
    const series = recurrence(frequency, start, { alignment: "calendar" });
    const [first, second] = firstPeriods(series, 2);
    expect(spans([first, second].filter((period) => period !== undefined))).toEqual(expected);
    expect(first?.is_final_partial).toBe(false);
    expect(first?.days).toBeLessThan(first?.nominal_days ?? 0);
    expect(second?.days).toBe(second?.nominal_days);
  });

  it("is whole from the start when the series starts with a calendar unit", () => {
    for (const frequency of frequencies) {
      const series = recurrence(frequency, "2024-01-01", { alignment: "calendar" });
      expect(firstPeriods(series, 5)).toEqual(
        firstPeriods({ ...series, alignment: "anniversary" }, 5),
      );
    }
  });

  it("counts the days of the quarter of which a first and a last period are parts", () => {
    const series = recurrence("quarterly", "2025-02-15", {
      alignment: "calendar",
      end: "2025-11-20",
    });
    const periods = firstPeriods(series, 9);
    expect(keys(periods)).toEqual(["2025-Q1", "2025-Q2", "2025-Q3", "2025-Q4"]);
    expect(periods.map(({ days, nominal_days }) => `${days}/${nominal_days}`)).toEqual([
      "45/90",
      "91/91",
      "92/92",
      "51/92",
    ]);
    expect(periods.map((period) => period.is_final_partial)).toEqual([false, false, false, true]);
  });

  it("may begin and end within one unit, which is then final and partial", () => {
    const series = recurrence("yearly", "2025-03-01", { alignment: "calendar", end: "2025-03-10" });
    expect(firstPeriods(series, 2)).toEqual([
      {
        index: 0,
        key: "2025",
        from: "2025-03-01",
        to: "2025-03-10",
        days: 10,
        nominal_days: 365,
        is_final_partial: true,
      },
    ]);
  });
});

describe("the end date", () => {
  it.each<[string, Frequency, string, string]>([
    ["a month", "monthly", "2025-01-31", "2025-05-30"],
    ["a calendar month", "monthly", "2025-01-01", "2025-04-30"],
    ["a week", "weekly", "2025-12-24", "2026-01-20"],
    ["a quarter", "quarterly", "2024-08-31", "2025-08-30"],
  ])("on the last day of %s leaves a whole last period", (_, frequency, start, end) => {
    const periods = firstPeriods(recurrence(frequency, start, { end }), 9);
    expect(periods).toHaveLength(4);
    expect(periods.at(-1)).toMatchObject({ to: end, is_final_partial: false });
    expect(periods.at(-1)?.days).toBe(periods.at(-1)?.nominal_days);
  });

  it("on the start date leaves one period of one day, final and partial", () => {
    const series = recurrence("monthly", "2025-03-01", { end: "2025-03-01" });
    expect(firstPeriods(series, 9)).toEqual([
      {
        index: 0,
        key: "2025-03",
        from: "2025-03-01",
        to: "2025-03-01",
        days: 1,
        nominal_days: 31,
        is_final_partial: true,
      },
    ]);
  });

  it("cuts the last period short, one day into it and one day before its end", () => {
    const [, one_day] = firstPeriods(recurrence("monthly", "2025-01-31", { end: "2025-02-28" }), 9);
    expect(one_day).toMatchObject({ key: "2025-02", days: 1, nominal_days: 31 });
    const [, all_but_one] = firstPeriods(
      recurrence("monthly", "2025-01-31", { end: "2025-03-29" }),
      9,
    );
    expect(all_but_one).toMatchObject({ days: 30, nominal_days: 31, is_final_partial: true });
  });

  it("before the start leaves no period", () => {
    const series = recurrence("monthly", "2025-03-10", { end: "2025-03-09" });
    expect(periodAt(series, 0)).toBeUndefined();
    expect(found(series, "2025-03")).toBe("absent");
    expect(indexContaining(series, day("2025-03-09"))).toBeUndefined();
  });
});

describe("period keys", () => {
  it.each<[Frequency, string, string]>([
    ["weekly", "2026-01-01", "2026-W01"],
    ["monthly", "2025-02-14", "2025-02"],
    ["quarterly", "2025-01-01", "2025-Q1"],
    ["quarterly", "2025-03-31", "2025-Q1"],
    ["quarterly", "2025-12-31", "2025-Q4"],
    ["half_yearly", "2025-06-30", "2025-H1"],
    ["half_yearly", "2025-07-01", "2025-H2"],
    ["yearly", "2025-12-31", "2025"],
  ])("%s from %s is %s", (frequency, start, key) => {
    expect(periodAt(recurrence(frequency, start), 0)?.key).toBe(key);
  });

  it.each<[string, string]>([
    ["2024-12-29", "2024-W52"],
    ["2024-12-30", "2025-W01"],
    ["2025-12-28", "2025-W52"],
    ["2025-12-29", "2026-W01"],
    ["2026-12-31", "2026-W53"],
    ["2027-01-03", "2026-W53"],
    ["2027-01-04", "2027-W01"],
    ["2023-01-01", "2022-W52"],
  ])("the week of %s is %s, by the ISO year", (start, key) => {
    expect(periodAt(recurrence("weekly", start), 0)?.key).toBe(key);
    expect(found(recurrence("weekly", start), key)).toBe(key);
  });

  it("a year of 53 weeks has 53 keys, and then the next year's begin", () => {
    const periods = firstPeriods(recurrence("weekly", "2026-12-23"), 3);
    expect(keys(periods)).toEqual(["2026-W52", "2026-W53", "2027-W01"]);
  });
});

describe("naming a period", () => {
  const quarterly = recurrence("quarterly", "2025-04-01", { end: "2026-01-31" });
  const midmonth = recurrence("monthly", "2025-01-31", { end: "2025-05-15" });
  const half_yearly = recurrence("half_yearly", "2024-08-31");
  const yearly = recurrence("yearly", "2024-02-29");
  const weekly = recurrence("weekly", "2025-12-24", { end: "2026-02-10" });
  const cut = recurrence("quarterly", "2025-02-15", { alignment: "calendar" });

  it.each<[string, Recurrence, string, string]>([
    ["its key", quarterly, "2025-Q2", "2025-Q2"],
    ["its month is the same as its key", quarterly, "2025-04", "2025-Q2"],
    ["its first day", quarterly, "2025-04-01", "2025-Q2"],
    ["the first day of a later one", quarterly, "2025-10-01", "2025-Q4"],
    ["the month of a later one", quarterly, "2025-10", "2025-Q4"],
    ["a final partial one", quarterly, "2026-01", "2026-Q1"],
    ["a month by its key, whatever its day", midmonth, "2025-04", "2025-04"],
    ["a month by its own first day", midmonth, "2025-02-28", "2025-02"],
    ["a half-year by its key", half_yearly, "2025-H1", "2025-H1"],
    ["a half-year by its month", half_yearly, "2025-02", "2025-H1"],
    ["a half-year by its first day", half_yearly, "2025-02-28", "2025-H1"],
    ["a year by its key", yearly, "2025", "2025"],
    ["a year by its month", yearly, "2025-02", "2025"],
    ["a year by its first day in a leap year", yearly, "2028-02-29", "2028"],
    ["a week by its key", weekly, "2026-W01", "2026-W01"],
    ["a week by its first day, in the other year", weekly, "2025-12-31", "2026-W01"],
    ["a first period that was cut, by its key", cut, "2025-Q1", "2025-Q1"],
    ["a first period that was cut, by its own first day", cut, "2025-02-15", "2025-Q1"],
    ["a first period that was cut, by its own month", cut, "2025-02", "2025-Q1"],
  ])("%s", (_, series, text, key) => {
    expect(found(series, text)).toBe(key);
  });

  it.each<[string, Recurrence, string]>([
    ["a month in which no period starts", quarterly, "2025-05"],
    ["before the start", quarterly, "2025-Q1"],
    ["after the end", quarterly, "2026-Q2"],
    ["a day in a period that is not its first", quarterly, "2025-04-02"],
    ["a day before the start", quarterly, "2025-03-31"],
    ["a day after the end", quarterly, "2026-04-01"],
    ["a month after the end", midmonth, "2025-06"],
    ["a month before the start", midmonth, "2024-12"],
    ["the day on which a drifting series would start", midmonth, "2025-03-28"],
    ["the other half-year's month", half_yearly, "2025-03"],
    ["a year before the start", yearly, "2023"],
    ["a day that would be the anniversary", yearly, "2027-03-01"],
    ["a week before the start", weekly, "2025-W51"],
    ["a week after the end", weekly, "2026-W08"],
    ["a week 53 that the year lacks", weekly, "2025-W53"],
    ["the first day of the calendar unit, before the start", cut, "2025-01-01"],
    ["the first month of the calendar unit, before the start", cut, "2025-01"],
  ])("no such period: %s", (_, series, text) => {
    expect(found(series, text)).toBe("absent");
  });

  it.each<[string, Recurrence, string]>([
    ["nothing", quarterly, ""],
    ["a word", quarterly, "next"],
    ["a day that does not exist", quarterly, "2025-04-31"],
    ["a month that does not exist", quarterly, "2025-13"],
    ["a fifth quarter", quarterly, "2025-Q5"],
    ["a small letter", quarterly, "2025-q2"],
    ["a space before", quarterly, " 2025-Q2"],
    ["a line feed after", quarterly, "2025-Q2\n"],
    ["other digits", quarterly, "٢٠٢٥-Q2"],
    ["an index", quarterly, "0"],
    ["a half-year of a quarterly series", quarterly, "2025-H1"],
    ["a year of a quarterly series", quarterly, "2025"],
    ["a week of a quarterly series", quarterly, "2025-W14"],
    ["a quarter of a monthly series", midmonth, "2025-Q1"],
    ["a year of a monthly series", midmonth, "2025"],
    ["a third half-year", half_yearly, "2025-H3"],
    ["a quarter of a half-yearly series", half_yearly, "2025-Q1"],
    ["a half-year of a yearly series", yearly, "2025-H1"],
    ["a quarter of a yearly series", yearly, "2025-Q1"],
    ["a month of a weekly series", weekly, "2026-01"],
    ["a year of a weekly series", weekly, "2026"],
    ["week 0", weekly, "2026-W00"],
    ["week 54", weekly, "2026-W54"],
    ["a week in one digit", weekly, "2026-W1"],
  ])("wrong form: %s", (_, series, text) => {
    expect(found(series, text)).toBe("malformed");
  });
});

describe("issue dates", () => {
  const [march] = firstPeriods(recurrence("monthly", "2025-03-01"), 1);
  const [, cut] = firstPeriods(recurrence("monthly", "2025-01-31", { end: "2025-03-10" }), 2);
  const times = (period: SeriesPeriod | undefined, timing: IssueTiming) => {
    if (period === undefined) throw new Error("no period");
    const { issue_date, due_on } = timesOf(period, timing);
    return `${issue_date}, due ${due_on}`;
  };

  it.each<[IssueTiming["mode"], number, string]>([
    ["start-of-period", 0, "2025-03-01, due 2025-03-01"],
    ["start-of-period", 14, "2025-03-15, due 2025-03-15"],
    ["start-of-period", -14, "2025-02-15, due 2025-02-15"],
    ["start-of-period", -60, "2024-12-31, due 2024-12-31"],
    ["start-of-period", 60, "2025-04-30, due 2025-04-30"],
    ["end-of-period", 0, "2025-03-31, due 2025-04-01"],
    ["end-of-period", 1, "2025-04-01, due 2025-04-01"],
    ["end-of-period", 2, "2025-04-02, due 2025-04-02"],
    ["end-of-period", 60, "2025-05-30, due 2025-05-30"],
    ["manual", 0, "2025-03-31, due null"],
  ])("%s with %i days: %s", (mode, offset_days, expected) => {
    expect(times(march, { mode, offset_days })).toBe(expected);
  });

  it("have an invoice at the end of a period due the day after its last day, which is its date", () => {
    expect(times(march, { mode: "end-of-period", offset_days: 0 })).toBe(
      "2025-03-31, due 2025-04-01",
    );
  });

  it("count from the actual end of a period that is cut", () => {
    expect(times(cut, { mode: "end-of-period", offset_days: 0 })).toBe(
      "2025-03-10, due 2025-03-11",
    );
    expect(times(cut, { mode: "start-of-period", offset_days: 0 })).toBe(
      "2025-02-28, due 2025-02-28",
    );
    expect(times(cut, { mode: "manual", offset_days: 0 })).toBe("2025-03-10, due null");
  });
});

describe("any series", () => {
  const LAST_START = daysBetween(day("1990-01-01"), day("2100-12-31")) - 1;
  const start_date = fc
    .oneof(
      fc.integer({ min: 0, max: LAST_START }),
      // Ends of months and leap days are the likely causes of errors.
      fc
        .constantFrom("1992-02-29", "2000-02-29", "2024-02-29", "2096-02-29", "2099-12-31")
        .map((text) => daysBetween(day("1990-01-01"), day(text)) - 1),
      fc.integer({ min: 0, max: 1320 }).map((month) => {
        const first = `${1990 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`;
        return Math.max(0, daysBetween(day("1990-01-01"), day(first)) - 2);
      }),
    )
    .map((days) => addDays(day("1990-01-01"), days));
  const open_ended: fc.Arbitrary<Recurrence> = fc.record({
    frequency: fc.constantFrom(...frequencies),
    alignment: fc.constantFrom(...alignments),
    start_date,
    end_date: fc.constant(null),
  });
  /** With an end date; or open-ended, with the last day that the test checks. */
  const bounded = fc
    .tuple(open_ended, fc.integer({ min: 0, max: 1_500 }), fc.boolean())
    .map(([series, length, has_end]) => {
      const last = addDays(series.start_date, length);
      return { series: { ...series, end_date: has_end ? last : null }, last };
    });

  const through = (series: Recurrence, last: CalendarDate) => {
    const periods: SeriesPeriod[] = [];
    for (const period of periodsFrom(series, 0)) {
      if (period.from > last) break;
      periods.push(period);
    }
    return periods;
  };

  it("has periods that cover it from its first through its last day, without gap or overlap", () => {
    fc.assert(
      fc.property(bounded, ({ series, last }) => {
        const periods = through(series, last);
        expect(periods[0]?.from).toBe(series.start_date);
        const end = periods.at(-1)?.to ?? "";
        if (series.end_date === null) expect(end >= last).toBe(true);
        else expect(end).toBe(series.end_date);
        for (const [index, period] of periods.entries()) {
          expect(period.index).toBe(index);
          expect(period.days).toBe(daysBetween(period.from, period.to));
          expect(period.days).toBeGreaterThan(0);
          expect(period.days).toBeLessThanOrEqual(period.nominal_days);
          const next = periods[index + 1];
          if (next) expect(next.from).toBe(addDays(period.to, 1));
        }
        expect(periodAt(series, periods.length) === undefined).toBe(series.end_date !== null);
      }),
      { numRuns: 150 },
    );
  });

  it("is partial only where it is cut: by calendar at the start, by the end date at the end", () => {
    fc.assert(
      fc.property(bounded, ({ series, last }) => {
        const periods = through(series, last);
        for (const period of periods) {
          const is_cut = period.days < period.nominal_days;
          const is_last = series.end_date !== null && period.index === periods.length - 1;
          if (period.is_final_partial) expect([is_cut, is_last]).toEqual([true, true]);
          if (is_cut && !period.is_final_partial) {
            expect([period.index, series.alignment]).toEqual([0, "calendar"]);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("has unique keys, each of the calendar unit in which its period starts", () => {
    fc.assert(
      fc.property(bounded, ({ series, last }) => {
        const periods = through(series, last);
        expect(new Set(keys(periods)).size).toBe(periods.length);
        for (const { key, from } of periods) expect(key).toBe(unitOf(series.frequency, from));
      }),
      { numRuns: 150 },
    );
  });

  it("finds each period again by its key, by its first day and by its month", () => {
    fc.assert(
      fc.property(bounded, ({ series, last }) => {
        const spellings = series.frequency === "weekly" ? [0, 10] : [0, 10, 7];
        for (const period of through(series, last)) {
          for (const length of spellings) {
            const text = length === 0 ? period.key : period.from.slice(0, length);
            expect(findPeriod(series, text)).toEqual(period);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("finds no period by any other day", () => {
    fc.assert(
      fc.property(bounded, fc.nat({ max: 1_600 }), ({ series, last }, days) => {
        const text = addDays(addDays(series.start_date, -50), days);
        const starts = through(series, text > last ? text : last).some(({ from }) => from === text);
        expect(typeof findPeriod(series, text) === "string").toBe(!starts);
      }),
      { numRuns: 200 },
    );
  });

  it("counts the periods that start through a day without creating them", () => {
    fc.assert(
      fc.property(bounded, fc.integer({ min: -400, max: 2_000 }), ({ series, last }, days) => {
        const until = addDays(series.start_date, days);
        expect(countPeriods(series, until)).toBe(through(series, until).length);
        expect(countPeriods(series, last)).toBe(through(series, last).length);
      }),
      { numRuns: 200 },
    );
  });

  it("finds the period that contains a day, and none for a day outside of the series", () => {
    fc.assert(
      fc.property(bounded, fc.integer({ min: -400, max: 2_000 }), ({ series }, days) => {
        const date = addDays(series.start_date, days);
        const index = indexContaining(series, date);
        const is_outside =
          days < 0 || (series.end_date !== null && daysBetween(date, series.end_date) < 1);
        if (is_outside) expect(index).toBeUndefined();
        else {
          const period = periodAt(series, index ?? -1);
          expect([period?.from, date, period?.to]).toEqual(
            [period?.from, date, period?.to].toSorted(),
          );
          expect(period).toBeDefined();
        }
      }),
      { numRuns: 400 },
    );
  });

  it("never drifts: every period starts on the anchor's day, or on the last day of a month that lacks it", () => {
    fc.assert(
      fc.property(open_ended, fc.nat({ max: 90 }), (series, index) => {
        const { frequency, alignment, start_date: start } = series;
        const period = periodAt(series, index);
        if (period === undefined) throw new Error("an open-ended series has every period");
        if (index === 0) {
          expect(period.from).toBe(start);
        } else if (frequency === "weekly") {
          const anchor = alignment === "calendar" ? mondayOf(start) : start;
          expect(daysBetween(anchor, period.from) - 1).toBe(7 * index);
        } else {
          const anchor_day = alignment === "calendar" ? 1 : Number(start.slice(8));
          const [year, month, date] = period.from.split("-").map(Number);
          expect(date).toBe(Math.min(anchor_day, daysIn(year ?? 0, month ?? 0)));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("starts every period a fixed number of months after the previous one", () => {
    fc.assert(
      fc.property(open_ended, fc.integer({ min: 1, max: 90 }), (series, index) => {
        if (series.frequency === "weekly") return;
        const months = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12 }[series.frequency];
        const [second, later] = [periodAt(series, 1), periodAt(series, index)];
        expect(monthNumber(later?.from) - monthNumber(second?.from)).toBe(months * (index - 1));
        if (series.alignment === "calendar") {
          expect(monthNumber(later?.from) % months).toBe(0);
        } else {
          expect(monthNumber(second?.from) - monthNumber(series.start_date)).toBe(months);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** The calendar unit of a day, computed in another way than the product does. */
function unitOf(frequency: Frequency, from: CalendarDate): string {
  const year = from.slice(0, 4);
  const month = Number(from.slice(5, 7));
  switch (frequency) {
    case "weekly": {
      // A week belongs to the year of its Thursday.
      const thursday = addDays(mondayOf(from), 3);
      const ordinal = daysBetween(day(`${thursday.slice(0, 4)}-01-01`), thursday);
      const week = String(Math.ceil(ordinal / 7)).padStart(2, "0");
      expect(weekOf(from)).toEqual({ year: Number(thursday.slice(0, 4)), week: Number(week) });
      return `${thursday.slice(0, 4)}-W${week}`;
    }
    case "monthly":
      return from.slice(0, 7);
    case "quarterly":
      return `${year}-Q${month <= 3 ? 1 : month <= 6 ? 2 : month <= 9 ? 3 : 4}`;
    case "half_yearly":
      return `${year}-H${month <= 6 ? 1 : 2}`;
    case "yearly":
      return year;
  }
}

function daysIn(year: number, month: number): number {
  const is_leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return is_leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Months since the year 0. */
function monthNumber(date: string | undefined): number {
  const [year = 0, month = 0] = (date ?? "").split("-").map(Number);
  return year * 12 + month - 1;
}
