/** The SQL queries of work registrations: pages, single registrations, the hours of a date, and writes. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { countPeriods, type Recurrence } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lineColumns } from "../../../platform/database/line-columns.ts";
import {
  type Condition,
  envelope,
  listRows,
  type RowsOfPage,
  whereOf,
} from "../../../platform/database/page.ts";
import {
  columnOfRef,
  findStored,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import type { Packed } from "../../../platform/database/shape.ts";
import { numbered, raw, type Sql, sql, update, written } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { estimatedWaiting } from "../../recurring/series/count-waiting.ts";
import { presentWithLines, presentWork, type Registration } from "./present.ts";
import type { WorkQuery } from "./schemas.ts";

const COLUMNS = `id, external_id, line_id, invoice_id, series_id, period_index, period, user_id, date,
  hours, billable, note, status, created_at, updated_at`;

const OF_CUSTOMER = `(invoice_id in (select i.id from invoices i
    where i.account_id = work_registrations.account_id and i.customer_id = $value)
  or invoice_id is null and series_id in (select s.id from recurring_series s
    where s.account_id = work_registrations.account_id and s.customer_id = $value))`;

/** Lists registrations, newest first. Unknown references give no rows. Throws VALIDATION_FAILED for a bad cursor. */
export async function listWork(cx: Reader, page: WorkQuery): Promise<JsonText> {
  const present = page.include === undefined ? presentWork : presentWithLines;
  const { rows, next_cursor } = await pageOfWork(cx, page, present);
  return envelope(rows, next_cursor);
}

/** Returns the page of `listWork` with rows from `present`, which returns undefined for a row whose line is gone. */
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

export type WorkFilters = Omit<WorkQuery, "limit" | "cursor" | "updated_since" | "include">;

/** Returns the total hours of all registrations that meet the filters, in 1/100 of an hour. */
export async function sumOfWork(cx: Reader, filters: WorkFilters): Promise<bigint> {
  const conditions = await workConditions(cx, filters);
  const { where, values } = whereOf([["account_id =", cx.caller.account_id], ...conditions]);
  const sum = `select coalesce(sum(hours), 0)::bigint as hours from work_registrations where ${where}`;
  return (await cx.row<{ hours: bigint }>(numbered(sum, values)))?.hours ?? 0n;
}

/** Returns the conditions of the filters; an unknown reference selects nothing. */
export async function workConditions(cx: Reader, page: WorkFilters): Promise<Condition[]> {
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

/** Returns registrations by their ids, in no order; unknown ids are left out. */
export function findWork(cx: Reader, ids: readonly string[]): Promise<Registration[]> {
  return cx.rows<Registration>(
    sql`select ${raw(COLUMNS)} from work_registrations where account_id = ${cx.caller.account_id} and id = any(${ids})`,
  );
}

/** Returns one registration as the API shows it. Throws NOT_FOUND. */
export function readWork(cx: Reader, ref: string): Promise<JsonText> {
  return steadily(async () => (await presentWork(cx, [await getWork(cx, ref)]))[0]);
}

const MOST_READINGS = 5;

/** Reads again when a line was removed after its work was read and before the line was. */
async function steadily<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
    const result = await read();
    if (result !== undefined) return result;
  }
  throw new Error("work is registered on a line that is not there");
}

/** Returns one registration. Throws NOT_FOUND. */
export async function getWork(cx: Reader, ref: string): Promise<Registration> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<Registration>(
    sql`select ${raw(COLUMNS)} from work_registrations where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`,
  );
  if (row === undefined) throw notFound("work_registration", ref);
  return row;
}

/** Returns the registrations of a user from one date through another, in the order of creation. */
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
 * Returns one registration, and serializes its changes until the end of the transaction. This lock precedes all other locks,
 * because the registration's invoice or series decides these. Throws NOT_FOUND.
 */
export async function getWorkInTurn(tx: Tx, ref: string): Promise<Registration> {
  const { id } = await getWork(tx, ref);
  tx.lock(
    sql`select pg_advisory_xact_lock(hashtextextended('work ' || ${tx.caller.account_id}::text || ${id}::text, 2))`,
  );
  return getWork(tx, id);
}

/** Returns the hours of a user on a date, in 1/100 of an hour, less one registration. The caller holds the user's lock. */
export async function hoursOfDay(
  cx: Reader,
  user_id: string,
  date: CalendarDate,
  besides: string | null,
): Promise<number> {
  const row = await cx.row<{ hours: number }>(sql`
    select coalesce(sum(hours), 0)::int as hours from work_registrations
     where account_id = ${cx.caller.account_id} and user_id = ${user_id} and date = ${date} and id is distinct from ${besides}`);
  return row?.hours ?? 0;
}

/** Whether issued credit notes have credited the whole invoice. */
export async function isFullyCredited(cx: Reader, invoice_id: string): Promise<boolean> {
  const row = await cx.row<{ credited: boolean }>(
    sql`select is_fully_credited(${cx.caller.account_id}, ${invoice_id}) as credited`,
  );
  return row?.credited ?? false;
}

/** The fields of a registration that are decided before it is stored. */
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

/** Writes the fields of a changed registration; stamps. */
export async function updateWork(cx: Reader, work: WorkFields): Promise<Registration> {
  const { account_id } = cx.caller;
  const { id, ...fields } = work;
  const rows =
    await cx.rows<Registration>(sql`${update("work_registrations", { ...fields, updated_at: stampedAnew(account_id) })}
      where account_id = ${account_id} and id = ${id} returning ${raw(COLUMNS)}`);
  return stored(rows);
}

function stored([row]: readonly Registration[]): Registration {
  if (row === undefined) throw new Error("the registration was not stored");
  return row;
}

export interface DraftRow {
  readonly id: string;
  readonly customer_id: string;
  readonly issue_date: CalendarDate | null;
  readonly title: string | null;
  readonly made_on: CalendarDate;
}

/** Returns drafts of one-time invoices on which the user has a line. */
export function waitingDrafts(cx: Reader, user_id: string): Promise<DraftRow[]> {
  const { account_id } = cx.caller;
  return cx.rows<DraftRow>(sql`select i.id, i.customer_id, i.issue_date, i.title,
       (to_timestamp(('x' || lpad(left(replace(i.id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint
         / 1000.0) at time zone 'UTC')::date as made_on
     from invoices i
     where i.account_id = ${account_id} and i.status = 'draft' and i.series_id is null and i.id in (
       -- Only lines of drafts have no amount: an index has these alone, and a person has many lines of issued invoices.
       select l.invoice_id from invoice_lines l
       join invoice_line_assignees a on a.account_id = ${account_id} and a.line_id = l.id and a.user_id = ${user_id}
       where l.account_id = ${account_id} and l.amount is null)`);
}

/** Returns the ids of active series in which the user has a line. */
export async function waitingSeries(cx: Reader, user_id: string): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`select id ${ofWaitingSeries(cx, user_id)}`);
  return rows.map(({ id }) => id);
}

/** Returns the user's active series, with an upper bound of the waiting lines in periods that start by a date. */
export async function estimatedSeries(cx: Reader, user_id: string, through: CalendarDate) {
  const lines = estimatedWaiting(cx, { through, user_id });
  const row = await cx.row<{ ids: string[]; lines: number }>(
    sql`select array(select id ${ofWaitingSeries(cx, user_id)}) as ids, ${lines} as lines`,
  );
  return row ?? { ids: [], lines: 0 };
}

function ofWaitingSeries(cx: Reader, user_id: string): Sql {
  return sql`from recurring_series
     where account_id = ${cx.caller.account_id} and status = 'active' and not is_discarded and id in (
       select l.series_id from series_line_assignees a
       join series_lines l on l.account_id = a.account_id and l.line_id = a.line_id
       where a.account_id = ${cx.caller.account_id} and a.user_id = ${user_id})`;
}

/** Returns the number of a user's lines on waiting drafts, by draft. */
export async function countOwnLines(cx: Reader, user_id: string): Promise<Map<string, number>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<{ id: string; count: number }>(sql`
    select i.id, count(*)::int as count from invoices i
     join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
     join invoice_line_assignees a on a.account_id = l.account_id and a.line_id = l.id
     where i.account_id = ${account_id} and i.status = 'draft' and i.series_id is null and a.user_id = ${user_id}
     group by i.id`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Selects the lines of a user on drafts to read: all with work, and of the others those that may rank first. */
interface FirstLines {
  readonly user_id: string;
  readonly drafts: readonly DraftRow[];
  readonly worked_ids: readonly string[];
  /** Lines that began before this date are ranked separately from others. */
  readonly begun_before: CalendarDate;
  /** The most lines of each customer, currency and issue date. */
  readonly most: number;
}

/** Returns a user's draft lines with currencies. Without hours a line's amount is its agreed value less discount. */
export async function firstDraftLines(
  cx: Reader,
  { user_id, drafts, worked_ids, begun_before, most }: FirstLines,
): Promise<{ readonly invoice_id: string; readonly currency: string; readonly line: Line }[]> {
  const { account_id } = cx.caller;
  const ids = drafts.map(({ id }) => id);
  const made_on = drafts.map((draft) => draft.made_on);
  const rows = await cx.rows<{ invoice_id: string; currency: string; line: Packed<Line> }>(sql`
    select i.id as invoice_id, i.currency, ${raw(lineColumns.packed("l"))} as line
     from (
       select l.id, l.id = any(${worked_ids}) as is_worked, row_number() over (
         partition by i.customer_id, i.currency, i.issue_date, l.id = any(${worked_ids}),
           coalesce(l.service_from, d.made_on) < ${begun_before}
         order by case when l.recognition_method = 'hours' then 0
           else round(coalesce(l.agreed_value, 0) * (10000 - l.discount) / 10000.0) end desc, l.position, l.id) as place
       from unnest(${ids}::uuid[], ${made_on}::date[]) as d (id, made_on)
       join invoices i on i.account_id = ${account_id} and i.id = d.id
       join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
       join invoice_line_assignees a on a.account_id = l.account_id and a.line_id = l.id and a.user_id = ${user_id}
     ) own
     join invoice_lines l on l.account_id = ${account_id} and l.id = own.id
     join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where own.is_worked or own.place <= ${most}`);
  return rows.map((row) => ({ ...row, line: lineColumns.parse(row.line) }));
}

interface Header extends Recurrence {
  readonly id: string;
  /** The first open period. */
  readonly standing_index: number;
}

/**
 * Counts the lines on drafts of one-time invoices, and on begun, open occurrences of active series. The lines are counted
 * without being created: there may be a million.
 */
export async function countWaiting(cx: Reader, today: CalendarDate): Promise<number> {
  const { account_id } = cx.caller;
  const [drafts, headers] = await Promise.all([
    cx.row<{ count: number }>(sql`select count(*)::int as count from invoices i
       join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
       where i.account_id = ${account_id} and i.status = 'draft' and i.series_id is null`),
    cx.rows<Header>(sql`select id, frequency, alignment, start_date, end_date, standing_index from recurring_series
       where account_id = ${account_id} and status = 'active' and not is_discarded and start_date <= ${today}`),
  ]);
  if (headers.length === 0) return drafts?.count ?? 0;
  const lines = await cx.row<{ count: number }>(
    numbered(COUNT_LINES, [
      account_id,
      headers.map(({ id }) => id),
      headers.map((header) => header.standing_index),
      headers.map((header) => countPeriods(header, today)),
    ]),
  );
  return (drafts?.count ?? 0) + (lines?.count ?? 0);
}

/** Returns an upper bound of a user's lines among those of `countWaiting`, from headers and assignments alone. */
export async function mostWaiting(
  cx: Reader,
  user_id: string,
  today: CalendarDate,
): Promise<number> {
  const { account_id } = cx.caller;
  const [on_drafts, headers] = await Promise.all([
    countOwnLines(cx, user_id),
    cx.rows<
      Header & { readonly lines: number }
    >(sql`select s.id, s.frequency, s.alignment, s.start_date, s.end_date,
         s.standing_index, count(*)::int as lines
       from series_line_assignees a
       join series_lines l on l.account_id = a.account_id and l.line_id = a.line_id
       join recurring_series s on s.account_id = l.account_id and s.id = l.series_id
       where a.account_id = ${account_id} and a.user_id = ${user_id} and s.status = 'active' and not s.is_discarded
       group by s.account_id, s.id`),
  ]);
  return headers.reduce(
    (sum, header) =>
      sum + header.lines * Math.max(0, countPeriods(header, today) - header.standing_index),
    [...on_drafts.values()].reduce((sum, count) => sum + count, 0),
  );
}

/** Counts versions for all periods in which they are effective, and corrects closed periods and overrides one by one. */
const COUNT_LINES = `
  with p as (
    select * from unnest($2::uuid[], $3::int[], $4::int[]) as p (series_id, first_index, end_index)),
  v as (
    select l.series_id, l.line_id, v.content is not null as is_there, v.from_index,
      coalesce(lead(v.from_index) over (partition by v.line_id order by v.from_index), p.end_index) as end_index
    from p
    join series_lines l on l.account_id = $1 and l.series_id = p.series_id
    join series_line_versions v on v.account_id = $1 and v.line_id = l.line_id),
  closed as (
    select p.series_id, i.period_index as at from p
    join invoices i on i.account_id = $1 and i.series_id = p.series_id and i.status = 'issued'
      and i.period_index >= p.first_index and i.period_index < p.end_index
    union
    select p.series_id, s.period_index from p
    join occurrences s on s.account_id = $1 and s.series_id = p.series_id and s.state = 'skipped'
      and s.period_index >= p.first_index and s.period_index < p.end_index
    where not exists (select from invoices i where i.account_id = $1
      and i.series_id = p.series_id and i.period_index = s.period_index)),
  o as (
    select l.series_id, l.line_id, o.period_index as at, o.content is not null as is_there
    from p
    join series_lines l on l.account_id = $1 and l.series_id = p.series_id
    join series_line_overrides o on o.account_id = $1 and o.line_id = l.line_id
      and o.period_index >= p.first_index and o.period_index < p.end_index
    where not exists (select from closed c where c.series_id = l.series_id and c.at = o.period_index))
  select (
    (select coalesce(sum(greatest(0, least(v.end_index, p.end_index) - greatest(v.from_index, p.first_index))), 0)
      from v join p on p.series_id = v.series_id where v.is_there)
    - (select count(*) from closed c join v on v.series_id = c.series_id and v.is_there
        and c.at >= v.from_index and c.at < v.end_index)
    - (select count(*) from o join v on v.line_id = o.line_id and v.is_there
        and o.at >= v.from_index and o.at < v.end_index)
    + (select count(*) from o where o.is_there))::int as count`;
