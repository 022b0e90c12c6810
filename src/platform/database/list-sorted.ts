/**
 * Reads pages of lists in an order other than from newest to oldest. The cursor has the key and the id of the last row, so a
 * page begins exactly after it whatever has been added or removed; a row whose key changes moves to its new place.
 */
import { calendarDate } from "../../domain/base/calendar.ts";
import type { Reader } from "../commands/context.ts";
import type { JsonText } from "../runtime/json.ts";
import { REPLANNED } from "./database.ts";
import {
  type Condition,
  isSearch,
  type ListedTable,
  strangeCursor,
  UUID,
  whereOf,
} from "./page.ts";
import { numbered } from "./sql.ts";

type KeyType = "bigint" | "date" | "text" | "timestamptz";

/** An order of a list. */
export interface SortOrder {
  /** The name in the cursor: a cursor of another order is refused. */
  readonly name: string;
  readonly type: KeyType;
  readonly is_descending: boolean;
  /** Returns a select of `id` and `key` of the rows that meet the condition; `$1` is the account. */
  keyed(where: string): string;
  /** For keys of another table: all ids and keys as an index has them, and the condition of a row `k` of them. */
  readonly walked?: { readonly all: string; meets(where: string): string };
}

/** The number of rows of an order that a search reads, before it reads everything it finds: many matches fill a page so. */
const WALKED = 3_000;

export interface SortedPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The stored resources of a page, in their order. */
interface SortedTexts {
  readonly texts: readonly JsonText[];
  readonly next_cursor: string | null;
}

/** Returns a page of the rows that meet the conditions. Throws VALIDATION_FAILED for a cursor of another order or form. */
export async function listSorted(
  cx: Reader,
  table: ListedTable,
  order: SortOrder,
  conditions: readonly Condition[],
  { limit, cursor }: SortedPage,
): Promise<SortedTexts> {
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const after = cursor === undefined ? null : positionIn(cursor, order);
  const [key, id, size] = [1, 2, 3].map((at) => `$${values.length + at}`);
  const [beyond, way] = order.is_descending ? ["<", "desc"] : [">", "asc"];
  // The first condition repeats a part of the second, for the index of a key from another table than the id.
  const rest = `k.key ${beyond}= ${key}::${order.type} and (k.key, k.id) ${beyond} (${key}::${order.type}, ${id}::uuid)`;
  const keyed = `(${order.keyed(where)})`;
  const start = after === null ? `${key}::text is null and ${id}::text is null` : rest;
  const ending = `order by k.key ${way}, k.id ${way} limit`;
  // The index of an order leads to rows of the table, and a search would read them one after the other. Apart from the order,
  // it finds ids and keys in a covering index.
  const is_apart = conditions.some(isSearch);
  const all = `select k.id, k.key from ${is_apart ? "k" : `${keyed} k`} where ${start}`;
  const apart = is_apart ? `with k as materialized ${keyed} ` : "";
  const page =
    is_apart && order.walked !== undefined
      ? `${apart}, near as materialized (
          select k.id, k.key from (select k.id, k.key from (${order.walked.all}) k where ${start} ${ending} ${WALKED}) k
          where ${order.walked.meets(where)} limit ${size}::int + 1)
        select k.id, k.key from (
          select id, key from near where (select count(*) from near) > ${size}::int
          union all ${all} and (select count(*) from near) <= ${size}::int) k ${ending} ${size}::int + 1`
      : `${apart}${all} ${ending} ${size}::int + 1`;
  const text = `${REPLANNED}select k.id, ${AS_TEXT[order.type]} as key, t.document from (${page}) k
    join ${table} t on t.account_id = $1 and t.id = k.id order by k.key ${way}, k.id ${way}`;
  const found = await cx.rows(
    numbered(text, [...values, after?.key ?? null, after?.id ?? null, limit]),
  );
  const rows = found as readonly (SortedPosition & { readonly document: JsonText })[];
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    texts: shown.map(({ document }) => document),
    next_cursor: last === undefined ? null : cursorAt(order, last),
  };
}

const AS_TEXT: Readonly<Record<KeyType, string>> = {
  bigint: "k.key::text",
  date: "to_char(k.key, 'YYYY-MM-DD')",
  text: "k.key",
  timestamptz: `to_char(k.key at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
};

/** Whether a text can be read as the type; a cursor is text of a client. */
const IS_KEY: Readonly<Record<KeyType, (text: string) => boolean>> = {
  bigint: (text) => /^-?\d{1,18}$/.test(text) || text === "9000000000000000000",
  date: (text) => calendarDate(text) !== undefined,
  text: (text) => text.length <= 1_000 && !text.includes("\0"),
  timestamptz: (text) =>
    /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/.test(text.slice(10)) &&
    calendarDate(text.slice(0, 10)) !== undefined,
};

interface SortedPosition {
  readonly key: string;
  readonly id: string;
}

const CURSOR_FORM = "2";

function cursorAt({ name }: SortOrder, { key, id }: SortedPosition): string {
  return Buffer.from([CURSOR_FORM, name, id, key].join("|")).toString("base64url");
}

function positionIn(cursor: string, order: SortOrder): SortedPosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [form, name, id = "", ...rest] = text.split("|");
  const key = rest.join("|");
  const is_valid =
    form === CURSOR_FORM &&
    name === order.name &&
    UUID.test(id) &&
    IS_KEY[order.type](key) &&
    Buffer.from(text).toString("base64url") === cursor;
  if (!is_valid) throw strangeCursor();
  return { id, key };
}
