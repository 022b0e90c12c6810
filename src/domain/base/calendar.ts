/**
 * Days and months as branded text, which compare with `<`. Temporal computes inside this file only:
 * its objects are values that do not compare.
 */
import { Temporal } from "temporal-polyfill";
import type { Brand, Timestamp } from "./brand.ts";

/** A day, `YYYY-MM-DD`. */
export type CalendarDate = Brand<string, "CalendarDate">;
/** A month, `YYYY-MM`. */
export type Month = Brand<string, "Month">;

/** The day that the text names; undefined when there is no such day, or it is not between 1900 and 2199. */
export function calendarDate(text: string): CalendarDate | undefined {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return undefined;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return text as CalendarDate;
  } catch {
    return undefined;
  }
}

/** The calendar day of a moment in a time zone: what "today" means for an account (spec 0.4). */
export function dayIn(time_zone: string, moment: Timestamp): CalendarDate {
  return Temporal.Instant.from(moment)
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
    .toString() as CalendarDate;
}

/** Whether the text is an IANA time zone name. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}

export function addDays(day: CalendarDate, days: number): CalendarDate {
  return Temporal.PlainDate.from(day).add({ days }).toString() as CalendarDate;
}

/** Moves a day by whole years; 29 February becomes 28 February where it has to. */
export function addYears(day: CalendarDate, years: number): CalendarDate {
  return Temporal.PlainDate.from(day).add({ years }).toString() as CalendarDate;
}

/** Moves a day by whole months; a day that the month lacks becomes its last one. */
export function addMonths(day: CalendarDate, months: number): CalendarDate {
  return Temporal.PlainDate.from(day).add({ months }).toString() as CalendarDate;
}

/** Days from the first through the last, both included; 1 for the same day. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1;
}

/** The Monday on or before a day. */
export function mondayOf(day: CalendarDate): CalendarDate {
  const date = Temporal.PlainDate.from(day);
  return date.subtract({ days: date.dayOfWeek - 1 }).toString() as CalendarDate;
}

/** The ISO 8601 week of a day, with the year that the week belongs to. */
export function weekOf(day: CalendarDate): { readonly year: number; readonly week: number } {
  const date = Temporal.PlainDate.from(day);
  return { year: date.yearOfWeek ?? date.year, week: date.weekOfYear ?? 1 };
}

export function lastDayOfMonth(day: CalendarDate): CalendarDate {
  const date = Temporal.PlainDate.from(day);
  return date.with({ day: date.daysInMonth }).toString() as CalendarDate;
}

export function monthOf(day: CalendarDate): Month {
  return day.slice(0, 7) as Month;
}

/** The month that the text names; undefined when it is none, or not between 1900 and 2199. */
export function month(text: string): Month | undefined {
  return /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : undefined;
}

/** The month so many months later, or earlier for a negative number. */
export function addToMonth(start: Month, months: number): Month {
  const at = Number(start.slice(0, 4)) * 12 + Number(start.slice(5)) - 1 + months;
  const year = String(Math.floor(at / 12)).padStart(4, "0");
  return `${year}-${String((at % 12) + 1).padStart(2, "0")}` as Month;
}

/** How many months the second is after the first; 0 for the same. */
export function monthsApart(from: Month, to: Month): number {
  const count = (text: Month) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5));
  return count(to) - count(from);
}

/** The months from the first through the last; none when the last is earlier. */
export function monthsFrom(from: Month, to: Month): Month[] {
  return Array.from({ length: Math.max(0, monthsApart(from, to) + 1) }, (_, index) =>
    addToMonth(from, index),
  );
}

export function daysInMonth(text: Month): number {
  const year = Number(text.slice(0, 4));
  const number = Number(text.slice(5));
  if (number === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(number) ? 30 : 31;
}

export function firstDayOf(text: Month): CalendarDate {
  return `${text}-01` as CalendarDate;
}

export function lastDayOf(text: Month): CalendarDate {
  return `${text}-${daysInMonth(text)}` as CalendarDate;
}
