/**
 * Decides what an opening contract brings along (spec 3.13): what was invoiced elsewhere and is not yet earned, as a contract of
 * one line by `value`. Its own entry books it on the cutover, so that its month counts as booked.
 */
import {
  type CalendarDate,
  lastDayOf,
  lastDayOfMonth,
  type Month,
  monthOf,
} from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { type PeriodLock, requireOpenDate } from "../base/period-lock.ts";
import { type FieldError, Problem } from "../base/problem.ts";
import { type Conversion, functional } from "../sales/totals.ts";
import { earnedMonths, type LineFacts } from "./recognition.ts";
import type { Convention } from "./spread.ts";

/** What a client sends of an opening contract; amounts in minor units, net of VAT. */
interface OpeningTerms {
  readonly invoiced: Money;
  readonly earned: Money;
  readonly service_from: CalendarDate | null;
  readonly service_to: CalendarDate;
  readonly cutover: CalendarDate;
}

/** The longest time over which the rest is earned. */
const MOST_YEARS = 10;

/** Returns the faults of the terms: nothing is left to earn, or the dates do not follow one another. */
export function openingFaults(terms: OpeningTerms, today: CalendarDate): FieldError[] {
  const { invoiced, earned, service_from, service_to, cutover } = terms;
  const faults: FieldError[] = [];
  const refuse = (field: string, code: FieldError["code"], message: string) =>
    faults.push({ field, code, message });
  if (earned >= invoiced) refuse("earned", "too_large", "Nothing is left to earn.");
  if (cutover !== lastDayOfMonth(cutover) || cutover >= today) {
    refuse("cutover", "invalid_value", "The cutover is the last day of a month that has ended.");
  }
  if (service_to <= cutover) {
    refuse("service_to", "invalid_value", "The service ends after the cutover.");
  } else if (service_from !== null && service_to < service_from) {
    refuse("service_to", "too_small", "The period ends before it starts.");
  } else if (Number(service_to.slice(0, 4)) - Number(cutover.slice(0, 4)) > MOST_YEARS) {
    refuse("service_to", "too_large", `The service ends at most ${MOST_YEARS} years later.`);
  }
  return faults;
}

/** What decides whether an opening contract may be posted or ended on a date. */
export interface OpeningPostingFacts {
  readonly date: CalendarDate;
  readonly lock: PeriodLock;
  /** The first later month that is closed, or being closed. */
  readonly later_close: Month | null;
  /** The customer's last month with a booking, also one in progress. */
  readonly booked_through: Month | null;
  /** Throws EXCHANGE_RATE_MISSING. */
  requireRate(): void;
  readonly has_liability_account: boolean;
}

/**
 * Requires that the entry may be booked on its date. Throws LEDGER_MOVING, PERIOD_LOCKED, LATER_PERIOD_CLOSED, LATER_ACCRUAL_BOOKED,
 * EXCHANGE_RATE_MISSING or ACCOUNT_ROLE_MISSING, in that order.
 */
export function requireOpeningPostable(facts: OpeningPostingFacts): void {
  const { date, later_close, booked_through } = facts;
  requireOpenDate(date, facts.lock);
  if (later_close !== null) {
    throw new Problem("LATER_PERIOD_CLOSED", { details: { month: later_close } });
  }
  if (booked_through !== null && booked_through > monthOf(date)) {
    throw new Problem("LATER_ACCRUAL_BOOKED", { details: { month: booked_through } });
  }
  facts.requireRate();
  if (!facts.has_liability_account) {
    throw new Problem("ACCOUNT_ROLE_MISSING", { details: { roles: ["contract_liability"] } });
  }
}

/** Returns the fault of a day on which a contract cannot end: only the last day of a month from the cutover on ends one. */
export function endFaults(date: CalendarDate, cutover: CalendarDate): FieldError[] {
  if (date === lastDayOf(monthOf(date)) && date >= cutover) return [];
  const message = `A contract ends on the last day of a month, ${cutover} or later.`;
  return [{ field: "date", code: "invalid_value", message }];
}

/**
 * Returns what is not earned by the end of a date, in the contract's currency and in functional currency. The conversion is null
 * for a contract in functional currency; `booked` is the contract's amount in functional currency.
 */
export function leftAfter(
  facts: LineFacts & { readonly amount: Money },
  convention: Convention,
  date: CalendarDate,
  { conversion, booked }: { readonly conversion: Conversion | null; readonly booked: Money },
): { readonly returned: Money; readonly returned_functional: Money } {
  const months = earnedMonths(facts, convention, monthOf(date));
  const earned = months.reduce((sum, one) => sum + one.earned, 0n);
  const returned = facts.amount - earned;
  if (conversion === null) return { returned, returned_functional: returned };
  // What was earned is booked at the rate; a contract that is all earned has nothing left in either currency.
  const returned_functional = returned === 0n ? 0n : booked - functional(earned, conversion);
  return { returned, returned_functional };
}
