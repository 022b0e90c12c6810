/**
 * The statement of account of a customer in one currency (spec 13.8): what the items changed day by day, and the balance after each
 * change. Its balance is always what is open of the customer's debit items less what is open of the credit items.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { groupedBy } from "../base/group.ts";
import type { Money } from "../base/money.ts";
import { type Aging, agingOn } from "./aging.ts";
import type { NumberedItem } from "./item-of-document.ts";
import { openOn } from "./open-item.ts";

type ItemKind = NumberedItem["kind"];

/** An item as an allocation names it. */
export interface AllocatedItem {
  readonly id: string;
  readonly kind: ItemKind;
  readonly number: string;
  readonly customer_id: string;
}

/** An allocation of at least one item of the customer, with amounts in minor units of the currency. */
export interface StatedAllocation {
  readonly debit: AllocatedItem;
  readonly credit: AllocatedItem;
  readonly amount: Money;
  readonly rounding: Money;
  readonly date: CalendarDate;
  /** The first day on which it no longer counts; null while it stands. */
  readonly reversed_on: CalendarDate | null;
}

export const statementLineKinds = [
  "invoice",
  "credit_note",
  "payment",
  "refund",
  "reminder",
  "opening",
  "rounding",
  "transfer",
] as const;

/** A change of the balance. Amounts are minor units; one of debit and credit is 0. */
export interface BalanceChange {
  readonly date: CalendarDate;
  /** A rounding belongs to a debit item; a transfer is an allocation to or from an item of another customer. */
  readonly kind: (typeof statementLineKinds)[number];
  /** The number of the customer's own item. */
  readonly number: string;
  /** The kind of the customer's own item. */
  readonly of: ItemKind;
  /** Whether the change undoes an earlier one. */
  readonly is_reversal: boolean;
  readonly due_date: CalendarDate | null;
  readonly debit: Money;
  readonly credit: Money;
  /** What the customer owes afterwards; below 0 what is held for the customer. */
  readonly balance: Money;
  /** What the item is applied to, or the item of the other customer, by the end of the statement. */
  readonly applied: readonly AppliedItem[];
}

export interface AppliedItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly amount: Money;
}

export interface AccountStatement {
  readonly opening_balance: Money;
  readonly closing_balance: Money;
  readonly lines: readonly BalanceChange[];
  /** What is open of the debit items on the last day, by age. */
  readonly aging: Aging;
  /** What is open of the credit items: `closing_balance = aging.total - unapplied`. */
  readonly unapplied: Money;
}

/** The customer and the first and last day of a statement. */
interface StatedPeriod {
  readonly customer_id: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

type Change = Omit<BalanceChange, "debit" | "credit" | "balance"> & { readonly change: Money };

/**
 * Returns the statement of a period. The items are all of the customer's in the currency, and the allocations all that join one
 * of them. What is dated after the period changes nothing in it.
 */
export function accountStatement(
  period: StatedPeriod,
  items: readonly NumberedItem[],
  allocations: readonly StatedAllocation[],
): AccountStatement {
  const { from, to } = period;
  const known = new Map(items.map((item) => [item.id, item]));
  const effective = allocations.filter((allocation) => standsOn(allocation, to));
  const by_item = {
    debit: groupedBy(effective, ({ debit }) => debit.id),
    credit: groupedBy(effective, ({ credit }) => credit.id),
  };
  const changes = [
    ...items.flatMap((item) => changesOfItem(item, appliedBy(item, by_item))),
    ...allocations.flatMap((allocation) => changesOfAllocation(allocation, known)),
  ]
    .filter(({ change, date }) => change !== 0n && date <= to)
    .sort(inOrder);
  const opening_balance = sumOf(changes.filter(({ date }) => date < from));
  let balance = opening_balance;
  const lines = changes
    .filter(({ date }) => date >= from)
    .map(({ change, ...line }): BalanceChange => {
      balance += change;
      const [debit, credit] = change > 0n ? [change, 0n] : [0n, -change];
      return { ...line, debit, credit, balance };
    });
  const open = items.map((item) => ({ item, open: openOn(item, to).open }));
  const owed = open.filter(({ item }) => !item.is_credit);
  const aged = owed.map((one) => ({
    due_date: one.item.due_date ?? one.item.date,
    open: one.open,
  }));
  const held = open.filter(({ item }) => item.is_credit);
  return {
    opening_balance,
    closing_balance: balance,
    lines,
    aging: agingOn(to, aged),
    unapplied: held.reduce((sum, one) => sum + one.open, 0n),
  };
}

/** What an item adds on its date, and what is left of it that no longer counts from its end on. */
function changesOfItem(item: NumberedItem, applied: readonly AppliedItem[]): Change[] {
  const { date, kind, number, due_date, ended_on, amount, is_credit } = item;
  const line = { kind, number, of: kind, due_date };
  const sign = is_credit ? -1n : 1n;
  const booked = { ...line, date, is_reversal: false, applied, change: sign * amount };
  if (ended_on === null) return [booked];
  const left = amount - takenOn(item, ended_on);
  const ended = { date: ended_on, due_date: null, is_reversal: true, applied: [] };
  return [booked, { ...line, ...ended, change: -sign * left }];
}

/** What an allocation changes: its rounding, and more where only one of both items is the customer's. */
function changesOfAllocation(
  allocation: StatedAllocation,
  known: ReadonlyMap<string, NumberedItem>,
): Change[] {
  const { debit, credit, amount, rounding, date, reversed_on } = allocation;
  const [own_debit, own_credit] = [known.get(debit.id), known.get(credit.id)];
  const own = own_debit ?? own_credit;
  if (own === undefined) return [];
  const is_transfer = own_debit === undefined || own_credit === undefined;
  const other = own_debit === undefined ? debit : credit;
  const line = {
    kind: is_transfer ? ("transfer" as const) : ("rounding" as const),
    number: own.number,
    of: own.kind,
    due_date: null,
    applied: is_transfer ? [{ kind: other.kind, number: other.number, amount }] : [],
  };
  const changeOn = (day: CalendarDate): Money =>
    (counts(own_credit, day) ? amount : 0n) - (counts(own_debit, day) ? amount + rounding : 0n);
  const made = { ...line, date, is_reversal: false, change: changeOn(date) };
  if (reversed_on === null) return [made];
  return [made, { ...line, date: reversed_on, is_reversal: true, change: -changeOn(reversed_on) }];
}

/** Whether an item of the customer still counts on a day; its last day is included. */
function counts(item: NumberedItem | undefined, day: CalendarDate): boolean {
  return item !== undefined && (item.ended_on === null || day <= item.ended_on);
}

function takenOn(item: NumberedItem, day: CalendarDate): Money {
  return item.takes
    .filter((take) => take.date <= day && (take.reversed_on === null || take.reversed_on > day))
    .reduce((sum, take) => sum + take.amount, 0n);
}

function standsOn({ date, reversed_on }: StatedAllocation, day: CalendarDate): boolean {
  return date <= day && (reversed_on === null || reversed_on > day);
}

type AllocationsOfItems = ReadonlyMap<string, readonly StatedAllocation[]>;

/** Names what a payment, a credit or a refund is applied to on the last day. Invoices and reminders name nothing. */
function appliedBy(
  { id, kind, is_credit }: NumberedItem,
  by_item: { readonly debit: AllocationsOfItems; readonly credit: AllocationsOfItems },
): AppliedItem[] {
  if (!is_credit && kind !== "refund") return [];
  const own = (is_credit ? by_item.credit : by_item.debit).get(id) ?? [];
  return own.map(({ debit, credit, amount }) => {
    const other = is_credit ? debit : credit;
    return { kind: other.kind, number: other.number, amount };
  });
}

/** By date; on one day what is owed comes before what reduces it, and each in the order of the numbers. */
function inOrder(a: Change, b: Change): number {
  return (
    compare(a.date, b.date) ||
    statementLineKinds.indexOf(a.kind) - statementLineKinds.indexOf(b.kind) ||
    a.number.length - b.number.length ||
    compare(a.number, b.number) ||
    compare(a.is_reversal, b.is_reversal)
  );
}

function compare<Value extends string | boolean>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sumOf(changes: readonly Change[]): Money {
  return changes.reduce((sum, { change }) => sum + change, 0n);
}
