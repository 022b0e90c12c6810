/** The day through which periods are locked, and the refusals for a locked date. */
import type { CalendarDate } from "./calendar.ts";
import { Problem } from "./problem.ts";

export interface PeriodLock {
  /** The last day on which nothing may be booked any more; null when nothing is locked. */
  readonly period_lock_date: CalendarDate | null;
  /** The name of the accounting system that has the lock; null or absent for the lock of the configuration. */
  readonly locked_by?: string | null;
  /** Whether the books are being moved to another ledger: no date is open meanwhile. */
  readonly is_moving?: boolean;
}

/** Throws LEDGER_MOVING, or PERIOD_LOCKED with the owner of the lock, unless a document may have this date. */
export function requireOpenDate(
  date: CalendarDate,
  { period_lock_date, locked_by: ledger = null, is_moving = false }: PeriodLock,
): void {
  if (is_moving) throw new Problem("LEDGER_MOVING");
  if (period_lock_date === null || date > period_lock_date) return;
  if (ledger === null) throw new Problem("PERIOD_LOCKED", { details: { date, period_lock_date } });
  throw new Problem("PERIOD_LOCKED", {
    message: `${date} is locked in ${ledger}: no booking there may be dated on or before ${period_lock_date}.`,
    details: { date, period_lock_date, ledger },
  });
}

/** PERIOD_LOCKED for a date that the accounting system refused; the end of its lock is not known. */
export function lockedInLedger(date: string, ledger: string): Problem {
  return new Problem("PERIOD_LOCKED", {
    message: `The period of ${date} is locked in ${ledger}; nothing was booked.`,
    details: { date, ledger },
  });
}
