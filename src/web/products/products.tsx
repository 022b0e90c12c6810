/** The pages of the products that the firm sells: the list, which standard users read, and a form for each product. */
import * as z from "zod";
import {
  getProduct,
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
import { Island } from "../frame/island.tsx";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Version, withVersion } from "../frame/with-version.ts";
import { ListActions, NoneYet } from "../imports/import-links.tsx";
import { amountOfNumber } from "../parts/format.ts";
import { List, Older, Searched } from "../parts/list.tsx";
import { FIELDS, PRODUCTS, productForm, salesAccounts, sentBy, typedOf } from "./product-form.tsx";
import { type ListedProduct, type ProductStored, island as products } from "./product-list.tsx";
import { productFilters, productSheet, readProductRows } from "./product-sheet.ts";
import { unitShown } from "./unit-words.ts";

type Product = z.output<typeof ProductResource>;

export const productPages: readonly WebPage[] = [
  definePage(`GET ${PRODUCTS}`, "person", list),
  defineSheetPage(`${PRODUCTS}/export`, "hidden", productSheet, productFilters),
  definePage(`GET ${PRODUCTS}/new`, "hidden", async (request) =>
    productForm(request, {
      product: null,
      accounts: await salesAccounts(request.cx),
      typed: { unit: request.reader.words.product_form.units.hours },
      faults: NO_FAULTS,
    }),
  ),
  definePage(`POST ${PRODUCTS}/new`, "hidden", async (request) => {
    const accounts = await salesAccounts(request.cx);
    const sent = sentBy(request, accounts);
    const outcome = await submitted(ProductCreate, sent, FIELDS, BLAMES, (product) =>
      run(createProduct, request.cx, product),
    );
    if ("done" in outcome) return doneWith(outcome.done.document, "product_saved");
    const { faults, status } = outcome;
    return {
      ...productForm(request, { product: null, accounts, typed: request.form, faults }),
      status,
    };
  }),
  definePage(`GET ${PRODUCTS}/:id`, "hidden", async (request) => {
    const { cx, id, reader } = request;
    const row = await getProduct(cx, id);
    const accounts = await salesAccounts(cx);
    const drafts = (await draftsWith(cx, [id])).get(id) ?? 0;
    const typed = typedOf(JSON.parse(presentProduct(row)) as Product, reader, accounts);
    return productForm(request, {
      product: { ...row, drafts },
      accounts,
      typed,
      faults: NO_FAULTS,
    });
  }),
  definePage(`POST ${PRODUCTS}/:id`, "hidden", async (request) => {
    const { cx, id: ref } = request;
    const accounts = await salesAccounts(cx);
    const sent = sentBy(request, accounts);
    const outcome = await submitted(ProductUpdate, sent, FIELDS, BLAMES, (changes) =>
      run(changeProduct, cx, { ref, changes }),
    );
    if ("done" in outcome) return doneWith(outcome.done, "product_saved");
    const { faults, status } = outcome;
    const product = { ...(await getProduct(cx, ref)), drafts: 0 };
    return { ...productForm(request, { product, accounts, typed: request.form, faults }), status };
  }),
  ...(["activate", "deactivate"] as const).map((verb) =>
    definePage(`POST ${PRODUCTS}/:id/${verb}`, "hidden", async ({ cx, id: ref }) => {
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
    "hidden",
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
  const rows = data.map(
    (row): ListedProduct => ({
      ...row,
      unit: unitShown(words.product_form.units, row.unit),
      version: versions.get(row.id) ?? "",
    }),
  );
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
        <div data-list>
          <Island of={products} with={{ rows, currency: functional_currency }} />
        </div>
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
          { head: words.products.name, fold: "lead", cell: ({ name }) => name },
          { head: words.products.number, cell: (row) => row.product_number ?? "–" },
          {
            head: words.products.unit,
            cell: ({ unit }) => unitShown(words.product_form.units, unit),
          },
          {
            head: words.products.price,
            kind: "number",
            fold: "end",
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
