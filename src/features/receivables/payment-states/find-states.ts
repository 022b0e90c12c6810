/** What is paid of many invoices today, beside their rows and as filters of their lists. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import {
  type ReportedInvoice,
  type ReportedPayment,
  reportedPaymentOn,
  type ShownPaymentState,
} from "../../../domain/receivables/ledger-payment.ts";
import {
  type InvoicePayment,
  type PaymentState,
  paymentAt,
} from "../../../domain/receivables/payment-state.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Condition } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { dayAsked, isPaidInLedger, requireBegun } from "../open-items/require-begun.ts";
import type { PaymentOfRow } from "./schemas.ts";

interface OwedRow {
  readonly id: string;
  readonly gross: Money;
  readonly due_date: CalendarDate | null;
  readonly settled_on: CalendarDate | null;
  readonly given: readonly GivenRow[];
}

interface GivenRow {
  readonly kind: "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";
  readonly date: CalendarDate;
  readonly reversed_on: CalendarDate | null;
  readonly amount: string;
  readonly rounding: string;
}

/** What is known of an invoice today: by our own books, or by what a connected ledger reported. */
export type KnownPayment = InvoicePayment | ReportedPayment;

/**
 * Returns what is paid of invoices today. Drafts have no entry, nor has an invoice of which a connected ledger reported nothing. Of what the
 * built-in ledger booked there is none until receivables are begun.
 */
export async function paymentsOf(
  cx: Reader,
  ids: readonly string[],
  configuration?: Configuration,
): Promise<Map<string, KnownPayment>> {
  const { account_id } = cx.caller;
  const { day } = dayAsked(cx, undefined, configuration ?? (await getConfiguration(cx)));
  const reported = await cx.rows<ReportedInvoice & { readonly id: string }>(sql`
    select id, amount, due_date, state, paid, remaining, paid_on from ledger_items
    where account_id = ${account_id} and id = any(${ids}) and kind = 'invoice' and state is not null`);
  const by_ledger = reported.flatMap((one): [string, KnownPayment][] => {
    const payment = reportedPaymentOn(one, day);
    return payment === null ? [] : [[one.id, payment]];
  });
  return new Map([...by_ledger, ...(await paymentsInBooks(cx, ids, day))]);
}

/** Presents what is paid of an invoice as rows show it; null where it is not known. `open` is in units of the invoice's currency. */
export function presentPaymentOfRow(
  currency: string,
  payment: KnownPayment | undefined,
): PaymentOfRow | null {
  if (payment === undefined) return null;
  const { state, is_overdue, open, paid_on } = payment;
  const shown = open === null ? null : scaledToNumber(open, currencyDigits(currency));
  return { state, is_overdue, open: shown, paid_on };
}

async function paymentsInBooks(
  cx: Reader,
  ids: readonly string[],
  day: CalendarDate,
): Promise<(readonly [string, KnownPayment])[]> {
  const { account_id } = cx.caller;
  const owed = await cx.rows<OwedRow>(sql`
    select o.id, o.amount as gross, o.due_date, o.ended_on as settled_on,
      (select coalesce(json_agg(json_build_object('kind', c.kind, 'date', a.date, 'reversed_on', a.reversed_on,
          'amount', a.amount::text, 'rounding', a.rounding::text)), '[]')
        from allocations a join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
        where a.account_id = ${account_id} and a.debit_id = o.id) as given
    from open_items o
    where o.account_id = ${account_id} and o.id = any(${ids}) and o.kind = 'invoice'
      and exists (select from receivables_begins where account_id = ${account_id})`);
  return owed.flatMap(({ id, gross, due_date, settled_on, given }) => {
    if (due_date === null) return [];
    const all = given.map(({ kind, amount, rounding, ...row }) => ({
      ...row,
      amount: BigInt(amount),
      rounding: BigInt(rounding),
      by: kind === "payment" ? ("payment" as const) : ("credit" as const),
    }));
    return [[id, paymentAt({ gross, due_date, settled_on }, all, day)] as const];
  });
}

/** The filters of a list of invoices by what is paid. */
interface PaymentFilters {
  readonly payment_state?: ShownPaymentState | undefined;
  readonly overdue?: boolean | undefined;
}

/** Whether a list is filtered by what is paid. */
export function asksForPayment({ payment_state, overdue }: PaymentFilters): boolean {
  return payment_state !== undefined || overdue !== undefined;
}

/**
 * Returns the conditions of the filters on invoices by their state today; none without a filter. Throws RECEIVABLES_NOT_BEGUN where
 * payments are recorded here.
 */
export async function paymentConditions(cx: Reader, filters: PaymentFilters): Promise<Condition[]> {
  if (!asksForPayment(filters)) return [];
  if (!isPaidInLedger(cx)) await requireBegun(cx);
  return paymentConditionsOn(dayAsked(cx, undefined, await getConfiguration(cx)).day, filters);
}

/** Returns the same conditions by the state on a day, where it is known what is paid. */
export function paymentConditionsOn(
  day: CalendarDate,
  { payment_state, overdue }: PaymentFilters,
): Condition[] {
  const conditions: Condition[] = [];
  if (payment_state !== undefined) {
    const in_books =
      payment_state === "overpaid" ? "$value::date is null" : itemWith(OF_STATE[payment_state]);
    conditions.push([`(${in_books} or ${reportedWith(`l.state = '${payment_state}'`)})`, day]);
  }
  if (overdue !== undefined) {
    const reported = reportedWith("l.due_date < $value and l.state in ('open', 'partly_paid')");
    const is_overdue = `(${itemWith(`o.due_date < $value and ${IS_OPEN} ${ALONE}`)} or ${reported})`;
    conditions.push([overdue ? is_overdue : `not ${is_overdue}`, day]);
  }
  return conditions;
}

/** Whether something is open, and whether something was paid, of an item (`o`) with what was applied (`t`) on the day `$value`. */
const IS_OPEN = "(o.ended_on is null or o.ended_on > $value) and o.amount > t.taken";
const IS_PAID = "(t.has_payment or (o.ended_on <= $value and o.amount > t.taken))";

/** Ends the condition of a state that many have: asked of one row after the other it fills a page soon, and not of all items before. */
const ALONE = "offset 0";

const OF_STATE: Readonly<Record<PaymentState, string>> = {
  open: `${IS_OPEN} and not t.has_payment ${ALONE}`,
  partly_paid: `${IS_OPEN} and t.has_payment`,
  paid: `not (${IS_OPEN}) and ${IS_PAID}`,
  credited: `not (${IS_OPEN}) and not ${IS_PAID}`,
};

/** Whether a connected ledger reported what meets a condition (`l`) of the row of an invoice. */
function reportedWith(condition: string): string {
  return `exists (select from ledger_items l where l.account_id = $1 and l.id = invoices.id and ${condition})`;
}

/** Whether the row of an invoice has an item that meets a condition. */
function itemWith(condition: string): string {
  return `exists (select from open_items o cross join lateral (
      select coalesce(sum(a.amount + a.rounding), 0) as taken, coalesce(bool_or(c.kind = 'payment'), false) as has_payment
      from allocations a join open_items c on c.account_id = $1 and c.id = a.credit_id
      where a.account_id = $1 and a.debit_id = o.id and a.date <= $value and (a.reversed_on is null or a.reversed_on > $value)) t
    where o.account_id = $1 and o.id = invoices.id and ${condition})`;
}
