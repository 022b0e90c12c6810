/** The open item of a booked document (spec 13.2): what it posted on receivables, in its own currency and in the functional one. */
import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { DocumentSnapshot } from "../sales/document.ts";
import type { OpenItem } from "./open-item.ts";

/** An open item with its number, and the day on which it is due; null for an item that is not due, such as a credit. */
export interface NumberedItem extends OpenItem {
  readonly number: string;
  readonly due_date: CalendarDate | null;
}

/** Returns the item of an invoice or credit note; null for a document of 0, of which nothing is ever open. */
export function itemOfDocument(document: DocumentSnapshot, number: bigint): NumberedItem | null {
  const { kind, document_id, customer, currency, totals } = document;
  if (totals.gross === 0n) return null;
  const is_credit = kind === "credit_note";
  return {
    id: document_id,
    kind,
    is_credit,
    customer_id: customer.id,
    number: `${number}`,
    currency,
    date: document.issue_date as CalendarDate,
    due_date: is_credit ? null : (document.payment.due_date as CalendarDate),
    ended_on: null,
    amount: totals.gross,
    functional: receivableOf(document),
    takes: [],
  };
}

/** Returns what a document posts on receivables, without its sign: the sum of its other postings. */
function receivableOf({ lines, vat }: DocumentSnapshot): Money {
  const net = lines.reduce((sum, line) => sum + line.net_functional, 0n);
  return vat.reduce((sum, entry) => sum + entry.vat_functional, net);
}
