/** The SQL of work registrations: pages, single ones, the hours of a day, and writing them. */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { notFound } from "../../domain/base/problem.ts";
import type { Reader } from "../../platform/context.ts";
import {
  type Condition,
  envelope,
  listRows,
  type RowsOfPage,
  whereOf,
} from "../../platform/database/page.ts";
import { columnOfRef, findStored, stamped } from "../../platform/database/resources.ts";
import { numbered, raw, sql, update, written } from "../../platform/database/sql.ts";
import type { JsonText } from "../../platform/json.ts";
import type { Tx } from "../../platform/tx.ts";
import { presentWork, type Registration } from "./present.ts";
import type { WorkQuery } from "./schemas.ts";

const COLUMNS = `id, external_id, line_id, invoice_id, series_id, period_index, period, user_id, date,
  hours, billable, note, status, created_at, updated_at`;

const OF_CUSTOMER = `(invoice_id in (select i.id from invoices i
    where i.account_id = work_registrations.account_id and i.customer_id = $value)
  or invoice_id is null and series_id in (select s.id from recurring_series s
    where s.account_id = work_registrations.account_id and s.customer_id = $value))`;

/**
 * Registrations from the newest to the oldest. A filter that names nobody finds nothing. Throws
 * VALIDATION_FAILED for a cursor that is not ours.
 */
export async function listWork(cx: Reader, page: WorkQuery): Promise<JsonText> {
  const { rows, next_cursor } = await pageOfWork(cx, page, presentWork);
  return envelope(rows, next_cursor);
}

/** The same page with its rows made by `present`, which answers undefined for those whose line is gone meanwhile. */
export async function pageOfWork<Shown>(
  cx: Reader,
  page: WorkQuery,
  present: (cx: Reader, rows: readonly Registration[]) => Promise<readonly (Shown | undefined)[]>,
): Promise<RowsOfPage<Shown>> {
  const conditions = await workConditions(cx, page);
  return steadily(async () => {
    const { rows, next_cursor } = await listRows<Registration>(
      cx,
      COLUMNS,
      "work_registrations",
      conditions,
      page,
    );
    const shown = await present(cx, rows);
    const is_whole = shown.every((one) => one !== undefined);
    return is_whole ? { rows: shown as readonly Shown[], next_cursor } : undefined;
  });
}

type WorkFilters = Omit<WorkQuery, "limit" | "cursor" | "updated_since">;

/** What hours all registrations under the filters add up to, in 1/100 of an hour. */
export async function sumOfWork(cx: Reader, filters: WorkFilters): Promise<bigint> {
  const conditions = await workConditions(cx, filters);
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const sum = `select coalesce(sum(hours), 0)::bigint as hours from work_registrations where ${where}`;
  return (await cx.row<{ hours: bigint }>(numbered(sum, values)))?.hours ?? 0n;
}

async function workConditions(cx: Reader, page: WorkFilters): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const [ref, table, condition] of [
    [page.customer, "customers", OF_CUSTOMER],
    [page.user, "users", "user_id ="],
    [page.invoice, "invoices", "invoice_id ="],
    [page.series, "recurring_series", "series_id ="],
  ] as const) {
    if (ref === undefined) continue;
    const named = await findStored(cx, table, ref);
    if (named === undefined) conditions.push(["false"]);
    else conditions.push([condition, named.id]);
  }
  const given: [string, unknown][] = [
    ["external_id =", page.external_id],
    ["period =", page.period],
    ["line_id =", page.line],
    ["date >=", page.from],
    ["date <=", page.to],
    ["status =", page.status],
    ["billable =", page.billable],
  ];
  conditions.push(...given.filter(([, value]) => value !== undefined));
  return conditions;
}

/** One registration as the API shows it. Throws NOT_FOUND. */
export function readWork(cx: Reader, ref: string): Promise<JsonText> {
  return steadily(async () => (await presentWork(cx, [await getWork(cx, ref)]))[0]);
}

const MOST_READINGS = 5;

/** Reads again when a line went away between the reading of its work and its own. */
async function steadily<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
    const result = await read();
    if (result !== undefined) return result;
  }
  throw new Error("work is registered on a line that is not there");
}

/** Throws NOT_FOUND. */
export async function getWork(cx: Reader, ref: string): Promise<Registration> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<Registration>(
    sql`select ${raw(COLUMNS)} from work_registrations where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`,
  );
  if (row === undefined) throw notFound("work_registration", ref);
  return row;
}

/** What a user has registered from one day through another, in the order in which it was made. */
export function workOfDays(
  cx: Reader,
  user_id: string,
  from: CalendarDate,
  to: CalendarDate,
): Promise<Registration[]> {
  return cx.rows<Registration>(
    sql`select ${raw(COLUMNS)} from work_registrations where account_id = ${cx.caller.account_id}
      and user_id = ${user_id} and date between ${from} and ${to} order by id`,
  );
}

/**
 * As `getWork`, and changes of the registration take turns until the transaction ends. It comes before
 * every other lock, because where the registration lies says which these are.
 */
export async function getWorkInTurn(tx: Tx, ref: string): Promise<Registration> {
  const { id } = await getWork(tx, ref);
  tx.lock(
    sql`select pg_advisory_xact_lock(hashtextextended('work ' || ${tx.caller.account_id}::text || ${id}::text, 2))`,
  );
  return getWork(tx, id);
}

/**
 * What a user has registered on a date, in 1/100 of an hour, besides one registration. Under the user's
 * lock, which every registration of theirs takes.
 */
export async function hoursOfDay(
  cx: Reader,
  user_id: string,
  date: CalendarDate,
  besides: string | null,
): Promise<number> {
  const row = await cx.row<{
    hours: number;
  }>(sql`select coalesce(sum(hours), 0)::int as hours from work_registrations
     where account_id = ${cx.caller.account_id} and user_id = ${user_id} and date = ${date} and id is distinct from ${besides}`);
  return row?.hours ?? 0;
}

/** Whether issued credit notes have given back the whole invoice. */
export async function isFullyCredited(cx: Reader, invoice_id: string): Promise<boolean> {
  const row = await cx.row<{ credited: boolean }>(
    sql`select is_fully_credited(${cx.caller.account_id}, ${invoice_id}) as credited`,
  );
  return row?.credited ?? false;
}

/** What of a registration is decided before it is stored. */
export type WorkFields = Omit<Registration, "created_at" | "updated_at">;

/** Stores a new registration; stamps. */
export async function insertWork(
  cx: Reader,
  work: WorkFields,
  request_hash: Buffer,
): Promise<Registration> {
  const { account_id } = cx.caller;
  const { columns, values } = written<"work_registrations">({ ...work, account_id, request_hash });
  const rows =
    await cx.rows<Registration>(sql`insert into work_registrations (${columns}, created_at, updated_at)
      select ${values}, at, at from ${stamped(account_id)} as at returning ${raw(COLUMNS)}`);
  return stored(rows);
}

/** Writes a registration as it is in memory; stamps. */
export async function updateWork(cx: Reader, work: WorkFields): Promise<Registration> {
  const { account_id } = cx.caller;
  const { id, ...fields } = work;
  const rows =
    await cx.rows<Registration>(sql`${update("work_registrations", { ...fields, updated_at: stamped(account_id) })}
      where account_id = ${account_id} and id = ${id} returning ${raw(COLUMNS)}`);
  return stored(rows);
}

function stored([row]: readonly Registration[]): Registration {
  if (row === undefined) throw new Error("the registration was not stored");
  return row;
}
