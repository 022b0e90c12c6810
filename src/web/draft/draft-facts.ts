/** Reads the data of the draft editor from the stored draft. Each save returns this data as well. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText } from "../../domain/base/money.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import { determineVat, type VatCustomer, vatRate } from "../../domain/sales/vat.ts";
import type { VatCode } from "../../domain/sales/vat-code.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { readUsers } from "../../features/access/people/queries.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
import { pricedProducts, type SoldProduct } from "../../features/catalogue/products/queries.ts";
import { viewOf } from "../../features/documents/printing/view.ts";
import type { OpenState } from "../../features/ledger/booking/intent-state.ts";
import { openBookings } from "../../features/ledger/booking/queries.ts";
import { workedByLine } from "../../features/sales/hours/list-worked.ts";
import { completionsOf } from "../../features/sales/invoices/complete.ts";
import { factsOf } from "../../features/sales/invoices/issue-inputs.ts";
import {
  type DraftAhead,
  draftAhead,
  getInvoice,
  type LoadedInvoice,
} from "../../features/sales/invoices/queries.ts";
import type { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import { warningsOfDraft, warningsOfIssue } from "../../features/sales/invoices/warnings.ts";
import { chartOf } from "../../features/settings/configuration/accounts.ts";
import {
  type Configuration,
  getConfiguration,
  vatSettings,
} from "../../features/settings/configuration/queries.ts";
import type { Context, PersonReader, Reader } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { MOST_LINES } from "../../platform/threads/takes-long.ts";
import type { PageReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { type CuredDocument, cureOfWarning } from "../parts/cures.ts";
import type { CuredText } from "../parts/facts.tsx";
import { amountOfNumber, plainNumber } from "../parts/format.ts";
import { warningText } from "../parts/warning-text.ts";
import { billingOf } from "./draft-billing.ts";
import { einvoiceAhead } from "./draft-einvoice.ts";
import { ownMonths, seenWork } from "./draft-seen.ts";
import type { DraftStored, Named } from "./draft-stored.ts";
import type { ProductFacts } from "./draft-sums.ts";
import type { TypedDraft } from "./draft-typed.ts";

/** The maximum number of people in an account whose people are picked from a list. */
const MOST_PEOPLE = 200;

/** Reads a draft without its lines, to see if it is long: its editor then takes one of the account's heavy slots. */
export function lookAtDraft(cx: Reader, id: string): Promise<DraftAhead | undefined> {
  return draftAhead(cx, id, MOST_LINES);
}

/** Whether an action on a draft takes one of the account's heavy slots. */
export async function isLongDraft(cx: Reader, id: string): Promise<boolean> {
  return (await lookAtDraft(cx, id))?.is_long ?? false;
}

/**
 * Returns the draft as its editor needs it, limited to the data that the person may see. `known` is the data that the caller has
 * read already: the draft, and its version, which was read before it. Throws NOT_FOUND.
 */
export async function draftStored(
  cx: PersonReader & Pick<Context, "receivers">,
  id: string,
  { language, words }: Pick<PageReader, "language" | "words">,
  known?: { readonly loaded: LoadedInvoice; readonly version: string | undefined },
): Promise<DraftStored> {
  const { invoice, document, is_being_issued } = known?.loaded ?? (await getInvoice(cx, id));
  const line_ids = invoice.lines.map((line) => line.id);
  const [version, facts, worked, completed, products, bookings] = await Promise.all([
    known?.version ?? versionOf(cx, "invoices", id),
    factsOf(cx, invoice),
    workedByLine(cx, line_ids),
    completionsOf(cx, line_ids),
    pricedProducts(
      cx,
      invoice.lines.map((line) => line.product_id),
    ),
    is_being_issued ? openBookings(cx, [id]) : new Map<string, OpenState>(),
  ]);
  const warnings =
    invoice.issue_date === null
      ? warningsOfDraft(invoice, facts)
      : await warningsOfIssue(cx, invoice, facts);
  const draft = curedDraft(cx, invoice);
  const einvoice = await einvoiceAhead(cx, facts, draft, { language, words });
  const { customer, configuration } = facts;
  const shown = JSON.parse(document) as InvoiceResource;
  const earning = {
    currency: invoice.currency,
    today: facts.today,
    convention: configuration.recognition_convention,
    completed: Object.fromEntries<CalendarDate>(completed),
  };
  return {
    id,
    version,
    is_being_issued,
    is_in_doubt: bookings.get(id) === "parked",
    typed: typedOf(shown, language),
    facts: {
      ...earning,
      functional_currency: configuration.functional_currency,
      customer: { id: customer.id, name: customer.name },
      products: await productFacts(
        cx,
        [...products.values()],
        customer,
        configuration,
        facts.vat_codes,
      ),
      worked: Object.fromEntries(
        invoice.lines.map((line) => [line.id, seenWork(cx, line, worked.get(line.id) ?? [])]),
      ),
    },
    billing: billingOf(customer, configuration, { language, words }),
    view: viewOf(facts.document, { number: null }),
    own_months: isAdmin(cx) ? null : ownMonths(cx, invoice, worked, earning),
    ready: einvoice.ready,
    warnings: [...einvoice.sentences, ...shownWarnings(warnings, draft, { language, words })],
  };
}

/** Returns the warnings as sentences. What the e-invoice lacks is said field by field. */
function shownWarnings(
  warnings: readonly Warning[],
  draft: CuredDocument,
  { language, words }: Pick<PageReader, "language" | "words">,
): CuredText[] {
  return warnings
    .filter(({ code }) => code !== "EINVOICE_INCOMPLETE")
    .map((warning) => ({
      text: [warningText({ words, language }, warning), hintOf(warning.code, words)]
        .join(" ")
        .trim(),
      cure: cureOfWarning(warning, draft),
    }));
}

/** Returns what a person may do about a warning where the link to its cure does not say it. */
function hintOf(code: string, { draft_made }: PageReader["words"]): string {
  return code === "LINE_WITHOUT_HOURS" ? draft_made.no_hours : "";
}

/** Returns the draft as the table of cures takes it. */
export function curedDraft(
  cx: PersonReader,
  { id, customer_id, lines }: Pick<Invoice, "id" | "customer_id" | "lines">,
): CuredDocument {
  const in_order = [...lines].sort((a, b) => a.position - b.position);
  return {
    page: `/invoices/${id}`,
    day_id: "issue_date",
    customer_id,
    line_ids: in_order.map((line) => line.id),
    is_admin: isAdmin(cx),
  };
}

/** Returns products by their ids, in the form that the draft editor takes. Throws NOT_FOUND for the draft. */
export async function productsFor(
  cx: Reader,
  draft_id: string,
  ids: readonly string[],
): Promise<ProductFacts[]> {
  const [{ invoice }, configuration, products] = await Promise.all([
    getInvoice(cx, draft_id),
    getConfiguration(cx),
    pricedProducts(cx, ids),
  ]);
  const customer = await getCustomer(cx, invoice.customer_id);
  const found = ids.flatMap((id) => products.get(id) ?? []);
  return productFacts(cx, found, customer, configuration);
}

/** Returns products for the browser, each with the VAT of a sale to the customer. `known` has VAT codes read before. */
async function productFacts(
  cx: Reader,
  products: readonly SoldProduct[],
  customer: VatCustomer,
  configuration: Configuration,
  known: ReadonlyMap<number, VatCode | null> = new Map(),
): Promise<ProductFacts[]> {
  const vat = vatSettings(configuration);
  const numbers = products.map(({ account_number }) => account_number);
  const is_known = numbers.every((number) => known.has(number));
  const codes = (is_known ? known : await chartOf(cx)?.vatCodes(numbers)) ?? known;
  return products.map((product) => {
    const { account_number } = product;
    const vat_code = determineVat(codes.get(account_number) ?? null, customer, vat);
    return {
      id: product.id,
      name: product.name,
      product_number: product.product_number,
      account_number: product.account_number,
      names_account: product.names_account,
      unit: product.unit,
      quantity: decimalText(product.quantity, 0),
      default_price: decimalText(product.default_price, 0),
      prices: product.prices.map(({ currency, amount }) => ({
        currency,
        amount: decimalText(amount, 0),
      })),
      default_recognition_method: product.default_recognition_method,
      default_months: product.default_months,
      vat_code,
      vat_rate: vatRate(vat_code, vat),
    };
  });
}

/** Returns the people to whom a line may be assigned. */
export async function assignable(cx: Reader): Promise<Named[]> {
  const { data } = pageFrom<Named>(
    await readUsers({ limit: MOST_PEOPLE, active: true, cursor: undefined }).answer(cx),
  );
  return data.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the values of the fields for a stored draft, with numbers as the reader writes them. */
function typedOf(invoice: InvoiceResource, language: PageReader["language"]): TypedDraft {
  const digits = currencyDigits(invoice.currency);
  const number = (value: number | null | undefined): string =>
    value == null ? "" : plainNumber(language, value);
  const price = (value: number | null): string => {
    if (value === null) return "";
    const decimals = String(value).split(".")[1]?.length ?? 0;
    return decimals > digits ? number(value) : amountOfNumber(language, value, invoice.currency);
  };
  return {
    customer_id: invoice.customer_id,
    title: invoice.title ?? "",
    issue_date: invoice.issue_date ?? "",
    auto_send: invoice.auto_send,
    buyer_reference: invoice.buyer_reference ?? null,
    order_reference: invoice.order_reference ?? null,
    accounting_cost: invoice.accounting_cost ?? null,
    lines: invoice.lines.map((line) => {
      const is_by_hours = line.recognition_method === "hours";
      return {
        key: line.id,
        id: line.id,
        product_id: line.product_id,
        text: line.description_override ?? "",
        method: line.recognition_method,
        price: price(is_by_hours ? line.hourly_rate : line.agreed_value),
        other_price: is_by_hours ? line.agreed_value : line.hourly_rate,
        discount: line.discount === 0 ? "" : number(line.discount),
        service_from: line.service_from ?? "",
        service_to: line.service_to ?? "",
        budget: number(line.budget_hours),
        assignees: line.assignees.map(
          ({ user_id, distribution_percentage, hourly_rate_override }) => ({
            user_id,
            share: number(distribution_percentage),
            rate: hourly_rate_override,
          }),
        ),
      };
    }),
  };
}
