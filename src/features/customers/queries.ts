/** The SQL of customers. Every query names the account: that is what keeps accounts apart. */
import type { Selectable } from "kysely";
import { Problem } from "../../domain/problem.ts";
import type { Context } from "../../platform/context.ts";
import { type Condition, listDocuments } from "../../platform/database/page.ts";
import { columnOfRef, namesById, stamped } from "../../platform/database/resources.ts";
import type { Tables } from "../../platform/database/tables.ts";
import type { JsonText } from "../../platform/json.ts";
import { presentCustomer } from "./present.ts";
import type { CustomerQuery } from "./schemas.ts";

/** Everything of a customer but where and when it is stored. */
export type CustomerRow = Omit<
  Selectable<Tables["customers"]>,
  "account_id" | "document" | "updated_at"
>;

/** Active customers only (interface 2.2), from the newest to the oldest. */
export function listCustomers(cx: Context, page: CustomerQuery): Promise<JsonText> {
  const conditions = customerConditions(page);
  return listDocuments(cx.db, "customers", cx.caller.account_id, conditions, page);
}

/** Active customers that meet the filters; `search` looks into names, numbers and addresses. */
export function customerConditions(filters: {
  readonly external_id?: string | undefined;
  readonly search?: string | undefined;
}): Condition[] {
  const conditions: Condition[] = [["active =", true]];
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.search !== undefined) conditions.push([SEARCHED, filters.search]);
  return conditions;
}

const SEARCHED = `position(lower($value) in lower(concat_ws(E'\\n', name, external_id, vat_number, email,
  city, att_person))) > 0`;

/** The names of customers by their ids, inactive ones included. */
export function customerNames(cx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  return namesById(cx, "customers", ids);
}

/** The customer under a reference, active or not; locked when the context says so. */
export async function findCustomer(cx: Context, ref: string): Promise<CustomerRow | undefined> {
  const [column, value] = columnOfRef(ref);
  const select = cx.db
    .selectFrom("customers")
    .selectAll()
    .where("account_id", "=", cx.caller.account_id)
    .where(column, "=", value);
  const row = await (cx.locks ? select.forNoKeyUpdate() : select).executeTakeFirst();
  if (row === undefined) return undefined;
  const { account_id: _, document: __, updated_at: ___, ...customer } = row;
  return customer;
}

/** As `findCustomer`; throws NOT_FOUND. */
export async function getCustomer(cx: Context, ref: string): Promise<CustomerRow> {
  const customer = await findCustomer(cx, ref);
  if (customer === undefined) throw new Problem("NOT_FOUND");
  return customer;
}

/** Answers false when another customer took the external id first. */
export async function insertCustomer(cx: Context, row: CustomerRow): Promise<boolean> {
  const { account_id } = cx.caller;
  const result = await cx.db
    .insertInto("customers")
    .values({ ...row, account_id, document: presentCustomer(row), updated_at: stamped(account_id) })
    .onConflict((conflict) => conflict.columns(["account_id", "external_id"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateCustomer(cx: Context, row: CustomerRow): Promise<void> {
  const { account_id } = cx.caller;
  await cx.db
    .updateTable("customers")
    .set({ ...row, document: presentCustomer(row), updated_at: stamped(account_id) })
    .where("account_id", "=", account_id)
    .where("id", "=", row.id)
    .execute();
}
