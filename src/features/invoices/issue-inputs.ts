/** What the document of an invoice is made from: customer, hours, configuration, rates and VAT codes of the moment. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { requireComplete } from "../../domain/sales/completeness.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import {
  type DocumentFacts,
  decideIssue,
  documentOf,
  type Invoice,
} from "../../domain/sales/invoice.ts";
import { termsOf } from "../../domain/sales/payment.ts";
import { printedOf } from "../../domain/sales/printed.ts";
import { accountAtHome } from "../../domain/sales/sales-account.ts";
import type { VatSettings } from "../../domain/sales/vat.ts";
import type { VatCode } from "../../domain/sales/vat-code.ts";
import { todayIn } from "../../platform/clock.ts";
import type { Reader } from "../../platform/context.ts";
import { booksOf } from "../configuration/accounts.ts";
import {
  type Configuration,
  findRate,
  getConfiguration,
  type Rate,
} from "../configuration/queries.ts";
import type { CustomerRow } from "../customers/present.ts";
import { getCustomer } from "../customers/queries.ts";
import { entriesByLine, hoursByLine } from "../hours/queries.ts";

/** What issuing an invoice would stand on, and the document that it would be. */
export interface IssueInputs {
  readonly document: DocumentSnapshot;
  readonly issue_date: CalendarDate;
  readonly today: CalendarDate;
  readonly customer: CustomerRow;
  readonly configuration: Configuration;
  readonly rate: Rate | null;
  /** VAT codes of the lines' accounts; null for an account without one. */
  readonly vat_codes: ReadonlyMap<number, VatCode | null>;
  readonly ledger_is_connected: boolean;
}

interface Asked {
  readonly dateFrom?: (today: CalendarDate, configuration: Configuration) => CalendarDate;
  /** Whether the document is printed or frozen: only then the hours that it specifies are read. */
  readonly is_printed?: boolean;
}

/**
 * The document that the invoice would be if it were issued now, dated by `dateFrom`. Inside a committing transaction the
 * configuration is held, so that the lock date cannot pass the booking.
 */
export async function factsOf(
  cx: Reader,
  invoice: Invoice,
  { dateFrom = (today) => invoice.issue_date ?? today, is_printed = false }: Asked = {},
): Promise<IssueInputs> {
  const ledger = booksOf(cx);
  const [configuration, customer, vat_codes, hours] = await Promise.all([
    getConfiguration(cx),
    getCustomer(cx, invoice.customer_id),
    ledger?.vatCodes(invoice.lines.map(accountAtHome)) ?? Promise.resolve(new Map()),
    hoursByLine(
      cx,
      invoice.lines.map((line) => line.id),
    ),
  ]);
  const today = todayIn(cx.clock, configuration.time_zone);
  const issue_date = dateFrom(today, configuration);
  const is_foreign = invoice.currency !== configuration.functional_currency;
  const rate = is_foreign ? await findRate(cx, invoice.currency, issue_date) : null;
  const printed = printedOf(invoice.printed, customer);
  const by_hours = invoice.lines.filter(({ recognition_method }) => recognition_method === "hours");
  const is_specified = is_printed && printed.hours_specification === true;
  const specified_ids = is_specified ? by_hours.map((line) => line.id) : [];
  const facts: DocumentFacts = {
    account_name: cx.caller.account_name,
    seller: configuration.seller,
    customer,
    language: languageOf(customer, configuration),
    functional_currency: configuration.functional_currency,
    rate_micro: rate?.rate_micro ?? null,
    rate_date: rate?.date ?? null,
    terms: termsOf(customer, {
      type: configuration.payment_type,
      days: configuration.payment_days,
    }),
    vat: vatSettings(configuration),
    vat_codes,
    sales_accounts: ledger?.sales_accounts ?? new Map(),
    hours,
    printed,
    ...(specified_ids.length > 0 ? { entries: await entriesByLine(cx, specified_ids) } : {}),
  };
  const document = documentOf(invoice, issue_date, facts);
  const ledger_is_connected = cx.ledger !== null;
  return {
    document,
    issue_date,
    today,
    customer,
    configuration,
    rate,
    vat_codes,
    ledger_is_connected,
  };
}

/**
 * Returns when the invoice, whose issue has not begun, may be issued with these facts. Throws what
 * `decideIssue` throws, and INVOICE_INCOMPLETE.
 */
export function requireIssuable(invoice: Invoice, facts: IssueInputs): void {
  decideIssue(invoice, {
    today: facts.today,
    is_being_issued: false,
    net: facts.document.totals.net,
    customer_is_active: facts.customer.active,
    period_lock_date: facts.configuration.period_lock_date,
    ledger_is_connected: facts.ledger_is_connected,
    functional_currency: facts.configuration.functional_currency,
    rate_date: facts.rate?.date ?? null,
    rate_max_age_days: facts.configuration.rate_max_age_days,
  });
  requireComplete(facts.document, {
    domestic_country: facts.configuration.vat_domestic_country,
    is_strict: facts.configuration.require_complete_invoices,
  });
}

/** What the configuration says about VAT. */
export function vatSettings(configuration: Configuration): VatSettings {
  return {
    domestic_rate: configuration.vat_domestic_rate,
    domestic_country: configuration.vat_domestic_country,
  };
}

/** Danish or English: the customer's language, else the configuration's; other languages read English. */
function languageOf(customer: CustomerRow, configuration: Configuration): "da" | "en" {
  const key = customer.preferred_invoice_language_key ?? configuration.invoice_language_key;
  return /^da\b/i.test(key.replace("_", "-")) ? "da" : "en";
}
