/** The pages of the products that the firm sells: the list, which standard users read, and a form for each product. */
import * as z from "zod";
import {
  getProduct,
  type ProductRow,
  presentProduct,
  readProducts,
} from "../../features/catalogue/products/queries.ts";
import {
  changeProduct,
  createProduct,
  setProductActive,
} from "../../features/catalogue/products/save.ts";
import {
  ProductCreate,
  type ProductResource,
  ProductUpdate,
} from "../../features/catalogue/products/schemas.ts";
import { draftsWith } from "../../features/overview/today/read-customer-summary.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { versionsOf } from "../../platform/database/resources.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import { Form, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Version, withVersion } from "../frame/with-version.ts";
import { ListActions, NoneYet } from "../imports/import-links.tsx";
import { FormFaults } from "../parts/entry.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";
import { amountOfNumber, plainNumber } from "../parts/format.ts";
import { List, Older, Searched } from "../parts/list.tsx";
import { numberFrom } from "../parts/number.ts";
import { Pill } from "../parts/values.tsx";
import { type ListedProduct, type ProductStored, island as products } from "./product-list.tsx";
import { productFilters, productSheet, readProductRows } from "./product-sheet.ts";

const PRODUCTS = "/products";
const FIELDS = ["name", "product_number", "unit", "default_price", "account_number", "comments"];

type Product = z.output<typeof ProductResource>;

export const productPages: readonly WebPage[] = [
  definePage(`GET ${PRODUCTS}`, "person", list),
  defineSheetPage(`${PRODUCTS}/export`, "hidden", productSheet, productFilters),
  definePage(`GET ${PRODUCTS}/new`, "hidden", async (request) =>
    form(request, null, { unit: request.reader.words.products.hours_unit }),
  ),
  definePage(`POST ${PRODUCTS}/new`, "hidden", async (request) => {
    const outcome = await submitted(ProductCreate, sentBy(request), FIELDS, BLAMES, (product) =>
      run(createProduct, request.cx, product),
    );
    if ("done" in outcome) return doneWith(outcome.done.document, "product_saved");
    return { ...form(request, null, request.form, outcome.faults), status: outcome.status };
  }),
  definePage(`GET ${PRODUCTS}/:id`, "hidden", async (request) =>
    edit(request, await getProduct(request.cx, request.id)),
  ),
  definePage(`POST ${PRODUCTS}/:id`, "admin", async (request) => {
    const { id: ref } = request;
    const outcome = await submitted(ProductUpdate, sentBy(request), FIELDS, BLAMES, (changes) =>
      run(changeProduct, request.cx, { ref, changes }),
    );
    if ("done" in outcome) return doneWith(outcome.done, "product_saved");
    const shown = form(request, await getProduct(request.cx, ref), request.form, outcome.faults);
    return { ...shown, status: outcome.status };
  }),
  ...(["activate", "deactivate"] as const).map((verb) =>
    definePage(`POST ${PRODUCTS}/:id/${verb}`, "admin", async ({ cx, id: ref }) => {
      const active = verb === "activate";
      const done = await run(setProductActive, cx, { ref, active });
      return doneWith(done, active ? "product_active" : "product_inactive");
    }),
  ),
];

/** Leads to the list with a notice of what a command did to the product that it returned. */
function doneWith(product: string, done: Notice["done"]): PageAnswer {
  const { name: of } = JSON.parse(product) as { readonly name: string };
  return { redirect: PRODUCTS, notice: { done, of } };
}

/** Changes the values that the list edits, if the person has seen the current version. */
const changeSeen = withVersion(changeProduct, "products");
const Typed = ProductUpdate.pick({ name: true, default_price: true }).strict();

export const productActions: readonly Action[] = [
  defineAction(
    "/app/products/change",
    "admin",
    z.strictObject({ id: Uuid, changes: Typed, seen: Version }),
    async (cx, { id, changes, seen }): Promise<ProductStored> => {
      const { result, version } = await run(changeSeen, cx, { ref: id, changes, seen });
      const { name, default_price } = JSON.parse(result) as Product;
      return { name, default_price, version };
    },
  ),
];

const BLAMES = { PRODUCT_NUMBER_TAKEN: "product_number" } as const;

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  if (!isAdmin(cx)) return readOnly(request);
  const { words } = reader;
  const { search, active } = productFilters(request);
  const { functional_currency } = await getConfiguration(cx);
  const page = { limit: 50, cursor: query.cursor };
  const { data, next_cursor } = await readProductRows(cx, { search, active }, page);
  const versions = await versionsOf(
    cx,
    "products",
    data.map(({ id }) => id),
  );
  const rows = data.map((row): ListedProduct => ({ ...row, version: versions.get(row.id) ?? "" }));
  const filters = { ...(search && { q: search }), active };
  const here = `${PRODUCTS}?${new URLSearchParams(filters)}`;
  const content = (
    <>
      <Searched action={PRODUCTS} value={search ?? ""} label={words.products.search} />
      {rows.length === 0 ? (
        <div class="card pad">
          <NoneYet
            text={search === undefined ? words.products.none : words.products.none_found}
            kind={search === undefined ? "products" : null}
          />
        </div>
      ) : (
        <Island of={products} with={{ rows, currency: functional_currency }} />
      )}
      <Older address={here} cursor={next_cursor} text={words.older} />
      {active === "true" && (
        <p>
          <a href={`${PRODUCTS}?active=all`}>{words.products.with_inactive}</a>
        </p>
      )}
    </>
  );
  const actions = <ListActions kind="products" add={words.products.add} filters={filters} />;
  return { title: words.nav.products, content, actions, stores_itself: true };
}

/** The active products for a standard user, who sees neither the accounts nor the drafts of colleagues. */
async function readOnly(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words, language } = reader;
  const { functional_currency } = await getConfiguration(cx);
  const { search } = productFilters(request);
  const filters = { search, active: "true", limit: 50, cursor: query.cursor } as const;
  const { data, next_cursor } = pageFrom<Product>(await readProducts(filters).answer(cx));
  const here = `${PRODUCTS}?${new URLSearchParams(search === undefined ? {} : { q: search })}`;
  const content = (
    <>
      <Searched action={PRODUCTS} value={search ?? ""} label={words.products.search} />
      <List
        label={words.nav.products}
        rows={data}
        empty={<p>{search === undefined ? words.products.none : words.products.none_found}</p>}
        columns={[
          { head: words.products.name, cell: ({ name }) => name },
          { head: words.products.number, cell: (row) => row.product_number ?? "–" },
          { head: words.products.unit, cell: ({ unit }) => unit },
          {
            head: words.products.price,
            kind: "number",
            cell: ({ default_price: price }) =>
              price === 0 ? "–" : amountOfNumber(language, price, functional_currency),
          },
        ]}
      />
      <Older address={here} cursor={next_cursor} text={words.older} />
    </>
  );
  return { title: words.nav.products, content };
}

/** Returns the values of the form, as the API takes them. An empty field is removed where the API allows that. */
function sentBy({ form, reader }: PageRequest): Record<string, unknown> {
  const text = (name: string) => form[name]?.trim() || null;
  const number = (name: string) => numberFrom(reader.language, form[name]);
  return {
    name: text("name") ?? "",
    product_number: text("product_number"),
    comments: text("comments"),
    account_number: number("account_number") ?? null,
    default_price: number("default_price") ?? 0,
    ...(text("unit") === null ? {} : { unit: text("unit") }),
  };
}

async function edit(request: PageRequest, row: ProductRow): Promise<PageAnswer> {
  const product = JSON.parse(presentProduct(row)) as Product;
  const { language } = request.reader;
  const typed = {
    name: product.name,
    product_number: product.product_number ?? "",
    unit: product.unit,
    default_price: product.default_price === 0 ? "" : plainNumber(language, product.default_price),
    account_number: String(product.account_number),
    comments: product.comments ?? "",
  };
  const drafts = (await draftsWith(request.cx, [row.id])).get(row.id) ?? 0;
  return form(request, { ...row, drafts }, typed);
}

/** Returns the form of a product, or of a new one. `typed` has the values of the fields. */
function form(
  request: PageRequest,
  product: { readonly id: string; readonly active: boolean; readonly drafts?: number } | null,
  typed: TypedFields,
  faults: Faults = NO_FAULTS,
): PageAnswer {
  const { words } = request.reader;
  const action = product === null ? `${PRODUCTS}/new` : `${PRODUCTS}/${product.id}`;
  const { entry } = fieldsOf(typed, faults);
  const verb = product?.active === false ? "activate" : "deactivate";
  const content = (
    <>
      <FormFaults faults={faults} words={words.see_fields} />
      {product?.active === false && <Pill>{words.products.inactive}</Pill>}
      <Form action={action} csrf={request.csrf(action)}>
        <div class="fields">
          {entry("name", words.products.name)}
          {entry("product_number", words.products.number)}
          {entry("unit", words.products.unit, { hint: words.products.unit_hint })}
          {entry("default_price", words.products.price, {
            hint: words.products.price_hint(product?.drafts ?? 0),
          })}
          {entry("account_number", words.products.account, { hint: words.products.account_hint })}
          {entry("comments", words.products.comments, { most: 1000 })}
        </div>
        <Submit text={words.save} />
      </Form>
      {product !== null && (
        <Form action={`${action}/${verb}`} csrf={request.csrf(`${action}/${verb}`)}>
          <p class="quiet">{words.products[`${verb}_means`]}</p>
          <Submit text={words[verb]} is_secondary />
        </Form>
      )}
    </>
  );
  const title = product === null ? words.products.add : (typed.name ?? "");
  return { title, content };
}
