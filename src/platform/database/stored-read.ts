/**
 * Reads of stored resources that are one statement with one row: a page whose texts PostgreSQL has joined, or one resource. Such a
 * statement needs nothing but its account, so that it can travel with the look-up that finds out whose request it is
 * (`heldBy`): one round trip for both, and the account comes from the row of the credential alone.
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

/** A statement that answers one row, or none where there is nothing. */
export interface OneRead {
  /** `$1` is the account, the others are `values`. The same for all accounts and values. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What one statement answers to it. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** What is read of stored resources. */
export interface StoredRead extends OneRead {
  /** What the row says; null when there was none. Throws NOT_FOUND. */
  textOf(row: FoundRow | null): JsonText;
}

/**
 * A page of a list as one read, as `listDocuments` answers it; undefined where it takes more than a statement that is
 * planned once. Throws VALIDATION_FAILED for a cursor that is not ours.
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

/** Which rows a page and the one after it have, as SQL whose `$1` is the account; undefined and throws as `readPage` says. */
function rowsOfPage(
  conditions: readonly Condition[],
  { limit, cursor, updated_since }: PageQuery,
): { readonly where: string; readonly values: readonly unknown[] } | undefined {
  if (updated_since !== undefined || !isPlannedOnce(conditions, limit)) return undefined;
  const position = cursor === undefined ? null : positionFrom(cursor, UUID);
  // Of a poll that goes on without saying so: its horizon stays in the cursors.
  if (position?.horizon) return undefined;
  const after: Condition[] = position === null ? [] : [["id <", position.id]];
  const { where, values } = whereOf([["account_id =", null], ...conditions, ...after]);
  return { where, values: values.slice(1) };
}

interface PageRow {
  /** The documents, also the one that only says that there are more; null when there are none. */
  readonly data: string | null;
  /** Of the last row that is shown, where there are more. */
  readonly last_id: string | null;
}

const pages = new Map<string, string>();

/**
 * Rows reach an aggregate in the order of its subquery. With an order of its own, or counted by a window, they would be
 * copied twice more, which is most of what such a statement costs.
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

function textOfPage(row: FoundRow | null): JsonText {
  const { data, last_id } = row as unknown as PageRow;
  if (last_id === null) return envelopeAround(data ?? "", null);
  const shown = data?.slice(0, data.lastIndexOf(BETWEEN)) ?? "";
  return envelopeAround(shown, cursorFrom({ id: last_id, horizon: null }));
}

/** A page of rows, and how many there are on all pages, as one read. */
interface CountedRead<Row> extends OneRead {
  rowsOf(found: FoundRow): CountedRows<Row>;
}

/** What rows of a list have beside their stored text, as one column of JSON. */
export interface Beside<Row> {
  /** The part of the stored text that is read, as an expression; all of it, where nothing is said. */
  readonly document?: string;
  /** The expression of an array, `json_build_array(…)`. */
  readonly packed: string;
  /** The row, of what the array has. */
  read(packed: readonly unknown[], document: JsonText): Row;
}

interface CountedRow {
  readonly documents: string | null;
  readonly beside: readonly (readonly unknown[])[] | null;
  readonly on_all_pages: number;
}

/**
 * A page of rows as `listCounted` answers it; undefined where it takes more than a statement that is planned once. Throws
 * VALIDATION_FAILED for a cursor that is not ours.
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
 * Reads together with whoever holds a credential: one row with the columns of both, and none when nobody holds it. `holder`
 * selects `account_id` among others, by so many values as a credential has, `$1` the first; no column of its has the name of
 * one of the read's.
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
