/** What a day of work is measured against. */
import type { CalendarDate } from "../base/calendar.ts";

/** A fifth of the 37 hours that a week has where nothing else is agreed, in 1/100 of an hour. */
export const HOURS_OF_A_WORKDAY = 740n;
/** From here on a day is long. */
export const HOURS_OF_A_LONG_DAY = 1000n;

const WORKDAYS_OF_A_WEEK = 5;

/** Whether hours are missing: a day from Monday to Friday, counted from 0, has passed without any. */
export function missesHours(
  weekday: number,
  date: CalendarDate,
  today: CalendarDate,
  hours: bigint,
): boolean {
  return weekday < WORKDAYS_OF_A_WEEK && date < today && hours === 0n;
}
