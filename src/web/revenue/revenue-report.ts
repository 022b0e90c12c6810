/** Computes the revenue page as work that may be long: the matrix of a range with its sums, and the lines behind one amount. */
import { type Month, monthsFrom } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import { lockedThrough } from "../../domain/revenue/accrual-booking.ts";
import { chartSeries } from "../../domain/revenue/matrix.ts";
import { isClosedState, stateOfMonth } from "../../domain/revenue/month-state.ts";
import { ownLines } from "../../features/overview/views/find-own-lines.ts";
import { currentMonth, todayOf } from "../../features/revenue/accruals/queries.ts";
import { closesBetween } from "../../features/revenue/closes/read-month.ts";
import type { Entry } from "../../features/revenue/reports/report-groups.ts";
import {
  type MatrixQuery,
  type RevenueMatrix,
  readMatrix,
} from "../../features/revenue/reports/report-matrix.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { isAdmin } from "../frame/seen.ts";
import { type Language, wordsOf } from "../words/words.ts";
import { explained } from "./explain-line.tsx";
import { type CellAsked, FILTERS, type RevenueAsked, ROWS_A_PAGE } from "./revenue-address.ts";
import type { AmountShown, CellLine, RevenueShown, RowShown, SumsShown } from "./revenue-shown.ts";

const MOST_CELL_LINES = 30;
const MOST_SERIES = 7;

interface RevenueQuery {
  readonly asked: RevenueAsked;
  readonly language: Language;
}

/** Computes what the page shows. A large account moves to another thread. */
export const revenueReport = defineLongWork({
  name: "pages.revenue",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, query: RevenueQuery): Promise<RevenueShown> {
    const configuration = await getConfiguration(cx);
    const is_long =
      cx.leaves_if_long && (await hasTooManyLines(cx, currentMonth(cx, configuration)));
    if (is_long) throw new TakesLong();
    return reading(cx, (inside) => revenueShown(inside, configuration, query));
  },
});

/** Returns the filters of `GET /recognition` that a page asks for. A standard user sees their own revenue only. */
export function matrixQuery(cx: PersonReader, asked: RevenueAsked): MatrixQuery {
  const { by, from, to, basis, filters } = asked;
  const own = isAdmin(cx) ? {} : { user: cx.caller.person.user_id };
  return { ...filters, ...own, group_by: by === "person" ? "user" : by, basis, from, to };
}

/** Returns what the page shows, in the snapshot of `cx`. */
export async function revenueShown(
  cx: PersonReader,
  configuration: Configuration,
  { asked: sent, language }: RevenueQuery,
): Promise<RevenueShown> {
  const query = matrixQuery(cx, sent);
  const current = currentMonth(cx, configuration);
  const { open } = sent;
  const cell = open && { group: open.id, month: open.month };
  const matrix = await readMatrix(cx, configuration, query, cell);
  const pages = Math.max(1, Math.ceil(matrix.rows.length / ROWS_A_PAGE));
  const asked = { ...sent, page: Math.min(sent.page, pages) };
  const { lines } = matrix;
  const closed = await closedMonths(cx, configuration, asked);
  const at = (asked.page - 1) * ROWS_A_PAGE;
  const shown = matrix.rows.slice(at, at + ROWS_A_PAGE);
  const series = chartSeries(matrix.rows, MOST_SERIES);
  const charted = matrix.rows.slice(0, series.length).map(({ cells }) => entryOf(cells));
  const entries = [...shown.map(({ cells }) => entryOf(cells)), ...charted, ...lines];
  const named = await namesFor(cx, asked, entries, language);
  const opens = await openable(cx, entries);
  return {
    asked,
    currency: configuration.functional_currency,
    months: matrix.months.map((month) => ({
      month,
      is_closed: closed.has(month),
      is_forecast: month > current,
    })),
    sums: matrix.sums.map(sumsShown),
    rows: shown.map((row) => rowShown(row, asked, named, opens)),
    row_count: matrix.rows.length,
    series: series.map(({ key, earned }, row) => ({
      name: key === null ? null : nameOf(entryOf(matrix.rows[row]?.cells ?? []), asked, named),
      row: key === null ? null : row,
      earned: earned.map(String),
    })),
    filters: FILTERS.flatMap((filter) => {
      const value = asked.filters[filter];
      // The name of a resource outside of the view is not shown: without rows nothing proves that it is in view.
      const may_name = isAdmin(cx) || matrix.rows.length > 0;
      if (value === undefined) return [];
      return [{ filter, name: may_name ? (named.get(value) ?? null) : null }];
    }),
    cell: open === null ? null : cellShown(open, lines, named, opens),
    explained:
      asked.explain === null
        ? null
        : await explained(cx, configuration, {
            line_id: asked.explain.id,
            month: asked.explain.month,
            language,
          }),
    is_own: !isAdmin(cx),
  };
}

/** Returns the months of the range that are closed or locked. */
async function closedMonths(
  cx: PersonReader,
  configuration: Configuration,
  { from, to }: RevenueAsked,
): Promise<ReadonlySet<Month>> {
  const { closes, ready } = await closesBetween(cx, from, to, todayOf(cx, configuration));
  const locked_through = lockedThrough(configuration.period_lock_date);
  const current = currentMonth(cx, configuration);
  const known = new Map(closes.map(({ month, status }) => [month, status]));
  return new Set(
    monthsFrom(from, to).filter((month) => {
      const close = known.get(month) ?? null;
      return isClosedState(stateOfMonth(month, { close, locked_through, ready, current }));
    }),
  );
}

export type Names = ReadonlyMap<string, string>;

/** Returns the names of the groups, of the documents of lines, and of the filters, by their ids. */
export function namesFor(
  cx: PersonReader,
  { filters }: RevenueAsked,
  entries: readonly (Entry | undefined)[],
  language: Language,
): Promise<Names> {
  const ids = entries.flatMap((entry) => Object.values(entry?.ids ?? {}));
  const all = [...ids, ...Object.values(filters)].filter((id) => id && UUID.test(id));
  const viewer = isAdmin(cx) ? null : cx.caller.person.user_id;
  return namesOf(cx, all as string[], viewer, wordsOf(language).activity.names);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether the reader may open a line: an admin any, others those that are assigned to them. */
async function openable(cx: PersonReader, entries: readonly (Entry | undefined)[]) {
  if (isAdmin(cx)) return { has: () => true };
  return ownLines(
    cx,
    entries.flatMap((entry) => entry?.ids.line_id ?? []),
  );
}

type Openable = { has(line_id: string): boolean };

export function entryOf(cells: readonly (Entry | null)[]): Entry | undefined {
  return cells.find((cell) => cell !== null) ?? undefined;
}

/** Returns the id of a group or line; null for revenue without a person. */
function idOf(entry: Entry | undefined, { by }: Pick<RevenueAsked, "by">): string | null {
  const { customer_id, user_id, product_id, line_id } = entry?.ids ?? {};
  const ids = { customer: customer_id, person: user_id, product: product_id, line: line_id };
  return ids[by] ?? null;
}

export function nameOf(entry: Entry | undefined, asked: RevenueAsked, names: Names): string | null {
  if (asked.by === "line") return entry?.line?.text ?? null;
  return names.get(idOf(entry, asked) ?? "") ?? null;
}

/** Returns the document of a line: its invoice, else its retainer. */
export function besideOf(entry: Entry | undefined, names: Names): string | null {
  const { invoice_id, series_id } = entry?.ids ?? {};
  return names.get(invoice_id ?? "") ?? names.get(series_id ?? "") ?? null;
}

function amountShown(amount: Money | null | undefined): AmountShown {
  return amount === null ? null : `${amount ?? 0n}`;
}

function sumsShown(entry: Entry | null): SumsShown {
  return {
    earned: amountShown(entry?.earned),
    invoiced: amountShown(entry?.invoiced),
    asset: amountShown(entry?.asset),
    liability: amountShown(entry?.liability),
  };
}

function rowShown(
  { cells, total }: RevenueMatrix["rows"][number],
  asked: RevenueAsked,
  names: Names,
  opens: Openable,
): RowShown {
  const entry = entryOf(cells);
  const id = idOf(entry, asked);
  const is_line = asked.by === "line";
  return {
    id,
    name: nameOf(entry, asked, names),
    beside: is_line ? besideOf(entry, names) : null,
    method: entry?.line?.method ?? null,
    earned: cells.map((cell) => (cell === null ? "0" : amountShown(cell.earned))),
    total: amountShown(total),
    opens: !is_line || (id !== null && opens.has(id)),
  };
}

function cellShown(
  { id, month }: CellAsked,
  lines: readonly Entry[],
  names: Names,
  opens: Openable,
): RevenueShown["cell"] {
  const listed: CellLine[] = lines.slice(0, MOST_CELL_LINES).map((entry) => ({
    line_id: entry.ids.line_id ?? "",
    text: entry.line?.text ?? null,
    beside: besideOf(entry, names),
    method: entry.line?.method ?? null,
    earned: amountShown(entry.earned),
    opens: opens.has(entry.ids.line_id ?? ""),
  }));
  const is_known = lines.every(({ earned }) => earned !== null);
  const total = lines.reduce((sum, { earned }) => sum + (earned ?? 0n), 0n);
  if (lines.length === 0) return null;
  return {
    id,
    name: id === null ? null : (names.get(id) ?? null),
    month,
    lines: listed,
    more: lines.length - listed.length,
    total: is_known ? `${total}` : null,
  };
}
