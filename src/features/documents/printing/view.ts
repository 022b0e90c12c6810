/**
 * The contents of a page, as finished strings in the document's language: the renderer only places them, so it could
 * be replaced by another. Amounts arrive frozen and are only formatted here.
 */
import { readableOnWhite } from "../../../domain/base/color.ts";
import {
  creditedNumber,
  type DocumentLine,
  type DocumentSnapshot,
  printedLines,
  type SpecifiedEntry,
} from "../../../domain/sales/document.ts";
import { termsSentence } from "../../../domain/sales/document-sentences.ts";
import { FIK_CURRENCY, fikLine } from "../../../domain/sales/fik.ts";
import { clean, cleanOrNull } from "./clean.ts";
import {
  formatAmount,
  formatDay,
  formatPercent,
  formatPeriod,
  formatQuantity,
  formatUnit,
  formatUnitPrice,
  languageTag,
} from "./format.ts";
import {
  accountsOf,
  customerBlock,
  knownFacts,
  type MaybeFact,
  sellerBlock,
  sellerFooter,
} from "./parties.ts";
import { texts } from "./texts.ts";
import type { BoxView, FactView, PaperView, TableView, VatTableView } from "./view-parts.ts";
import { functionalOf, statutoryOf, vatTableOf } from "./view-vat.ts";

export interface DocumentView extends PaperView {
  readonly table: TableView;
  readonly subtotal: FactView;
  readonly vat_table: VatTableView;
  readonly total: FactView;
  /** VAT in the functional currency and the rate; empty when there is one currency. */
  readonly functional: readonly FactView[];
  readonly statutory: readonly string[];
  readonly payment: BoxView | null;
  /** Text under the lines; null when there is none. */
  readonly notes: string | null;
  readonly hours: HoursView | null;
}

/** On separate pages: the registered hours, grouped by the lines that bill them. */
export interface HoursView {
  readonly heading: string;
  /** Why sums are shown; null when each registration is listed. */
  readonly remark: string | null;
  readonly columns: {
    readonly date: string;
    readonly user: string;
    /** Null for sums, which have no notes. */
    readonly note: string | null;
    readonly hours: string;
  };
  readonly groups: readonly {
    readonly heading: string;
    /** The heading when the group continues on another page. */
    readonly continued: string;
    readonly rows: readonly {
      readonly date: string;
      readonly user: string;
      readonly note: string;
      readonly hours: string;
    }[];
    readonly sum: FactView;
  }[];
  /** Of all groups, when there are several. */
  readonly total: FactView | null;
}

/**
 * Formats a frozen document.
 *
 * @param issued `number` is the number given at booking; null makes it a draft, marked as such and without a number.
 * `hours_are_own` is true when it has only the reader's hours, which its pages then state.
 */
export function viewOf(
  snapshot: DocumentSnapshot,
  issued: { readonly number: bigint | null; readonly hours_are_own?: boolean },
): DocumentView {
  const { language, kind } = snapshot;
  const words = texts[language];
  const invoice = kind === "invoice";
  const type = invoice ? words.invoice : words.creditNote;
  const draft = issued.number === null;
  const heading = draft ? type : `${type} ${issued.number}`;
  const seller = sellerBlock(snapshot);
  const total = invoice ? words.invoiceTotal : words.creditTotal;
  return {
    language: languageTag[language],
    dated: snapshot.issue_date,
    file_title: `${draft ? `${words.draft}: ` : ""}${heading} – ${seller.name}`,
    author: seller.name,
    draft_mark: draft ? words.draft : null,
    draft_note: draft ? (invoice ? words.draftInvoiceNote : words.draftCreditNoteNote) : null,
    heading,
    credits:
      snapshot.credits === null
        ? null
        : words.credits(
            creditedNumber(snapshot.credits),
            formatDay(snapshot.credits.invoice_date, language),
          ),
    title: cleanOrNull(snapshot.title),
    seller,
    customer: customerBlock(snapshot, invoice ? words.invoiceTo : words.creditTo),
    meta: metaOf(snapshot),
    table: tableOf(snapshot),
    subtotal: { label: words.subtotal, value: formatAmount(snapshot, snapshot.totals.net) },
    vat_table: vatTableOf(snapshot),
    total: {
      label: total(snapshot.currency),
      value: formatAmount(snapshot, snapshot.totals.gross),
    },
    functional: functionalOf(snapshot),
    statutory: statutoryOf(snapshot),
    payment: paymentOf(snapshot, issued.number),
    notes: cleanOrNull(snapshot.footer),
    hours: hoursOf(snapshot, issued.hours_are_own === true),
    accent:
      snapshot.seller?.accent_color === undefined
        ? null
        : readableOnWhite(snapshot.seller.accent_color),
    logo: snapshot.seller?.logo ?? null,
    footer: sellerFooter(snapshot),
    page_number: words.page("{page}", "{pages}"),
  };
}

function metaOf(snapshot: DocumentSnapshot): FactView[] {
  const { language, payment } = snapshot;
  const words = texts[language];
  const reference = cleanOrNull(snapshot.buyer_reference ?? snapshot.customer.external_reference);
  const order_reference = cleanOrNull(snapshot.order_reference);
  const accounting_cost = cleanOrNull(snapshot.accounting_cost);
  const facts: FactView[] = [];
  if (snapshot.kind === "invoice") {
    facts.push({ label: words.invoiceDate, value: formatDay(snapshot.issue_date, language) });
    facts.push({ label: words.dueDate, value: formatDay(payment.due_date, language) });
    facts.push({ label: words.paymentTerms, value: termsSentence(payment, language) });
  } else {
    facts.push({ label: words.creditDate, value: formatDay(snapshot.issue_date, language) });
  }
  if (reference !== null) facts.push({ label: words.reference, value: reference });
  if (order_reference !== null) facts.push({ label: words.orderReference, value: order_reference });
  if (accounting_cost !== null) facts.push({ label: words.accountingCost, value: accounting_cost });
  facts.push({ label: words.currency, value: snapshot.currency });
  return facts;
}

/** Columns without information (no discount at all, one VAT rate for all) are left out. */
function tableOf(snapshot: DocumentSnapshot): TableView {
  const { language, currency_digits } = snapshot;
  const lines = printedLines(snapshot);
  const words = texts[language];
  const rows = lines.filter((line) => !isTextOnly(line)).flatMap((line) => line.rows);
  const discounts = rows.some((row) => row.discount !== 0);
  const rates = new Set(lines.filter((line) => !isTextOnly(line)).map((line) => line.vat_rate));
  const decimals = rows.every((row) => row.quantity % 100 === 0) ? 0 : 2;
  return {
    columns: [
      { label: words.description, numeric: false },
      { label: words.quantity, numeric: true },
      { label: words.unit, numeric: false },
      { label: words.unitPrice, numeric: true },
      ...(discounts ? [{ label: words.discount, numeric: true }] : []),
      ...(rates.size > 1 ? [{ label: words.vat, numeric: true }] : []),
      { label: words.amount, numeric: true },
    ],
    lines: lines.map((line) => ({
      text: clean(line.text),
      note: periodOf(line, language),
      rows: (isTextOnly(line) ? [] : line.rows).map((row) => [
        formatQuantity(row.quantity, decimals, language),
        clean(formatUnit(line.unit, row.quantity, language)),
        formatUnitPrice(row.unit_price_scaled, currency_digits, language),
        ...(discounts ? [row.discount === 0 ? "" : formatPercent(row.discount, language)] : []),
        ...(rates.size > 1 ? [formatPercent(line.vat_rate, language)] : []),
        formatAmount(snapshot, row.net),
      ]),
    })),
  };
}

/** The charged or credited service period, or the days on which the hours were worked. */
function periodOf(line: DocumentLine, language: DocumentSnapshot["language"]): string | null {
  const service = { from: line.service_from, to: line.service_to };
  const { from, to } = line.credited_service ?? line.worked ?? service;
  return from === null || to === null ? null : formatPeriod(from, to, language);
}

/** A line whose rows have no price or no quantity is text only; a full discount is still shown. */
function isTextOnly(line: DocumentLine): boolean {
  return (
    line.net === 0n && line.rows.every((row) => row.unit_price_scaled === 0n || row.quantity === 0)
  );
}

function hoursOf(snapshot: DocumentSnapshot, are_own: boolean): HoursView | null {
  const { language, hours = [], lines } = snapshot;
  const is_summed = snapshot.hours_are_summed === true;
  if (hours.length === 0) return null;
  const words = texts[language];
  const sumOf = (entries: readonly SpecifiedEntry[]) =>
    entries.reduce((sum, entry) => sum + entry.hours, 0);
  const fact = (label: string, sum: number): FactView => ({
    label,
    value: formatQuantity(sum, 2, language),
  });
  const groups = hours.map(({ line_id, entries }) => {
    const heading = clean(lines.find((line) => line.line_id === line_id)?.text ?? "");
    return {
      heading,
      continued: `${heading} (${words.continued})`,
      rows: entries.map((entry) => ({
        date: formatDay(entry.date, language),
        user: clean(entry.user_name),
        note: cleanOrNull(entry.note) ?? "",
        hours: formatQuantity(entry.hours, 2, language),
      })),
      sum: fact(words.hoursSum, sumOf(entries)),
    };
  });
  const total = hours.reduce((sum, { entries }) => sum + sumOf(entries), 0);
  const remarks = [...(are_own ? [words.hoursOwn] : []), ...(is_summed ? [words.hoursSummed] : [])];
  return {
    heading: words.hoursHeading,
    remark: remarks.length === 0 ? null : remarks.join(" "),
    columns: {
      date: words.hoursDate,
      user: words.hoursUser,
      note: is_summed ? null : words.hoursNote,
      hours: words.hours,
    },
    groups,
    total: groups.length > 1 ? fact(words.hoursTotal, total) : null,
  };
}

/** Returns the line of the payment slip; null without a creditor number, and for other currencies than kroner. */
function fikOf({ seller, currency }: DocumentSnapshot, number: bigint | null): string | null {
  if (seller?.fik_creditor_number === undefined || currency !== FIK_CURRENCY) return null;
  return fikLine(seller.fik_creditor_number, seller.fik_card_type ?? "71", number);
}

/** Returns the printed payment reference with its label, and the payment slip: older invoices have only their number. */
function codesOf(
  snapshot: DocumentSnapshot,
  number: bigint | null,
): { readonly reference: [string, string | null]; readonly fik_line: string | null } {
  const words = texts[snapshot.language];
  const { payment_codes: codes } = snapshot;
  if (codes !== undefined) {
    const label = codes.reference === codes.rf ? words.paymentReference : words.paymentId;
    return { reference: [label, codes.reference], fik_line: codes.fik_line };
  }
  const reference = number === null ? null : number.toString();
  return {
    reference: [words.paymentReference, reference],
    fik_line: fikOf(snapshot, number),
  };
}

function paymentOf(snapshot: DocumentSnapshot, number: bigint | null): DocumentView["payment"] {
  const { language, seller, totals } = snapshot;
  if (snapshot.kind === "credit_note" || totals.gross <= 0n) return null;
  const words = texts[language];
  const codes = codesOf(snapshot, number);
  const facts: MaybeFact[] = [
    [words.payable, `${snapshot.currency} ${formatAmount(snapshot, totals.gross)}`],
    [words.payBy, formatDay(snapshot.payment.due_date, language)],
    codes.reference,
    ...accountsOf(seller, language),
    [words.fik, codes.fik_line],
  ];
  return { heading: words.payment, facts: knownFacts(facts) };
}
