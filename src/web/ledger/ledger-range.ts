/** The range of days in the address of a ledger page. */
import {
  type CalendarDate,
  calendarDate,
  firstDayOf,
  lastDayOf,
  month as monthFrom,
} from "../../domain/base/calendar.ts";
import type { Fields } from "../../platform/http/form.ts";

export interface DayRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Returns the first day that a text names: a day, or a month. Undefined for other texts. */
export function firstDayIn(text: string | undefined): CalendarDate | undefined {
  const month = monthFrom(text ?? "");
  return month === undefined ? calendarDate(text ?? "") : firstDayOf(month);
}

/** Returns the last day that a text names: a day, or a month. Undefined for other texts. */
export function lastDayIn(text: string | undefined): CalendarDate | undefined {
  const month = monthFrom(text ?? "");
  return month === undefined ? calendarDate(text ?? "") : lastDayOf(month);
}

/** Returns the range in the address; the calendar year of `today` through today where it has none, or one that is reversed. */
export function rangeIn({ from, to }: Fields, today: CalendarDate): DayRange {
  const last = lastDayIn(to) ?? today;
  const first = firstDayIn(from) ?? firstOfYear(last);
  return first <= last ? { from: first, to: last } : { from: firstOfYear(today), to: today };
}

function firstOfYear(day: CalendarDate): CalendarDate {
  return `${day.slice(0, 4)}-01-01` as CalendarDate;
}
