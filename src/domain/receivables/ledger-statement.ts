/**
 * The items of a statement of account where a connected ledger records payments (spec 13.9). That ledger reports what is left to pay of
 * each document: what was settled is taken from credit notes first, and the rest is what was paid.
 */
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { AllocatedItem, StatedAllocation } from "./account-statement.ts";
import type { NumberedItem } from "./item-of-document.ts";

/** A document of a connected ledger with what that reported. Amounts are minor units of its currency. */
export interface ReportedDocument {
  readonly id: string;
  readonly kind: "invoice" | "credit_note";
  readonly customer_id: string;
  readonly number: string;
  readonly date: CalendarDate;
  readonly due_date: CalendarDate | null;
  readonly currency: string;
  readonly amount: Money;
  /** What is left to pay; null where it is not reported. */
  readonly remaining: Money | null;
  readonly paid_on: CalendarDate | null;
  /** The day on which the ledger first reported it; null before the first answer. */
  readonly reported_on: CalendarDate | null;
  /** Of a credit note: its invoice. */
  readonly invoice_id: string | null;
}

interface Stated {
  readonly items: readonly NumberedItem[];
  readonly allocations: readonly StatedAllocation[];
}

/** A document with what is left of its settled amount while that is divided. */
interface Settled {
  readonly document: ReportedDocument;
  left: Money;
}

/**
 * Returns items and allocations through today. A document of which nothing was reported yet is open. One of which the ledger was asked and
 * reported nothing is left out, with its credit notes; a credit note of which it reports nothing is taken as applied to its own invoice.
 */
export function statedFromLedger(
  reported: readonly ReportedDocument[],
  today: CalendarDate,
): Stated {
  const invoices = reported
    .filter((one) => one.kind === "invoice" && (one.remaining !== null || one.reported_on === null))
    .map(
      (document): Settled => ({
        document,
        left: document.amount - (document.remaining ?? document.amount),
      }),
    );
  const by_id = new Map(invoices.map((one) => [one.document.id, one]));
  const credits = reported
    .filter(
      (one) =>
        one.kind === "credit_note" && (one.remaining !== null || by_id.has(one.invoice_id ?? "")),
    )
    .map((document): Settled => ({ document, left: document.amount - (document.remaining ?? 0n) }));
  const allocations: StatedAllocation[] = [];
  const apply = (credit: Settled, invoice: Settled | undefined): void => {
    if (invoice === undefined) return;
    const amount = least(credit.left, invoice.left);
    if (amount <= 0n) return;
    credit.left -= amount;
    invoice.left -= amount;
    allocations.push(joined(invoice.document, credit.document, amount));
  };
  for (const credit of credits) apply(credit, by_id.get(credit.document.invoice_id ?? ""));
  const known_credits = credits.filter(({ document }) => document.remaining !== null);
  for (const credit of known_credits) {
    if (credit.left > 0n) for (const invoice of invoices) apply(credit, invoice);
  }
  const others = [
    ...known_credits.map((credit) => refundOf(credit, today)),
    ...invoices.map((invoice) => paymentOf(invoice, today)),
  ].filter((one) => one !== null);
  allocations.push(...others.flatMap(({ allocation }) => allocation ?? []));
  const documents = [...credits, ...invoices].map(({ document }) => itemOf(document));
  return {
    items: withTakes([...documents, ...others.map(({ item }) => item)], allocations),
    allocations,
  };
}

/** An item that is no document here, with its allocation; null where nothing is applied to it. */
interface Other {
  readonly item: NumberedItem;
  readonly allocation: StatedAllocation | null;
}

/** What was settled of a credit note and of no invoice, was paid back. */
function refundOf({ document, left }: Settled, today: CalendarDate): Other | null {
  if (left <= 0n) return null;
  const date = settledOn(document, today);
  const item = { ...itemOf(document), ...UNNUMBERED, id: `refund ${document.id}` } as const;
  const refund: NumberedItem = { ...item, kind: "refund", is_credit: false, amount: left, date };
  return { item: refund, allocation: joined(refund, document, left) };
}

/** What was settled of an invoice and not by credit notes, was paid; also what was paid too much. */
function paymentOf({ document, left }: Settled, today: CalendarDate): Other | null {
  if (left <= 0n) return null;
  const date = settledOn(document, today);
  const item = { ...itemOf(document), ...UNNUMBERED, id: `payment ${document.id}` } as const;
  const payment: NumberedItem = { ...item, kind: "payment", is_credit: true, amount: left, date };
  const too_much = -least(0n, document.remaining ?? 0n);
  const amount = left - too_much;
  return { item: payment, allocation: amount > 0n ? joined(document, payment, amount) : null };
}

const UNNUMBERED = { number: "", due_date: null } as const;

/** The day on which a document was settled, as far as it is known. */
function settledOn(
  { paid_on, reported_on, date }: ReportedDocument,
  today: CalendarDate,
): CalendarDate {
  const day = paid_on ?? reported_on ?? date;
  return day < today ? day : today;
}

function itemOf(document: ReportedDocument): NumberedItem {
  const { id, kind, customer_id, number, date, due_date, currency, amount } = document;
  return {
    ...{ id, kind, customer_id, number, date, due_date, currency, amount },
    is_credit: kind === "credit_note",
    ended_on: null,
    functional: 0n,
    takes: [],
  };
}

type Joined = AllocatedItem & { readonly date: CalendarDate };

function joined(debit: Joined, credit: Joined, amount: Money): StatedAllocation {
  const named = ({ id, kind, number, customer_id }: Joined): AllocatedItem => {
    return { id, kind, number, customer_id };
  };
  return {
    debit: named(debit),
    credit: named(credit),
    amount,
    rounding: 0n,
    date: debit.date > credit.date ? debit.date : credit.date,
    reversed_on: null,
  };
}

/** Returns the items with what the allocations take of them. */
function withTakes(
  items: readonly NumberedItem[],
  allocations: readonly StatedAllocation[],
): NumberedItem[] {
  const takes = new Map<string, NumberedItem["takes"]>();
  for (const { debit, credit, date, amount } of allocations) {
    for (const { id } of [debit, credit]) {
      const take = { date, reversed_on: null, amount, functional: 0n };
      takes.set(id, [...(takes.get(id) ?? []), take]);
    }
  }
  return items.map((item) => ({ ...item, takes: takes.get(item.id) ?? [] }));
}

function least(a: Money, b: Money): Money {
  return a < b ? a : b;
}
