/** What is stored of periods besides their state: why a period was skipped or failed, and the numbers of their invoices. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The last refusal or the skip of a period. */
export interface PeriodRecord {
  /** The reason of a person, or `past_period` and `nothing_to_invoice`. */
  readonly reason: string | null;
  /** The code of the refusal of a failed period. */
  readonly failure_code: string | null;
  readonly attempts: number;
  /** The next attempt of the scheduler; null after the last one. */
  readonly next_attempt_at: Timestamp | null;
  readonly updated_at: Timestamp;
}

/** Returns the record of a period that was skipped or has failed; undefined for other periods. */
export function findPeriodRecord(
  cx: Reader,
  series_id: string,
  index: number,
): Promise<PeriodRecord | undefined> {
  return cx.row<PeriodRecord>(sql`select reason, failure_code, attempts, next_attempt_at, updated_at
    from occurrences
    where account_id = ${cx.caller.account_id} and series_id = ${series_id} and period_index = ${index}`);
}

/** Returns the numbers of the issued invoices of a series by the index of their period. */
export async function invoiceNumbers(
  cx: Reader,
  series_id: string,
  range: { readonly first: number; readonly end: number },
): Promise<ReadonlyMap<number, string>> {
  const rows = await cx.rows<{
    period_index: number | null;
    number: string | null;
  }>(sql`select period_index, ledger_invoice_number::text as number from invoices
    where account_id = ${cx.caller.account_id} and series_id = ${series_id} and status = 'issued'
      and period_index >= ${range.first} and period_index < ${range.end}`);
  return new Map(rows.map(({ period_index, number }) => [period_index ?? 0, number ?? ""]));
}

/** A registration in a period of a series. Hours are in 1/100. */
export interface WorkOfPeriod {
  readonly line_id: string;
  readonly date: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly hours: number;
  readonly billable: boolean;
  readonly note: string | null;
}

/** The registrations that a page of a period shows. */
export const MOST_WORK_OF_PERIOD = 200;

/** Returns the registrations of a period by date, at most one more than is shown; with a user only their own. */
export function workOfPeriod(
  cx: Reader,
  series_id: string,
  index: number,
  user_id: string | null,
): Promise<WorkOfPeriod[]> {
  return cx.rows<WorkOfPeriod>(sql`select w.line_id, w.date::text as date, w.user_id, u.name as user_name, w.hours,
      w.billable, w.note
    from work_registrations w join users u on u.account_id = w.account_id and u.id = w.user_id
    where w.account_id = ${cx.caller.account_id} and w.series_id = ${series_id} and w.period_index = ${index}
      and (${user_id}::uuid is null or w.user_id = ${user_id})
    order by w.date, w.id limit ${MOST_WORK_OF_PERIOD + 1}`);
}

/** A registration that loses its line when its period is dropped. Hours are in 1/100. */
export interface WorkToDrop {
  readonly id: string;
  readonly period_index: number;
  readonly user_name: string;
  readonly hours: number;
}

/** Returns the registrations in periods of a series that are neither invoiced nor dropped, by date. */
export async function openWorkOfPeriods(
  cx: Reader,
  series_id: string,
  indexes: readonly number[],
): Promise<WorkToDrop[]> {
  if (indexes.length === 0) return [];
  const rows = await cx.rows<
    Omit<WorkToDrop, "period_index"> & { readonly period_index: number | null }
  >(sql`select w.id, w.period_index, u.name as user_name, w.hours
    from work_registrations w join users u on u.account_id = w.account_id and u.id = w.user_id
    where w.account_id = ${cx.caller.account_id} and w.series_id = ${series_id}
      and w.period_index = any(${indexes}) and w.status = 'open'
    order by w.date, w.id`);
  return rows.map((row) => ({ ...row, period_index: row.period_index ?? 0 }));
}
