/** The form of a product: its fields, as they are shown and as they are sent. An account is chosen by number or name. */
import type * as z from "zod";
import { recognitionMethods } from "../../domain/sales/line.ts";
import type { ProductResource } from "../../features/catalogue/products/schemas.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { withoutSales } from "../../features/settings/configuration/accounts.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { Form, Submit } from "../frame/form.tsx";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import type { PageReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { accountFrom, accountText } from "../parts/account-text.ts";
import { CheckedField } from "../parts/checked-entry.tsx";
import { FormFaults, ListedEntry } from "../parts/entry.tsx";
import { fieldsOf, RareFields, type TypedFields } from "../parts/fields.tsx";
import { numberFrom } from "../parts/number.ts";
import { priceText } from "../parts/price-text.ts";
import type { SelectOption } from "../parts/select.tsx";
import { Pill } from "../parts/values.tsx";
import { unitFrom, unitShown, unitsListed } from "./unit-words.ts";

export const PRODUCTS = "/products";
export const FIELDS = [
  "name",
  "product_number",
  "unit",
  "default_price",
  "account_number",
  "comments",
  "default_recognition_method",
  "default_months",
];

/** The accounts on which sales are booked. */
type SalesAccounts = readonly { readonly number: number; readonly name: string }[];

export async function salesAccounts(cx: Reader): Promise<SalesAccounts> {
  const sells_nothing = withoutSales(await getConfiguration(cx));
  return (await wholeChart(cx, false)).filter(
    ({ type, number }) => type === "income" && !sells_nothing.has(number),
  );
}

/** Returns the values of the form's fields for a stored product. */
export function typedOf(
  product: z.output<typeof ProductResource>,
  { language, words }: PageReader,
  accounts: SalesAccounts,
): TypedFields {
  const { name, product_number, unit, default_price, account_number, comments } = product;
  const { default_recognition_method = "", default_months = "" } = product;
  return {
    name,
    product_number: product_number ?? "",
    unit: unitShown(words.product_form.units, unit),
    default_price: default_price === 0 ? "" : priceText(language, default_price),
    account_number: accountText(account_number, accounts),
    comments: comments ?? "",
    default_recognition_method,
    default_months: String(default_months),
  };
}

/** Returns the values of the form, as the API takes them. An empty field is removed where the API allows that. */
export function sentBy(
  { form, reader }: PageRequest,
  accounts: SalesAccounts,
): Record<string, unknown> {
  const text = (name: string) => form[name]?.trim() || null;
  const unit = unitFrom(reader.words.product_form.units, form.unit);
  return {
    name: text("name") ?? "",
    product_number: text("product_number"),
    comments: text("comments"),
    account_number: accountFrom(form.account_number, accounts) ?? null,
    default_price: numberFrom(reader.language, form.default_price) ?? 0,
    default_recognition_method: text("default_recognition_method"),
    default_months: numberFrom(reader.language, form.default_months) ?? null,
    ...(unit === undefined ? {} : { unit }),
  };
}

interface ShownProduct {
  /** Null for a new product. `drafts` is the number of drafts that use it. */
  readonly product: {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly drafts: number;
  } | null;
  readonly accounts: SalesAccounts;
  readonly typed: TypedFields;
  readonly faults: Faults;
}

/** Returns the page with the form of a product, and with its activation. */
export function productForm(request: PageRequest, shown: ShownProduct): PageAnswer {
  const { words: all } = request.reader;
  const words = all.products;
  const { product, faults } = shown;
  const action = product === null ? `${PRODUCTS}/new` : `${PRODUCTS}/${product.id}`;
  const verb = product?.active === false ? "activate" : "deactivate";
  const content = (
    <>
      {product?.active === false && <Pill>{words.inactive}</Pill>}
      <div class="card pad wide-form">
        <FormFaults faults={faults} words={all.see_fields} />
        <Form action={action} csrf={request.csrf(action)}>
          <Fields request={request} shown={shown} />
          <Submit text={all.save} />
        </Form>
      </div>
      {product !== null && (
        <Form action={`${action}/${verb}`} csrf={request.csrf(`${action}/${verb}`)}>
          <p class="quiet">{all.product_form[`${verb}_means`]}</p>
          <Submit text={all[verb]} is_secondary />
        </Form>
      )}
    </>
  );
  return { title: product === null ? words.add : (shown.typed.name ?? ""), content };
}

const RARE = ["account_number", "comments", "default_recognition_method", "default_months"];

function Fields({ request, shown }: { request: PageRequest; shown: ShownProduct }) {
  const { products: words, product_form: form, draft } = request.reader.words;
  const { product, accounts, typed, faults } = shown;
  const { entry, select } = fieldsOf(typed, faults);
  const is_unknown = Number.isNaN(accountFrom(typed.account_number, accounts));
  return (
    <div class="form-columns">
      <div class="fields">
        {entry("name", words.name)}
        {entry("product_number", words.number)}
      </div>
      <div class="fields">
        <CheckedField
          name="default_price"
          label={words.price}
          value={typed.default_price ?? ""}
          check="price"
          hint={product === null ? form.price_hint_new : form.price_hint(product.drafts)}
          faults={faults}
        />
        <ListedEntry
          name="unit"
          label={words.unit}
          value={typed.unit ?? ""}
          hint={form.unit_hint}
          listed={unitsListed(form.units)}
          most={64}
          faults={faults}
        />
      </div>
      <RareFields names={RARE} typed={typed} faults={faults}>
        <ListedEntry
          name="account_number"
          label={words.account}
          value={typed.account_number ?? ""}
          hint={form.account_hint}
          listed={accounts.map(({ number, name }) => `${number} ${name}`)}
          note={is_unknown ? form.no_account : undefined}
          faults={faults}
        />
        {entry("comments", form.comments, { most: 1000 })}
        {select("default_recognition_method", form.earned, [
          ["", form.earned_open],
          ...recognitionMethods.map((method): SelectOption => [method, draft.methods[method]]),
        ])}
        {entry("default_months", form.months, { hint: form.months_hint, most: 3 })}
      </RareFields>
    </div>
  );
}
