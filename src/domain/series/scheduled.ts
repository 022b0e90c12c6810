/**
 * Decides when a period of a series that has no invoice yet is invoiced: by the scheduler, or by hand on its planned date. Whether
 * a period still waits is not decided here.
 */
import { addDays, type CalendarDate, lastDayOf, type Month, monthOf } from "../base/calendar.ts";
import { MOST_OFFSET_DAYS, startIndex } from "./forecast.ts";
import {
  type IssueTiming,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timesOf,
} from "./period.ts";

/** A period, and the month of the date that its invoice will have. */
interface ScheduledPeriod {
  readonly period: SeriesPeriod;
  readonly month: Month;
}

/**
 * Yields the periods whose invoice will be dated today or later, through the month `to`, in the order of the periods. `failed` has
 * the indexes of periods that are tried again. Periods that fell due before the activation are left out, and periods by hand whose
 * planned date is over: a person issues these when they want to.
 */
export function* periodsToInvoice(
  series: Recurrence,
  timing: IssueTiming,
  activated_on: CalendarDate,
  failed: ReadonlySet<number>,
  today: CalendarDate,
  to: Month,
): Generator<ScheduledPeriod> {
  const since = activated_on < today ? activated_on : today;
  const near = startIndex(series, addDays(since, -MOST_OFFSET_DAYS)) ?? Number.POSITIVE_INFINITY;
  const start = Math.min(near, ...failed);
  // The series is over, and nothing of it is tried again.
  if (start === Number.POSITIVE_INFINITY) return;
  for (const period of periodsFrom(series, start)) {
    if (addDays(period.from, -MOST_OFFSET_DAYS) > lastDayOf(to)) return;
    const { issue_date, due_on } = timesOf(period, timing);
    const is_failed = failed.has(period.index);
    if (!is_failed && !isScheduled(due_on, activated_on)) continue;
    const is_late = is_failed || (due_on !== null && due_on < today);
    const date = is_late && issue_date < today ? today : issue_date;
    const month = monthOf(date);
    if (month >= monthOf(today) && month <= to) yield { period, month };
  }
}

/** Whether a period is issued when it falls due; always for a period without such a day, which a person issues. */
export function isScheduled(
  due_on: CalendarDate | null,
  activated_on: CalendarDate | null,
): boolean {
  return due_on === null || due_on >= (activated_on ?? "");
}
