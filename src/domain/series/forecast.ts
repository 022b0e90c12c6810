/**
 * Which periods of a series a forecast counts besides those that have begun: the scheduled ones, through the 36th
 * month after the present one, each as if it were invoiced on the date that is planned for it.
 */
import {
  addDays,
  addToMonth,
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
} from "../base/calendar.ts";
import {
  type IssueTiming,
  indexContaining,
  periodAt,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timesOf,
} from "./period.ts";

/** How many months after the present one scheduled periods may begin in. */
const FORECAST_MONTHS = 36;

/** An offset moves the invoice no further from its period (spec 4.1). */
export const MOST_OFFSET_DAYS = 60;

export interface ForecastPeriod {
  readonly period: SeriesPeriod;
  /** When it is invoiced by plan; never in a month that has begun, because that month shows what is. */
  readonly issue_date: CalendarDate;
  /** The first day of the period that counts: later than its first where it renews a running year. */
  readonly counts_from: CalendarDate;
}

/**
 * Periods that begin after the `current` month and are served or invoiced in the months from `from` through `to`,
 * in order. What has happened to them is not judged here.
 */
export function* periodsAhead(
  series: Recurrence,
  timing: IssueTiming,
  current: Month,
  from: Month,
  to: Month,
): Generator<ForecastPeriod> {
  if (to <= current) return;
  const first_day = addDays(lastDayOf(current), 1);
  const horizon = lastDayOf(addToMonth(current, FORECAST_MONTHS));
  const [range_from, range_to] = [firstDayOf(from), lastDayOf(to)];
  const near = addDays(range_from, -MOST_OFFSET_DAYS);
  const start = startIndex(series, near > first_day ? near : first_day);
  if (start === undefined) return;
  for (const period of periodsFrom(series, start)) {
    if (period.from > horizon || addDays(period.from, -MOST_OFFSET_DAYS) > range_to) return;
    if (period.from < first_day) continue;
    const planned = timesOf(period, timing).issue_date;
    const issue_date = planned < first_day ? first_day : planned;
    const begins = issue_date < period.from ? issue_date : period.from;
    const ends = issue_date > period.to ? issue_date : period.to;
    if (ends < range_from || begins > range_to) continue;
    yield { period, issue_date, counts_from: countsFrom(series, period, first_day) };
  }
}

/** The period of a day, or the first one; undefined when the series has ended by then. */
function startIndex(series: Recurrence, day: CalendarDate): number | undefined {
  return day < series.start_date ? 0 : indexContaining(series, day);
}

/**
 * A year that is running is told to its end without its renewal: what the renewal would earn in the month in which
 * the year ends is left out, so that the months of a yearly licence add up to it.
 */
function countsFrom(
  series: Recurrence,
  period: SeriesPeriod,
  first_day: CalendarDate,
): CalendarDate {
  const before = series.frequency === "yearly" ? periodAt(series, period.index - 1) : undefined;
  const renews = period.index > 0 && before !== undefined && before.from < first_day;
  if (!renews || monthOf(before.to) !== monthOf(period.from)) return period.from;
  return firstDayOf(addToMonth(monthOf(period.from), 1));
}
