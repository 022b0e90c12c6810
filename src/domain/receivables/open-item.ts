/**
 * Open items (spec 13.2): what a customer owes by an invoice, a reminder, an opening item or a refund, and what a credit note, a
 * payment or an opening credit holds for them. The state of a day follows from what is dated on that day or before.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { type Money, round } from "../base/money.ts";

type ItemKind = "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";

/** An item with all that allocations have taken of it so far. */
export interface OpenItem {
  readonly id: string;
  readonly kind: ItemKind;
  /** Whether it reduces what the customer owes. */
  readonly is_credit: boolean;
  readonly customer_id: string;
  readonly currency: string;
  /** The first day on which something of it is open. */
  readonly date: CalendarDate;
  /** The day from which it no longer counts: reversed, cancelled or settled elsewhere; otherwise null. */
  readonly ended_on: CalendarDate | null;
  /** Gross, above 0, in minor units of its currency. */
  readonly amount: Money;
  /** What it has posted in functional currency, in minor units. */
  readonly functional: Money;
  readonly takes: readonly Take[];
}

/** What one allocation takes of an item, from its date until the day on which it was reversed. */
interface Take {
  readonly date: CalendarDate;
  /** The first day on which it no longer counts; null while it stands. */
  readonly reversed_on: CalendarDate | null;
  /** In minor units of the item's currency. */
  readonly amount: Money;
  /** In minor units of the functional currency. */
  readonly functional: Money;
}

/** What is open of an item, in minor units of its currency and of the functional currency. */
interface OpenAmounts {
  readonly open: Money;
  readonly functional: Money;
}

const NOTHING: OpenAmounts = { open: 0n, functional: 0n };

/** Returns what is open at the end of a day: nothing before the item's date, and nothing after it ended. */
export function openOn(item: OpenItem, day: CalendarDate): OpenAmounts {
  if (day < item.date || isPast(item.ended_on, day)) return NOTHING;
  return lessTakes(
    item,
    item.takes.filter(({ date, reversed_on }) => date <= day && !isPast(reversed_on, day)),
  );
}

/** Returns what is open when all allocations that stand have begun. */
export function openAtLast(item: OpenItem): OpenAmounts {
  if (item.ended_on !== null) return NOTHING;
  return lessTakes(
    item,
    item.takes.filter(({ reversed_on }) => reversed_on === null),
  );
}

/** Returns the least that is open on a day or any later one, in minor units of the item's currency. */
export function leastOpenFrom(item: OpenItem, day: CalendarDate): Money {
  const later = daysOfChange(item).filter((one) => one > day);
  return [day, ...later].reduce<Money>((least, one) => {
    const { open } = openOn(item, one);
    return open < least ? open : least;
  }, item.amount);
}

/** Returns the days on which what is open of the item changes, in order. */
export function daysOfChange(item: OpenItem): CalendarDate[] {
  const days = [item.date, item.ended_on, ...item.takes.flatMap((take) => daysOf(take))];
  return [...new Set(days.filter((day) => day !== null))].sort();
}

/**
 * Returns the functional amount that an allocation takes (spec 13.2, rule 4): what was left less `round(F × open ÷ amount)` of what is
 * open afterwards, never below 0. The last allocation takes the rest.
 */
export function functionalOf(item: OpenItem, taken: Money): Money {
  const { open, functional: left } = openAtLast(item);
  const open_after = open - taken;
  if (open_after === 0n) return left;
  const left_after = round(item.functional * open_after, item.amount);
  return left > left_after ? left - left_after : 0n;
}

/** Returns the item after an allocation has taken something of it. */
export function withTake(item: OpenItem, take: Take): OpenItem {
  return { ...item, takes: [...item.takes, take] };
}

function daysOf({ date, reversed_on }: Take): (CalendarDate | null)[] {
  return [date, reversed_on];
}

function isPast(end: CalendarDate | null, day: CalendarDate): boolean {
  return end !== null && end <= day;
}

function lessTakes(item: OpenItem, takes: readonly Take[]): OpenAmounts {
  return takes.reduce<OpenAmounts>(
    (left, { amount, functional }) => ({
      open: left.open - amount,
      functional: left.functional - functional,
    }),
    { open: item.amount, functional: item.functional },
  );
}
