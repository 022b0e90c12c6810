/** Size limits of a preview and of a series. Counting creates no periods or lines: any number takes the same time. */
import { addDays, addYears, type CalendarDate } from "../base/calendar.ts";
import { invalidField } from "../base/problem.ts";
import { countPeriods, periodAt, type Recurrence } from "./period.ts";
import { type LineVersions, versionAt } from "./series.ts";

const MOST_PREVIEW_PERIODS = 1_000;
const MOST_PREVIEW_LINES = 50_000;
/** The most lines in all periods of a series together, from its start through a year from today. */
const MOST_SERIES_LINES = 250_000;
/** The most lines that wait in all series of an account together. */
export const MOST_WAITING_LINES = 1_000_000;

interface SeriesWithLines extends Recurrence {
  /** Of the contents, only their presence counts here. */
  readonly lines: readonly LineVersions<unknown>[];
}

/** The number of lines in all periods before an index, including overrides, without those in `except` (ascending). */
export function countPeriodLines(
  lines: readonly LineVersions<unknown>[],
  before: number,
  except: readonly number[] = [],
): number {
  const periodsIn = (from: number, to: number): number =>
    from >= to ? 0 : to - from - (countBelow(except, to) - countBelow(except, from));
  let count = 0;
  for (const line of lines) {
    const versions = [...line.versions].sort(([a], [b]) => a - b);
    for (const [place, [from, content]] of versions.entries()) {
      const to = Math.min(versions[place + 1]?.[0] ?? before, before);
      if (content !== null) count += periodsIn(from, to);
    }
    for (const [at, content] of line.overrides) {
      if (at >= before || periodsIn(at, at + 1) === 0) continue;
      count += Number(content !== null) - Number(versionAt(line, at) !== null);
    }
  }
  return count;
}

/** Counts lines waiting in periods that start through a date. `settled` has invoiced and skipped indexes, in order. */
export function countWaitingLines(
  series: SeriesWithLines,
  settled: readonly number[],
  through: CalendarDate,
): number {
  return countPeriodLines(series.lines, countPeriods(series, through), settled);
}

/** Checks a preview's size; `settled` (ascending) is left out. Throws VALIDATION_FAILED with the last accepted day. */
export function requirePreviewFits(
  series: SeriesWithLines,
  settled: readonly number[],
  until: CalendarDate,
): void {
  const sizeBefore = (before: number) => ({
    periods: before - countBelow(settled, before),
    lines: countPeriodLines(series.lines, before, settled),
  });
  const fits = (before: number): boolean => {
    const { periods, lines } = sizeBefore(before);
    return periods <= MOST_PREVIEW_PERIODS && lines <= MOST_PREVIEW_LINES;
  };
  const all = countPeriods(series, until);
  if (fits(all)) return;
  let [fitting, too_many] = [0, all];
  while (too_many - fitting > 1) {
    const middle = Math.floor((fitting + too_many) / 2);
    if (fits(middle)) fitting = middle;
    else too_many = middle;
  }
  const { periods, lines } = sizeBefore(all);
  const last = addDays(periodAt(series, fitting)?.from ?? until, -1);
  const most = `${shown(MOST_PREVIEW_PERIODS)} periods and ${shown(MOST_PREVIEW_LINES)} lines in them`;
  const asked = `${shown(periods)} periods and ${shown(lines)} lines`;
  const message = `A preview shows at most ${most}; this one would have ${asked}. Ask for ${last} at the latest.`;
  throw invalidField("until", "too_large", message);
}

/** Requires a small series or no growth; `before` is null if unchecked. Throws VALIDATION_FAILED for `field`. */
export function requireSeriesFits(
  before: SeriesWithLines | null,
  after: SeriesWithLines,
  today: CalendarDate,
  field: string,
): void {
  const size = sizeOf(after, today);
  if (size.lines <= MOST_SERIES_LINES) return;
  if (before !== null && size.lines <= sizeOf(before, today).lines) return;
  const most = `at most ${shown(MOST_SERIES_LINES)} lines in its periods from its start through a year from today`;
  const asked = `${shown(size.lines)} in ${shown(size.periods)} periods`;
  const message = `A series has ${most}; this one would have ${asked}. Use fewer lines, start it later or end it earlier.`;
  throw invalidField(field, "too_many", message);
}

/**
 * Checks that an account has room for a series that grows: `others` counts the waiting lines of its other series, `before` and
 * `after` those of this one. A series that does not grow is accepted. Throws VALIDATION_FAILED for `field`.
 */
export function requireRoom(others: number, before: number, after: number, field: string): void {
  if (after <= before || others + after <= MOST_WAITING_LINES) return;
  const message = `${MOST_WAITING}; with the ${shown(after)} of this series it would have more. Issue or skip waiting periods, use fewer lines, start it later or end it earlier.`;
  throw invalidField(field, "too_many", message);
}

/** The number of waiting lines of a series at one time and at a later one. */
interface WaitingOverTime {
  /** The name of the series for people. */
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** Checks a new clock by the waiting lines. Throws VALIDATION_FAILED for `now`, with the series that grows most. */
export function requireClockFits(series: readonly WaitingOverTime[]): void {
  const sum = series.reduce((all, { after }) => all + after, 0);
  const grown = series.filter(({ before, after }) => after > before);
  const [most] = grown.sort((a, b) => b.after - b.before - (a.after - a.before));
  if (sum <= MOST_WAITING_LINES || most === undefined) return;
  const message = `${MOST_WAITING}; at this time it would have ${shown(sum)}, ${shown(most.after)} of them in the series ${most.name}. Set an earlier time, or issue, skip or cancel waiting periods.`;
  throw invalidField("now", "too_many", message);
}

const MOST_WAITING = `An account has at most ${MOST_WAITING_LINES.toLocaleString("en")} lines in periods that have begun and have no invoice`;

function sizeOf(series: SeriesWithLines, today: CalendarDate): { periods: number; lines: number } {
  const periods = countPeriods(series, addYears(today, 1));
  return { periods, lines: countPeriodLines(series.lines, periods) };
}

/** Counts how many numbers of an ascending list are less than the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
