/** The SQL queries of customers. Every query names the account, which separates the accounts. */

import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import {
  listSorted,
  type SortedPage,
  type SortOrder,
} from "../../../platform/database/list-sorted.ts";
import {
  activeConditions,
  type Condition,
  has,
  type Page,
} from "../../../platform/database/page.ts";
import {
  columnOfRef,
  lockRow,
  namesById,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import { insert, raw, type Sql, sql, update } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { type CustomerRow, presentCustomer } from "./present.ts";
import type { CustomerQuery, CustomerResource } from "./schemas.ts";

/**
 * Returns the read of a page of customers, the newest first: active customers (spec 7.2), unless the page asks for others.
 * `seen` are the conditions that restrict a caller who does not see the whole account.
 */
export function readCustomers(page: CustomerQuery, seen: readonly Condition[] = []): StoredRead {
  return readPage("customers", [...customerConditions(page), ...seen], page);
}

/** The order of the list of customers on pages: by name, whatever the case. */
const BY_NAME = {
  name: "name",
  type: "text",
  keyed: (where: string) => `select id, lower(name) as key from customers where ${where}`,
} as const satisfies Partial<SortOrder>;

/**
 * Returns a page of customers by name. `seen` are the conditions of the caller's view. Throws VALIDATION_FAILED for a cursor of
 * another order.
 */
export async function listSortedCustomers(
  cx: Reader,
  {
    is_descending,
    country_key,
    send_method,
    ...filters
  }: Pick<CustomerQuery, "search" | "active"> & {
    readonly country_key?: string | undefined;
    readonly send_method?: CustomerResource["send_method"] | undefined;
    readonly is_descending: boolean;
  },
  page: SortedPage,
  seen: readonly Condition[],
): Promise<Page<CustomerResource>> {
  const order = { ...BY_NAME, is_descending };
  const conditions = [...customerConditions(filters), ...seen];
  if (country_key !== undefined) conditions.push(["country_key =", country_key]);
  if (send_method !== undefined) conditions.push(["send_method =", send_method]);
  const { texts, next_cursor } = await listSorted(cx, "customers", order, conditions, page);
  const data = texts.map((text) => JSON.parse(text) as CustomerResource);
  return { data, has_more: next_cursor !== null, next_cursor };
}

/** Returns the countries of the account's customers, active or not, in the order of their codes. */
export async function countriesOf(cx: Reader): Promise<string[]> {
  const rows = await cx.rows<{ country_key: string }>(
    sql`select distinct country_key from customers where account_id = ${cx.caller.account_id} order by country_key`,
  );
  return rows.map(({ country_key }) => country_key);
}

/** Returns the SQL conditions of the filters of a customer list: active customers, unless the filters ask for others. */
export function customerConditions(
  filters: Partial<Pick<CustomerQuery, "external_id" | "search" | "active">>,
): Condition[] {
  const conditions = activeConditions(filters.active);
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.search !== undefined) conditions.push(has(filters.search, SEARCHED));
  return conditions;
}

const SEARCHED = ["name", "external_id", "vat_number", "email", "city", "att_person"];

/** Returns the names of customers by their ids, including inactive customers. */
export function customerNames(cx: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  return namesById(cx, "customers", ids);
}

/** The fields of a customer that a list shows with its id. */
export type CustomerLabel = Pick<CustomerRow, "id" | "external_id" | "name">;

/** Returns customers by their ids, with their current names, including inactive customers. */
export async function customerLabels(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, CustomerLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<CustomerLabel>(
    sql`select id, external_id, name from customers where account_id = ${cx.caller.account_id} and id = any(${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the customer that a reference names, active or not; undefined when there is none. */
export async function findCustomer(cx: Reader, ref: string): Promise<CustomerRow | undefined> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<Selectable<Tables["customers"]>>(sql`select * from customers
      where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value} `);
  if (row === undefined) return undefined;
  return customerOf(row);
}

/** Returns customers by their ids, active or not. */
export function findCustomers(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, CustomerRow>> {
  return findCustomersBy(cx, sql`id = any(${[...new Set(ids)]})`);
}

/** Returns the customers of a condition, active or not, by their ids. */
export async function findCustomersBy(cx: Reader, which: Sql): Promise<Map<string, CustomerRow>> {
  const rows = await cx.rows<Selectable<Tables["customers"]>>(
    sql`select * from customers where account_id = ${cx.caller.account_id} and ${which}`,
  );
  return new Map(rows.map((row) => [row.id, customerOf(row)]));
}

function customerOf(row: Selectable<Tables["customers"]>): CustomerRow {
  const { account_id: _, document: __, updated_at: ___, created_by: ____, ...customer } = row;
  return customer;
}

/** Returns the customer that a reference names, active or not. Throws NOT_FOUND. */
export async function getCustomer(cx: Reader, ref: string): Promise<CustomerRow> {
  const customer = await findCustomer(cx, ref);
  if (customer === undefined) throw notFound("customer", ref);
  return customer;
}

/** Locks the customer and returns it. Throws NOT_FOUND. */
export function lockCustomer(tx: Tx, ref: string): Promise<CustomerRow> {
  lockRow(tx, "customers", ref);
  return getCustomer(tx, ref);
}

/**
 * Stores a new customer in the view of its creator. Returns false if another customer took the external id first; a customer
 * without one is sent without waiting.
 */
export async function insertCustomer(tx: Tx, row: CustomerRow): Promise<boolean> {
  const { account_id, person } = tx.caller;
  const stored = insert("customers", {
    ...row,
    account_id,
    created_by: person?.user_id ?? null,
    document: presentCustomer(row),
    updated_at: stamped(account_id),
  });
  if (row.external_id === null) {
    tx.write(stored);
    return true;
  }
  const inserted = await tx.row(
    sql`${stored} on conflict (account_id, external_id) do nothing returning id`,
  );
  return inserted !== undefined;
}

export async function updateCustomer(tx: Tx, row: CustomerRow): Promise<void> {
  const { account_id } = tx.caller;
  const { id, ...fields } = row;
  const stored = { ...fields, document: presentCustomer(row), updated_at: stampedAnew(account_id) };
  tx.write(sql`${update("customers", stored)} where account_id = ${account_id} and id = ${id}`);
}

/** Returns the language of a customer's documents, or else that of the configuration. Any language except Danish gives English. */
export function documentLanguage(
  { preferred_invoice_language_key }: Pick<CustomerRow, "preferred_invoice_language_key">,
  { invoice_language_key }: Pick<Configuration, "invoice_language_key">,
): "da" | "en" {
  const key = preferred_invoice_language_key ?? invoice_language_key;
  return /^da\b/i.test(key.replace("_", "-")) ? "da" : "en";
}
