/** Reads the inputs of an invoice's document: the current customer, hours, configuration, rates and VAT codes. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { requireComplete } from "../../../domain/sales/completeness.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import {
  type DocumentFacts,
  decideIssue,
  documentOf,
  type Invoice,
} from "../../../domain/sales/invoice.ts";
import { termsOf } from "../../../domain/sales/payment.ts";
import { printedOf } from "../../../domain/sales/printed.ts";
import { accountAtHome } from "../../../domain/sales/sales-account.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import { printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import {
  documentLanguage,
  findCustomers,
  findCustomersBy,
} from "../../catalogue/customers/queries.ts";
import { chartOf, vatCodesBy } from "../../settings/configuration/accounts.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  type Rate,
  vatSettings,
} from "../../settings/configuration/queries.ts";
import { entriesByLine, hoursBy, hoursByLine } from "../hours/queries.ts";

/** The inputs of issuing an invoice, and the resulting document. */
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
  /** Whether the ledger supplies a rate that is missing here. */
  readonly ledger_supplies_rates: boolean;
  /** Whether Matchbook makes the e-invoices of the account: no connected ledger does. */
  readonly makes_einvoices: boolean;
}

type DateFrom = (
  invoice: Invoice,
  today: CalendarDate,
  configuration: Configuration,
) => CalendarDate;

interface Asked {
  readonly dateFrom?: DateFrom;
  /** Whether the documents are printed or frozen. Only then, the hours that a document specifies are read. */
  readonly is_printed?: boolean;
  /** The configuration, when the caller has read it already. */
  readonly configuration?: Configuration;
  /** All inputs that the caller has read already. */
  readonly known?: Partial<KnownInputs>;
}

/** Inputs of one invoice that are read before its content is known (`readIssueInputs`). */
interface KnownInputs extends Pick<DocumentFacts, "vat_codes" | "hours"> {
  readonly configuration: Configuration;
  readonly customers: ReadonlyMap<string, CustomerRow>;
}

/** Reads the inputs of the invoice of a condition on `invoices`, whose content is not known yet. */
export async function readIssueInputs(cx: Reader, which: Sql): Promise<KnownInputs> {
  const { account_id } = cx.caller;
  const of_lines = (what: Sql) => sql`any(array(select ${what} from invoice_lines l
    join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
    where l.account_id = ${account_id} and ${which}))`;
  const [configuration, customers, vat_codes, hours] = await Promise.all([
    getConfiguration(cx),
    findCustomersBy(
      cx,
      sql`id = (select i.customer_id from invoices i where i.account_id = ${account_id} and ${which})`,
    ),
    vatCodesBy(cx, sql`number = ${of_lines(sql`coalesce(l.domestic_account, l.account_number)`)}`),
    hoursBy(cx, sql`line_id = ${of_lines(sql`l.id`)}`),
  ]);
  return { configuration, customers, vat_codes, hours };
}

/**
 * Returns the inputs and the document of the invoice if it were issued now, dated by `dateFrom`. A transaction that commits also
 * locks the configuration, so that the lock date cannot pass the booking.
 */
export async function factsOf(
  cx: Reader,
  invoice: Invoice,
  asked: Asked = {},
): Promise<IssueInputs> {
  return (await readIssueFacts(cx, [invoice], asked)).inputsOf(invoice);
}

/** The inputs of issuing several invoices, read together. */
export interface IssueFacts {
  readonly basis: IssueBasis;
  /** Computes the inputs of one of the invoices from what was read. Throws NOT_FOUND for a customer who no longer exists. */
  inputsOf(invoice: Invoice): IssueInputs;
}

/** The inputs that other transactions may change although the invoices are locked. */
export interface IssueBasis {
  readonly configuration: Configuration;
  readonly customers: ReadonlyMap<string, CustomerRow>;
  /** Exchange rates of invoices in foreign currencies, by the ids of the invoices. */
  readonly rates: ReadonlyMap<string, Rate | null>;
}

export async function readIssueBasis(
  cx: Reader,
  invoices: readonly Invoice[],
  dateFrom: DateFrom,
): Promise<IssueBasis> {
  const parties = await readParties(cx, invoices, {});
  return { ...parties, rates: await readRates(cx, invoices, dateFrom, parties) };
}

type Parties = Omit<IssueBasis, "rates">;

async function readParties(
  cx: Reader,
  invoices: readonly Invoice[],
  known: Partial<Parties>,
): Promise<Parties> {
  const customer_ids = invoices.map((invoice) => invoice.customer_id);
  const [configuration, customers] = await Promise.all([
    known.configuration ?? getConfiguration(cx),
    known.customers ?? findCustomers(cx, customer_ids),
  ]);
  return { configuration, customers };
}

/** Reads the rates of invoices in foreign currencies; null for an invoice without one. */
async function readRates(
  cx: Reader,
  invoices: readonly Invoice[],
  dateFrom: DateFrom,
  { configuration }: Parties,
): Promise<IssueBasis["rates"]> {
  const today = todayIn(cx.clock, configuration.time_zone);
  const foreign = invoices.filter(({ currency }) => currency !== configuration.functional_currency);
  const rates = await findRates(
    cx,
    foreign.map((invoice) => ({
      currency: invoice.currency,
      day: dateFrom(invoice, today, configuration),
    })),
  );
  return new Map(foreign.map(({ id }, at) => [id, rates[at] ?? null]));
}

/** Reads the inputs of many invoices, with one query for each kind of input. */
export async function readIssueFacts(
  cx: Reader,
  invoices: readonly Invoice[],
  {
    dateFrom = ({ issue_date }, today) => issue_date ?? today,
    is_printed = false,
    configuration: own,
    known = own === undefined ? {} : { configuration: own },
  }: Asked = {},
): Promise<IssueFacts> {
  const chart = chartOf(cx);
  const lines = invoices.flatMap((invoice) => invoice.lines);
  const line_ids = lines.map((line) => line.id);
  const [parties, vat_codes, hours] = await Promise.all([
    readParties(cx, invoices, known),
    known.vat_codes ?? chart?.vatCodes(lines.map(accountAtHome)) ?? new Map(),
    known.hours ?? hoursByLine(cx, line_ids),
  ]);
  const { configuration, customers } = parties;
  const today = todayIn(cx.clock, configuration.time_zone);
  const dateOf = (invoice: Invoice) => dateFrom(invoice, today, configuration);
  const shared: SharedFacts = {
    account_name: cx.caller.account_name,
    configuration,
    today,
    vat_codes,
    hours,
    sales_accounts: chart?.sales_accounts ?? new Map(),
    ledger_is_connected: cx.ledger !== null,
    ledger_supplies_rates: suppliesRates(cx),
    makes_einvoices: !printsItself(cx.ledger),
  };
  const specified = invoices
    .map((one) => (is_printed ? specifiedLines(one, customers.get(one.customer_id)) : []))
    .filter((line_ids) => line_ids.length > 0);
  const [rates, entries] = await Promise.all([
    readRates(cx, invoices, dateFrom, parties),
    specified.length > 0 ? entriesByLine(cx, specified) : undefined,
  ]);
  return {
    basis: { ...parties, rates },
    inputsOf(invoice) {
      const customer = customers.get(invoice.customer_id);
      if (customer === undefined) throw notFound("customer", invoice.customer_id);
      const is_specified = entries !== undefined && specifiedLines(invoice, customer).length > 0;
      return inputsFrom(invoice, {
        ...shared,
        customer,
        issue_date: dateOf(invoice),
        rate: rates.get(invoice.id) ?? null,
        ...(is_specified ? { entries } : {}),
      });
    },
  };
}

/** Inputs that all invoices of one read share. */
type SharedFacts = Pick<DocumentFacts, "account_name" | "vat_codes" | "hours" | "sales_accounts"> &
  Pick<
    IssueInputs,
    "configuration" | "today" | "ledger_is_connected" | "ledger_supplies_rates" | "makes_einvoices"
  >;

type OwnFacts = Pick<IssueInputs, "customer" | "issue_date" | "rate"> &
  Pick<DocumentFacts, "entries">;

/** Returns the ids of the lines by hours whose registrations the document lists one by one. */
function specifiedLines(invoice: Invoice, customer: CustomerRow | undefined): string[] {
  if (customer === undefined) return [];
  if (printedOf(invoice.printed, customer).hours_specification !== true) return [];
  return invoice.lines
    .filter(({ recognition_method }) => recognition_method === "hours")
    .map((line) => line.id);
}

/** Returns the customer as documents freeze it: without how it is reminded and where e-invoices go, so that hashes stay as they were. */
function buyerOf(customer: CustomerRow) {
  const {
    reminders,
    einvoice_address,
    einvoice_format,
    einvoice_by_mail,
    accounting_cost,
    ...buyer
  } = customer;
  return buyer;
}

function inputsFrom(invoice: Invoice, facts: SharedFacts & OwnFacts): IssueInputs {
  const { configuration, customer, rate, issue_date, today, vat_codes } = facts;
  const { ledger_is_connected, ledger_supplies_rates, makes_einvoices, entries } = facts;
  const document = documentOf(invoice, issue_date, {
    account_name: facts.account_name,
    seller: configuration.seller,
    customer: buyerOf(customer),
    language: documentLanguage(customer, configuration),
    functional_currency: configuration.functional_currency,
    rate_micro: rate?.rate_micro ?? null,
    rate_date: rate?.date ?? null,
    terms: termsOf(customer, {
      type: configuration.payment_type,
      days: configuration.payment_days,
    }),
    vat: vatSettings(configuration),
    vat_codes,
    sales_accounts: facts.sales_accounts,
    hours: facts.hours,
    printed: printedOf(invoice.printed, customer),
    ...(entries === undefined ? {} : { entries }),
  });
  return {
    document,
    issue_date,
    today,
    customer,
    configuration,
    rate,
    vat_codes,
    ledger_is_connected,
    ledger_supplies_rates,
    makes_einvoices,
  };
}

function suppliesRates({ ledger }: Reader): boolean {
  if (ledger === null || ledger.transactional) return false;
  return ledger.capabilities?.supplies_rates ?? false;
}

/** Requires that the issue of the invoice may begin. Throws the errors of `decideIssue`, and INVOICE_INCOMPLETE. */
export function requireIssuable(invoice: Invoice, facts: IssueInputs): void {
  decideIssue(invoice, {
    today: facts.today,
    is_being_issued: false,
    net: facts.document.totals.net,
    customer_is_active: facts.customer.active,
    lock: facts.configuration,
    ledger_is_connected: facts.ledger_is_connected,
    ledger_supplies_rates: facts.ledger_supplies_rates,
    functional_currency: facts.configuration.functional_currency,
    rate_date: facts.rate?.date ?? null,
    rate_max_age_days: facts.configuration.rate_max_age_days,
  });
  requireComplete(facts.document, {
    domestic_country: facts.configuration.vat_domestic_country,
    is_strict: facts.configuration.require_complete_invoices,
  });
}
