/** The SQL queries of products. */

import type { ProductId } from "../../../domain/base/brand.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { HOURS_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { PricedProduct } from "../../../domain/sales/line-from.ts";
import type { Price } from "../../../domain/sales/price.ts";
import type { EarningDefaults } from "../../../domain/sales/proposed-earning.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { insertMany } from "../../../platform/database/many-rows.ts";
import { activeConditions, type Condition, has } from "../../../platform/database/page.ts";
import {
  columnOfRef,
  lockRow,
  namesById,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import { insert, raw, sql, update } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { StoredPrice } from "../../../platform/database/tables-catalogue.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type ProductQuery, ProductResource } from "./schemas.ts";

/** The fields of a product, without its account, stored document, time of change and request hash. */
export type ProductRow = Omit<
  Selectable<Tables["products"]>,
  "account_id" | "document" | "updated_at" | "request_hash" | "prices"
> & { readonly prices: readonly Price[] };

/** Presents a product as the API shows it; prices and quantities as JSON numbers. */
export function presentProduct({
  active: _,
  names_account: __,
  prices,
  default_recognition_method: method,
  default_months: months,
  ...row
}: ProductRow): JsonText {
  const shown = prices.map(({ currency, amount }) => ({
    currency,
    amount: scaledToNumber(amount, RATE_DECIMALS),
  }));
  return jsonText(
    ProductResource.parse({
      object: "product",
      ...row,
      default_price: scaledToNumber(row.default_price, RATE_DECIMALS),
      quantity: scaledToNumber(row.quantity, HOURS_DECIMALS),
      ...(shown.length === 0 ? {} : { prices: shown }),
      ...(method === null ? {} : { default_recognition_method: method }),
      ...(months === null ? {} : { default_months: months }),
    }),
  );
}

const priceFromStored = ({ currency, amount }: StoredPrice): Price => ({
  currency,
  amount: BigInt(amount),
});

const storedPrice = ({ currency, amount }: Price): StoredPrice => ({
  currency,
  amount: `${amount}`,
});

/** Returns the read of a page of products, the newest first: active products, unless the page asks for others. */
export function readProducts(
  page: Omit<ProductQuery, "active"> & Partial<Pick<ProductQuery, "active">>,
): StoredRead {
  return readPage("products", productConditions(page), page);
}

/** Returns the SQL conditions of the filters of a product list: active products, unless the filters ask for others. */
export function productConditions(
  filters: Partial<Pick<ProductQuery, "external_id" | "search" | "active">>,
): Condition[] {
  const conditions = activeConditions(filters.active);
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.search !== undefined) conditions.push(has(filters.search, SEARCHED));
  return conditions;
}

const SEARCHED = ["name", "product_number", "external_id", "comments"];

/** Returns the names of products by their ids. */
export function productNames(cx: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  return namesById(cx, "products", ids);
}

/** Locks the product that a reference names and returns it. Throws NOT_FOUND. */
export function lockProduct(tx: Tx, ref: string): Promise<ProductRow> {
  lockRow(tx, "products", ref);
  return getProduct(tx, ref);
}

/** Returns the product that a reference names. Throws NOT_FOUND. */
export async function getProduct(cx: Reader, ref: string): Promise<ProductRow> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<Selectable<Tables["products"]>>(sql`select * from products
      where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`);
  if (row === undefined) throw notFound("product", ref);
  const { account_id: _, document: __, updated_at: ___, request_hash: ____, ...product } = row;
  return { ...product, prices: product.prices.map(priceFromStored) };
}

export function insertProduct(tx: Tx, row: ProductRow, request_hash: Buffer): void {
  const { account_id } = tx.caller;
  const updated_at = stamped(account_id);
  tx.write(insert("products", { ...storedFields(row), account_id, request_hash, updated_at }));
}

/** Stores new products, each with the hash of its request. At least one. */
export function insertProducts(
  tx: Tx,
  rows: readonly { readonly row: ProductRow; readonly request_hash: Buffer }[],
): void {
  const { account_id } = tx.caller;
  const stored = rows.map(({ row, request_hash }) => ({
    ...row,
    prices: row.prices.map(storedPrice),
    document: presentProduct(row),
    request_hash,
  }));
  tx.write(insertMany("products", stored, { account_id, updated_at: stamped(account_id) }));
}

export function updateProduct(tx: Tx, row: ProductRow): void {
  const { account_id } = tx.caller;
  const { id, ...fields } = storedFields(row);
  const stored = { ...fields, updated_at: stampedAnew(account_id) };
  tx.write(sql`${update("products", stored)} where account_id = ${account_id} and id = ${id}`);
}

function storedFields(row: ProductRow) {
  return {
    ...row,
    prices: JSON.stringify(row.prices.map(storedPrice)),
    document: presentProduct(row),
  };
}

/** The fields that a line takes from a product, what it proposes, and whether a new line may use it. */
export interface SoldProduct extends PricedProduct, EarningDefaults {
  readonly active: boolean;
  /** The VAT code of the product's account in our own chart; null for an account without one. */
  readonly vat_code: VatCode | null;
}

/** Returns the fields that lines take from the products with these ids; unknown ids have no entry. */
export async function pricedProducts(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, SoldProduct>> {
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<
    Omit<SoldProduct, "prices"> & { id: ProductId; prices: readonly StoredPrice[] }
  >(sql`select p.id, p.name, p.product_number, p.account_number, p.names_account, p.unit,
       p.default_price, p.prices, p.quantity, p.default_recognition_method, p.default_months, p.active,
       c.functional_currency, a.vat_code
     from products p join configurations c on c.account_id = p.account_id
     left join ledger_accounts a on a.account_id = p.account_id and a.number = p.account_number
     where p.account_id = ${cx.caller.account_id} and p.id = any(${[...new Set(ids)]})`);
  return new Map(rows.map((row) => [row.id, { ...row, prices: row.prices.map(priceFromStored) }]));
}
