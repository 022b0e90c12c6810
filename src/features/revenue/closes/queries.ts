/** Stores and reads period closes (spec 3.10). */

import { type CalendarDate, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import type { CustomerAccrualsQuery } from "../accruals/schemas.ts";
import { CloseError, CloseWarning, PeriodClose } from "./schemas.ts";

export interface CloseRow {
  readonly month: Month;
  readonly status: "running" | "completed" | "partial" | "reopened";
  readonly locks: boolean;
  readonly lock_date_before: CalendarDate | null;
  readonly has_locked: boolean;
  readonly done_name: string | null;
  readonly done_id: string | null;
  readonly errors: string;
  readonly warnings: string;
  /** The number of customers with nothing to book; null while a run is in progress. */
  readonly skipped: number | null;
  readonly closed_at: string | null;
  readonly closed_by: string | null;
  readonly actor_kind: string;
  readonly actor_id: string;
  /** The begin of the close's last run, to the microsecond: it distinguishes two runs of one month. */
  readonly begun_at: string;
}

const COLUMNS = `month, status, locks, lock_date_before, has_locked, done_name, done_id, errors, warnings, skipped,
  closed_at, closed_by, actor_kind, actor_id, begun_at::text as begun_at`;

/** Locks the close of a month and returns it. */
export function lockClose(tx: Tx, month: Month): Promise<CloseRow | undefined> {
  tx.lock(
    sql`select from period_closes where account_id = ${tx.caller.account_id} and month = ${month} for no key update`,
  );
  return findClose(tx, month);
}

/** Returns the close of a month; undefined when the month has none. */
export function findClose(cx: Reader, month: Month): Promise<CloseRow | undefined> {
  return cx.row(
    sql`select ${raw(COLUMNS)} from period_closes where account_id = ${cx.caller.account_id} and month = ${month}`,
  );
}

/** Returns the close of a month as the API shows it. Throws NOT_FOUND. */
export async function readClose(cx: Reader, month: Month): Promise<JsonText> {
  const row = await findClose(cx, month);
  if (row === undefined) throw notFound("period_close", month);
  return presentClose(cx, row);
}

/** Returns a page of closes, the newest month first. */
export async function listCloses(cx: Reader, page: CustomerAccrualsQuery): Promise<JsonText> {
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, MONTH_FORM).id;
  const rows = await cx.rows<CloseRow>(sql`select ${raw(COLUMNS)} from period_closes
     where account_id = ${cx.caller.account_id} and (${after}::text is null or month < ${after}) order by month desc limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1)?.month : undefined;
  const data: JsonText[] = [];
  for (const row of shown) data.push(await presentClose(cx, row));
  return envelope(data, last === undefined ? null : cursorFrom({ id: last, horizon: null }));
}

const MONTH_FORM = /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/;

/** Presents a close as the API shows it; `remaining` is present only while a run is in progress. */
export async function presentClose(cx: Reader, row: CloseRow): Promise<JsonText> {
  const [counts, configuration] = [await countsOf(cx, row), await getConfiguration(cx)];
  const errors = CloseError.array().parse(JSON.parse(row.errors));
  const is_running = row.status === "running";
  const [kind, ...id] = (row.closed_by ?? "").split(":");
  return jsonText(
    PeriodClose.parse({
      object: "period_close",
      month: row.month,
      status: is_running ? "partial" : row.status,
      booked_with_voucher: counts.with_voucher,
      booked_without_voucher: counts.without_voucher,
      skipped: row.skipped ?? skippedOf(counts, errors.length),
      failed: errors.length,
      errors,
      warnings: CloseWarning.array().parse(JSON.parse(row.warnings)),
      period_lock_date: row.has_locked
        ? row.status === "reopened"
          ? row.lock_date_before
          : lastDayOf(row.month)
        : configuration.period_lock_date,
      closed_at: row.closed_at,
      closed_by: row.closed_by === null ? null : { kind, id: id.join(":") },
      ...(is_running ? { remaining: counts.remaining } : {}),
    }),
  );
}

/** Counts the customers with nothing to book, at the end of a run. */
export async function countSkipped(cx: Reader, row: CloseRow): Promise<number> {
  const errors = CloseError.array().parse(JSON.parse(row.errors));
  return skippedOf({ ...(await countsOf(cx, row)), remaining: 0 }, errors.length);
}

function skippedOf(counts: Counts, failed: number): number {
  const { customers, with_voucher, without_voucher, remaining } = counts;
  return Math.max(0, customers - with_voucher - without_voucher - failed - remaining);
}

/** The customers of an account by the state of their accrual of a month. */
export interface Counts {
  readonly customers: number;
  readonly with_voucher: number;
  readonly without_voucher: number;
  /** Customers that a run has not reached yet, or whose voucher waits for its ledger. */
  readonly remaining: number;
}

export async function countsOf(
  cx: Reader,
  row: Pick<CloseRow, "month" | "status" | "done_name" | "done_id">,
): Promise<Counts> {
  const found = await cx.row<Counts>(sql`select
       (select count(*)::int from customers where account_id = ${cx.caller.account_id}) as customers,
       (select count(*)::int from accruals where account_id = ${cx.caller.account_id} and month = ${row.month} and status = 'booked'
          and ledger_voucher_guid is not null) as with_voucher,
       (select count(*)::int from accruals where account_id = ${cx.caller.account_id} and month = ${row.month} and status = 'booked'
          and ledger_voucher_guid is null) as without_voucher,
       case when ${row.status === "running"} then (select count(*)::int from customers c where c.account_id = ${cx.caller.account_id}
          and (${row.done_name}::text is null or (c.name, c.id) > (${row.done_name}, ${row.done_id}) or exists (
            select from accruals p join accrual_bookings b on b.account_id = p.account_id and b.accrual_id = p.id
              and b.state = 'pending'
            where p.account_id = ${cx.caller.account_id} and p.customer_id = c.id and p.month = ${row.month}))
          and not exists (select from accruals a where a.account_id = ${cx.caller.account_id} and a.customer_id = c.id
            and a.month = ${row.month} and a.status = 'booked')) else 0 end as remaining`);
  if (found === undefined) throw new Error("a count gave no row");
  return found;
}
