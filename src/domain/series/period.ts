/** Periods of a series (spec 4.2 to 4.4). Steps count from the anchor's day, so the 31st never drifts to the 28th. */
import {
  addDays,
  addMonths,
  type CalendarDate,
  calendarDate,
  daysBetween,
  mondayOf,
  mondayOfWeek,
  weekKeyOf,
} from "../base/calendar.ts";

export const frequencies = ["weekly", "monthly", "quarterly", "half_yearly", "yearly"] as const;
export type Frequency = (typeof frequencies)[number];

export const alignments = ["anniversary", "calendar"] as const;
type Alignment = (typeof alignments)[number];

export const timingModes = ["start-of-period", "end-of-period", "manual"] as const;

export interface IssueTiming {
  readonly mode: (typeof timingModes)[number];
  readonly offset_days: number;
}

/** The properties from which the periods follow. */
export interface Recurrence {
  readonly frequency: Frequency;
  readonly alignment: Alignment;
  readonly start_date: CalendarDate;
  /** Last day of service; null without an end. */
  readonly end_date: CalendarDate | null;
}

export interface SeriesPeriod {
  /** 0 for the first period. */
  readonly index: number;
  /** The calendar unit in which the period starts: `2025-W07`, `2025-02`, `2025-Q1`, `2025-H1`, `2025`. */
  readonly key: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly days: number;
  /** Days of the nominal period, of which a first or last period may be only a part. */
  readonly nominal_days: number;
  /** Whether the end date cuts the period short. */
  readonly is_final_partial: boolean;
}

const MONTHS: Readonly<Record<Exclude<Frequency, "weekly">, number>> = {
  monthly: 1,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
};

/** The period at an index; undefined when it would start after the end date. */
export function periodAt(series: Recurrence, index: number): SeriesPeriod | undefined {
  const nominal_from = startOf(series, index);
  const nominal_to = addDays(startOf(series, index + 1), -1);
  const from = nominal_from < series.start_date ? series.start_date : nominal_from;
  const { end_date } = series;
  if (end_date !== null && from > end_date) return undefined;
  const is_final_partial = end_date !== null && end_date < nominal_to;
  const to = is_final_partial ? end_date : nominal_to;
  return {
    index,
    key: keyOf(series.frequency, from),
    from,
    to,
    days: daysBetween(from, to),
    nominal_days: daysBetween(nominal_from, nominal_to),
    is_final_partial,
  };
}

/** Yields periods from an index on, in order; unlimited for an open-ended series. */
export function* periodsFrom(series: Recurrence, index: number): Generator<SeriesPeriod> {
  for (let at = index; ; at += 1) {
    const period = periodAt(series, at);
    if (period === undefined) return;
    yield period;
  }
}

/** Counts the periods that start on or before a date, without creating any of them. */
export function countPeriods(series: Recurrence, through: CalendarDate): number {
  const { end_date } = series;
  const last = end_date !== null && end_date < through ? end_date : through;
  return (indexContaining(series, last) ?? -1) + 1;
}

/** Returns the index of the period that contains a date; undefined before the start or after the end. */
export function indexContaining(series: Recurrence, day: CalendarDate): number | undefined {
  if (day < series.start_date || (series.end_date !== null && day > series.end_date))
    return undefined;
  // A day is in the period that starts in its calendar unit, or in the previous period.
  const index = unitOf(series.frequency, day) - unitOf(series.frequency, anchorOf(series));
  return startOf(series, index) <= day ? index : index - 1;
}

/**
 * Finds a period by its key, by its first day, or (quarterly and longer) by the month in which it starts (spec 4.3). Returns
 * `malformed` for any other text, `absent` when there is no such period.
 */
export function findPeriod(
  series: Recurrence,
  text: string,
): SeriesPeriod | "malformed" | "absent" {
  const day = dayNamedBy(series.frequency, text);
  if (day === undefined) return "malformed";
  const index = unitOf(series.frequency, day.within) - unitOf(series.frequency, anchorOf(series));
  const period = index < 0 ? undefined : periodAt(series, index);
  if (period === undefined || !day.matches(period)) return "absent";
  return period;
}

/** Returns the period with a key; undefined when the series has none. */
export function periodWithKey(series: Recurrence, key: string): SeriesPeriod | undefined {
  const found = findPeriod(series, key);
  return typeof found === "object" && found.key === key ? found : undefined;
}

/** Returns the date of an invoice of the period, and the first day on which the scheduler issues it (spec 4.4). */
export function timesOf(
  period: { readonly from: CalendarDate; readonly to: CalendarDate },
  timing: IssueTiming,
): { readonly issue_date: CalendarDate; readonly due_on: CalendarDate | null } {
  if (timing.mode === "manual") return { issue_date: period.to, due_on: null };
  if (timing.mode === "start-of-period") {
    const issue_date = addDays(period.from, timing.offset_days);
    return { issue_date, due_on: issue_date };
  }
  const issue_date = addDays(period.to, timing.offset_days);
  const day_after = addDays(period.to, 1);
  return { issue_date, due_on: issue_date > day_after ? issue_date : day_after };
}

function anchorOf({ alignment, frequency, start_date }: Recurrence): CalendarDate {
  if (alignment === "anniversary") return start_date;
  if (frequency === "weekly") return mondayOf(start_date);
  const months = MONTHS[frequency];
  const [year = 0, month = 1] = start_date.split("-").map(Number);
  const first = Math.floor((month - 1) / months) * months + 1;
  return `${pad(year, 4)}-${pad(first, 2)}-01` as CalendarDate;
}

function startOf(series: Recurrence, index: number): CalendarDate {
  const anchor = anchorOf(series);
  if (series.frequency === "weekly") return addDays(anchor, 7 * index);
  return addMonths(anchor, MONTHS[series.frequency] * index);
}

function keyOf(frequency: Frequency, from: CalendarDate): string {
  if (frequency === "weekly") return weekKeyOf(from);
  const [year = "", month = ""] = from.split("-");
  const place = Math.ceil(Number(month) / MONTHS[frequency]);
  switch (frequency) {
    case "monthly":
      return `${year}-${month}`;
    case "quarterly":
      return `${year}-Q${place}`;
    case "half_yearly":
      return `${year}-H${place}`;
    case "yearly":
      return year;
  }
}

/** Returns the number of the calendar unit: the distance between two periods equals that between their units. */
function unitOf(frequency: Frequency, day: CalendarDate): number {
  if (frequency === "weekly") return Math.floor((daysBetween(EPOCH_MONDAY, day) - 1) / 7);
  const [year = 0, month = 1] = day.split("-").map(Number);
  return Math.floor((year * 12 + month - 1) / MONTHS[frequency]);
}

const EPOCH_MONDAY = "1900-01-01" as CalendarDate;

interface NamedDay {
  /** A day in the calendar unit in which the period starts. */
  readonly within: CalendarDate;
  matches(period: SeriesPeriod): boolean;
}

const anyPeriod = (): boolean => true;

function dayNamedBy(frequency: Frequency, text: string): NamedDay | undefined {
  const day = calendarDate(text);
  if (day) return { within: day, matches: (period) => period.from === day };
  if (frequency === "weekly") return weekNamedBy(text);
  const match = /^((?:19|20|21)\d\d)(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])))?$/.exec(text);
  if (!match) return undefined;
  const [, year = "", month, quarter, half] = match;
  const named = (first: number): CalendarDate => `${year}-${pad(first, 2)}-01` as CalendarDate;
  if (month !== undefined) {
    if (frequency === "monthly") return { within: named(Number(month)), matches: anyPeriod };
    return {
      within: named(Number(month)),
      matches: (period) => period.from.startsWith(`${year}-${month}`),
    };
  }
  if (quarter !== undefined) {
    if (frequency !== "quarterly") return undefined;
    return { within: named(Number(quarter) * 3 - 2), matches: anyPeriod };
  }
  if (half !== undefined) {
    if (frequency !== "half_yearly") return undefined;
    return { within: named(Number(half) * 6 - 5), matches: anyPeriod };
  }
  return frequency === "yearly" ? { within: named(1), matches: anyPeriod } : undefined;
}

function weekNamedBy(text: string): NamedDay | undefined {
  const within = mondayOfWeek(text);
  return within && { within, matches: (period) => period.key === text };
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
