/**
 * The views of a person as SQL (spec 8.1): conditions that lists add to their filters, and the same check for one resource.
 * Conditions name the outer table, so each fits only the list of its own kind.
 */

import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import {
  type InView,
  outOfScope,
  requireView,
  seesAccount,
  type View,
  type ViewedKind,
} from "../../../domain/base/visibility.ts";
import type { Personal, PersonReader, Reader } from "../../../platform/commands/context.ts";
import {
  type Condition,
  countRows,
  isSearch,
  type ListedTable,
  type Page,
  type PageQuery,
  type RowsOfPage,
} from "../../../platform/database/page.ts";
import { numbered, type Sql, sql } from "../../../platform/database/sql.ts";
import {
  type Beside,
  type GroupOfRows,
  readAs,
  readCounted,
  type StoredRead,
} from "../../../platform/database/stored-read.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { NOTES_WAITING_FIRST } from "../../sales/credit-notes/queries.ts";
import { INVOICES_WAITING_FIRST } from "../../sales/invoices/list-conditions.ts";

/** Issued documents of one currency, on all pages. */
interface SumOfCurrency {
  readonly currency: string;
  readonly count: number;
  /** Net of VAT. */
  readonly net: number;
}

/** What a page says besides its rows; `sums` of documents alone, of which drafts are no part. */
export interface Seen extends InView {
  readonly sums?: readonly SumOfCurrency[];
}

/** Returns the documents of a condition by currency: how many, how many of them are issued, and their net amount. */
function sumsOf(kind: "invoice" | "credit_note", currency: string): (where: string) => string {
  return (
    where,
  ) => `(select json_agg(json_build_array(g.rows, g.currency, g.issued, g.net::text) order by g.currency)
    from (select ${currency} as currency, count(*)::int as rows, count(d.net)::int as issued, sum(d.net) as net
      from ${TABLES[kind]} left join (select document_id, net from issued_documents
        where account_id = $1 and kind = '${kind}') d on d.document_id = ${TABLES[kind]}.id
      where ${where} group by 1) g)`;
}

const TABLES = {
  customer: "customers",
  invoice: "invoices",
  credit_note: "credit_notes",
  recurring_series: "recurring_series",
} as const satisfies Record<ViewedKind, ListedTable>;

/** A credit note has the currency of its invoice. */
const CURRENCY_OF_NOTE = `(select i.currency from invoices i
  where i.account_id = credit_notes.account_id and i.id = credit_notes.invoice_id)`;

/** How documents are listed; the other kinds are listed from newest to oldest, without sums. */
const LISTINGS = {
  invoice: { order: INVOICES_WAITING_FIRST, groups: sumsOf("invoice", "currency") },
  credit_note: { order: NOTES_WAITING_FIRST, groups: sumsOf("credit_note", CURRENCY_OF_NOTE) },
  customer: {},
  recurring_series: {},
} as const;

/** Lines of invoices that have the person as assignee; `$1` is the account. */
const ASSIGNED = `invoice_line_assignees a
  join invoice_lines l on l.account_id = a.account_id and l.id = a.line_id
  where a.account_id = $1 and a.user_id = $value`;

/** The column of a kind's table that decides ownership, and the query of its values for a person. */
interface Mine {
  readonly column: string;
  readonly ids: string;
}

// No query runs again for each row of the list: a person with few assignments is served from the index of assignees.
const MINE: Readonly<Record<ViewedKind, Mine>> = {
  invoice: { column: "id", ids: `select l.invoice_id from ${ASSIGNED}` },
  credit_note: { column: "invoice_id", ids: `select l.invoice_id from ${ASSIGNED}` },
  customer: {
    column: "id",
    ids: `select i.customer_id from invoices i
      where i.account_id = $1 and i.id in (select l.invoice_id from ${ASSIGNED})
      union all select made.id from customers made where made.account_id = $1 and made.created_by = $value`,
  },
  // By an effective or future version, or an override: a line that the person has left does not count.
  recurring_series: {
    column: "id",
    ids: `select l.series_id from series_line_assignees a
      join series_lines l on l.account_id = a.account_id and l.line_id = a.line_id
      join recurring_series s on s.account_id = l.account_id and s.id = l.series_id
      where a.account_id = $1 and a.user_id = $value
        and (a.until_index is null or a.until_index > s.standing_index)`,
  },
};

/** Returns the conditions of a list of the kind for the view; none for the whole account. Throws ROLE_FORBIDDEN. */
export function viewConditions(cx: Personal, kind: ViewedKind, view: View): readonly Condition[] {
  const { role, user_id } = cx.caller.person;
  requireView(role, view);
  return view === "all" ? [] : [[ownCondition(kind, "$value"), user_id]];
}

/** Returns the view `mine` of a kind as a condition on its table; `user` is the SQL expression of the person's id. */
export function ownCondition(kind: ViewedKind, user: string): string {
  const { column, ids } = MINE[kind];
  return `${TABLES[kind]}.${column} in (${ids.replaceAll("$value", user)})`;
}

/** Returns the condition that limits a kind's table to the rows that the caller may see; none for a key or an admin. */
export function andSeen({ caller }: Reader, kind: ViewedKind): Sql {
  const { account_id, person } = caller;
  if (person === null || seesAccount(person.role)) return sql``;
  const { column, ids } = MINE[kind];
  const texts =
    textsAround[kind] ?? ` and ${TABLES[kind]}.${column} in (${ids})`.split(/\$1|\$value/);
  textsAround[kind] = texts;
  return sql(
    texts,
    ...placesIn(ids).map((place) => (place === "$1" ? account_id : person.user_id)),
  );
}

/** SQL texts of the views between their values: identical at each call, so that the queries stay prepared. */
const textsAround: Partial<Record<ViewedKind, readonly string[]>> = {};

function placesIn(text: string): string[] {
  return text.match(/\$1|\$value/g) ?? [];
}

/** Returns the view of the person's role, `mine` or the account, for resources that belong to another resource. */
export function viewOfRole(cx: PersonReader): View {
  return seesAccount(cx.caller.person.role) ? "all" : "mine";
}

/** A page of a view with its counts over all pages under the same filters. */
interface ViewedPage<Row> extends Seen, Page<Row> {}

/** Returns one page of stored resources in a view. Throws ROLE_FORBIDDEN, and VALIDATION_FAILED for an unknown cursor. */
export async function listInView<Row>(
  cx: PersonReader,
  kind: ViewedKind,
  view: View,
  filters: readonly Condition[],
  page: PageQuery,
): Promise<ViewedPage<Row>> {
  const [{ rows, next_cursor }, seen] = await readInView(
    cx,
    kind,
    view,
    filters,
    STORED,
    page,
  ).answer(cx);
  const data = rows.map((document) => JSON.parse(document) as Row);
  return { ...seen, data, has_more: next_cursor !== null, next_cursor };
}

/** Rows that are only their stored text. */
const STORED: Beside<JsonText> = {
  packed: "json_build_array()",
  read: (_, document) => document,
};

/** Returns the read of a page with counts: one query, or several in a round trip for `mine`. Throws as `listInView`. */
export function readInView<Row>(
  cx: Personal,
  kind: ViewedKind,
  view: View,
  filters: readonly Condition[],
  beside: Beside<Row>,
  page: PageQuery,
): StoredRead<[RowsOfPage<Row>, Seen]> {
  const table = TABLES[kind];
  const own = viewConditions(cx, kind, view);
  const read = readCounted(table, beside, [...filters, ...own], page, LISTINGS[kind]);
  if (own.length === 0) {
    return readAs(read, (found) => {
      const seen = { view, in_scope: found.count, beyond_scope: 0 };
      return [found, { ...seen, ...sumsFrom(found.groups) }];
    });
  }
  // Counted without the search: otherwise the count beyond the view would reveal names to a person who may not see them.
  const unsearched = filters.filter((condition) => !isSearch(condition));
  const is_searched = unsearched.length < filters.length;
  return {
    single: undefined,
    async answer(reader) {
      const [found, of_view, in_account] = await Promise.all([
        read.answer(reader),
        is_searched ? countRows(reader, table, [...unsearched, ...own]) : null,
        countRows(reader, table, unsearched),
      ]);
      // A row may be deleted between the counts.
      const in_scope = found.count;
      const beyond_scope = Math.max(0, in_account - (of_view ?? in_scope));
      return [found, { view, in_scope, beyond_scope, ...sumsFrom(found.groups) }];
    },
  };
}

/** Reads what `sumsOf` selects; nothing for kinds without sums. */
function sumsFrom(groups: readonly GroupOfRows[] | undefined): Pick<Seen, "sums"> {
  if (groups === undefined) return {};
  const of_currencies = groups as readonly (readonly [number, string, number, string | null])[];
  return {
    sums: of_currencies.flatMap(([, currency, count, net]) =>
      net === null
        ? []
        : [{ currency, count, net: scaledToNumber(BigInt(net), currencyDigits(currency)) }],
    ),
  };
}

/** Requires that the person may see an existing resource: a standard user only those in `mine`. Throws OUT_OF_SCOPE. */
export async function requireInView(cx: PersonReader, kind: ViewedKind, id: string): Promise<void> {
  const { role, user_id } = cx.caller.person;
  if (seesAccount(role)) return;
  const text = `select from ${TABLES[kind]} where account_id = $1 and id = $2 and ${ownCondition(kind, "$3")}`;
  const found = await cx.row(numbered(text, [cx.caller.account_id, id, user_id]));
  if (found === undefined) throw outOfScope(kind);
}
