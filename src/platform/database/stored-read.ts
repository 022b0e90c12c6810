/**
 * Reads of stored resources, declared once for both paths of a request. A read in one statement with one row needs only its
 * account, so it can be combined with the look-up of the caller (`heldBy`): one round trip for both, and only for the account
 * that the row of the credential names. The ordinary path runs the same statement, and further statements where the read needs them.
 */
import { notFound } from "../../domain/base/problem.ts";
import type { Reader } from "../commands/context.ts";
import type { JsonText } from "../runtime/json.ts";
import { rowsWaitingFirst, type WaitingFirst } from "./list-waiting-first.ts";
import {
  BETWEEN,
  type Condition,
  envelope,
  envelopeAround,
  isPlannedOnce,
  type ListedTable,
  type PageQuery,
  type RowsAsSql,
  type RowsOfPage,
  rowsOfPage,
  startIn,
  startOf,
  whereOf,
} from "./page.ts";
import { columnOfRef, resourceOf } from "./resources.ts";
import { numbered, type Sql } from "./sql.ts";

/** A statement that returns one row, or none when there is nothing to read. */
export interface OneRead {
  /** The text of the statement, the same for all accounts and values. `$1` is the account, the others are `values`. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The row that the statement returns. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** A read in one statement. */
export interface SingleRead<Answer = JsonText> extends OneRead {
  /** Returns the result from the row; the row is null when there was none. Throws NOT_FOUND. */
  answerFrom(row: ReadRow | null): Answer;
}

/** A read of stored resources. */
export interface StoredRead<Answer = JsonText> {
  /** The read in one statement that is planned once; undefined when it needs more. */
  readonly single: SingleRead<Answer> | undefined;
  /** Reads the same result, in as many statements as it needs. Throws NOT_FOUND, and VALIDATION_FAILED for an invalid cursor. */
  answer(cx: Reader): Promise<Answer>;
}

/** Returns the same read with another result, which is made from the read's own. */
export function readAs<Read, Answer>(
  { single, answer }: StoredRead<Read>,
  answerFrom: (read: Read) => Answer,
): StoredRead<Answer> {
  return {
    single: single && { ...single, answerFrom: (row) => answerFrom(single.answerFrom(row)) },
    answer: async (cx) => answerFrom(await answer(cx)),
  };
}

async function answerOf<Answer>(cx: Reader, read: SingleRead<Answer>): Promise<Answer> {
  const { text, values } = read;
  const row = await cx.row(numbered(text, [cx.caller.account_id, ...values]));
  return read.answerFrom((row as ReadRow | undefined) ?? null);
}

/** Reads the resource under a reference. */
export function readResource(table: ListedTable, ref: string): StoredRead {
  const [column, value] = columnOfRef(ref);
  const single: SingleRead = {
    text: `select document from ${table} where account_id = $1 and ${column} = $2`,
    values: [value],
    answerFrom(row) {
      const document = row?.document ?? null;
      if (document === null) throw notFound(resourceOf[table], ref);
      return document as JsonText;
    },
  };
  return { single, answer: (cx) => answerOf(cx, single) };
}

/** Makes the rows of a page, as text, from the stored resources. */
type Additions = (cx: Reader, resources: readonly JsonText[]) => Promise<readonly JsonText[]>;

/** Reads a page as envelope text. `additions` makes rows from resources. Throws VALIDATION_FAILED for a bad cursor. */
export function readPage(
  table: ListedTable,
  conditions: readonly Condition[],
  page: PageQuery,
  additions?: Additions,
): StoredRead {
  if (additions === undefined) return readRows(table, DOCUMENT, conditions, page, envelopeOf);
  const stored = readRows(table, DOCUMENT, conditions, page, (row, next_cursor) => {
    return { resources: textsOf(row), next_cursor };
  });
  return {
    single: undefined,
    async answer(cx) {
      const { resources, next_cursor } = await stored.answer(cx);
      return envelope(await additions(cx, resources), next_cursor);
    },
  };
}

/** Data of list rows in addition to their stored text, as one JSON column. */
export interface Beside<Row> {
  /** The part of the stored text to read, as an expression; without it, the whole text. */
  readonly document?: string;
  /** The SQL expression of an array, `json_build_array(…)`. */
  readonly packed: string;
  /** Makes the row from the array. */
  read(packed: readonly unknown[], document: JsonText): Row;
}

/** A page of rows, and how many rows there are on all pages. */
interface CountedRows<Row> extends RowsOfPage<Row> {
  readonly count: number;
  /** What `groups` computes from all rows. */
  readonly groups?: readonly GroupOfRows[];
}

/** The number of rows of a group, and the values of the group. */
export type GroupOfRows = readonly [rows: number, ...values: unknown[]];

/** How a counted page differs from one that goes from newest to oldest. */
interface Listing {
  readonly order?: WaitingFirst;
  /** Returns an SQL expression of the groups of all rows that meet a condition, as a JSON array; each row is in one group. */
  groups?(where: string): string;
}

/** Reads one page of rows with the count of all pages, in an order or from newest to oldest. Throws VALIDATION_FAILED for an invalid cursor. */
export function readCounted<Row>(
  table: ListedTable,
  beside: Beside<Row>,
  conditions: readonly Condition[],
  page: PageQuery,
  { order, groups: groupsOf }: Listing = {},
): StoredRead<CountedRows<Row>> {
  const { document = "document", packed } = beside;
  // The placeholders match those of the page's own conditions, which begin with these.
  const { where } = whereOf([["account_id =", null], ...conditions]);
  // Groups are counted by the same scan.
  const counted = groupsOf?.(where) ?? `(select count(*)::int from ${table} where ${where})`;
  const columns: PageColumns = {
    of_rows: `id, ${document} as document, ${packed} as packed`,
    of_page: `, json_agg(packed) as packed, ${counted} as on_all_pages`,
  };
  const answerFrom: AnswerFromPage<CountedRows<Row>> = (row, next_cursor, cursorAfter) => {
    const { packed: of_rows, on_all_pages, places } = row as CountedRow;
    const rows = textsOf(row).map((text, at) => beside.read(of_rows?.[at] ?? [], text));
    const cursorOf = places && { cursorOf: (at: number) => cursorAfter(places[at] ?? "") };
    if (typeof on_all_pages === "number") return { rows, next_cursor, count: on_all_pages };
    const groups = on_all_pages ?? [];
    const count = groups.reduce((sum, [of_group]) => sum + of_group, 0);
    return { rows, next_cursor, count, groups, ...cursorOf };
  };
  return readRows(table, columns, conditions, page, answerFrom, order);
}

interface CountedRow extends PageRow {
  readonly packed: readonly (readonly unknown[])[] | null;
  /** The count, or the groups; null for none. */
  readonly on_all_pages: number | readonly GroupOfRows[] | null;
  /** The places of the rows, in an order that their ids do not name. */
  readonly places?: readonly string[] | null;
}

/** The row that the statement of a page returns. */
interface PageRow extends ReadRow {
  /** The resources, including the extra one that only shows that there are more; null when there are none. */
  readonly documents: string | null;
  /** The id or place of the last row on the page, when there are more rows. */
  readonly last_id: string | null;
}

/** The columns that a page reads of each row, and the further columns of its own row. */
interface PageColumns {
  readonly of_rows: string;
  readonly of_page: string;
}

const DOCUMENT: PageColumns = { of_rows: "id, document", of_page: "" };

/** Makes the result of a page from its row, its cursor, and a function that makes the cursor after a place. */
type AnswerFromPage<Answer> = (
  row: PageRow,
  next_cursor: string | null,
  cursorAfter: (place: string) => string,
) => Answer;

/** Reads one page in one statement; a page of a poll reads the bounds of the poll first. */
function readRows<Answer>(
  table: ListedTable,
  columns: PageColumns,
  conditions: readonly Condition[],
  page: PageQuery,
  answerFrom: AnswerFromPage<Answer>,
  order?: WaitingFirst,
): StoredRead<Answer> {
  const readOf = (rows: RowsAsSql): SingleRead<Answer> => {
    return {
      text: rows.prefix + pageText(rows, columns),
      values: rows.values,
      answerFrom(row) {
        const found = row as PageRow;
        const { last_id } = found;
        const next_cursor = last_id === null ? null : rows.cursorAfter(last_id);
        return answerFrom(found, next_cursor, rows.cursorAfter);
      },
    };
  };
  if (order !== undefined) {
    const ordered = readOf(rowsWaitingFirst(table, order, conditions, page));
    const single = isPlannedOnce(conditions, page.limit) ? ordered : undefined;
    return { single, answer: (cx) => answerOf(cx, ordered) };
  }
  const readFrom = (start: ReturnType<typeof startOf>): SingleRead<Answer> =>
    readOf(rowsOfPage(table, conditions, page, start));
  const is_single = page.updated_since === undefined && isPlannedOnce(conditions, page.limit);
  const single = is_single ? readFrom(startOf(page)) : undefined;
  return {
    single,
    answer: async (cx) => answerOf(cx, single ?? readFrom(await startIn(cx, page))),
  };
}

/**
 * Rows reach the aggregates in the order of their subquery. An order by in an aggregate, or a window function for the count, would
 * copy them twice more, which is most of the cost of such a statement.
 */
function pageText({ limit, place, select }: RowsAsSql, { of_rows, of_page }: PageColumns): string {
  const places = place === "id" ? "" : `, json_agg(${place}) as places`;
  return `select string_agg(document, '${BETWEEN}') as documents,
      case when count(*) > ${limit} then (array_agg(${place}))[${limit}] end as last_id${of_page}${places}
    from (${select(of_rows)}) as page`;
}

function envelopeOf({ documents, last_id }: PageRow, next_cursor: string | null): JsonText {
  const shown = last_id === null ? documents : documents?.slice(0, documents.lastIndexOf(BETWEEN));
  return envelopeAround(shown ?? "", next_cursor);
}

/** Returns the resources of a page. */
function textsOf({ documents, last_id }: PageRow): JsonText[] {
  const texts = (documents?.split(BETWEEN) ?? []) as JsonText[];
  return last_id === null ? texts : texts.slice(0, -1);
}

/**
 * Combines a read with the look-up of a credential's holder. Returns one row with the columns of both, or none when the
 * credential has no holder in the account. `holder` selects `account_id` among other columns, by as many values as a credential
 * has (`count`), from `$1`. None of its columns has the same name as a column of the read. The account is a value, known from
 * the last look-up, so that a cluster asks one machine; a credential that has moved to another account has no holder here.
 */
export function heldBy(
  holder: string,
  count = 1,
): (credential: readonly unknown[], account_id: string, read: OneRead) => Sql {
  const texts = new Map<string, string>();
  return (credential, account_id, { text, values }) => {
    const known = texts.get(text) ?? textOfBoth(holder, count, text);
    texts.set(text, known);
    return numbered(known, [...credential, account_id, ...values]);
  };
}

function textOfBoth(holder: string, count: number, text: string): string {
  const of_read = text.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + count}`);
  return `select holder.*, found.* from (${holder}) as holder left join (${of_read}) as found on true
    where holder.account_id = $${count + 1}`;
}
