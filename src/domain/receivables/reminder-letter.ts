/**
 * Reminders (spec 13.7, renteloven §§ 5, 9 a and 9 b): one letter for a customer and a currency lists everything that is overdue. It
 * has the highest level of the items that are due for their next one, and counts for these.
 */
import { addDays, type CalendarDate, daysBetween } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { interestOf } from "./late-interest.ts";
import { leastOpenFrom, type OpenItem } from "./open-item.ts";

/** Amounts are minor units of the functional currency. */
interface ReminderLevel {
  readonly days_after_due: number;
  readonly fee: Money;
  readonly compensation: boolean;
}

export interface ReminderRules {
  readonly levels: readonly ReminderLevel[];
  /** The least days between two reminders that count an item. */
  readonly minimum_days: number;
  /** In minor units of the letter's currency; 0 where the currency has none. */
  readonly compensation: Money;
  readonly minimum_amount: Money;
  /** Whether an item has at most three fees, ten days apart (renteloven § 9 b). */
  readonly is_danish: boolean;
  /** Hundredths of a percent a year; null where the reference rate of the day is missing. Always 0 where no interest is charged. */
  readonly rateOn: (day: CalendarDate) => bigint | null;
}

/** An invoice or opening item with its reminders so far. */
export interface RemindedItem {
  readonly item: OpenItem;
  readonly due_date: CalendarDate;
  /** The days of the reminders that counted it, in order. */
  readonly counted_on: readonly CalendarDate[];
  /** The days of the reminders that counted it and had a fee. */
  readonly fees_on: readonly CalendarDate[];
  readonly is_compensated: boolean;
  /** The last day for which interest was charged; null for none. */
  readonly charged_through: CalendarDate | null;
  /** The last day on which no reminder is sent for it; null for none. */
  readonly hold_until: CalendarDate | null;
}

export interface RemindedCustomer {
  readonly is_person: boolean;
  /** Whether reminders are sent to the customer at all. */
  readonly takes_reminders: boolean;
  /** What credit notes, payments and opening credits hold in the currency, in minor units. */
  readonly credit: Money;
  /** Whether an open bank line is as likely this customer's as anything else. */
  readonly has_unmatched_payment: boolean;
  /** Whether the letter is in functional currency: others have no fee. */
  readonly is_functional: boolean;
}

export const leftOutReasons = [
  "REMINDERS_OFF",
  "ON_HOLD",
  "UNMATCHED_PAYMENT",
  "COVERED_BY_CREDIT",
  "BELOW_MINIMUM",
] as const;
type LeftOutReason = (typeof leftOutReasons)[number];

/** Amounts are minor units of the letter's currency. */
interface LetterItem {
  readonly id: string;
  readonly due_date: CalendarDate;
  readonly open: Money;
  readonly days_overdue: number;
  readonly interest: Money;
  /** The last day for which this letter charges interest; null for none. */
  readonly charged_through: CalendarDate | null;
  readonly compensation: Money;
  /** Whether the letter is the item's next reminder. */
  readonly counts: boolean;
}

export interface Letter {
  /** From 1. */
  readonly level: number;
  readonly fee: Money;
  readonly interest: Money;
  readonly compensation: Money;
  /** What is open and what the letter charges. */
  readonly total: Money;
  readonly items: readonly LetterItem[];
  /** Set where the letter is not sent. */
  readonly left_out: LeftOutReason | null;
  readonly is_rate_missing: boolean;
}

const MOST_FEES = 3;
const DAYS_BETWEEN_FEES = 10;

/**
 * Returns the letter of a customer in one currency on a day; null where nothing is due for a reminder. Interest that is owed for
 * past days of a paid item is a letter of its own where nothing else is due.
 */
export function letterOn(
  day: CalendarDate,
  customer: RemindedCustomer,
  items: readonly RemindedItem[],
  rules: ReminderRules,
): Letter | null {
  const known = items.map((one) => seenOn(one, day, rules));
  const due = known.filter((one) => isDueForNext(one, day, rules));
  const owing = known.filter((one) => isPaidLate(one, day, rules));
  if (due.length === 0 && owing.length === 0) return null;
  const counting = due.filter((one) => !isHeld(one, day));
  const listed = known.filter((one) => !isHeld(one, day) && (one.open > 0n || one.interest > 0n));
  const level = levelOf(due, owing);
  const step = rules.levels[level - 1];
  const has_fee =
    customer.is_functional && counting.some((one) => mayHaveFee(one, day, rules.is_danish));
  const fee = has_fee ? (step?.fee ?? 0n) : 0n;
  const is_compensating = step?.compensation === true && !customer.is_person;
  const shown = listed.map((one): LetterItem => {
    const counts = counting.includes(one);
    return {
      id: one.item.id,
      due_date: one.due_date,
      open: one.open,
      // Both days count in `daysBetween`.
      days_overdue: one.open === 0n ? 0 : daysBetween(one.due_date, day) - 1,
      interest: one.interest,
      charged_through: one.through,
      compensation: counts && is_compensating && !one.is_compensated ? rules.compensation : 0n,
      counts,
    };
  });
  const sumOf = (field: "interest" | "compensation" | "open"): Money =>
    shown.reduce((sum, one) => sum + one[field], 0n);
  const sums = { interest: sumOf("interest"), compensation: sumOf("compensation") };
  const open = sumOf("open");
  return {
    level,
    fee,
    ...sums,
    total: open + fee + sums.interest + sums.compensation,
    items: shown,
    left_out: leftOut(
      customer,
      { is_held: listed.length === 0 || isAllHeld(due, owing, day), open, ...sums },
      rules,
    ),
    is_rate_missing: listed.some(({ is_rate_missing }) => is_rate_missing),
  };
}

/** An item with what is open of it from the day on, and the interest that it owes. */
interface SeenItem extends RemindedItem {
  readonly open: Money;
  readonly interest: Money;
  readonly through: CalendarDate | null;
  readonly is_rate_missing: boolean;
}

/** What is open on the day and on every later one: what a payment takes later is not reminded of. */
function seenOn(one: RemindedItem, day: CalendarDate, rules: ReminderRules): SeenItem {
  const { item, due_date, charged_through } = one;
  const before = addDays(item.date, -1);
  const from = [due_date, before, charged_through ?? due_date].reduce((a, b) => (a > b ? a : b));
  const { amount, ...interest } = interestOf(item, from, day, rules.rateOn);
  const open = due_date < day ? leastOpenFrom(item, day) : 0n;
  return { ...one, open, interest: amount, ...interest };
}

/** Its days are over, and the reminder that counted it last is long enough ago. */
function isDueForNext(one: SeenItem, day: CalendarDate, rules: ReminderRules): boolean {
  const next = rules.levels[one.counted_on.length];
  return next !== undefined && one.open > 0n && isOver(one, next, day, rules);
}

/** It was paid late, and owes interest whose letter waits as long as a reminder would. */
function isPaidLate(one: SeenItem, day: CalendarDate, rules: ReminderRules): boolean {
  const next = rules.levels[one.counted_on.length] ?? rules.levels.at(-1);
  return (
    next !== undefined && one.open === 0n && one.interest > 0n && isOver(one, next, day, rules)
  );
}

function isOver(
  { due_date, counted_on }: SeenItem,
  { days_after_due }: ReminderLevel,
  day: CalendarDate,
  { minimum_days }: ReminderRules,
): boolean {
  const last = counted_on.at(-1);
  return (
    addDays(due_date, days_after_due) <= day &&
    (last === undefined || addDays(last, minimum_days) <= day)
  );
}

/** The highest next level of the items that are due; of interest alone, the highest level that was reached. */
function levelOf(due: readonly SeenItem[], owing: readonly SeenItem[]): number {
  return due.length > 0
    ? Math.max(...due.map(({ counted_on }) => counted_on.length + 1))
    : Math.max(1, ...owing.map(({ counted_on }) => counted_on.length));
}

function isAllHeld(
  due: readonly SeenItem[],
  owing: readonly SeenItem[],
  day: CalendarDate,
): boolean {
  return [...due, ...owing].every((one) => isHeld(one, day));
}

function isHeld({ hold_until }: RemindedItem, day: CalendarDate): boolean {
  return hold_until !== null && day <= hold_until;
}

function mayHaveFee({ fees_on }: SeenItem, day: CalendarDate, is_danish: boolean): boolean {
  if (!is_danish) return true;
  const last = fees_on.at(-1);
  return (
    fees_on.length < MOST_FEES && (last === undefined || addDays(last, DAYS_BETWEEN_FEES) <= day)
  );
}

interface LetterSums {
  /** Whether all that a letter would be sent for is on hold. */
  readonly is_held: boolean;
  readonly open: Money;
  readonly interest: Money;
}

/** Credits cover what is open, or the interest of what is paid. The least amount of a letter includes interest. */
function leftOut(
  customer: RemindedCustomer,
  { is_held, open, interest }: LetterSums,
  rules: ReminderRules,
): LeftOutReason | null {
  if (!customer.takes_reminders) return "REMINDERS_OFF";
  if (is_held) return "ON_HOLD";
  if (customer.has_unmatched_payment) return "UNMATCHED_PAYMENT";
  if (customer.credit >= (open > 0n ? open : interest)) return "COVERED_BY_CREDIT";
  return open + interest < rules.minimum_amount ? "BELOW_MINIMUM" : null;
}
