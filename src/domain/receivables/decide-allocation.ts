/** Decides an allocation that is asked for after both items were recorded (spec 13.2). */
import { addDays, type CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { type Allocated, allocateItems } from "./allocation.ts";
import { type OpenItem, openAtLast } from "./open-item.ts";
import { exceeding, type RecordFacts, requireRecordable } from "./record-payment.ts";

interface WantedAllocation {
  readonly debit: OpenItem;
  readonly credit: OpenItem;
  /** In minor units of the currency; null for as much as is open of both. */
  readonly amount: Money | null;
  readonly rounding: Money;
  /** Null for the first open day on which it may begin. */
  readonly date: CalendarDate | null;
}

/**
 * Returns the allocation with both items after it. Throws PAYMENT_DATE_IN_FUTURE and PERIOD_LOCKED for a day that was named,
 * PAYMENT_EXCEEDS_OPEN or CREDIT_EXCEEDS_OPEN.
 */
export function decideAllocation(wanted: WantedAllocation, facts: RecordFacts): Allocated {
  const { debit, credit, rounding } = wanted;
  if (wanted.date !== null) requireRecordable(wanted.date, facts);
  const { period_lock_date: locked } = facts.lock;
  const date = wanted.date ?? (locked === null ? null : addDays(locked, 1));
  const [of_debit, of_credit] = [openAtLast(debit).open - rounding, openAtLast(credit).open];
  const amount = wanted.amount ?? (of_debit < of_credit ? of_debit : of_credit);
  if (amount <= 0n) {
    const side = of_debit < of_credit ? "debit" : "credit";
    throw exceeding(side, side === "debit" ? debit : credit, 0n);
  }
  const found = allocateItems({ debit, credit, amount, rounding, date });
  if (found.state === "allocated") return found;
  throw exceeding(found.of, found.of === "debit" ? debit : credit, found.open);
}
