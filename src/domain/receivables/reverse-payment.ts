/** Decides the reversal of a payment, and of one allocation (spec 13.2, rule 5). */
import type { CalendarDate } from "../base/calendar.ts";
import { type PeriodLock, requireOpenDate } from "../base/period-lock.ts";
import { invalidField, Problem } from "../base/problem.ts";
import type { OpenItem } from "./open-item.ts";
import { earliestTakeBack, proposedTakeBack } from "./take-back.ts";

interface Lasting {
  readonly date: CalendarDate;
  readonly reversed_on: CalendarDate | null;
}

interface ReversalFacts {
  /** The day that was asked for; null for the proposed one. */
  readonly asked: CalendarDate | null;
  readonly today: CalendarDate;
  readonly lock: PeriodLock;
}

interface ReversedPayment extends Lasting {
  readonly kind: "payment" | "refund";
  readonly allocations: readonly (Lasting & { readonly debit: { readonly kind: string } })[];
}

/**
 * Returns the day of the reversal of a payment. Throws PAYMENT_REVERSED, PAYMENT_REFUNDED, VALIDATION_FAILED for a day before the
 * last one on which its allocations changed, PAYMENT_DATE_IN_FUTURE or PERIOD_LOCKED.
 */
export function requireReversible(payment: ReversedPayment, facts: ReversalFacts): CalendarDate {
  if (payment.reversed_on !== null) throw new Problem("PAYMENT_REVERSED");
  const is_refunded = payment.allocations.some(
    ({ debit, reversed_on }) => debit.kind === "refund" && reversed_on === null,
  );
  if (payment.kind === "payment" && is_refunded) throw new Problem("PAYMENT_REFUNDED");
  return dayOfReversal(payment.date, payment.allocations, facts);
}

/** Returns the day on which something ends that began on `from`. Throws as `requireReversible`. */
function dayOfReversal(
  from: CalendarDate,
  allocations: readonly Lasting[],
  { asked, today, lock }: ReversalFacts,
): CalendarDate {
  const earliest = earliestTakeBack(from, allocations);
  const proposed = proposedTakeBack(today, earliest);
  const date = asked ?? proposed;
  if (date < earliest) {
    throw invalidField("date", "too_small", `The earliest day is ${earliest}.`);
  }
  if (date > proposed) throw new Problem("PAYMENT_DATE_IN_FUTURE", { details: { date, today } });
  requireOpenDate(date, lock);
  return date;
}

/**
 * Returns the day of the reversal of one allocation. Throws ALLOCATION_REVERSED, PAYMENT_REFUNDED for what a refund gave back,
 * ITEM_SETTLED for an item that was settled elsewhere, and what `dayOfReversal` throws.
 */
export function requireAllocationReversible(
  allocation: Lasting,
  items: readonly Pick<OpenItem, "kind" | "ended_on">[],
  facts: ReversalFacts,
): CalendarDate {
  if (allocation.reversed_on !== null) throw new Problem("ALLOCATION_REVERSED");
  if (items.some(({ kind }) => kind === "refund")) throw new Problem("PAYMENT_REFUNDED");
  if (items.some(({ ended_on }) => ended_on !== null)) throw new Problem("ITEM_SETTLED");
  return dayOfReversal(allocation.date, [], facts);
}
