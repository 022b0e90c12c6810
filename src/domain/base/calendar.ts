/**
 * Dates and months as branded text, which compare with `<`. Calculations use day numbers, because reports move dates
 * millions of times. Temporal provides the time zones, and the test compares the day numbers with Temporal's.
 */
import { Temporal } from "temporal-polyfill";
import type { Brand, Timestamp } from "./brand.ts";

/** A date, `YYYY-MM-DD`. */
export type CalendarDate = Brand<string, "CalendarDate">;
/** A month, `YYYY-MM`. */
export type Month = Brand<string, "Month">;

/** Years count from March here, so that the leap day is the last of its year; every 400 such years have the same days. */
const DAYS_OF_ERA = 146_097;
/** Days from the first day of the first era to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

/** Days since 1970-01-01. */
function numberOf(day: CalendarDate): number {
  const month = Number(day.slice(5, 7));
  const year = yearOf(day) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const year_of_era = year - era * 400;
  const from_march = (month + 9) % 12;
  const day_of_year = Math.floor((153 * from_march + 2) / 5) + Number(day.slice(8)) - 1;
  const leap_days = Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100);
  return era * DAYS_OF_ERA + year_of_era * 365 + leap_days + day_of_year - DAYS_BEFORE_1970;
}

function dayOf(number: number): CalendarDate {
  const days = number + DAYS_BEFORE_1970;
  const era = Math.floor(days / DAYS_OF_ERA);
  const day_of_era = days - era * DAYS_OF_ERA;
  const without_leap_days =
    day_of_era -
    Math.floor(day_of_era / 1_460) +
    Math.floor(day_of_era / 36_524) -
    Math.floor(day_of_era / 146_096);
  const year_of_era = Math.floor(without_leap_days / 365);
  const leap_days = Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100);
  const day_of_year = day_of_era - (365 * year_of_era + leap_days);
  const from_march = Math.floor((5 * day_of_year + 2) / 153);
  const day = day_of_year - Math.floor((153 * from_march + 2) / 5) + 1;
  const month = from_march < 10 ? from_march + 3 : from_march - 9;
  const year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as CalendarDate;
}

function pad(value: number, digits: number): string {
  const text = `${value}`;
  return text.length < digits ? text.padStart(digits, "0") : text;
}

function yearOf(text: CalendarDate | Month): number {
  return Number(text.slice(0, 4));
}

/** Returns the date with this text; undefined when there is no such date, or it is not between 1900 and 2199. */
export function calendarDate(text: string): CalendarDate | undefined {
  if (!/^(19|20|21)\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text)) return undefined;
  const day = Number(text.slice(8));
  return day >= 1 && day <= daysInMonth(text.slice(0, 7) as Month)
    ? (text as CalendarDate)
    : undefined;
}

/** The length of `2026-11-22T16:58`. */
const MINUTE_LENGTH = 16;
/** Since this month, days begin and offsets change at whole minutes of UTC in every time zone; Liberia was the last to change. */
const WHOLE_MINUTES_SINCE = "1972-02";

/** The last requested minute of each time zone, with its day: work on thousands of items asks for the same minute. */
const known_minutes = new Map<string, { readonly minute: string; readonly day: CalendarDate }>();

/** Returns the calendar date of a time in a time zone: "today" of an account is defined by this (spec 0.4). */
export function dayIn(time_zone: string, moment: Timestamp): CalendarDate {
  const minute = moment.slice(0, MINUTE_LENGTH);
  const known = known_minutes.get(time_zone);
  if (known?.minute === minute) return known.day;
  const day = Temporal.Instant.from(moment)
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
    .toString() as CalendarDate;
  if (minute >= WHOLE_MINUTES_SINCE) known_minutes.set(time_zone, { minute, day });
  return day;
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
  return dayOf(numberOf(day) + days);
}

/** Moves a date by whole years; 29 February becomes 28 February in years without it. */
export function addYears(day: CalendarDate, years: number): CalendarDate {
  return addMonths(day, 12 * years);
}

/** Moves a date by whole months; a day that the month lacks becomes the month's last day. */
export function addMonths(day: CalendarDate, months: number): CalendarDate {
  const moved = addToMonth(monthOf(day), months);
  const last = daysInMonth(moved);
  return (Number(day.slice(8)) > last ? `${moved}-${last}` : moved + day.slice(7)) as CalendarDate;
}

/** Counts days from the first through the last date, both included; 1 for the same date. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return numberOf(to) - numberOf(from) + 1;
}

/** The Monday on or before a day. */
export function mondayOf(day: CalendarDate): CalendarDate {
  const number = numberOf(day);
  return dayOf(number - weekdayOf(number));
}

/** 0 for Monday; the constant follows from 1970-01-01, a Thursday. */
function weekdayOf(number: number): number {
  return (((number + 3) % 7) + 7) % 7;
}

/** The ISO 8601 week of a day, with the year of its Thursday, to which the week belongs. */
export function weekOf(day: CalendarDate): { readonly year: number; readonly week: number } {
  const number = numberOf(day);
  const thursday = number - weekdayOf(number) + 3;
  const year = yearOf(dayOf(thursday));
  const first = numberOf(firstDayOf(`${pad(year, 4)}-01` as Month));
  return { year, week: Math.floor((thursday - first) / 7) + 1 };
}

/** The key of the ISO 8601 week of a day: `2026-W47`. */
export function weekKeyOf(day: CalendarDate): string {
  const { year, week } = weekOf(day);
  return `${pad(year, 4)}-W${pad(week, 2)}`;
}

/** The Monday of the week with a key; for a week 53 that the year lacks, that of the next week. Undefined for an invalid key. */
export function mondayOfWeek(key: string): CalendarDate | undefined {
  const match = /^((?:19|20|21)\d\d)-W(0[1-9]|[1-4]\d|5[0-3])$/.exec(key);
  if (!match) return undefined;
  // 4 January is always in week 1.
  const first = mondayOf(`${match[1]}-01-04` as CalendarDate);
  return addDays(first, 7 * (Number(match[2]) - 1));
}

export function lastDayOfMonth(day: CalendarDate): CalendarDate {
  return lastDayOf(monthOf(day));
}

export function monthOf(day: CalendarDate): Month {
  return day.slice(0, 7) as Month;
}

/** The month with this text; undefined when it is invalid, or not between 1900 and 2199. */
export function month(text: string): Month | undefined {
  return /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : undefined;
}

/** The month the given number of months later, or earlier for a negative number. */
export function addToMonth(start: Month, months: number): Month {
  const at = Number(start.slice(0, 4)) * 12 + Number(start.slice(5)) - 1 + months;
  return `${pad(Math.floor(at / 12), 4)}-${pad((at % 12) + 1, 2)}` as Month;
}

/** Returns how many months the second month is after the first; 0 for the same month. */
export function monthsApart(from: Month, to: Month): number {
  const count = (text: Month) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5));
  return count(to) - count(from);
}

/** The months from the first through the last; empty when the last is earlier. */
export function monthsFrom(from: Month, to: Month): Month[] {
  const months: Month[] = [];
  for (let month = from; month <= to; month = addToMonth(month, 1)) months.push(month);
  return months;
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
