/**
 * Reads changes of customers and products in Dinero, including deletions. Only fields that Dinero stores unchanged are read back:
 * fields that it stores shorter or coarser, such as units and languages, would overwrite our values.
 */
import { scaledFromNumber } from "../../../domain/base/money.ts";
import type {
  LedgerChanges,
  LedgerCustomer,
  LedgerProduct,
  RemoteChange,
} from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { type DineroApi, readable } from "./api.ts";
import { readList } from "./lists.ts";
import { type DineroObject, fieldOf, requiredTextOf, textOf } from "./values.ts";

/** Our text fields with Dinero's names, for all customers. */
const CUSTOMER_TEXTS = {
  Street: "street",
  ZipCode: "zip_code",
  City: "city",
  Phone: "phone",
  Email: "email",
  Webpage: "webpage",
  PreferredInvoiceCurrencyKey: "preferred_invoice_currency_key",
  PaymentConditionType: "payment_condition_type",
} as const;
/** Our text fields with Dinero's names, for businesses only; Dinero receives none of them for a person. */
const BUSINESS_TEXTS = {
  AttPerson: "att_person",
  VatNumber: "vat_number",
  SENumber: "se_number",
  PNumber: "p_number",
  EanNumber: "ean_number",
  CompanyTypeKey: "company_type_key",
  InvoiceMailOutOptionKey: "invoice_mail_out_option_key",
} as const;
const CONTACT_FIELDS = [
  "ContactGuid,Name,CountryKey,IsPerson,UseCvr,ExternalReference,PaymentConditionNumberOfDays,UpdatedAt,DeletedAt",
  ...Object.keys({ ...CUSTOMER_TEXTS, ...BUSINESS_TEXTS }),
].join(",");
const PRODUCT_FIELDS =
  "ProductGuid,Name,ProductNumber,BaseAmountValue,Quantity,Unit,AccountNumber,ExternalReference,Comment,UpdatedAt,DeletedAt";
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Dinero may have cut off a text of this length. */
const TEXT_AT_MOST = 128;
/** The clocks of the vendor's machines may differ by this much. */
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
    customers: contacts.rows.map(remoteCustomer),
    products: products.rows.map(remoteProduct),
    until: untilOf(contacts.date, since, [...contacts.rows, ...products.rows]),
  }));
}

/** Reads changed records. Deleted ones are requested separately: Dinero does not say whether lists include them. */
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

/** Returns the next start by Dinero's clock: shortly before the response, or the latest change if it has no time. */
export function untilOf(
  date: string | null,
  since: string | null,
  rows: readonly DineroObject[],
): string {
  const answered = date === null ? Number.NaN : Date.parse(date);
  const seen = rows
    .map((row) => Date.parse(textOf(row, "UpdatedAt") ?? ""))
    .filter(Number.isFinite);
  const moment = Number.isFinite(answered) ? answered - OVERLAP_MS : Math.max(...seen);
  if (!Number.isFinite(moment)) return since ?? "";
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

function remoteCustomer(row: DineroObject): RemoteChange<Partial<LedgerCustomer>> {
  const ledger_id = requiredTextOf(row, "ContactGuid").toLowerCase();
  const is_person = fieldOf(row, "IsPerson") === true;
  const days = fieldOf(row, "PaymentConditionNumberOfDays");
  const has_days = textOf(row, "PaymentConditionType") !== "NettoCash";
  const country_key = textOf(row, "CountryKey");
  return {
    ledger_id,
    guid: ledger_id,
    active: textOf(row, "DeletedAt") === null,
    fields: {
      name: requiredTextOf(row, "Name"),
      is_person,
      use_cvr: fieldOf(row, "UseCvr") === true,
      ...(country_key !== null && { country_key }),
      ...whole("external_reference", textOf(row, "ExternalReference")),
      ...(has_days && {
        payment_condition_number_of_days: typeof days === "number" ? days : null,
      }),
      ...textsOf(row, CUSTOMER_TEXTS),
      ...(is_person ? {} : textsOf(row, BUSINESS_TEXTS)),
    },
  };
}

function textsOf(
  row: DineroObject,
  names: Readonly<Record<string, keyof LedgerCustomer>>,
): Partial<LedgerCustomer> {
  const texts = Object.entries(names).map(([there, here]) => [here, textOf(row, there)]);
  return Object.fromEntries(texts) as Partial<LedgerCustomer>;
}

function whole<Name extends string>(name: Name, value: string | null) {
  if (value !== null && value.length >= TEXT_AT_MOST) return {};
  return { [name]: value } as Readonly<Record<Name, string | null>>;
}

function remoteProduct(row: DineroObject): RemoteChange<Partial<LedgerProduct>> {
  const reference = textOf(row, "ExternalReference");
  const price = scaledFromNumber(Number(fieldOf(row, "BaseAmountValue")), 4);
  const quantity = scaledFromNumber(Number(fieldOf(row, "Quantity")), 2);
  const account = fieldOf(row, "AccountNumber");
  const name = textOf(row, "Name");
  return {
    ledger_id: requiredTextOf(row, "ProductGuid"),
    guid: reference !== null && GUID.test(reference) ? reference.toLowerCase() : null,
    active: textOf(row, "DeletedAt") === null,
    fields: {
      ...(name !== null && { name }),
      product_number: textOf(row, "ProductNumber"),
      ...whole("comments", textOf(row, "Comment")),
      ledger_account: typeof account === "number" ? String(account) : null,
      ...(typeof price === "bigint" && { price_scaled: price }),
      ...(typeof quantity === "bigint" && { quantity: Number(quantity) }),
    },
  };
}
