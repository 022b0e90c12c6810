/**
 * Yields the periods of a series that a forecast counts in addition to periods that have begun: the scheduled ones, through the
 * 36th month after the current one, each as if it were invoiced on its planned date.
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

/** Scheduled periods count when they begin within this many months after the current one. */
const FORECAST_MONTHS = 36;

/** The largest offset between a period and its invoice (spec 4.1). */
export const MOST_OFFSET_DAYS = 60;

export interface ForecastPeriod {
  readonly period: SeriesPeriod;
  /** The planned invoice date; never in a month that has begun, because that month shows actual figures. */
  readonly issue_date: CalendarDate;
  /** The first day that counts: later than the period's first day when the period renews a contract year in progress. */
  readonly counts_from: CalendarDate;
}

/**
 * Yields periods that begin after the `current` month and whose service or invoice date is in the months `from` through `to`, in
 * order. Skips and other events of a period have no effect here.
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

/** Returns the index of the period that contains a date, or 0; undefined when the series has ended by that date. */
export function startIndex(series: Recurrence, day: CalendarDate): number | undefined {
  return day < series.start_date ? 0 : indexContaining(series, day);
}

/**
 * Returns the first day of a period that counts. The forecast of a contract year in progress ends with this year. The renewal's
 * revenue in the last month is left out, so that the months of a yearly licence add up to the licence fee.
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
