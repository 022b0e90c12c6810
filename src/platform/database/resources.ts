/** Reads resources by reference. Each is one stored text, so a header never has another version's lines. */
import { notFound } from "../../domain/base/problem.ts";
import type { Reader } from "../commands/context.ts";
import type { Tx } from "../commands/tx.ts";
import type { JsonText } from "../runtime/json.ts";
import type { Condition, ListedTable } from "./page.ts";
import { raw, type Sql, sql } from "./sql.ts";

export interface Stored {
  readonly id: string;
  readonly document: JsonText;
}

/** Converts a reference, a UUID or `ext:<external_id>`, to its column and its value. */
export function columnOfRef(ref: string): readonly ["id" | "external_id", string] {
  return ref.startsWith("ext:") ? ["external_id", ref.slice(4)] : ["id", ref];
}

/** Returns the condition that a column has the id of the referenced resource. An unknown reference matches no row. */
export function refersTo(column: string, table: ListedTable, ref: string): Condition {
  const [by, value] = columnOfRef(ref);
  if (by === "id") return [`${column} =`, value];
  return [
    `${column} = (select r.id from ${table} r where r.account_id = $1 and r.external_id = $value)`,
    value,
  ];
}

/** Returns the stored resource; undefined when the account has none under the reference. */
export async function findStored(
  cx: Reader,
  table: ListedTable,
  ref: string,
): Promise<Stored | undefined> {
  const [column, value] = columnOfRef(ref);
  return cx.row(
    sql`select id, document from ${raw(table)} where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`,
  );
}

/** The API's name for a row of the table. */
export const resourceOf: Readonly<Record<ListedTable, string>> = {
  customers: "customer",
  products: "product",
  users: "user",
  invoices: "invoice",
  credit_notes: "credit_note",
  recurring_series: "recurring_series",
  opening_contracts: "opening_contract",
  bank_accounts: "bank_account",
  payments: "payment",
  reminders: "reminder",
  customer_statements: "statement",
};

/** As `findStored`; throws NOT_FOUND, for another account's resource too. */
export async function getStored(cx: Reader, table: ListedTable, ref: string): Promise<Stored> {
  const stored = await findStored(cx, table, ref);
  if (stored === undefined) throw notFound(resourceOf[table], ref);
  return stored;
}

/** Returns a row's last write time to the microsecond, as text, also of a change later undone. Throws NOT_FOUND. */
export async function versionOf(cx: Reader, table: ListedTable, id: string): Promise<string> {
  const row = await cx.row<{ updated_at: string }>(
    sql`select updated_at::text from ${raw(table)} where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  if (row === undefined) throw notFound(resourceOf[table], id);
  return row.updated_at;
}

/** Returns the times of the last writes of an account's rows, by their ids. */
export async function versionsOf(
  cx: Reader,
  table: ListedTable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await cx.rows<{ id: string; updated_at: string }>(
    sql`select id, updated_at::text from ${raw(table)} where account_id = ${cx.caller.account_id} and id = any(${ids})`,
  );
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
}

/** Returns the names of an account's resources by their ids. */
export async function namesById(
  cx: Reader,
  table: "customers" | "products" | "users",
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<{ id: string; name: string }>(
    sql`select id, name from ${raw(table)} where account_id = ${cx.caller.account_id} and id = any(${[...new Set(ids)]})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Locks the row under a reference until the transaction ends: later reads of the transaction see it under this lock. */
export function lockRow(tx: Tx, table: ListedTable, ref: string): void {
  const [column, value] = columnOfRef(ref);
  tx.lock(
    sql`select from ${raw(table)} where account_id = ${tx.caller.account_id} and ${raw(column)} = ${value}
      for no key update`,
  );
}

/**
 * Returns SQL for `updated_at` of a new row that takes the account's barrier shared and reads the clock. It follows all awaited
 * locks but the audit trail's. While the barrier is held, polls show no rows newer than its transaction's start.
 */
export function stamped(account_id: string): Sql {
  return sql`stamp(${account_id})`;
}

/** As `stamped`, for an UPDATE: the subselect is asked before the statement, so that a cluster can run it. */
export function stampedAnew(account_id: string): Sql {
  return sql`(select stamp(${account_id}))`;
}

/** Takes the barrier and returns the time as text with microseconds, for resources that show the time themselves. */
export async function takeStamp(tx: Tx): Promise<string> {
  const taken = await tx.row<{ stamp: string }>(
    sql`select to_char(stamp(${tx.caller.account_id}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp`,
  );
  if (taken === undefined) throw new Error("the database gave no stamp");
  return taken.stamp;
}

/** Returns a time in milliseconds, as the API shows times. */
export function shownStamp(stamp: string): string {
  return `${stamp.slice(0, 23)}Z`;
}
