/**
 * Reads registered hours for invoices and series, and marks them at an issue or a cancellation. A caller that decides
 * by hours holds the lock of the invoice or series. A registration takes the same lock, so no hour is added.
 */

import { Problem } from "../../../domain/base/problem.ts";
import type { UserHours } from "../../../domain/sales/line.ts";
import { MOST_SPECIFIED, type WorkedEntry } from "../../../domain/sales/specification.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { type Sql, sql, tableOf } from "../../../platform/database/sql.ts";

type HoursRow = UserHours & { readonly line_id: string };

/** Returns the billable hours of lines, by user, in 1/100 of an hour. A line without billable hours has no entry. */
export async function hoursByLine(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, UserHours[]>> {
  return line_ids.length === 0 ? new Map() : hoursBy(cx, sql`line_id = any(${line_ids})`);
}

/** Returns the result of `hoursByLine` for the lines of a condition. */
export async function hoursBy(cx: Reader, which: Sql): Promise<Map<string, UserHours[]>> {
  const rows =
    await cx.rows<HoursRow>(sql`select line_id, user_id, sum(hours) as hours, min(date) as first_day,
             max(date) as last_day
           from work_registrations
           where account_id = ${cx.caller.account_id} and ${which} and billable
           group by line_id, user_id order by line_id, user_id`);
  const hours = new Map<string, UserHours[]>();
  for (const { line_id, ...entry } of rows) {
    hours.set(line_id, [...(hours.get(line_id) ?? []), entry]);
  }
  return hours;
}

/** Whether open work is registered on a line of the condition. */
export async function hasOpenWork(cx: Reader, which: Sql): Promise<boolean> {
  const row = await cx.row<{ found: boolean }>(sql`select exists (select from work_registrations
    where account_id = ${cx.caller.account_id} and ${which} and status = 'open') as found`);
  return row?.found ?? false;
}

/** Returns the lines' billable registrations by date and creation. Notes are null where there are too many to print. */
export async function entriesByLine(
  cx: Reader,
  documents: readonly (readonly string[])[],
): Promise<Map<string, WorkedEntry[]>> {
  const lines = documents.flatMap((ids, document) => ids.map((id) => ({ id, document })));
  const { table } = tableOf(lines, {
    line_id: ["uuid", ({ id }) => id],
    document: ["int", ({ document }) => document],
  });
  const rows = await cx.rows<
    WorkedEntry & { readonly line_id: string }
  >(sql`select w.line_id, w.user_id, w.date, u.name as user_name, w.hours,
       case when count(*) over (partition by d.document) > ${MOST_SPECIFIED} then null else w.note end as note
     from ${table} as d (line_id, document)
     join work_registrations w on w.account_id = ${cx.caller.account_id} and w.line_id = d.line_id and w.billable
     join users u on u.account_id = w.account_id and u.id = w.user_id order by w.date, w.id`);
  const entries = new Map<string, WorkedEntry[]>();
  for (const { line_id, ...entry } of rows) {
    const of_line = entries.get(line_id) ?? [];
    of_line.push(entry);
    entries.set(line_id, of_line);
  }
  return entries;
}

/** Requires that no work is registered on the lines. Throws LINE_HAS_REGISTRATIONS, which names the lines with work. */
export async function requireNoWork(cx: Reader, line_ids: readonly string[]): Promise<void> {
  if (line_ids.length === 0) return;
  const rows = await cx.rows<{ line_id: string }>(sql`
    select distinct line_id from work_registrations
     where account_id = ${cx.caller.account_id} and line_id = any(${line_ids}) order by line_id`);
  if (rows.length === 0) return;
  const named = rows.map(({ line_id }) => line_id);
  throw new Problem("LINE_HAS_REGISTRATIONS", { details: { line_ids: named } });
}

/** Work on one line of an occurrence that waits for its invoice. */
interface OccurrenceWork {
  readonly line_id: string;
  readonly period_index: number;
  readonly period: string;
  readonly count: number;
}

/** Returns the work of a series that is neither invoiced nor dropped, by period and line. */
export function openWorkOfSeries(cx: Reader, series_id: string): Promise<OccurrenceWork[]> {
  return cx.rows<OccurrenceWork>(sql`select line_id, period_index, period, count(*)::int as count from work_registrations
     where account_id = ${cx.caller.account_id} and series_id = ${series_id} and status = 'open'
     group by line_id, period_index, period order by period_index, line_id`);
}

/** Counts the registrations of each period, by the period's index. */
export function countsByPeriod(work: readonly OccurrenceWork[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { period_index, count } of work) {
    counts.set(period_index, (counts.get(period_index) ?? 0) + count);
  }
  return counts;
}

/** Marks the work on the lines of issued invoices as invoiced, which freezes it. Stamps. */
export function markInvoiced(
  tx: Tx,
  invoices: readonly { readonly id: string; readonly lines: readonly { readonly id: string }[] }[],
): void {
  const invoiced = invoices.flatMap(({ id, lines }) => lines.map((line) => [line.id, id] as const));
  if (invoiced.length === 0) return;
  const { table } = tableOf(invoiced, {
    line_id: ["uuid", ([line_id]) => line_id],
    invoice_id: ["uuid", ([, invoice_id]) => invoice_id],
  });
  tx.write(sql`update work_registrations w
     set status = 'invoiced', invoice_id = n.invoice_id, updated_at = ${stampedAnew(tx.caller.account_id)}
     from ${table} as n (line_id, invoice_id)
     where w.account_id = ${tx.caller.account_id} and w.line_id = n.line_id and w.status = 'open'`);
}

/** Marks the open work in the given periods of a series as dropped; periods are given by their indexes. Stamps. */
export async function markDropped(
  tx: Tx,
  series_id: string,
  indexes: readonly number[],
): Promise<void> {
  if (indexes.length === 0) return;
  tx.write(sql`update work_registrations set status = 'dropped', updated_at = ${stampedAnew(tx.caller.account_id)}
     where account_id = ${tx.caller.account_id} and series_id = ${series_id} and period_index = any(${indexes}) and status = 'open'`);
}
