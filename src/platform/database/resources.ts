/**
 * Resources by reference, and repeats by external id. A resource is read as the text that was stored
 * with its row, in one statement, so that a header never comes with another version's lines.
 */
import { notFound, Problem } from "../../domain/base/problem.ts";
import type { Context } from "../context.ts";
import type { JsonText } from "../json.ts";
import { type Database, query } from "./database.ts";
import type { ListedTable } from "./page.ts";
import { raw, type Sql, sql } from "./sql.ts";
import { together } from "./transaction.ts";

export interface Stored {
  readonly id: string;
  readonly document: JsonText;
}

/** What a POST answers: the stored resource, and whether this call made it. */
export interface Saved {
  readonly created: boolean;
  readonly document: JsonText;
}

/** Splits a reference, a UUID or `ext:<external_id>`, into the column that holds it and its value. */
export function columnOfRef(ref: string): readonly ["id" | "external_id", string] {
  return ref.startsWith("ext:") ? ["external_id", ref.slice(4)] : ["id", ref];
}

/** The stored resource; undefined when the account has none under the reference. */
export async function findStored(
  db: Database,
  table: ListedTable,
  account_id: string,
  ref: string,
): Promise<Stored | undefined> {
  const [column, value] = columnOfRef(ref);
  const rows = await query<Stored>(
    db,
    `select id, document from ${table} where account_id = $1 and ${column} = $2`,
    [account_id, value],
  );
  return rows[0];
}

/** What the API calls a row of the table. */
const resourceOf: Readonly<Record<ListedTable, string>> = {
  customers: "customer",
  products: "product",
  users: "user",
  invoices: "invoice",
  credit_notes: "credit_note",
  recurring_series: "recurring_series",
};

/** As `findStored`; throws NOT_FOUND. Another account's resource is as absent as one that never was. */
export async function getStored(
  db: Database,
  table: ListedTable,
  account_id: string,
  ref: string,
): Promise<Stored> {
  const stored = await findStored(db, table, account_id, ref);
  if (stored === undefined) throw notFound(resourceOf[table], ref);
  return stored;
}

/**
 * When a row was last written, as text to the microsecond: a change that was taken back is a change, too. Throws
 * NOT_FOUND.
 */
export async function versionOf(
  { db, caller }: Context,
  table: ListedTable,
  id: string,
): Promise<string> {
  const [row] = await query<{ updated_at: string }>(
    db,
    `select updated_at::text from ${table} where account_id = $1 and id = $2`,
    [caller.account_id, id],
  );
  if (row === undefined) throw notFound(resourceOf[table], id);
  return row.updated_at;
}

/** The names of some of an account's resources by their ids. */
export async function namesById(
  { db, caller }: Context,
  table: "customers" | "products" | "users",
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await query<{ id: string; name: string }>(
    db,
    `select id, name from ${table} where account_id = $1 and id = any($2)`,
    [caller.account_id, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type ReplayedTable = "products" | "invoices" | "recurring_series" | "users";

/**
 * The stored resource that an earlier request with this external id made: the same content is a repeat.
 * Undefined when the id is free; throws EXTERNAL_ID_CONFLICT for other content (spec 11.2).
 */
export async function findRepeat(
  cx: Context,
  table: ReplayedTable,
  external_id: string | null,
  request_hash: Buffer,
): Promise<JsonText | undefined> {
  return (await repeatedValue(cx, table, "document", external_id, request_hash)) as
    | JsonText
    | undefined;
}

/** As `findRepeat`, for resources that are presented when they are read; answers the id. */
export function findRepeatedId(
  cx: Context,
  table: "work_registrations",
  external_id: string | null,
  request_hash: Buffer,
): Promise<string | undefined> {
  return repeatedValue(cx, table, "id", external_id, request_hash);
}

async function repeatedValue(
  cx: Context,
  table: string,
  column: "document" | "id",
  external_id: string | null,
  request_hash: Buffer,
): Promise<string | undefined> {
  if (external_id === null) return undefined;
  const key = [cx.caller.account_id, external_id];
  const read = `select ${column} as value, request_hash from ${table} where account_id = $1 and external_id = $2`;
  // Requests with one id take turns: at the same moment they would trip over other unique fields first.
  const turn = `select pg_advisory_xact_lock(hashtextextended('${table} ' || $1::text || $2::text, 2))`;
  const taken = cx.locks ? query(cx.db, turn, key) : Promise.resolve([]);
  const found_rows = query<{ value: string; request_hash: Buffer | null }>(cx.db, read, key);
  const [, rows] = await together([taken, found_rows]);
  const found = rows[0];
  if (found === undefined) return undefined;
  if (!found.request_hash?.equals(request_hash)) throw new Problem("EXTERNAL_ID_CONFLICT");
  return found.value;
}

/** The end of a read of rows: they are locked when the context says so. */
export function held({ locks }: Context): Sql {
  return raw(locks ? "for no key update" : "");
}

/**
 * For `updated_at` of a write: takes the account's barrier shared, then reads the clock. The last
 * lock before the audit trail's, after every other one, so that pollers cannot be part of a deadlock.
 */
export function stamped(account_id: string): Sql {
  return sql`stamp(${account_id})`;
}

/** The same as text with microseconds, where the resource shows the time itself. */
export async function takeStamp(db: Database, account_id: string): Promise<string> {
  const rows = await query<{ stamp: string }>(
    db,
    `select to_char(stamp($1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp`,
    [account_id],
  );
  if (!rows[0]) throw new Error("the database gave no stamp");
  return rows[0].stamp;
}

/** Milliseconds, as the API shows times. */
export function shownStamp(stamp: string): string {
  return `${stamp.slice(0, 23)}Z`;
}
