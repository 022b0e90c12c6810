/** Checks when an accrual may be booked, and when its booking may be reversed (spec 3.8). */
import { addToMonth, type CalendarDate, lastDayOf, type Month, monthOf } from "../base/calendar.ts";
import { type PeriodLock, requireOpenDate } from "../base/period-lock.ts";
import { Problem } from "../base/problem.ts";

export interface AccrualBookingFacts {
  readonly month: Month;
  readonly today: CalendarDate;
  readonly lock: PeriodLock;
  /** The customer's last booked month. */
  readonly booked_through: Month | null;
  /** The first open month before this one with an unbooked difference. */
  readonly earlier_open: Month | null;
  /** Account roles that the voucher needs and that have no account. */
  readonly missing_roles: readonly string[];
  /** The first currency and month without a closing rate; null when all rates are known. */
  readonly missing_rate: { readonly currency: string; readonly month: Month } | null;
}

/**
 * Checks that the accrual may be booked. Throws PERIOD_NOT_ENDED, PERIOD_LOCKED, LATER_ACCRUAL_BOOKED, EARLIER_ACCRUAL_OPEN,
 * EXCHANGE_RATE_MISSING or ACCOUNT_ROLE_MISSING, in that order.
 */
export function requireBookable(facts: AccrualBookingFacts): void {
  const { month, booked_through, earlier_open } = facts;
  requireEnded(month, facts.today);
  requireUnlocked(month, facts.lock);
  if (booked_through !== null && booked_through > month) {
    throw new Problem("LATER_ACCRUAL_BOOKED", { details: { month: booked_through } });
  }
  if (earlier_open !== null) {
    throw new Problem("EARLIER_ACCRUAL_OPEN", { details: { month: earlier_open } });
  }
  // Without rates, the roles that the voucher needs are unknown.
  if (facts.missing_rate !== null) {
    throw new Problem("EXCHANGE_RATE_MISSING", { details: { ...facts.missing_rate } });
  }
  if (facts.missing_roles.length > 0) {
    throw new Problem("ACCOUNT_ROLE_MISSING", { details: { roles: facts.missing_roles } });
  }
}

/** Requires that the month has ended. Throws PERIOD_NOT_ENDED while the last day of the month is today or in the future. */
export function requireEnded(month: Month, today: CalendarDate): void {
  if (lastDayOf(month) >= today) throw new Problem("PERIOD_NOT_ENDED", { details: { month } });
}

export interface RoleAccounts {
  readonly contract_asset: number | null;
  readonly contract_liability: number | null;
  readonly exchange_difference: number | null;
}

/**
 * Checks that a close may begin: every role that one of its vouchers may need has an account. Only lines in another currency have
 * exchange differences. Throws ACCOUNT_ROLE_MISSING with the roles.
 */
export function requireRoles(accounts: RoleAccounts, has_foreign: boolean): void {
  const roles = (["contract_asset", "contract_liability", "exchange_difference"] as const).filter(
    (role) => accounts[role] === null && (role !== "exchange_difference" || has_foreign),
  );
  if (roles.length > 0) throw new Problem("ACCOUNT_ROLE_MISSING", { details: { roles } });
}

/** Whether a voucher of the month, dated its last day, can no longer be booked. */
export function isLocked(month: Month, period_lock_date: CalendarDate | null): boolean {
  return period_lock_date !== null && lastDayOf(month) <= period_lock_date;
}

/** The last month that ends on or before the lock date. */
export function lockedThrough(period_lock_date: CalendarDate | null): Month | null {
  if (period_lock_date === null) return null;
  const month = monthOf(period_lock_date);
  return lastDayOf(month) <= period_lock_date ? month : addToMonth(month, -1);
}

/** Requires that the voucher, dated the last day of the month, can be booked. Throws PERIOD_LOCKED. */
export function requireUnlocked(month: Month, lock: PeriodLock): void {
  requireOpenDate(lastDayOf(month), lock);
}

/** Throws PERIOD_CLOSED if the lock date moves back behind the end of `closed`, the last month that a close locked. */
export function requireLockKept(
  before: CalendarDate | null,
  after: CalendarDate | null,
  closed: Month | null,
): void {
  const moves_back = before !== null && (after === null || after < before);
  if (!moves_back || closed === null) return;
  if (after !== null && after >= lastDayOf(closed)) return;
  throw new Problem("PERIOD_CLOSED", { details: { month: closed } });
}

/** Returns the lock date after a reversal: the date before the close or the end of `closed`, whichever is later. */
export function lockAfterReopening(
  before: CalendarDate | null,
  closed: Month | null,
): CalendarDate | null {
  const held = closed === null ? null : lastDayOf(closed);
  if (before === null || held === null) return before ?? held;
  return before > held ? before : held;
}

/** Requires that a booking may be reversed. Throws ACCRUAL_NOT_BOOKED, LATER_ACCRUAL_BOOKED or PERIOD_LOCKED, in that order. */
export function requireReopenable(facts: {
  readonly month: Month;
  readonly is_booked: boolean;
  readonly booked_through: Month | null;
  readonly lock: PeriodLock;
}): void {
  const { month, booked_through } = facts;
  if (!facts.is_booked) throw new Problem("ACCRUAL_NOT_BOOKED");
  if (booked_through !== null && booked_through > month) {
    throw new Problem("LATER_ACCRUAL_BOOKED", { details: { month: booked_through } });
  }
  requireUnlocked(month, facts.lock);
}
