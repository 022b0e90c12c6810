/** Days and months in the sentences of the start page: the year is left out where it is the present one. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { dayInStyle } from "../parts/format.ts";
import type { Language } from "../words/words.ts";

/** Formats a day as `5 October`, or as `5 October 2025` where `today` is in another year. */
export function dayBeside(language: Language, day: CalendarDate, today: CalendarDate): string {
  const style = isOfYear(day, today) ? "date" : "date_year";
  return dayInStyle(language, day, style);
}

/** Formats the month of a day for the start of a sentence, as `October` or `October 2025`. */
export function monthBeside(language: Language, day: CalendarDate, today: CalendarDate): string {
  const style = isOfYear(day, today) ? "month" : "month_year";
  return dayInStyle(language, day, style, true);
}

function isOfYear(day: CalendarDate, today: CalendarDate): boolean {
  return day.slice(0, 4) === today.slice(0, 4);
}
