/** Reads registered hours: one by one, as recognition measures them, or added up on documents that wait for their invoice. */
import type { WorkedHours } from "../../../domain/revenue/recognition.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Returns the registrations of lines in the order of their creation. A line without registrations has no entry. */
export async function workedByLine(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, WorkedHours[]>> {
  const rows = await cx.rows<
    WorkedHours & { readonly line_id: string }
  >(sql`select line_id, user_id, date, hours, billable from work_registrations
     where account_id = ${cx.caller.account_id} and line_id = any(${line_ids}) order by id`);
  const worked = new Map<string, WorkedHours[]>();
  for (const { line_id, ...entry } of rows) {
    const of_line = worked.get(line_id) ?? [];
    of_line.push(entry);
    worked.set(line_id, of_line);
  }
  return worked;
}

/** Hours on drafts and on periods without an invoice, added up for each line, user and kind of hours. */
export interface Worked {
  readonly by_line: ReadonlyMap<string, readonly WorkedHours[]>;
  /** The periods with work on at least one line, by `periodKey`. */
  readonly periods: ReadonlySet<string>;
}

export const periodKey = (series_id: string, index: number): string => `${series_id} ${index}`;

/** Adds up the hours on drafts and on periods that are not issued; each sum has the date of its last registration. */
export async function workedOnWaiting(
  cx: Reader,
  draft_ids: readonly string[],
  series_ids: readonly string[],
): Promise<Worked> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<
    WorkedHours & {
      readonly line_id: string;
      readonly series_id: string | null;
      readonly period_index: number | null;
    }
  >(sql`select w.line_id, w.series_id, w.period_index, w.user_id, w.billable, sum(w.hours)::int as hours,
       max(w.date) as date
     from (
       select * from work_registrations where account_id = ${account_id} and invoice_id = any(${draft_ids})
       union all
       select * from work_registrations where account_id = ${account_id} and series_id = any(${series_ids})
     ) w where w.status = 'open'
     group by w.line_id, w.series_id, w.period_index, w.user_id, w.billable`);
  const by_line = new Map<string, WorkedHours[]>();
  const periods = new Set<string>();
  for (const { line_id, series_id, period_index, ...entry } of rows) {
    const entries = by_line.get(line_id);
    if (entries === undefined) by_line.set(line_id, [entry]);
    else entries.push(entry);
    if (series_id !== null && period_index !== null)
      periods.add(periodKey(series_id, period_index));
  }
  return { by_line, periods };
}
