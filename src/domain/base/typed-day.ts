/** Reads a day as people type it: `24.12.`, `24/12-26`, `2026-12-24`, `+14`. The day comes before the month, in both languages. */
import { addDays, addYears, type CalendarDate, calendarDate, daysBetween } from "./calendar.ts";

/**
 * Returns the day that a text means; null for an empty text, undefined for one that means no day. `+14` and `-3` count from
 * `today`. A day without a year is the one nearest to `today`; a year of two digits is in this century.
 */
export function readDay(typed: string, today: CalendarDate): CalendarDate | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  const [, sign, days] = /^([+−-])\s*(\d{1,4})$/.exec(text) ?? [];
  if (days !== undefined) return addDays(today, sign === "+" ? Number(days) : -Number(days));
  const [, iso_year, iso_month, iso_day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (iso_year !== undefined) return dayFrom(iso_year, iso_month, iso_day);
  const [, day, month, year] = DAY_MONTH_YEAR.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (year === undefined) return nearestTo(today, month, day);
  return dayFrom(year.length === 2 ? `20${year}` : year, month, day);
}

/** Day and month with any of the usual separators, and a year of two or four digits. */
const DAY_MONTH_YEAR = /^(\d{1,2})\s*[./ -]\s*(\d{1,2})(?:\s*[./ -]\s*(\d{2}|\d{4}))?\s*\.?$/;

function dayFrom(year: string, month = "", day = ""): CalendarDate | undefined {
  return calendarDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** Returns the day of this year, of the last or of the next one that is nearest to today. 29 February is in the next leap year. */
function nearestTo(today: CalendarDate, month = "", day = ""): CalendarDate | undefined {
  const candidates = [0, -1, 1, 2, 3, 4, 5, 6, 7, 8]
    .map((years) => dayFrom(addYears(today, years).slice(0, 4), month, day))
    .filter((one) => one !== undefined);
  const distance = (one: CalendarDate) => Math.abs(daysBetween(today, one) - 1);
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  return others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first);
}
