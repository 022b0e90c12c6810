/**
 * Reads lists: pages from newest to oldest by UUIDv7. The cursor is the last returned id. Rows created meanwhile are
 * newer, so no row is repeated or skipped (spec 11.3). Resources are stored as shown; a page joins their texts.
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

/** The prefix of a condition that may match few rows. A page first finds the ids in a covering index, then its rows. */
export const SCANNED = "/* scanned */ ";

/** The prefix of a condition that searches for a text. */
export const SEARCH = `${SCANNED}/* search */ `;

/** Returns a condition that some of the columns contain the text, case-insensitively; `%` and `_` are literal. */
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

/** Returns conditions for active rows, deactivated rows, or both. */
export function activeConditions(active: "true" | "false" | "all" = "true"): Condition[] {
  if (active === "all") return [];
  return [[active === "true" ? "active" : "not active"]];
}

/** The tables that store their resource in a `document` column. */
export type ListedTable = {
  [Name in keyof Tables]: Tables[Name] extends { document: string; id: string } ? Name : never;
}[keyof Tables];

/** The position after which a page begins: the row with the id. */
interface Position {
  readonly id: string;
  /** The end of a poll with `updated_since`: rows with a later stamp belong to the next poll. */
  readonly horizon: string | null;
  /** The start of the poll, if it is before `updated_since`. */
  readonly from?: string;
}

/** The start of a page; without an id, the page is the first one. */
type Start = Omit<Position, "id"> & { readonly id?: string };

/** Returns the start of a page that belongs to no poll. Throws VALIDATION_FAILED for an invalid cursor. */
export function startOf({ cursor }: PageQuery): Start {
  return cursor === undefined ? { horizon: null } : positionFrom(cursor, UUID);
}

/** Returns the start of any page: the first page of a poll reads its bounds. Throws what `startOf` throws. */
export async function startIn(cx: Reader, page: PageQuery): Promise<Start> {
  const start = startOf(page);
  if (page.updated_since === undefined || start.horizon !== null) return start;
  return { ...start, ...(await boundsOf(cx, page.updated_since)) };
}

/** The rows of a page and the first row after it. */
export interface RowsAsSql {
  /** Selects columns of the rows; `$1` is the account. */
  select(columns: string): string;
  /** The values from `$2` on. */
  readonly values: readonly unknown[];
  /** The size of the page, as an expression. */
  readonly limit: string;
  /** Text in front of the SQL statement: for some statements, the best plan depends on how many rows their values match. */
  readonly prefix: string;
  /** The selected column from which `cursorAfter` makes a cursor. */
  readonly place: "id" | "place";
  /** Returns the cursor of the page that follows the row with the id, or with the place. */
  cursorAfter(place: string): string;
}

/** Returns SQL for the rows of a page that meet the conditions, from its start, and the first row after it. */
export function rowsOfPage(
  table: keyof Tables,
  conditions: readonly Condition[],
  { limit, updated_since }: PageQuery,
  start: Start,
): RowsAsSql {
  const all: Condition[] = [["account_id =", null], ...conditions];
  if (start.id !== undefined) all.push(["id <", start.id]);
  if (updated_since !== undefined) {
    all.push(["updated_at >", start.from ?? updated_since], ["updated_at <=", start.horizon]);
  }
  const { where, values } = whereOf(all);
  const is_kept = updated_since === undefined && isPlannedOnce(conditions, limit);
  const size = is_kept ? String(limit) : `$${values.length + 1}::int`;
  const ending = `from ${table} where ${where} order by id desc limit ${size} + 1`;
  const is_steady = updated_since === undefined && !conditions.some(isUneven);
  return {
    select: (columns) =>
      conditions.some(isScanned)
        ? `select ${columns} from ${table} where account_id = $1
       and id = any(array(select id ${ending})) order by id desc`
        : `select ${columns} ${ending}`,
    values: [...values.slice(1), ...(is_kept ? [] : [limit])],
    limit: size,
    prefix: is_steady ? "" : REPLANNED,
    place: "id",
    cursorAfter: (id) => cursorFrom({ ...start, id }),
  };
}

export interface RowsOfPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
  /** Returns the cursor of the page that follows a row of this page, in an order that the row's id does not name. */
  cursorOf?(at: number): string;
}

/** Returns a page of rows with `id`, presented when read. Throws VALIDATION_FAILED for an invalid cursor. */
export async function listRows<Row extends { readonly id: string }>(
  cx: Reader,
  columns: string,
  table: keyof Tables,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<RowsOfPage<Row>> {
  const found = rowsOfPage(table, conditions, page, await startIn(cx, page));
  const rows = await cx.rows<Row>(
    numbered(found.prefix + found.select(columns), [cx.caller.account_id, ...found.values]),
  );
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return { rows: shown, next_cursor: last ? found.cursorAfter(last.id) : null };
}

/**
 * Returns a page of the ids of several tables together, the newest first; an id is in one of them. Throws VALIDATION_FAILED for an
 * invalid cursor.
 */
export async function listMerged(
  cx: Reader,
  tables: readonly (readonly [table: keyof Tables, conditions: readonly Condition[]])[],
  page: PageQuery,
): Promise<RowsOfPage<{ readonly id: string }>> {
  const start = await startIn(cx, page);
  const ids: string[] = [];
  for (const [table, conditions] of tables) {
    const found = rowsOfPage(table, conditions, page, start);
    const values = [cx.caller.account_id, ...found.values];
    const rows = await cx.rows(numbered(found.prefix + found.select("id"), values));
    ids.push(...(rows as { id: string }[]).map(({ id }) => id));
  }
  const sorted = ids.sort().reverse();
  const shown = sorted.slice(0, page.limit).map((id) => ({ id }));
  const last = sorted.length > page.limit ? shown.at(-1) : undefined;
  return { rows: shown, next_cursor: last ? cursorFrom({ ...start, id: last.id }) : null };
}

/** Returns the number of rows of a table that meet the conditions, on all pages. */
export async function countRows(
  cx: Reader,
  table: keyof Tables,
  conditions: readonly Condition[],
): Promise<number> {
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const text = `select count(*)::int as count from ${table} where ${where}`;
  const counted = numbered(conditions.some(isUneven) ? REPLANNED + text : text, values);
  return (await cx.row<{ count: number }>(counted))?.count ?? 0;
}

/**
 * The page sizes whose number is part of the statement's text, so that PostgreSQL plans the statement once and keeps the plan;
 * with a parameter for the limit, it plans at each call. Each size is one more statement that every connection keeps.
 */
const KEPT_LIMITS: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);

/** Conditions for which one plan is right for all values, because they are the beginning of an index. */
const EVEN = /^(id <|(customer_id|invoice_id|external_id) =)/;

/** Whether PostgreSQL plans the statement of a page once and keeps the plan. */
export function isPlannedOnce(conditions: readonly Condition[], limit: number): boolean {
  return KEPT_LIMITS.has(limit) && conditions.every(isEven);
}

function isEven(condition: Condition): boolean {
  return condition.length === 1 ? !condition[0].includes("select") : EVEN.test(condition[0]);
}

/** Whether a condition has a subquery or is `SCANNED`, so that matches vary by value. False for an index prefix. */
export function isUneven(condition: Condition): boolean {
  return !isEven(condition) && (isScanned(condition) || condition[0].includes("select"));
}

export function isScanned([text]: Condition): boolean {
  return text.startsWith(SCANNED);
}

/** Returns conditions as SQL with numbered placeholders, and their values. */
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

/** Puts the list envelope (spec 11.3) around texts. */
export function envelope(data: readonly JsonText[], next_cursor: string | null): JsonText {
  return envelopeAround(data.join(BETWEEN), next_cursor);
}

/** Puts the list envelope around texts that are already joined. */
export function envelopeAround(data: string, next_cursor: string | null): JsonText {
  const cursor = next_cursor === null ? "null" : `"${next_cursor}"`;
  return `{"object":"list","data":[${data}],"has_more":${next_cursor !== null},"next_cursor":${cursor}}` as JsonText;
}

/** A list as the API returns it. */
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

/** Returns the text of a cursor, opaque to clients: letters, digits, `-` and `_`. */
export function cursorFrom(position: Position): string {
  const { id, horizon, from } = position;
  const parts = [CURSOR_FORM, id, ...(horizon ? [horizon] : []), ...(from ? [from] : [])];
  return Buffer.from(parts.join("|")).toString("base64url");
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a cursor. Throws VALIDATION_FAILED on `cursor` for a text that is not a cursor of such a list. */
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

/** Returns the refusal of a cursor with a valid form and an impossible content. */
export function strangeCursor(): Problem {
  return invalidField("cursor", "invalid_value", "The cursor is not one of ours.");
}

export function isHorizon(text: string): boolean {
  return (
    /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/.test(text.slice(10)) &&
    calendarDate(text.slice(0, 10)) !== undefined
  );
}

const CURSOR_FORM = "1";

/** Reads the bounds of a poll, the same on all of its pages. */
async function boundsOf(cx: Reader, updated_since: string): Promise<Omit<Position, "id">> {
  const found = await cx.row<{ horizon: string; from: string | null }>(
    sql`select to_char(horizon at time zone 'UTC', ${raw(HORIZON_FORM)}) as horizon,
         case when from_at < ${updated_since}::timestamptz then to_char(from_at at time zone 'UTC', ${raw(HORIZON_FORM)}) end as from
       from poll_bounds(${cx.caller.account_id}, ${updated_since})`,
  );
  if (found === undefined) throw new Error("the database gave no horizon");
  const { horizon, from } = found;
  return from === null ? { horizon } : { horizon, from };
}

export const HORIZON_FORM = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
