/**
 * Reads of stored resources in one statement with one row: a page whose texts PostgreSQL has joined, or one resource. Such a
 * statement needs only its account, so it can be combined with the look-up of the caller (`heldBy`): one round trip for both, and
 * the account comes only from the row of the credential.
 */
import { notFound } from "../../domain/base/problem.ts";
import type { JsonText } from "../runtime/json.ts";
import {
  BETWEEN,
  type Condition,
  type CountedRows,
  cursorFrom,
  envelopeAround,
  isPlannedOnce,
  type ListedTable,
  type PageQuery,
  positionFrom,
  UUID,
  whereOf,
} from "./page.ts";
import { columnOfRef, resourceOf } from "./resources.ts";
import { numbered, type Sql } from "./sql.ts";

/** A statement that returns one row, or none when there is nothing to read. */
export interface OneRead {
  /** `$1` is the account, the others are `values`. The same for all accounts and values. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The row that the statement returns. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** A read of stored resources. */
export interface StoredRead extends OneRead {
  /** The text from the row; the row is null when there was none. Throws NOT_FOUND. */
  textOf(row: ReadRow | null): JsonText;
}

/**
 * A page of a list as one read, as `listDocuments` answers it; undefined when the page needs more than one statement that is
 * planned once. Throws VALIDATION_FAILED for an invalid cursor.
 */
export function readPage(
  table: ListedTable,
  conditions: readonly Condition[],
  page: PageQuery,
): StoredRead | undefined {
  const { limit } = page;
  const found = rowsOfPage(conditions, page);
  if (found === undefined) return undefined;
  const { where, values } = found;
  return { text: pageText(table, where, limit), values, textOf: textOfPage };
}

/** The rows of a page and the first one after it, as SQL whose `$1` is the account; undefined and throws as `readPage`. */
function rowsOfPage(
  conditions: readonly Condition[],
  { limit, cursor, updated_since }: PageQuery,
): { readonly where: string; readonly values: readonly unknown[] } | undefined {
  if (updated_since !== undefined || !isPlannedOnce(conditions, limit)) return undefined;
  const position = cursor === undefined ? null : positionFrom(cursor, UUID);
  // The cursor of a poll: its horizon is in the cursor even when the request no longer repeats `updated_since`.
  if (position?.horizon) return undefined;
  const after: Condition[] = position === null ? [] : [["id <", position.id]];
  const { where, values } = whereOf([["account_id =", null], ...conditions, ...after]);
  return { where, values: values.slice(1) };
}

interface PageRow {
  /** The documents, including the extra one that only shows that there are more; null when there are none. */
  readonly data: string | null;
  /** The id of the last row on the page, when there are more rows. */
  readonly last_id: string | null;
}

const pages = new Map<string, string>();

/**
 * Rows reach an aggregate in the order of its subquery. An order by in the aggregate, or a window function for the count, would
 * copy them twice more, which is most of the cost of such a statement.
 */
function pageText(table: ListedTable, where: string, limit: number): string {
  const key = `${table} ${limit} ${where}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const text = `select string_agg(document, '${BETWEEN}') as data,
      case when count(*) > ${limit} then (array_agg(id))[${limit}] end as last_id
    from (select id, document from ${table}
      where ${where} order by id desc limit ${limit + 1}) as page`;
  pages.set(key, text);
  return text;
}

function textOfPage(row: ReadRow | null): JsonText {
  const { data, last_id } = row as unknown as PageRow;
  if (last_id === null) return envelopeAround(data ?? "", null);
  const shown = data?.slice(0, data.lastIndexOf(BETWEEN)) ?? "";
  return envelopeAround(shown, cursorFrom({ id: last_id, horizon: null }));
}

/** A page of rows, and how many there are on all pages, as one read. */
interface CountedRead<Row> extends OneRead {
  rowsOf(found: ReadRow): CountedRows<Row>;
}

/** Data of list rows in addition to their stored text, as one JSON column. */
export interface Beside<Row> {
  /** The part of the stored text to read, as an expression; without it, the whole text. */
  readonly document?: string;
  /** The expression of an array, `json_build_array(…)`. */
  readonly packed: string;
  /** Makes the row from the array. */
  read(packed: readonly unknown[], document: JsonText): Row;
}

interface CountedRow {
  readonly documents: string | null;
  readonly beside: readonly (readonly unknown[])[] | null;
  readonly on_all_pages: number;
}

/**
 * A page of rows as `listCounted` answers it; undefined when the page needs more than one statement that is planned once. Throws
 * VALIDATION_FAILED for an invalid cursor.
 */
export function readCounted<Row extends { readonly id: string }>(
  table: ListedTable,
  beside: Beside<Row>,
  conditions: readonly Condition[],
  page: PageQuery,
): CountedRead<Row> | undefined {
  const { limit } = page;
  const found = rowsOfPage(conditions, page);
  if (found === undefined) return undefined;
  const { where: on_all_pages } = whereOf([["account_id =", null], ...conditions]);
  return {
    text: countedText(table, beside, found.where, on_all_pages, limit),
    values: found.values,
    rowsOf(row) {
      const { documents, beside: packed, on_all_pages: count } = row as unknown as CountedRow;
      const texts = (documents?.split(BETWEEN) ?? []) as JsonText[];
      const rows: Row[] = [];
      for (const [at, one] of (packed ?? []).entries()) {
        if (at < limit) rows.push(beside.read(one, texts[at] as JsonText));
      }
      const last = texts.length > limit ? rows.at(-1) : undefined;
      const next_cursor = last ? cursorFrom({ id: last.id, horizon: null }) : null;
      return { rows, next_cursor, count };
    },
  };
}

/** Rows reach both aggregates in the order of the subquery. */
function countedText(
  table: ListedTable,
  { packed, document = "document" }: Beside<unknown>,
  where: string,
  on_all_pages: string,
  limit: number,
): string {
  const key = `${table} ${limit} ${where} ${packed}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const text = `select string_agg(document, '${BETWEEN}') as documents, json_agg(beside) as beside,
      (select count(*)::int from ${table} where ${on_all_pages}) as on_all_pages
    from (select ${document} as document, ${packed} as beside from ${table}
      where ${where} order by id desc limit ${limit + 1}) as page`;
  pages.set(key, text);
  return text;
}

/** The resource under a reference as one read, as `getStored` answers it. */
export function readResource(table: ListedTable, ref: string): StoredRead {
  const [column, value] = columnOfRef(ref);
  return {
    text: `select document from ${table} where account_id = $1 and ${column} = $2`,
    values: [value],
    textOf(row) {
      const document = row?.document ?? null;
      if (document === null) throw notFound(resourceOf[table], ref);
      return document as JsonText;
    },
  };
}

/**
 * Combines a read with the look-up of a credential's holder: one row with the columns of both, or none when the credential has no
 * holder. `holder` selects `account_id` among other columns, by as many values as a credential has (`count`), from `$1`. None of
 * its columns has the same name as a column of the read.
 */
export function heldBy(
  holder: string,
  count = 1,
): (credential: readonly unknown[], read: OneRead) => Sql {
  const texts = new Map<string, string>();
  return (credential, { text, values }) => {
    const known = texts.get(text) ?? textOfBoth(holder, count, text);
    texts.set(text, known);
    return numbered(known, [...credential, ...values]);
  };
}

function textOfBoth(holder: string, count: number, text: string): string {
  const of_holder = text.replace(/\$(\d+)/g, (_, place) =>
    place === "1" ? "holder.account_id" : `$${Number(place) - 1 + count}`,
  );
  return `select holder.*, found.* from (${holder}) as holder left join lateral (${of_holder}) as found on true`;
}
