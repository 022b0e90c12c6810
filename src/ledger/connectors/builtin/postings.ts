/**
 * Computes the postings of a document in functional currency (spec 9.5). An invoice debits the receivable and credits
 * revenue and VAT; a credit note does the reverse. The receivable is the sum of the others: no rounding line.
 */
import type { VoucherSnapshot } from "../../../domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { BookingIntent, JournalBooking, Posting } from "../../ledger.ts";
import { OUTPUT_VAT, RECEIVABLES } from "./chart.ts";

/**
 * Returns a document's postings, in the order receivable, revenue accounts ascending, VAT. Their sum is 0. A document without
 * value in functional currency has no postings: its entry keeps only the number.
 */
export function postingsOf(document: (BookingIntent | JournalBooking)["document"]): Posting[] {
  if (document.kind === "voucher") return postingsOfVoucher(document);
  if ("postings" in document) {
    return document.postings.map((posting) => ({ ...posting, vat_code: null }));
  }
  const direction = document.kind === "invoice" ? -1n : 1n;
  const postings = [...revenueOf(document), ...vatOf(document)].map((posting) => ({
    ...posting,
    amount: direction * posting.amount,
    currency_amount: direction * posting.currency_amount,
  }));
  const receivable: Posting = {
    account_number: RECEIVABLES,
    amount: -sum(postings.map((posting) => posting.amount)),
    currency_amount: -sum(postings.map((posting) => posting.currency_amount)),
    vat_code: null,
    customer_id: document.customer.id,
  };
  return [receivable, ...postings].filter((posting) => posting.amount !== 0n);
}

/** Returns a voucher's postings. Vouchers have no VAT: it arose with the invoice. */
function postingsOfVoucher({ entries, customer }: VoucherSnapshot): Posting[] {
  return entries.map(({ account_number, amount }) => ({
    account_number,
    amount,
    currency_amount: amount,
    vat_code: null,
    customer_id: customer?.id ?? null,
  }));
}

function revenueOf(document: DocumentSnapshot): Posting[] {
  const groups = new Map<string, Posting>();
  for (const line of document.lines) {
    const key = `${line.account_number} ${line.vat_code}`;
    const group = groups.get(key);
    groups.set(key, {
      account_number: line.account_number,
      amount: (group?.amount ?? 0n) + line.net_functional,
      currency_amount: (group?.currency_amount ?? 0n) + line.net,
      vat_code: line.vat_code,
      customer_id: null,
    });
  }
  return [...groups.values()].sort((a, b) => a.account_number - b.account_number);
}

function vatOf(document: DocumentSnapshot): Posting[] {
  return document.vat.map((entry) => ({
    account_number: OUTPUT_VAT,
    amount: entry.vat_functional,
    currency_amount: entry.vat,
    vat_code: entry.vat_code,
    customer_id: null,
  }));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
