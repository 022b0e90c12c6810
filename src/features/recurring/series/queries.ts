/** The SQL queries of series. A series is read completely while it is locked, and written completely with few SQL statements. */

import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { isHashed, type LineIdentity, lineBits } from "../../../domain/series/line-id.ts";
import type { LineContent, SeriesLine } from "../../../domain/series/series.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { type Condition, CUSTOMER_HAS, has } from "../../../platform/database/page.ts";
import { columnOfRef, lockRow, refersTo } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { type JsonText, thaw } from "../../../platform/runtime/json.ts";
import type { SeriesQuery } from "./schemas.ts";
import type { PeriodEvent, Series } from "./series.ts";

/** Returns the SQL conditions of the filters of a series list. */
export function seriesConditions(
  filters: Partial<Pick<SeriesQuery, "customer" | "external_id" | "status" | "search">>,
): Condition[] {
  const conditions: Condition[] = [];
  if (filters.customer !== undefined) {
    conditions.push(refersTo("customer_id", "customers", filters.customer));
  }
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.status !== undefined) conditions.push(["status =", filters.status]);
  if (filters.search !== undefined) {
    conditions.push(has(filters.search, ["external_id"], CUSTOMER_HAS));
  }
  return conditions;
}

/** A series with its stored text, which audit events show as `before`. */
export interface LoadedSeries {
  readonly series: Series;
  readonly document: JsonText;
}

export type HeaderRow = Omit<Series, "timing" | "lines" | "period_events"> & {
  readonly timing_mode: Series["timing"]["mode"];
  readonly offset_days: number;
  readonly document: JsonText;
};

/** Locks the whole series and returns it. Throws NOT_FOUND. */
export function lockSeries(tx: Tx, ref: string): Promise<LoadedSeries> {
  lockRow(tx, "recurring_series", ref);
  return getSeries(tx, ref);
}

/** Locks and returns the series with only the lines that ids of lines or occurrence lines name. Throws NOT_FOUND. */
export async function lockSeriesWith(
  tx: Tx,
  id: string,
  line_ids: readonly string[],
): Promise<Series> {
  lockRow(tx, "recurring_series", id);
  const found = sql`account_id = ${tx.caller.account_id} and id = ${id}`;
  const named = namedBy(tx, line_ids);
  const [[header], line_versions, period_events] = await rowsOfSeries(
    tx,
    found,
    sql`series_id = ${id}`,
    named,
  );
  if (header === undefined) throw notFound("recurring_series", id);
  return loadedFrom(header, line_versions, period_events).series;
}

/**
 * Returns the series of which the id of a line may be: the series of its invoice, or those with a line that the id names as in
 * `lockSeriesWith`; each with only the named lines, by the ids of the series. Nothing is locked.
 */
export async function findSeriesOfLine(
  cx: Reader,
  line_id: string,
): Promise<ReadonlyMap<string, Series>> {
  const { account_id } = cx.caller;
  const ids = sql`any(array(
      select i.series_id from invoice_lines o join invoices i on i.account_id = o.account_id and i.id = o.invoice_id
        where o.account_id = ${account_id} and o.id = ${line_id} and i.series_id is not null
      union
      select l.series_id from series_lines l where l.account_id = ${account_id} and ${namedBy(cx, [line_id])}))`;
  const [headers, lines, period_events] = await rowsOfSeries(
    cx,
    sql`account_id = ${account_id} and id = ${ids}`,
    sql`series_id = ${ids}`,
    namedBy(cx, [line_id]),
  );
  const lines_of = grouped(lines);
  const period_events_of = grouped(period_events);
  return new Map(
    headers.map((header) => {
      const { id } = header;
      const { series } = loadedFrom(header, lines_of.get(id) ?? [], period_events_of.get(id) ?? []);
      return [id, series];
    }),
  );
}

/** Returns the SQL condition for lines (alias `l`) that ids name. Another line may match by the same last digits. */
function namedBy({ caller: { account_id } }: Reader, ids: readonly string[]): Sql {
  return sql`(right(l.line_id::text, 17) = any(${ids.map(lineBits)}) or l.line_id in (
    select h.line_id from hashed_line_ids h
    where h.account_id = ${account_id} and h.id = any(${ids.filter(isHashed)})))`;
}

/** Returns the whole series. Throws NOT_FOUND. */
export async function getSeries(cx: Reader, ref: string): Promise<LoadedSeries> {
  const [column, value] = columnOfRef(ref);
  const found = sql`account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`;
  const own = sql`series_id = (select id from recurring_series where ${found})`;
  const [[header], lines, period_events] = await rowsOfSeries(cx, found, own);
  if (header === undefined) throw notFound("recurring_series", ref);
  return loadedFrom(header, lines, period_events);
}

/**
 * Locks series in the order of their ids. Series that another transaction has locked are left out unless `waits` is
 * set. Each is built on request, so that an unreadable series does not fail the others.
 */
export async function lockManySeries(
  tx: Tx,
  ids: readonly string[],
  waits: boolean,
): Promise<ReadonlyMap<string, () => LoadedSeries>> {
  const locked = await tx.rows<{ id: string }>(sql`select id from recurring_series
    where account_id = ${tx.caller.account_id} and id = any(${ids}) order by id
    for no key update ${raw(waits ? "" : "skip locked")}`);
  const held = locked.map(({ id }) => id);
  // Separate queries: they see the writes of the previous holders of the locks.
  const found = sql`account_id = ${tx.caller.account_id} and id = any(${held})`;
  const [headers, lines, period_events] = await rowsOfSeries(
    tx,
    found,
    sql`series_id = any(${held})`,
  );
  const lines_of = grouped(lines);
  const period_events_of = grouped(period_events);
  return new Map(
    headers.map((header) => [
      header.id,
      () =>
        loadedFrom(header, lines_of.get(header.id) ?? [], period_events_of.get(header.id) ?? []),
    ]),
  );
}

/** Returns the number of lines of each series that has any, by the ids of the series. */
export async function countLines(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await cx.rows<{ series_id: string; count: number }>(
    sql`select series_id, count(*)::int as count from series_lines
        where account_id = ${cx.caller.account_id} and series_id = any(${ids}) group by series_id`,
  );
  return new Map(rows.map(({ series_id, count }) => [series_id, count]));
}

type OfSeries<Row> = Row & { readonly series_id: string };

/** The columns of a header without the stored text. */
const HEADER =
  raw(`id, external_id, customer_id, currency, frequency, alignment, start_date, end_date, timing_mode,
  offset_days, auto_send, status, activated_on, cancelled_at, end_before_cancel, is_discarded, printed`);

/** Reads headers, line versions, overrides and period events: `found` selects the series, `own` their other rows. */
function rowsOfSeries(
  cx: Reader,
  found: Sql,
  own: Sql,
  named = sql`true`,
): Promise<[HeaderRow[], OfSeries<LineVersionRow>[], OfSeries<PeriodEventRow>[]]> {
  return Promise.all([
    cx.rows<HeaderRow>(sql`select ${HEADER}, document from recurring_series where ${found}`),
    lineVersionsOf(cx, own, named),
    periodEventsOf(cx, own),
  ]);
}

/** The versions and overrides of the `named` lines `l` of series, in the order of the lines. */
function lineVersionsOf(cx: Reader, own: Sql, named: Sql): Promise<OfSeries<LineVersionRow>[]> {
  return cx.rows<OfSeries<LineVersionRow>>(sql`
    select l.series_id, l.line_id, l.hashed_periods, p.kind, p.at, p.content from series_lines l
     ${LINE_VERSIONS} where l.account_id = ${cx.caller.account_id} and ${own} and ${named}
     order by l.line_id`);
}

function periodEventsOf(cx: Reader, own: Sql): Promise<OfSeries<PeriodEventRow>[]> {
  const { account_id } = cx.caller;
  return cx.rows<OfSeries<PeriodEventRow>>(sql`
    select series_id, period_index, case status when 'issued' then 'issued' else 'pending' end as state,
       id as invoice_id, period, period_from, period_to, is_final_partial, issue_date,
       0 as attempts, null::timestamptz as next_attempt_at
     from invoices where account_id = ${account_id} and ${own}
     union all
     select series_id, period_index, state, null, null, null, null, null, null, attempts, next_attempt_at
     from occurrences where account_id = ${account_id} and ${own}`);
}

/** The series with the ids, complete; unknown ids are left out. Nothing is locked. */
export async function findManySeries(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, Series>> {
  if (ids.length === 0) return new Map();
  const distinct = [...new Set(ids)];
  const own = sql`series_id = any(${distinct})`;
  const [headers, line_versions, period_events] = await Promise.all([
    cx.rows<Omit<HeaderRow, "document">>(sql`
      select ${HEADER} from recurring_series
       where account_id = ${cx.caller.account_id} and id = any(${distinct})`),
    lineVersionsOf(cx, own, sql`true`),
    periodEventsOf(cx, own),
  ]);
  const lines_of = grouped(line_versions);
  const period_events_of = grouped(period_events);
  return new Map(
    headers.map((header) => {
      const { id } = header;
      const series = seriesFrom(header, lines_of.get(id) ?? [], period_events_of.get(id) ?? []);
      return [id, series];
    }),
  );
}

function grouped<Row>(rows: readonly OfSeries<Row>[]): Map<string, OfSeries<Row>[]> {
  return groupedBy(rows, ({ series_id }) => series_id);
}

function loadedFrom(
  { document, ...fields }: HeaderRow,
  lines: readonly LineVersionRow[],
  period_events: readonly PeriodEventRow[],
): LoadedSeries {
  return { series: seriesFrom(fields, lines, period_events), document };
}

/** Returns a series from the rows in which it is stored. */
export function seriesFrom(
  header: Omit<HeaderRow, "document">,
  lines: readonly LineVersionRow[],
  period_events: readonly PeriodEventRow[],
): Series {
  const { timing_mode, offset_days, ...fields } = header;
  return {
    ...fields,
    timing: { mode: timing_mode, offset_days },
    lines: linesFromVersions(lines),
    period_events: periodEventsFrom(period_events),
  };
}

/** Some lines of a series with all their contents, and the header fields that apply to each line. */
export interface LinesOfSeries {
  readonly customer_id: string;
  readonly currency: string;
  readonly lines: readonly SeriesLine[];
}

/** Returns the lines of several series that the ids name as in `lockSeriesWith`, by the ids of the series. Nothing is locked. */
export async function findSeriesLines(
  cx: Reader,
  series_ids: readonly string[],
  line_ids: readonly string[],
): Promise<Map<string, LinesOfSeries>> {
  if (series_ids.length === 0) return new Map();
  const [headers, line_versions] = await Promise.all([
    cx.rows<{ id: string; customer_id: string; currency: string }>(sql`
      select id, customer_id, currency from recurring_series
       where account_id = ${cx.caller.account_id} and id = any(${series_ids})`),
    lineVersionsOf(cx, sql`series_id = any(${series_ids})`, namedBy(cx, line_ids)),
  ]);
  const line_versions_of = grouped(line_versions);
  const linesOf = (id: string) => linesFromVersions(line_versions_of.get(id) ?? []);
  return new Map(headers.map(({ id, ...header }) => [id, { ...header, lines: linesOf(id) }]));
}

/** Joins the versions and overrides of lines, as `p` of each line `l`. */
const LINE_VERSIONS = raw(`left join lateral (
  select 'version' as kind, v.from_index as at, v.content from series_line_versions v
  where v.account_id = l.account_id and v.line_id = l.line_id
  union all
  select 'override', o.period_index, o.content from series_line_overrides o
  where o.account_id = l.account_id and o.line_id = l.line_id) p on true`);

export interface LineVersionRow extends LineIdentity {
  readonly kind: "version" | "override" | null;
  readonly at: number | null;
  readonly content: string | null;
}

function linesFromVersions(rows: readonly LineVersionRow[]): SeriesLine[] {
  type Versions = Map<number, LineContent | null>;
  const lines = new Map<string, LineIdentity & { versions: Versions; overrides: Versions }>();
  for (const { kind, at, content, line_id, hashed_periods } of rows) {
    const line = lines.get(line_id) ?? {
      line_id,
      hashed_periods,
      versions: new Map(),
      overrides: new Map(),
    };
    lines.set(line_id, line);
    if (kind === null || at === null) continue;
    const value = content === null ? null : thaw<LineContent>(content);
    (kind === "version" ? line.versions : line.overrides).set(at, value);
  }
  return [...lines.values()];
}

export interface PeriodEventRow {
  readonly period_index: number;
  readonly state: PeriodEvent["state"];
  readonly invoice_id: string | null;
  readonly period: string | null;
  readonly period_from: CalendarDate | null;
  readonly period_to: CalendarDate | null;
  readonly is_final_partial: boolean | null;
  readonly issue_date: CalendarDate | null;
  readonly attempts: number;
  readonly next_attempt_at: Timestamp | null;
}

/** Returns the period events by index; an invoice takes precedence over an earlier failure or skip. */
function periodEventsFrom(rows: readonly PeriodEventRow[]): Map<number, PeriodEvent> {
  const period_events = new Map<number, PeriodEvent>();
  for (const row of [...rows].sort((a, b) => rank(a) - rank(b))) {
    period_events.set(row.period_index, entryFrom(row));
  }
  return period_events;
}

const rank = (row: PeriodEventRow): number => (row.invoice_id === null ? 0 : 1);

function entryFrom(row: PeriodEventRow): PeriodEvent {
  const invoiced = {
    invoice_id: row.invoice_id ?? "",
    period: row.period ?? "",
    from: row.period_from as CalendarDate,
    to: row.period_to as CalendarDate,
    is_final_partial: row.is_final_partial ?? false,
  };
  switch (row.state) {
    case "issued":
      return { state: "issued", ...invoiced, issue_date: row.issue_date as CalendarDate };
    case "pending":
      return { state: "pending", ...invoiced };
    case "skipped":
      return { state: "skipped" };
    case "failed":
      return { state: "failed", attempts: row.attempts, next_attempt_at: row.next_attempt_at };
  }
}
