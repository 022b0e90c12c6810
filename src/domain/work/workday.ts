/** The hours that a working day is compared with. */
import type { CalendarDate } from "../base/calendar.ts";

/** A fifth of the 37 hours of a week, the norm where no other is agreed, in 1/100 of an hour. */
export const HOURS_OF_A_WORKDAY = 740n;
/** A day with more hours than this is long. */
export const HOURS_OF_A_LONG_DAY = 1000n;

const WORKDAYS_OF_A_WEEK = 5;

/** Whether hours are missing: a past day from Monday to Friday (weekdays count from 0) without any. */
export function missesHours(
  weekday: number,
  date: CalendarDate,
  today: CalendarDate,
  hours: bigint,
): boolean {
  return weekday < WORKDAYS_OF_A_WEEK && date < today && hours === 0n;
}
