/** When allocations are reversed (spec 13.1, rule 7). */
import type { CalendarDate } from "../base/calendar.ts";

interface Lasting {
  readonly date: CalendarDate;
  readonly reversed_on: CalendarDate | null;
}

/**
 * Returns the earliest day on which a payment with these allocations may be reversed: the last day on which one of them began or
 * ended, and not before the payment itself.
 */
export function earliestTakeBack(
  from: CalendarDate,
  allocations: readonly Lasting[],
): CalendarDate {
  return allocations
    .flatMap(({ date, reversed_on }) => [date, reversed_on])
    .filter((day) => day !== null)
    .reduce((latest, day) => (day > latest ? day : latest), from);
}

/** Returns the day that is proposed: today, or the earliest day where that is later. */
export function proposedTakeBack(today: CalendarDate, earliest: CalendarDate): CalendarDate {
  return today > earliest ? today : earliest;
}
