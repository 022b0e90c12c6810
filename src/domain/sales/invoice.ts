/** Invoices: drafts, the decision to issue, and the frozen document. Issued invoices never change (spec 5.3). */
import type { CustomerId, InvoiceId, Timestamp } from "../base/brand.ts";
import { type CalendarDate, daysBetween } from "../base/calendar.ts";
import { currencyDigits } from "../base/currency.ts";
import { type PeriodLock, requireOpenDate } from "../base/period-lock.ts";
import { Problem } from "../base/problem.ts";
import type { DocumentCustomer, DocumentLine, DocumentSnapshot, Seller } from "./document.ts";
import { type Line, rowsOf, type UserHours } from "./line.ts";
import { type ContractTerms, paymentOf } from "./payment.ts";
import type { Printed } from "./printed.ts";
import { type SalesAccounts, saleOf } from "./sales-account.ts";
import { specificationOf, type WorkedEntry } from "./specification.ts";
import { type Conversion, functional, totalsOf } from "./totals.ts";
import { type VatSettings, vatRate } from "./vat.ts";
import type { VatCode } from "./vat-code.ts";

type InvoiceStatus = "draft" | "issued";

export interface Invoice {
  readonly id: InvoiceId;
  readonly external_id: string | null;
  readonly customer_id: CustomerId;
  readonly currency: string;
  readonly issue_date: CalendarDate | null;
  readonly title: string | null;
  readonly auto_send: boolean;
  readonly status: InvoiceStatus;
  readonly ledger_invoice_guid: string | null;
  readonly ledger_invoice_number: bigint | null;
  readonly issued_at: Timestamp | null;
  readonly lines: readonly Line[];
  readonly printed: Printed;
}

/** Requires that the invoice is a draft. Throws INVOICE_ALREADY_ISSUED or INVOICE_ISSUE_IN_PROGRESS (spec 5.2). */
export function requireDraft(invoice: Pick<Invoice, "status">, is_being_issued: boolean): void {
  if (invoice.status === "issued") throw new Problem("INVOICE_ALREADY_ISSUED");
  if (is_being_issued) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
}

/** The data for a document, in addition to the invoice. */
export interface DocumentFacts {
  readonly account_name: string;
  readonly seller: Seller | null;
  readonly customer: DocumentCustomer & { readonly country_key: string };
  readonly language: "da" | "en";
  readonly functional_currency: string;
  /** Functional units for one unit of the invoice's currency, in millionths; null when unknown. */
  readonly rate_micro: bigint | null;
  /** The date of the rate. */
  readonly rate_date: CalendarDate | null;
  readonly terms: ContractTerms;
  readonly vat: VatSettings;
  /** VAT code of a revenue account; null for an account without one. */
  readonly vat_codes: ReadonlyMap<number, VatCode | null>;
  readonly sales_accounts: SalesAccounts;
  readonly hours: ReadonlyMap<string, readonly UserHours[]>;
  /** The additional texts of invoice and customer together that the document prints. */
  readonly printed?: Printed;
  /** The billable hours of lines one by one, when the document specifies them. */
  readonly entries?: ReadonlyMap<string, readonly WorkedEntry[]>;
}

/**
 * Decides whether and when to issue a draft (spec 5.3). Throws INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * INVOICE_EMPTY, CUSTOMER_INACTIVE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED or EXCHANGE_RATE_MISSING, in that order.
 */
export function decideIssue(
  invoice: Pick<Invoice, "status" | "lines" | "issue_date" | "currency">,
  facts: {
    readonly today: CalendarDate;
    readonly is_being_issued: boolean;
    readonly net: bigint;
    readonly customer_is_active: boolean;
    readonly lock: PeriodLock;
    readonly ledger_is_connected: boolean;
    /** Whether the ledger has its own rates, which become the document's when it is booked. */
    readonly ledger_supplies_rates?: boolean;
    readonly functional_currency: string;
    /** The date of the latest rate on or before the document's date; null when there is none. */
    readonly rate_date: CalendarDate | null;
    /** How many days older than the document the rate may be; null for any age. */
    readonly rate_max_age_days: number | null;
  },
): { readonly issue_date: CalendarDate } {
  requireDraft(invoice, facts.is_being_issued);
  if (invoice.lines.length === 0 || facts.net === 0n) throw new Problem("INVOICE_EMPTY");
  if (!facts.customer_is_active) throw new Problem("CUSTOMER_INACTIVE");
  const issue_date = invoice.issue_date ?? facts.today;
  requireOpenDate(issue_date, facts.lock);
  if (!facts.ledger_is_connected) throw new Problem("LEDGER_NOT_CONNECTED");
  const needs_rate = invoice.currency !== facts.functional_currency && !facts.ledger_supplies_rates;
  if (needs_rate) requireRate(invoice, issue_date, facts);
  return { issue_date };
}

/** Requires a rate that is recent enough. Throws EXCHANGE_RATE_MISSING when there is no rate, or only an old one. */
export function requireRate(
  { currency }: Pick<Invoice, "currency">,
  date: CalendarDate,
  facts: { readonly rate_date: CalendarDate | null; readonly rate_max_age_days: number | null },
): void {
  const { rate_date, rate_max_age_days } = facts;
  if (rate_date === null) {
    throw new Problem("EXCHANGE_RATE_MISSING", { details: { currency, date } });
  }
  // `daysBetween` counts both days.
  if (rate_max_age_days === null || daysBetween(rate_date, date) - 1 <= rate_max_age_days) return;
  throw new Problem("EXCHANGE_RATE_MISSING", {
    message: `The latest exchange rate is dated ${rate_date}, and the configuration allows one at most ${rate_max_age_days} days older than the document.`,
    details: { currency, date, rate_date, rate_max_age_days },
  });
}

/** Returns the priced, taxed and converted document (spec 2.7). A draft without a rate has functional amounts of 0. */
export function documentOf(
  invoice: Pick<Invoice, "id" | "currency" | "title" | "lines">,
  issue_date: CalendarDate,
  facts: DocumentFacts,
): DocumentSnapshot {
  const currency_digits = currencyDigits(invoice.currency);
  const functional_digits = currencyDigits(facts.functional_currency);
  const is_foreign = invoice.currency !== facts.functional_currency;
  const conversion: Conversion | null = is_foreign
    ? {
        rate_micro: facts.rate_micro ?? 0n,
        from_digits: currency_digits,
        to_digits: functional_digits,
      }
    : null;
  const lines = [...invoice.lines]
    .sort((a, b) => a.position - b.position)
    .map((line): DocumentLine => {
      const hours = facts.hours.get(line.id) ?? [];
      const rows = rowsOf(line, currency_digits, hours);
      const net = rows.reduce((sum, row) => sum + row.net, 0n);
      const { vat_code, account_number } = saleOf(line, facts);
      return {
        line_id: line.id,
        position: line.position,
        text: line.description_override ?? line.product_name,
        product_number: line.product_number,
        unit: unitOf(line),
        service_from: line.service_from,
        service_to: line.service_to,
        ...workedOf(line, hours),
        account_number,
        vat_code,
        vat_rate: vatRate(vat_code, facts.vat),
        net,
        net_functional: functional(net, conversion),
        rows,
      };
    });
  return {
    kind: "invoice",
    document_id: invoice.id,
    account_name: facts.account_name,
    seller: facts.seller,
    customer: facts.customer,
    language: facts.language,
    currency: invoice.currency,
    currency_digits,
    functional_currency: facts.functional_currency,
    functional_digits,
    rate_micro: is_foreign ? facts.rate_micro : null,
    ...(is_foreign && facts.rate_date !== null ? { rate_date: facts.rate_date } : {}),
    issue_date,
    payment: paymentOf(facts.terms, issue_date),
    title: invoice.title,
    credits: null,
    lines,
    ...totalsOf(lines, conversion),
    ...besides(facts, lines),
  };
}

/** Returns the additional fields that the document prints; empty fields are left out. */
function besides(
  { printed = {}, entries }: DocumentFacts,
  lines: readonly DocumentLine[],
): Pick<
  DocumentSnapshot,
  | "buyer_reference"
  | "order_reference"
  | "accounting_cost"
  | "footer"
  | "hours"
  | "hours_are_summed"
> {
  const { hours_specification, ...texts } = printed;
  // An empty reference is kept; otherwise the customer's own number would be printed instead.
  const said = Object.entries(texts).filter(
    ([field, text]) => text !== "" || field === "buyer_reference",
  );
  const texts_said = Object.fromEntries(said);
  if (hours_specification !== true || entries === undefined) return texts_said;
  const ids = lines.map(({ line_id }) => line_id);
  const { hours, hours_are_summed } = specificationOf(ids, entries);
  return {
    ...texts_said,
    ...(hours.length > 0 ? { hours } : {}),
    ...(hours_are_summed ? { hours_are_summed } : {}),
  };
}

/** Returns the first and the last date of the hours that a line by hours bills. */
function workedOf(line: Line, hours: readonly UserHours[]): Pick<DocumentLine, "worked"> {
  const from = hours.flatMap(({ first_day }) => first_day ?? []).sort()[0];
  const to = hours
    .flatMap(({ last_day }) => last_day ?? [])
    .sort()
    .at(-1);
  if (line.recognition_method !== "hours" || from === undefined || to === undefined) return {};
  return { worked: { from, to } };
}

/** Returns the unit to print. A fixed price is in parts: `1 hour` would state an agreement that does not exist. */
function unitOf(line: Line): string {
  if (line.recognition_method === "hours") return "hours";
  return line.unit === "hours" ? "parts" : line.unit;
}
