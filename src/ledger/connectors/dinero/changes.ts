/** What was changed in Dinero of customers and products, deleted ones included. */
import { scaledFromNumber } from "../../../domain/base/money.ts";
import type {
  ChangedThere,
  LedgerChanges,
  LedgerCustomer,
  LedgerProduct,
} from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { type DineroApi, readable } from "./api.ts";
import { readList } from "./lists.ts";
import { type DineroObject, fieldOf, requiredTextOf, textOf } from "./wire.ts";

/** Our fields by theirs, of those that are texts. */
const CUSTOMER_TEXTS = {
  Street: "street",
  ZipCode: "zip_code",
  City: "city",
  Phone: "phone",
  Email: "email",
  Webpage: "webpage",
  AttPerson: "att_person",
  VatNumber: "vat_number",
  SENumber: "se_number",
  PNumber: "p_number",
  EanNumber: "ean_number",
  CompanyTypeKey: "company_type_key",
  PreferredInvoiceLanguageKey: "preferred_invoice_language_key",
  PreferredInvoiceCurrencyKey: "preferred_invoice_currency_key",
  PaymentConditionType: "payment_condition_type",
  InvoiceMailOutOptionKey: "invoice_mail_out_option_key",
} as const;
const CONTACT_FIELDS = [
  "ContactGuid,Name,CountryKey,IsPerson,UseCvr,ExternalReference,PaymentConditionNumberOfDays,UpdatedAt,DeletedAt",
  ...Object.keys(CUSTOMER_TEXTS),
].join(",");
const PRODUCT_FIELDS =
  "ProductGuid,Name,ProductNumber,BaseAmountValue,Quantity,Unit,AccountNumber,ExternalReference,Comment,UpdatedAt,DeletedAt";
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The clocks of the vendor's machines may differ by so much. */
const OVERLAP_MS = 60_000;

export async function changesSince(
  api: DineroApi,
  since: string | null,
  options: CallOptions,
): Promise<LedgerChanges | Failure> {
  const contacts = await changed(api, "contacts", CONTACT_FIELDS, since, options);
  if (contacts.state !== "list") return contacts;
  const products = await changed(api, "products", PRODUCT_FIELDS, since, options);
  if (products.state !== "list") return products;
  return readable(() => ({
    state: "changes",
    customers: contacts.rows.map(customerThere),
    products: products.rows.map(productThere),
    until: untilOf(contacts.date, since, [...contacts.rows, ...products.rows]),
  }));
}

/** Those that were deleted are asked for by themselves, because a list does not say whether it has them. */
async function changed(
  api: DineroApi,
  path: string,
  fields: string,
  since: string | null,
  options: CallOptions,
) {
  if (since === null) return readList(api, path, { fields }, options);
  const query = { fields, changesSince: since };
  const live = await readList(api, path, query, options);
  if (live.state !== "list") return live;
  const deleted = await readList(api, path, { ...query, deletedOnly: "true" }, options);
  if (deleted.state !== "list") return deleted;
  const key = path === "contacts" ? "ContactGuid" : "ProductGuid";
  const rows = new Map([...live.rows, ...deleted.rows].map((row) => [textOf(row, key), row]));
  return { ...live, rows: [...rows.values()] };
}

/** By Dinero's clock, a little before it began to answer; by what was seen last where it tells no time. */
function untilOf(date: string | null, since: string | null, rows: readonly DineroObject[]): string {
  const answered = date === null ? Number.NaN : Date.parse(date);
  const seen = rows
    .map((row) => Date.parse(textOf(row, "UpdatedAt") ?? ""))
    .filter(Number.isFinite);
  const moment = Number.isFinite(answered) ? answered - OVERLAP_MS : Math.max(...seen);
  if (!Number.isFinite(moment)) return since ?? "";
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

function customerThere(row: DineroObject): ChangedThere<Partial<LedgerCustomer>> {
  const ledger_id = requiredTextOf(row, "ContactGuid").toLowerCase();
  const days = fieldOf(row, "PaymentConditionNumberOfDays");
  const texts = Object.entries(CUSTOMER_TEXTS).map(([there, here]) => [here, textOf(row, there)]);
  return {
    ledger_id,
    guid: ledger_id,
    active: textOf(row, "DeletedAt") === null,
    fields: {
      name: requiredTextOf(row, "Name"),
      country_key: textOf(row, "CountryKey") ?? "DK",
      is_person: fieldOf(row, "IsPerson") === true,
      use_cvr: fieldOf(row, "UseCvr") === true,
      external_reference: textOf(row, "ExternalReference"),
      payment_condition_number_of_days: typeof days === "number" ? days : null,
      ...(Object.fromEntries(texts) as Partial<LedgerCustomer>),
    },
  };
}

function productThere(row: DineroObject): ChangedThere<Partial<LedgerProduct>> {
  const reference = textOf(row, "ExternalReference");
  const price = scaledFromNumber(Number(fieldOf(row, "BaseAmountValue")), 4);
  const quantity = scaledFromNumber(Number(fieldOf(row, "Quantity")), 2);
  const account = fieldOf(row, "AccountNumber");
  return {
    ledger_id: requiredTextOf(row, "ProductGuid"),
    guid: reference !== null && GUID.test(reference) ? reference.toLowerCase() : null,
    active: textOf(row, "DeletedAt") === null,
    fields: {
      name: textOf(row, "Name") ?? "",
      product_number: textOf(row, "ProductNumber"),
      unit: textOf(row, "Unit") ?? "parts",
      comments: textOf(row, "Comment"),
      ledger_account: typeof account === "number" ? String(account) : null,
      ...(typeof price === "bigint" && { price_scaled: price }),
      ...(typeof quantity === "bigint" && { quantity: Number(quantity) }),
    },
  };
}
