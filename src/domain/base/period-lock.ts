/** Through which day nothing is booked, and the refusals for a date that is locked. */
import type { CalendarDate } from "./calendar.ts";
import { Problem } from "./problem.ts";

export interface PeriodLock {
  /** Nothing is booked on or before this day; null: nothing is locked. */
  readonly period_lock_date: CalendarDate | null;
  /** The name of the accounting system whose lock it is; null or absent for that of the configuration. */
  readonly locked_by?: string | null;
}

/** Returns when a document may be dated so. Throws PERIOD_LOCKED, which says whose lock it is. */
export function requireOpenDate(
  date: CalendarDate,
  { period_lock_date, locked_by: ledger = null }: PeriodLock,
): void {
  if (period_lock_date === null || date > period_lock_date) return;
  if (ledger === null) throw new Problem("PERIOD_LOCKED", { details: { date, period_lock_date } });
  throw new Problem("PERIOD_LOCKED", {
    message: `${date} is locked in ${ledger}: nothing is booked there on or before ${period_lock_date}.`,
    details: { date, period_lock_date, ledger },
  });
}

/** PERIOD_LOCKED for a date that the accounting system refused; how far its lock goes is not known. */
export function lockedThere(date: string, ledger: string): Problem {
  return new Problem("PERIOD_LOCKED", {
    message: `The period of ${date} is locked in ${ledger}; nothing was booked.`,
    details: { date, ledger },
  });
}
