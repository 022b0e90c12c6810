/** What is paid of an invoice on a day (spec 13.4). */
import { type CalendarDate, daysBetween } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";

export const paymentStates = ["open", "partly_paid", "paid", "credited"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** What an allocation gave to an invoice, in minor units of the invoice's currency. */
export interface Given {
  /** `credit` is a credit note or an opening credit; anything else counts as paid. */
  readonly by: "payment" | "credit";
  readonly date: CalendarDate;
  readonly reversed_on: CalendarDate | null;
  readonly amount: Money;
  readonly rounding: Money;
}

/** `gross = paid + credited + rounding + open`, in minor units of the invoice's currency. */
export interface InvoicePayment {
  readonly state: PaymentState;
  readonly is_overdue: boolean;
  /** Days after the due date; 0 unless the invoice is overdue. */
  readonly days_overdue: number;
  readonly gross: Money;
  readonly paid: Money;
  readonly credited: Money;
  readonly rounding: Money;
  readonly open: Money;
  /** The day of the last allocation by which nothing was open any more; null unless the invoice is paid. */
  readonly paid_on: CalendarDate | null;
}

/** An invoice of which something is owed. */
interface OwedInvoice {
  readonly gross: Money;
  readonly due_date: CalendarDate;
  /** The day through which what was left of it was settled elsewhere, before receivables were begun; otherwise null. */
  readonly settled_on: CalendarDate | null;
}

/** Returns what is paid of an invoice at the end of a day. What was settled elsewhere counts as paid, on a day that is not known. */
export function paymentAt(
  { gross, due_date, settled_on }: OwedInvoice,
  given: readonly Given[],
  at: CalendarDate,
): InvoicePayment {
  const effective = given.filter(
    ({ date, reversed_on }) => date <= at && (reversed_on === null || reversed_on > at),
  );
  const by_payment = effective.filter(({ by }) => by === "payment").map(({ amount }) => amount);
  const by_credit = effective.filter(({ by }) => by === "credit").map(({ amount }) => amount);
  const credited = sumOf(by_credit);
  const rounding = sumOf(effective.map((one) => one.rounding));
  const left = gross - sumOf(by_payment) - credited - rounding;
  const elsewhere = settled_on !== null && settled_on <= at ? left : 0n;
  const paid = sumOf(by_payment) + elsewhere;
  const open = left - elsewhere;
  const is_overdue = open > 0n && due_date < at;
  const state = stateOf(open, paid);
  const last = effective
    .map(({ date }) => date)
    .sort()
    .at(-1);
  return {
    state,
    is_overdue,
    // Both days count in `daysBetween`.
    days_overdue: is_overdue ? daysBetween(due_date, at) - 1 : 0,
    gross,
    paid,
    credited,
    rounding,
    open,
    paid_on: state === "paid" && elsewhere === 0n ? (last ?? null) : null,
  };
}

function stateOf(open: Money, paid: Money): PaymentState {
  if (open > 0n) return paid > 0n ? "partly_paid" : "open";
  return paid > 0n ? "paid" : "credited";
}

function sumOf(amounts: readonly Money[]): Money {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
