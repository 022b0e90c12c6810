/** Reads what is paid of one invoice on a day: from our own books, or what a connected accounting system has said. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { reportedPaymentOn } from "../../../domain/receivables/ledger-payment.ts";
import { paymentAt } from "../../../domain/receivables/payment-state.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type AllocationRow, findAllocations, presentAllocation } from "../allocations/queries.ts";
import { findLedgerItems, type LedgerItem } from "../ledger-items/queries.ts";
import { askWhereOlder } from "../ledger-items/read-payments.ts";
import { dayAsked, isPaidInLedger, requireBegun } from "../open-items/require-begun.ts";
import { type AtQuery, InvoicePaymentResource } from "./schemas.ts";

/** An invoice, its document if it is issued, and the end of its open item if it has one. */
interface InvoiceRow {
  readonly id: string;
  readonly status: "draft" | "issued";
  readonly is_external: boolean;
  readonly currency: string | null;
  readonly gross: Money | null;
  readonly due_date: CalendarDate | null;
  readonly payment_codes: unknown;
  readonly ended_on: CalendarDate | null;
  /** The last day on which no reminder is sent; null without a hold. */
  readonly hold_until: CalendarDate | null;
}

interface IssuedRow extends InvoiceRow {
  readonly currency: string;
  readonly gross: Money;
  readonly due_date: CalendarDate;
}

/**
 * Returns what is paid of an invoice. The connected ledger is asked before where its last answer is older than a quarter of an hour. Throws
 * NOT_FOUND, VALIDATION_FAILED for a day in the future, PAYMENTS_IN_LEDGER for an earlier day of an invoice that an external ledger
 * booked, RECEIVABLES_NOT_BEGUN, and INVOICE_NOT_ISSUED.
 */
export async function askInvoicePayment(
  cx: Context,
  ref: string,
  query: AtQuery,
): Promise<JsonText> {
  await askWhereOlder(cx, ref);
  return readInvoicePayment(cx, ref, query);
}

/** Returns what is known here. Throws the same. */
function readInvoicePayment(cx: Reader, ref: string, query: AtQuery): Promise<JsonText> {
  return reading(cx, async (inside) => {
    const invoice = await findInvoice(inside, ref);
    if (invoice === undefined) throw notFound("invoice", ref);
    const configuration = await getConfiguration(inside);
    const { day, is_today } = dayAsked(inside, query.at, configuration);
    if (isIssued(invoice) && invoice.is_external) {
      if (!is_today) throw new Problem("PAYMENTS_IN_LEDGER");
      const [reported] = await findLedgerItems(inside, sql`i.id = ${invoice.id}`);
      const reminders = await remindersOn(inside, invoice, day);
      const read = { ...inLedger(invoice, reported, day), reminders };
      return jsonText(InvoicePaymentResource.parse(read));
    }
    if (!isPaidInLedger(inside)) await requireBegun(inside);
    if (!isIssued(invoice)) throw new Problem("INVOICE_NOT_ISSUED");
    const allocations = await findAllocations(inside, sql`a.debit_id = ${invoice.id}`);
    const effective = allocations.filter(
      ({ date, reversed_on }) => date <= day && (reversed_on === null || reversed_on > day),
    );
    return jsonText(
      InvoicePaymentResource.parse({
        ...fixed(invoice),
        ...amountsOn(day, invoice, allocations),
        reminders: await remindersOn(inside, invoice, day),
        source: "books",
        as_of: null,
        // A later reversal is not known on the day.
        allocations: effective.map((row) =>
          presentAllocation({ ...row, reversed_on: null }, configuration.functional_currency),
        ),
      }),
    );
  });
}

function findInvoice(cx: Reader, ref: string): Promise<InvoiceRow | undefined> {
  const { account_id } = cx.caller;
  const [column, value] = columnOfRef(ref);
  return cx.row<InvoiceRow>(sql`select i.id, i.status, coalesce(d.ledger_connection_id is not null, false) as is_external,
       d.currency, d.gross, (d.snapshot::json #>> '{payment,due_date}')::date as due_date,
       d.snapshot::json -> 'payment_codes' as payment_codes, o.ended_on,
       h.until_date as hold_until
     from invoices i
     left join issued_documents d on d.account_id = ${account_id} and d.document_id = i.id
     left join open_items o on o.account_id = ${account_id} and o.id = i.id
     left join reminder_holds h on h.account_id = ${account_id} and h.invoice_id = i.id
     where i.account_id = ${account_id} and i.${raw(column)} = ${value}`);
}

function isIssued(invoice: InvoiceRow): invoice is IssuedRow {
  return invoice.status === "issued";
}

/** Returns how often the invoice was reminded of through a day, and its hold. A reminder that is cancelled on that day does not count. */
async function remindersOn(cx: Reader, { id, hold_until }: InvoiceRow, day: CalendarDate) {
  const { account_id } = cx.caller;
  const row = await cx.row<{ level: number; last_on: CalendarDate | null }>(sql`
    select count(*)::int as level, max(r.date) as last_on
    from reminder_items t join reminders r on r.account_id = ${account_id} and r.id = t.reminder_id
    where t.account_id = ${account_id} and t.item_id = ${id} and t.counts and r.date <= ${day}
      and (r.cancelled_on is null or r.cancelled_on > ${day})`);
  return { level: row?.level ?? 0, last_on: row?.last_on ?? null, hold_until };
}

/** The fields that no payment changes. */
function fixed(invoice: IssuedRow) {
  const { id, currency, gross, due_date, payment_codes } = invoice;
  return {
    object: "invoice_payment",
    invoice_id: id,
    due_date,
    currency,
    gross: scaledToNumber(gross, currencyDigits(currency)),
    payment_codes: payment_codes ?? null,
  };
}

/** What was read from the ledger that booked the invoice; amounts and state are null where it did not report them. */
function inLedger(invoice: IssuedRow, reported: LedgerItem | undefined, today: CalendarDate) {
  const payment = reported === undefined ? null : reportedPaymentOn(reported, today);
  const read = { source: "ledger", as_of: reported?.as_of ?? null, allocations: [] };
  if (payment === null) return { ...fixed(invoice), ...UNREPORTED, ...read };
  const { paid, open } = payment;
  const digits = currencyDigits(invoice.currency);
  return {
    ...fixed(invoice),
    ...payment,
    gross: scaledToNumber(payment.gross, digits),
    paid: paid === null ? null : scaledToNumber(paid, digits),
    open: open === null ? null : scaledToNumber(open, digits),
    ...read,
  };
}

const UNREPORTED = {
  state: null,
  is_overdue: null,
  days_overdue: null,
  gross: null,
  paid: null,
  credited: null,
  rounding: null,
  open: null,
  paid_on: null,
};

function amountsOn(day: CalendarDate, invoice: IssuedRow, allocations: readonly AllocationRow[]) {
  const { currency, gross, due_date, ended_on: settled_on } = invoice;
  const given = allocations.map((row) => ({
    by: row.credit.kind === "payment" ? ("payment" as const) : ("credit" as const),
    date: row.date,
    reversed_on: row.reversed_on,
    amount: row.amount,
    rounding: row.rounding,
  }));
  const payment = paymentAt({ gross, due_date, settled_on }, given, day);
  const digits = currencyDigits(currency);
  return {
    ...payment,
    gross: scaledToNumber(payment.gross, digits),
    paid: scaledToNumber(payment.paid, digits),
    credited: scaledToNumber(payment.credited, digits),
    rounding: scaledToNumber(payment.rounding, digits),
    open: scaledToNumber(payment.open, digits),
  };
}
