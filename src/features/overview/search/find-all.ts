/** Finds a few records of each kind by name, number or amount; a person only those in their view (spec 8.1). */
import type { Reader } from "../../../platform/commands/context.ts";
import { findBankLines, type LineFound } from "./find-lines.ts";
import { findReminders } from "./find-reminders.ts";
import {
  type DocumentFound,
  findAccounts,
  findCreditNotes,
  findCustomers,
  findInvoices,
  findPayments,
  findProducts,
  findSeries,
  findUsers,
  type PaymentFound,
  type SearchTerms,
  wordsOf,
} from "./queries.ts";
import { readNumber, TypedAmounts } from "./read-number.ts";

/** The kinds of results, in the order of display. */
export const foundKinds = [
  "customer",
  "invoice",
  "credit_note",
  "payment",
  "reminder",
  "recurring_series",
  "product",
  "user",
  "ledger_account",
  "bank_line",
] as const;
type FoundKind = (typeof foundKinds)[number];

/** The highest number of results of each kind. */
export const MOST_FOUND = 5;

export interface SearchHit {
  readonly kind: FoundKind;
  readonly id: string;
  /** The name, of a reminder its day; null for a document without a title. */
  readonly name: string | null;
  /** The number of an issued document, a payment, a reminder that charges something, or a ledger account. */
  readonly number: bigint | null;
  /** What distinguishes the record: the customer of a document, payment or reminder, a VAT number, a product's number, a line's day. */
  readonly beside: string | null;
  /** For a credit note: the number of the invoice. */
  readonly credits: string | null;
  /** In minor units: of a document with VAT, of a reminder in all, of a bank line what came in; null for a draft and for other records. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  /** Whether a payment went to the customer; other records have no such field. */
  readonly is_refund?: boolean;
}

/** Finds records by the words, number or amount of a text. A text without letters and digits finds none. */
export async function search(cx: Reader, text: string, most = MOST_FOUND): Promise<SearchHit[]> {
  const words = await wordsOf(cx, text);
  if (words.length === 0) return [];
  const amounts = new TypedAmounts(text);
  const asked: SearchTerms = { words, number: readNumber(text), amounts: amounts.minor, most };
  const [
    customers,
    invoices,
    notes,
    payments,
    reminders,
    series,
    products,
    users,
    accounts,
    lines,
  ] = await Promise.all([
    findCustomers(cx, text.trim(), asked),
    findInvoices(cx, asked),
    findCreditNotes(cx, asked),
    findPayments(cx, asked),
    findReminders(cx, asked),
    findSeries(cx, asked),
    findProducts(cx, asked),
    findUsers(cx, asked),
    findAccounts(cx, asked),
    findBankLines(cx, asked),
  ]);
  return [
    ...customers.map(({ id, name, vat_number }) => named("customer", id, name, vat_number)),
    ...meant(invoices, amounts, most).map((row) => documentFound("invoice", row)),
    ...meant(notes, amounts, most).map((row) => documentFound("credit_note", row)),
    ...meant(payments, amounts, most).map(paymentFound),
    ...meant(reminders, amounts, most).map((row) => documentFound("reminder", row)),
    ...series.map((row) => named("recurring_series", row.id, row.customer_name, row.external_id)),
    ...products.map(({ id, name, product_number }) => named("product", id, name, product_number)),
    ...users.map(({ id, name }) => named("user", id, name, null)),
    ...accounts.map(({ number, name }) => ({
      ...named("ledger_account", String(number), name, null),
      number: BigInt(number),
    })),
    ...meantLines(lines, amounts, most),
  ];
}

const NO_DOCUMENT = { number: null, credits: null, amount: null, currency: null };

function named(kind: FoundKind, id: string, name: string, beside: string | null): SearchHit {
  return { kind, id, name, beside, ...NO_DOCUMENT };
}

/** Returns each document once, without those whose amount differs in their currency. */
function meant<Row extends DocumentFound>(
  rows: readonly Row[],
  amounts: TypedAmounts,
  most: number,
): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const { id, net, gross, currency, found_by } = row;
    const is_meant =
      found_by !== "amount" || amounts.means(gross, currency) || amounts.means(net, currency);
    if (is_meant && !found.has(id)) found.set(id, row);
  }
  return [...found.values()].slice(0, most);
}

/** Returns each bank line once, without those whose amount differs in their currency. */
function meantLines(rows: readonly LineFound[], amounts: TypedAmounts, most: number): SearchHit[] {
  const found = new Map<string, SearchHit>();
  for (const { id, date, text, counterparty_name, amount, currency, found_by } of rows) {
    const size = amount < 0n ? -amount : amount;
    if (found.has(id) || (found_by === "amount" && !amounts.means(size, currency))) continue;
    const name = [counterparty_name, text].filter(Boolean).join(": ");
    found.set(id, { ...named("bank_line", id, name || date, date), amount, currency });
  }
  return [...found.values()].slice(0, most);
}

function documentFound(
  kind: "invoice" | "credit_note" | "reminder",
  row: DocumentFound,
): SearchHit {
  const { id, title, number, currency, customer_name, gross } = row;
  const is_credit = kind === "credit_note";
  return {
    kind,
    id,
    name: is_credit ? null : title,
    number,
    beside: customer_name,
    credits: is_credit ? title : null,
    amount: gross,
    currency,
  };
}

function paymentFound({ kind, ...row }: PaymentFound): SearchHit {
  const { id, number, currency, customer_name: beside, gross: amount } = row;
  const is_refund = kind === "refund";
  return {
    kind: "payment",
    id,
    name: null,
    number,
    beside,
    credits: null,
    amount,
    currency,
    is_refund,
  };
}
