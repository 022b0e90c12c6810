/**
 * Reads the rows of a dataset that have changed since a sequence of the feed (spec 15.4). Which they are is known from the events of the
 * resource and of all that it shows. A row that is the same as before may be among them, and what is gone is named by its id.
 */

import type { Timestamp } from "../../../domain/base/brand.ts";
import { addYears, dayIn } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { occurrencesOf } from "../../recurring/occurrences/list-of-series.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { auditParts } from "../events/present.ts";
import type { ShowRows, StoredTable } from "./read-stored.ts";
import type { ExportRow } from "./schemas.ts";

/** What the ids of a dataset's rows are those of. */
export type Owner = "id" | "invoice_id" | "credit_note_id" | "series_id";

interface Changing {
  readonly table: StoredTable;
  readonly owner: Owner;
  readonly show: ShowRows;
}

/** The number of resources that are read together. */
const PORTION = 100;

/** Yields the rows that changed after a sequence, up to `head`: in the order of ids, what is gone before what is there. */
export async function* changedRows(
  cx: Reader,
  { table, owner, show }: Changing,
  after: bigint,
  head: bigint,
): AsyncGenerator<readonly ExportRow[]> {
  const touched = await cx.rows<{ id: string; seq: bigint }>(sql`
    select id, max(seq)::bigint as seq from (${touchedBy(cx, table, owner, after)}) t (id, seq)
    where id is not null group by id order by id`);
  for (let at = 0; at < touched.length; at += PORTION) {
    cx.signal.throwIfAborted();
    const some = touched.slice(at, at + PORTION);
    const sequences = new Map(some.map(({ id, seq }) => [id, Number(seq)]));
    const ids = [...sequences.keys()];
    const rows: ExportRow[] = [];
    for await (const shown of show(cx, table, ids)) rows.push(...shown);
    const gone = await goneOf(cx, { table, owner }, ids, rows, after);
    yield [
      ...gone.map(({ of, ...named }) => ({
        _sequence: sequences.get(of),
        _deleted: true,
        ...named,
      })),
      ...rows.map((row) => ({ _sequence: sequences.get(String(row[owner])), ...row })),
    ];
  }
  if (owner === "series_id") {
    const seen = new Set(touched.map(({ id }) => id));
    for await (const rows of newPeriods(cx, seen, after)) {
      yield rows.map((row) => ({ _sequence: Number(head), ...row }));
    }
  }
}

/** Returns the ids that events name after a sequence, with their sequences: of a table's rows and of what these show. */
function touchedBy(cx: Reader, table: StoredTable, owner: Owner, after: bigint): Sql {
  const { account_id } = cx.caller;
  const named = (type: string): Sql => sql`
    select case when resource_type = ${type} then resource_id::uuid end as id, seq from audit_events
    where account_id = ${account_id} and seq > ${after} and resource_type = ${type}`;
  const invoices = sql`${named("invoice")}
    union all select l.invoice_id, e.seq from (${named("invoice_line")}) e
      join invoice_lines l on l.account_id = ${account_id} and l.id = e.id
    union all select d.document_id, e.seq from (${named("delivery")}) e
      join deliveries d on d.account_id = ${account_id} and d.id = e.id
      join invoices i on i.account_id = ${account_id} and i.id = d.document_id
    union all select c.invoice_id, e.seq from (${named("credit_note")}) e
      join credit_notes c on c.account_id = ${account_id} and c.id = e.id`;
  const series = sql`${named("recurring_series")}
    union all select case when resource_type = 'occurrence' then split_part(resource_id, '/', 1)::uuid end, seq
      from audit_events where account_id = ${account_id} and seq > ${after} and resource_type = 'occurrence'
    union all select i.series_id, e.seq from (${invoices}) e
      join invoices i on i.account_id = ${account_id} and i.id = e.id and i.series_id is not null`;
  switch (table) {
    case "customers":
      return named("customer");
    case "products":
      return named("product");
    case "users":
      return named("user");
    case "opening_contracts":
      return named("opening_contract");
    case "invoices":
      return invoices;
    case "credit_notes":
      return sql`${named("credit_note")}
        union all select d.document_id, e.seq from (${named("delivery")}) e
          join deliveries d on d.account_id = ${account_id} and d.id = e.id
          join credit_notes c on c.account_id = ${account_id} and c.id = d.document_id`;
    case "recurring_series":
      // The amount of a period follows from its hours, also from those that have left it.
      return owner === "id"
        ? series
        : sql`${series}
            union all select (payload::json #>> side)::uuid, seq
              from audit_events cross join (values ('{before,series_id}'::text[]), ('{after,series_id}')) s (side)
              where account_id = ${account_id} and seq > ${after} and resource_type = 'work_registration'`;
    case "work_registrations":
      return sql`${named("work_registration")}
        union all select w.id, e.seq from (${invoices}) e
          join work_registrations w on w.account_id = ${account_id} and w.invoice_id = e.id
        union all select w.id, e.seq from (${series}) e
          join work_registrations w on w.account_id = ${account_id} and w.series_id = e.id`;
  }
}

interface Gone {
  /** The id of its resource, document or series. */
  readonly of: string;
  readonly id?: string;
  readonly series_id?: string;
}

/** Returns what is gone: resources, lines, and all periods of series that have changed, which are replaced. */
async function goneOf(
  cx: Reader,
  { table, owner }: Pick<Changing, "table" | "owner">,
  ids: readonly string[],
  rows: readonly ExportRow[],
  after: bigint,
): Promise<Gone[]> {
  if (owner === "series_id") return ids.map((id) => ({ of: id, series_id: id }));
  const there = new Set(rows.map(({ id }) => String(id)));
  if (owner === "id") return ids.filter((id) => !there.has(id)).map((id) => ({ of: id, id }));
  const type = table === "invoices" ? "invoice" : "credit_note";
  const events = await cx.rows<{ payload: string }>(sql`select payload from audit_events
    where account_id = ${cx.caller.account_id} and resource_type = ${type} and resource_id = any(${ids}) and seq > ${after}`);
  const gone = new Map<string, Gone>();
  for (const { payload } of events) {
    const { resource_id, before, after: later } = auditParts(payload);
    for (const text of [before, later]) {
      const { lines = [] }: { lines?: readonly { id: string }[] } = JSON.parse(text) ?? {};
      for (const { id } of lines) if (!there.has(id)) gone.set(id, { of: resource_id, id });
    }
  }
  return [...gone.values()];
}

/** Yields the periods of other series that begin within a year from now, and did not at the event with the sequence. */
async function* newPeriods(
  cx: Reader,
  seen: ReadonlySet<string>,
  after: bigint,
): AsyncGenerator<readonly ExportRow[]> {
  const { account_id } = cx.caller;
  const { time_zone } = await getConfiguration(cx);
  const event = await cx.row<{ at: Timestamp }>(sql`select at from audit_events e
    where account_id = ${account_id} and seq = ${after} and not exists (select from audit_events c
      where c.account_id = ${account_id} and c.seq > ${after} and c.resource_type = 'test_clock')`);
  const known = event === undefined ? null : addYears(dayIn(time_zone, event.at), 1);
  if (known !== null && known >= addYears(todayIn(cx.clock, time_zone), 1)) return;
  const series = await cx.rows<{ id: string }>(
    sql`select id from recurring_series where account_id = ${account_id} order by id`,
  );
  const others = series.map(({ id }) => id).filter((id) => !seen.has(id));
  for (let at = 0; at < others.length; at += PORTION) {
    cx.signal.throwIfAborted();
    yield* occurrencesOf(cx, others.slice(at, at + PORTION), known);
  }
}
