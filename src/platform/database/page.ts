/**
 * Lists: pages from the newest to the oldest by UUIDv7, with a cursor that is the last returned id. Rows created during an
 * iteration are newer than its start, so no row is repeated or skipped (spec 11.3). Resources are stored as the API shows them; a
 * page joins their texts.
 */

import { calendarDate } from "../../domain/base/calendar.ts";
import { invalidField, type Problem } from "../../domain/base/problem.ts";
import type { Reader } from "../commands/context.ts";
import type { JsonText } from "../runtime/json.ts";
import { REPLANNED } from "./database.ts";
import { numbered, raw, sql } from "./sql.ts";
import type { Tables } from "./tables.ts";

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly updated_since?: string | undefined;
}

/**
 * One of three forms: a column with its operator and the value, `["customer_id =", id]`; a condition with a placeholder for the
 * value, `["$value = any(users)", id]`; or a complete condition without a value. `$1` is the account in all of them.
 */
export type Condition =
  | readonly [column_and_operator: string, value: unknown]
  | readonly [condition: string];

/**
 * The prefix of a condition that may match few rows of many, such as a search. A page then finds the ids first, in an index that
 * covers the query, and reads only the rows that it shows.
 */
export const SCANNED = "/* scanned */ ";

const SEARCH = `${SCANNED}/* search */ `;

/** A condition that some of the columns contain the text, case-insensitively; `%` and `_` are literal. */
export function has(search: string, columns: readonly string[], or = ""): Condition {
  const texts = `lower(concat_ws(E'\\n', ${columns.join(", ")}))`;
  return [`${SEARCH}(position(lower($value) in ${texts}) > 0${or && ` or ${or}`})`, search];
}

/** Whether a condition searches for a text (`has`). */
export function isSearch([condition]: Condition): boolean {
  return condition.startsWith(SEARCH);
}

/** As `has`, for the name of the row's customer. */
export const CUSTOMER_HAS = `customer_id in (select c.id from customers c
  where c.account_id = $1 and position(lower($value) in lower(c.name)) > 0)`;

/** Conditions for active rows, deactivated rows, or both. */
export function activeConditions(active: "true" | "false" | "all" = "true"): Condition[] {
  if (active === "all") return [];
  return [[active === "true" ? "active" : "not active"]];
}

/** The tables that store their resource in a `document` column. */
export type ListedTable = {
  [Name in keyof Tables]: Tables[Name] extends { document: string; id: string } ? Name : never;
}[keyof Tables];

interface Position {
  readonly id: string;
  /** The end of a poll with `updated_since`: rows with a later stamp belong to the next poll. */
  readonly horizon: string | null;
  /** The start of the poll, if it is before `updated_since`. */
  readonly from?: string;
}

/** One page as the text of the list envelope. Throws VALIDATION_FAILED for an invalid cursor. */
export async function listDocuments(
  cx: Reader,
  table: ListedTable,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<JsonText> {
  const { rows, next_cursor } = await listStored(cx, table, conditions, page);
  return envelope(
    rows.map((row) => row.document),
    next_cursor,
  );
}

/** One page of stored resources as rows, for a list that adds data to them. Throws what `listDocuments` throws. */
export function listStored(
  cx: Reader,
  table: ListedTable,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<RowsOfPage<StoredRow>> {
  return listRows<StoredRow>(cx, "id, document", table, conditions, page);
}

/** A resource as it is stored. */
export interface StoredRow {
  readonly id: string;
  readonly document: JsonText;
}

export interface RowsOfPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/**
 * One page of rows that are presented when they are read; `id` is among the columns. Throws VALIDATION_FAILED for an invalid
 * cursor.
 */
export async function listRows<Row extends { readonly id: string }>(
  cx: Reader,
  columns: string,
  table: keyof Tables,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<RowsOfPage<Row>> {
  const position = page.cursor === undefined ? null : positionFrom(page.cursor, UUID);
  const bounds = position?.horizon ? position : await boundsOf(cx, page);
  const all: Condition[] = [["account_id =", cx.caller.account_id], ...conditions];
  if (position) all.push(["id <", position.id]);
  if (page.updated_since !== undefined) {
    all.push(
      ["updated_at >", bounds.from ?? page.updated_since],
      ["updated_at <=", bounds.horizon],
    );
  }
  const { where, values } = whereOf(all);
  const is_kept = page.updated_since === undefined && isPlannedOnce(conditions, page.limit);
  const limit = is_kept ? page.limit + 1 : `$${values.length + 1}`;
  const ending = `from ${table} where ${where} order by id desc limit ${limit}`;
  const text = conditions.some(isScanned)
    ? `select ${columns} from ${table} where account_id = $1
       and id = any(array(select id ${ending})) order by id desc`
    : `select ${columns} ${ending}`;
  // The best plan depends on how many rows a time matches, so these statements are planned with their values.
  const is_steady = page.updated_since === undefined && !isUneven(conditions);
  const rows = await cx.rows<Row>(
    numbered(is_steady ? text : REPLANNED + text, is_kept ? values : [...values, page.limit + 1]),
  );
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return { rows: shown, next_cursor: last ? cursorFrom({ ...bounds, id: last.id }) : null };
}

/** A page of rows, and how many rows there are on all pages. */
export interface CountedRows<Row> extends RowsOfPage<Row> {
  readonly count: number;
}

/** As `listRows`, with the count of all pages, in one statement. */
export async function listCounted<Row extends { readonly id: string }>(
  cx: Reader,
  columns: string,
  table: keyof Tables,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<CountedRows<Row>> {
  // The placeholders match those of the page's own conditions, which begin with these.
  const { where } = whereOf([["account_id =", null], ...conditions]);
  const with_count = `${columns}, (select count(*)::int from ${table} where ${where}) as on_all_pages`;
  const found = await listRows<Row>(cx, with_count, table, conditions, page);
  const first = found.rows[0] as (Row & { readonly on_all_pages: number }) | undefined;
  if (first !== undefined) return { ...found, count: first.on_all_pages };
  // An empty page after a cursor returns no row, and so no count of the rows before it.
  return {
    ...found,
    count: page.cursor === undefined ? 0 : await countRows(cx, table, conditions),
  };
}

/** The number of rows of a table that meet the conditions, on all pages. */
export async function countRows(
  cx: Reader,
  table: keyof Tables,
  conditions: readonly Condition[],
): Promise<number> {
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const text = `select count(*)::int as count from ${table} where ${where}`;
  const counted = numbered(isUneven(conditions) ? REPLANNED + text : text, values);
  return (await cx.row<{ count: number }>(counted))?.count ?? 0;
}

/**
 * For these page sizes, the number is part of the statement's text, so that PostgreSQL plans the statement once and keeps the
 * plan; with a parameter for the limit, it plans at each call. Each size is one more statement that every connection keeps.
 */
const KEPT_LIMITS: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);

/** Conditions for which one plan is right for all values, because they are the beginning of an index. */
const EVEN = /^(id <|customer_id =|invoice_id =|external_id =)$/;

/** Whether PostgreSQL plans the statement of a page once and keeps the plan. */
export function isPlannedOnce(conditions: readonly Condition[], limit: number): boolean {
  return KEPT_LIMITS.has(limit) && conditions.every(isEven);
}

function isEven(condition: Condition): boolean {
  return condition.length === 1 ? !condition[0].includes("select") : EVEN.test(condition[0]);
}

/** Whether a condition has a subquery or is `SCANNED`: it may match few rows for one value and most rows for another. */
function isUneven(conditions: readonly Condition[]): boolean {
  return conditions.some((condition) => isScanned(condition) || condition[0].includes("select"));
}

function isScanned([text]: Condition): boolean {
  return text.startsWith(SCANNED);
}

/** Conditions as SQL with numbered placeholders, and their values. */
export function whereOf(conditions: readonly Condition[]): {
  readonly where: string;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const texts = conditions.map((condition) => {
    if (condition.length === 1) return condition[0];
    const [text, value] = condition;
    const place = `$${values.push(value)}`;
    return text.includes("$value") ? text.replaceAll("$value", () => place) : `${text} ${place}`;
  });
  return { where: texts.join(" and "), values };
}

/** The separator between resources. `JSON.stringify` writes resources without indentation, so none contains a line break. */
export const BETWEEN = ",\n";

/** The list envelope (spec 11.3) around texts. */
export function envelope(data: readonly JsonText[], next_cursor: string | null): JsonText {
  return envelopeAround(data.join(BETWEEN), next_cursor);
}

/** The same around texts that are already joined. */
export function envelopeAround(data: string, next_cursor: string | null): JsonText {
  const cursor = next_cursor === null ? "null" : `"${next_cursor}"`;
  return `{"object":"list","data":[${data}],"has_more":${next_cursor !== null},"next_cursor":${cursor}}` as JsonText;
}

/** A list as it is answered. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Parses the text of a list. */
export function pageFrom<Row>(text: JsonText): Page<Row> {
  const { data, has_more, next_cursor } = JSON.parse(text) as Page<Row>;
  return { data, has_more, next_cursor };
}

/** Opaque to clients: letters, digits, `-` and `_`. */
export function cursorFrom(position: Position): string {
  const { id, horizon, from } = position;
  const parts = [CURSOR_FORM, id, ...(horizon ? [horizon] : []), ...(from ? [from] : [])];
  return Buffer.from(parts.join("|")).toString("base64url");
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws VALIDATION_FAILED on `cursor` for a text that is not a cursor of such a list. */
export function positionFrom(cursor: string, id_form: RegExp): Position {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [form, id = "", horizon, from, ...rest] = text.split("|");
  const is_valid =
    form === CURSOR_FORM &&
    rest.length === 0 &&
    id_form.test(id) &&
    (horizon === undefined || isHorizon(horizon)) &&
    (from === undefined || isHorizon(from)) &&
    Buffer.from(text).toString("base64url") === cursor;
  if (!is_valid) throw strangeCursor();
  return { id, horizon: horizon ?? null, ...(from === undefined ? {} : { from }) };
}

/** For a cursor with a valid form and an impossible content. */
export function strangeCursor(): Problem {
  return invalidField("cursor", "invalid_value", "The cursor is not one of ours.");
}

function isHorizon(text: string): boolean {
  return (
    /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/.test(text.slice(10)) &&
    calendarDate(text.slice(0, 10)) !== undefined
  );
}

const CURSOR_FORM = "1";

/** The bounds of a poll, the same on all of its pages. */
async function boundsOf(cx: Reader, page: PageQuery): Promise<Omit<Position, "id">> {
  if (page.updated_since === undefined) return { horizon: null };
  const found = await cx.row<{ horizon: string; from: string | null }>(
    sql`select to_char(horizon at time zone 'UTC', ${raw(HORIZON_FORM)}) as horizon,
         case when from_at < ${page.updated_since}::timestamptz then to_char(from_at at time zone 'UTC', ${raw(HORIZON_FORM)}) end as from
       from poll_bounds(${cx.caller.account_id}, ${page.updated_since})`,
  );
  if (found === undefined) throw new Error("the database gave no horizon");
  const { horizon, from } = found;
  return from === null ? { horizon } : { horizon, from };
}

const HORIZON_FORM = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
