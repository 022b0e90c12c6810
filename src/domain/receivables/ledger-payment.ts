/** What a connected ledger says of the payment of an invoice, as it is shown (spec 13.9). It is reported for the present day alone. */
import { type CalendarDate, daysBetween } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { paymentStates } from "./payment-state.ts";

/** The states of an invoice, with the one that only a connected ledger reports. */
export const shownPaymentStates = [...paymentStates, "overpaid"] as const;
export type ShownPaymentState = (typeof shownPaymentStates)[number];

/** An invoice with what its ledger reported, in minor units of its currency; null where it did not report it. */
export interface ReportedInvoice {
  readonly amount: Money;
  readonly due_date: CalendarDate | null;
  readonly state: "open" | "partly_paid" | "paid" | "overpaid" | null;
  readonly paid: Money | null;
  /** Below 0 where too much was paid. */
  readonly remaining: Money | null;
  readonly paid_on: CalendarDate | null;
}

/** What is known of an invoice of a connected ledger. Such a ledger reports neither credits nor roundings. */
export interface ReportedPayment {
  readonly state: NonNullable<ReportedInvoice["state"]>;
  readonly is_overdue: boolean;
  readonly days_overdue: number;
  readonly gross: Money;
  readonly paid: Money | null;
  readonly credited: null;
  readonly rounding: null;
  /** What is left to pay, never below 0. */
  readonly open: Money | null;
  readonly paid_on: CalendarDate | null;
}

/** Returns what is known of an invoice on the present day; null where its ledger has reported nothing. It is overdue by our due date. */
export function reportedPaymentOn(
  invoice: ReportedInvoice,
  today: CalendarDate,
): ReportedPayment | null {
  const { amount: gross, due_date, state, paid, paid_on } = invoice;
  if (state === null) return null;
  const is_owed = state === "open" || state === "partly_paid";
  const is_overdue = is_owed && due_date !== null && due_date < today;
  return {
    state,
    is_overdue,
    // Both days count in `daysBetween`.
    days_overdue: is_overdue ? daysBetween(due_date, today) - 1 : 0,
    gross,
    paid,
    credited: null,
    rounding: null,
    open: openOf(invoice),
    paid_on,
  };
}

/** Returns what is left to pay of a document, never below 0; null where its ledger did not report it. */
function openOf({ remaining }: Pick<ReportedInvoice, "remaining">): Money | null {
  if (remaining === null) return null;
  return remaining > 0n ? remaining : 0n;
}
