/**
 * Decides a payment or refund (spec 13.3): what it takes of which items, when, and what is left on customer credit. A credit that
 * is named with an invoice is applied first, by an allocation of its own.
 */
import type { CalendarDate } from "../base/calendar.ts";
import { currencyDigits } from "../base/currency.ts";
import { type Money, scaledToNumber } from "../base/money.ts";
import { type PeriodLock, requireOpenDate } from "../base/period-lock.ts";
import { type FieldError, Problem } from "../base/problem.ts";
import { type Allocated, allocateItems } from "./allocation.ts";
import { type OpenItem, openAtLast } from "./open-item.ts";
import { sharesOf } from "./share-payment.ts";

/** A part of what a payment pays, or of what a refund gives back, as it was asked for. */
export interface AskedPart {
  /** The path of the part in the request: `allocations[0]`. */
  readonly field: string;
  /** The debit item that is paid, or the credit item that is refunded. */
  readonly item: OpenItem;
  /** The credit that is applied to the item instead; null for a share of the payment. */
  readonly credit: OpenItem | null;
  /** In minor units of the currency; null for as much as is open. */
  readonly amount: Money | null;
  readonly rounding: Money;
}

/** A payment or refund that is asked for, in minor units of its currency. */
export interface AskedPayment {
  /** The item that it will be, with its functional amount. */
  readonly item: OpenItem;
  readonly parts: readonly AskedPart[];
  readonly remainder: "refuse" | "customer_credit";
}

export interface RecordFacts {
  readonly today: CalendarDate;
  readonly lock: PeriodLock;
}

interface DecidedPayment {
  /** Credits that were named with an invoice; they stay when the payment is reversed. */
  readonly applied: readonly Allocated[];
  /** What the payment itself takes or gives, in the order asked for. */
  readonly own: readonly Allocated[];
  /** What no item takes up. */
  readonly remainder: Money;
}

/** Returns the faults of the parts, as fields of the request. `rounding_limit` is in minor units of the currency. */
export function partFaults(
  { item, parts, remainder }: AskedPayment,
  rounding_limit: Money,
): FieldError[] {
  const is_refund = item.kind === "refund";
  const faults = parts.flatMap((part, at) => faultsOfPart(item, part, parts.slice(0, at)));
  for (const { field, rounding } of parts) {
    if (rounding <= rounding_limit && rounding >= -rounding_limit) continue;
    const message = "More than the rounding limit of the configuration.";
    faults.push({ field: `${field}.rounding`, code: "too_large", message });
  }
  const shares = parts.filter(({ credit }) => credit === null);
  const named = shares.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  if (named > item.amount) {
    const message = "The named amounts are more than the payment.";
    faults.push({ field: "allocations", code: "too_large", message });
  }
  if (is_refund && parts.length === 0) {
    const message = "A refund names what it gives back.";
    faults.push({ field: "allocations", code: "required", message });
  }
  if (is_refund && remainder === "customer_credit") {
    const message = "A refund is applied wholly.";
    faults.push({ field: "remainder", code: "not_allowed", message });
  }
  return faults;
}

/**
 * Decides the allocations. The parts have no fault. Throws PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED, PAYMENT_EXCEEDS_OPEN or
 * CREDIT_EXCEEDS_OPEN, in that order, with the document and what is open of it, or with the remainder.
 */
export function decidePayment(asked: AskedPayment, facts: RecordFacts): DecidedPayment {
  const { item, parts } = asked;
  requireRecordable(item.date, facts);
  const state = new Map<string, OpenItem>([[item.id, item]]);
  const now = (one: OpenItem): OpenItem => state.get(one.id) ?? one;
  const take = (debit: OpenItem, credit: OpenItem, amount: Money, rounding: Money): Allocated => {
    const found = allocateItems({
      debit: now(debit),
      credit: now(credit),
      amount,
      rounding,
      date: item.date,
    });
    if (found.state === "no_room") {
      throw exceeding(found.of, found.of === "debit" ? debit : credit, found.open);
    }
    state.set(debit.id, found.debit).set(credit.id, found.credit);
    return found;
  };
  const applied = parts.flatMap(({ item: debit, credit, amount, rounding }) => {
    if (credit === null) return [];
    const open = least(openAtLast(now(debit)).open - rounding, openAtLast(now(credit)).open);
    const taken = amount ?? open;
    return taken <= 0n ? [] : [take(debit, credit, taken, rounding)];
  });
  const own_parts = parts.filter(({ credit }) => credit === null);
  const { amounts, remainder } = sharesOf(
    item.amount,
    own_parts.map((part) => ({ ...part, open: openAtLast(now(part.item)).open })),
  );
  const own = own_parts.flatMap((part, at) => {
    const share = amounts[at] ?? 0n;
    if (share === 0n) return [];
    const [debit, credit] = item.is_credit ? [part.item, item] : [item, part.item];
    return [take(debit, credit, share, part.rounding)];
  });
  requireNoRemainder(asked, remainder);
  return { applied, own, remainder };
}

/** Throws PAYMENT_DATE_IN_FUTURE or PERIOD_LOCKED for a date on which nothing may be recorded. */
export function requireRecordable(date: CalendarDate, { today, lock }: RecordFacts): void {
  if (date > today) throw new Problem("PAYMENT_DATE_IN_FUTURE", { details: { date, today } });
  requireOpenDate(date, lock);
}

/** Returns the refusal of an allocation for which nothing, or too little, is open of an item. */
export function exceeding(of: "debit" | "credit", item: OpenItem, open: Money): Problem {
  const details = {
    document_id: item.id,
    open: scaledToNumber(open, currencyDigits(item.currency)),
  };
  return new Problem(of === "debit" ? "PAYMENT_EXCEEDS_OPEN" : "CREDIT_EXCEEDS_OPEN", { details });
}

function requireNoRemainder({ item, remainder: asked }: AskedPayment, remainder: Money): void {
  if (remainder <= 0n || asked === "customer_credit") return;
  const details = { remainder: scaledToNumber(remainder, currencyDigits(item.currency)) };
  throw new Problem(item.is_credit ? "PAYMENT_EXCEEDS_OPEN" : "CREDIT_EXCEEDS_OPEN", { details });
}

function faultsOfPart(
  payment: OpenItem,
  { field, item, credit }: AskedPart,
  before: readonly AskedPart[],
): FieldError[] {
  const of_other_currency = [item, ...(credit === null ? [] : [credit])].some(
    ({ currency }) => currency !== payment.currency,
  );
  if (of_other_currency) {
    return [{ field, code: "invalid_value", message: `Its currency is not ${payment.currency}.` }];
  }
  const is_repeated = before.some(
    (one) => one.item.id === item.id && one.credit?.id === credit?.id,
  );
  if (is_repeated) return [{ field, code: "duplicate", message: "It is named twice." }];
  const is_wrong_side = item.is_credit === payment.is_credit || credit?.is_credit === false;
  if (!is_wrong_side) return [];
  const message = payment.is_credit
    ? "A payment is applied to what is owed."
    : "A refund gives back what is held.";
  return [{ field, code: "not_allowed", message }];
}

function least(a: Money, b: Money): Money {
  return a < b ? a : b;
}
