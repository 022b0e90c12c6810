/** The clock is a value, so that tests and sandbox accounts can set it. Only the clock reads the business time. */
import type { Timestamp } from "../../domain/base/brand.ts";
import { type CalendarDate, dayIn } from "../../domain/base/calendar.ts";

export interface Clock {
  /** Returns the current time in UTC with milliseconds. */
  now(): Timestamp;
}

export const systemClock: Clock = { now: () => timestampOf(Date.now()) };

/** Returns a clock that always shows the given time. */
export function stoppedClock(moment: Timestamp): Clock {
  return { now: () => moment };
}

/** Returns today's date in a time zone (spec 0.4). */
export function todayIn(clock: Clock, time_zone: string): CalendarDate {
  return dayIn(time_zone, clock.now());
}

export function timestampOf(milliseconds: number): Timestamp {
  return new Date(milliseconds).toISOString() as Timestamp;
}
