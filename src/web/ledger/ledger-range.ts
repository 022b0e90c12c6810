/** The range of days in the address of a ledger page. */
import {
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  month as monthFrom,
} from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import type { Fields } from "../../platform/http/form.ts";

export interface DayRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Returns the first day that a text names: a day as people type it, or a month `YYYY-MM`. Undefined for other texts. */
export function firstDayIn(
  text: string | undefined,
  today: CalendarDate,
): CalendarDate | undefined {
  const month = monthFrom(text ?? "");
  return month === undefined ? (readDay(text ?? "", today) ?? undefined) : firstDayOf(month);
}

/** Returns the last day that a text names: a day as people type it, or a month `YYYY-MM`. Undefined for other texts. */
export function lastDayIn(text: string | undefined, today: CalendarDate): CalendarDate | undefined {
  const month = monthFrom(text ?? "");
  return month === undefined ? (readDay(text ?? "", today) ?? undefined) : lastDayOf(month);
}

/** Returns the range in the address; the calendar year of `today` through today where it has none, or one that is reversed. */
export function rangeIn({ from, to }: Fields, today: CalendarDate): DayRange {
  const last = lastDayIn(to, today) ?? today;
  const first = firstDayIn(from, today) ?? firstOfYear(last);
  return first <= last ? { from: first, to: last } : { from: firstOfYear(today), to: today };
}

function firstOfYear(day: CalendarDate): CalendarDate {
  return `${day.slice(0, 4)}-01-01` as CalendarDate;
}
