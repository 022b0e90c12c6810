/**
 * Allocations (spec 13.2): each joins one debit item and one credit item of the same currency. Its date is the earliest day from
 * which both items have room on every later day as well, so that no earlier day ever changes.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { type Money, round } from "../base/money.ts";
import {
  daysOfChange,
  functionalOf,
  leastOpenFrom,
  type OpenItem,
  openAtLast,
  withTake,
} from "./open-item.ts";

/** What is asked for, in minor units of the currency of both items. */
export interface AskedAllocation {
  readonly debit: OpenItem;
  readonly credit: OpenItem;
  /** Above 0: what is taken of the credit item. */
  readonly amount: Money;
  /** What the debit item loses beyond the amount; below 0 where the customer paid more. */
  readonly rounding: Money;
  /** The earliest day that is wanted; null for the later date of the two items. */
  readonly date: CalendarDate | null;
  /** Whether the credit note is one of this invoice: the invoice then loses exactly what the credit note posted (rule 5). */
  readonly is_own_credit?: boolean;
}

/** An allocation that may stand. Functional amounts are minor units of the functional currency. */
interface Allocation {
  readonly date: CalendarDate;
  readonly amount: Money;
  readonly rounding: Money;
  /** Taken of the debit item. */
  readonly debit_functional: Money;
  /** Taken of the credit item. */
  readonly credit_functional: Money;
  /** The share of the rounding in what the debit item posted. */
  readonly rounding_functional: Money;
  /** A gain is above 0; 0 in functional currency. */
  readonly exchange_difference: Money;
}

/** What an allocation does: itself, and both items after it. */
export interface Allocated {
  readonly state: "allocated";
  readonly allocation: Allocation;
  readonly debit: OpenItem;
  readonly credit: OpenItem;
}

/** An allocation that has no room on any day: what is open of the item that is too small. */
interface NoRoom {
  readonly state: "no_room";
  readonly of: "debit" | "credit";
  readonly open: Money;
}

/** Joins two items. Throws a RangeError for items of two currencies, of the wrong side, or amounts of which nothing is taken. */
export function allocateItems(asked: AskedAllocation): Allocated | NoRoom {
  const { debit, credit, amount, rounding } = asked;
  const of_debit = amount + rounding;
  if (debit.currency !== credit.currency) throw new RangeError("the currencies differ");
  if (debit.is_credit || !credit.is_credit) throw new RangeError("a debit item meets a credit");
  if (amount <= 0n || of_debit <= 0n) throw new RangeError("an allocation takes something");
  const date = earliestDay(asked);
  if (date === null) {
    const open = openAtLast(debit).open;
    return open < of_debit
      ? { state: "no_room", of: "debit", open }
      : { state: "no_room", of: "credit", open: openAtLast(credit).open };
  }
  const allocation = { date, amount, rounding, ...functionalAmounts(asked) };
  const { debit_functional, credit_functional } = allocation;
  return {
    state: "allocated",
    allocation,
    debit: withTake(debit, takeOf(date, of_debit, debit_functional)),
    credit: withTake(credit, takeOf(date, amount, credit_functional)),
  };
}

/** Returns the first day that has room (rule 3); null when none has. */
function earliestDay({ debit, credit, amount, rounding, date }: AskedAllocation) {
  const first = [debit.date, credit.date, date ?? debit.date].reduce((a, b) => (a > b ? a : b));
  const later = [...daysOfChange(debit), ...daysOfChange(credit)].filter((day) => day > first);
  const days = [first, ...later.sort()];
  const hasRoom = (day: CalendarDate): boolean =>
    leastOpenFrom(debit, day) >= amount + rounding && leastOpenFrom(credit, day) >= amount;
  return days.find(hasRoom) ?? null;
}

function functionalAmounts({ debit, credit, amount, rounding, is_own_credit }: AskedAllocation) {
  const credit_functional = functionalOf(credit, amount);
  const rounding_functional = round(debit.functional * rounding, debit.amount);
  const { open, functional: left } = openAtLast(debit);
  const is_last = open === amount + rounding;
  const debit_functional =
    is_own_credit && !is_last
      ? least(credit_functional, left)
      : functionalOf(debit, amount + rounding);
  return {
    debit_functional,
    credit_functional,
    rounding_functional,
    exchange_difference: credit_functional + rounding_functional - debit_functional,
  };
}

function least(a: Money, b: Money): Money {
  return a < b ? a : b;
}

function takeOf(date: CalendarDate, amount: Money, functional: Money) {
  return { date, reversed_on: null, amount, functional };
}
