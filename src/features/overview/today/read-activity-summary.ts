/** Reads the current figures of the start page with one query. */
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  mondayOf,
  monthOf,
} from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isOpenKnown, openToday } from "../../receivables/balances/open-today.ts";
import { type KeptFigures, keptFigures } from "../../revenue/reports/report-figures.ts";
import { type EstimatedLines, estimatedLines } from "../../revenue/revenue-facts/count-lines.ts";
import { type FirstFacts, firstFacts } from "./read-first-steps.ts";

export interface ActivitySummary {
  /** Drafts of one-time invoices, counted up to a thousand. */
  readonly drafts: number;
  /** Documents issued in this month. */
  readonly issued: number;
  readonly credited: number;
  readonly retainers: number;
  /** The first day of billable work on drafts. */
  readonly oldest_work: CalendarDate | null;
  /** The number of lines from which revenue would be computed. */
  readonly lines: EstimatedLines;
  readonly kept: KeptFigures;
  /** The active series that fall due first, by date. */
  readonly due: readonly { readonly id: string; readonly customer: string }[];
  /** Hours of this week by date, without dates without hours, in 1/100. */
  readonly hours: readonly { readonly date: CalendarDate; readonly hours: number }[];
  /** The number of people who registered these hours. */
  readonly people: number;
  /** What customers owe, and what of it is late, in minor units of the functional currency; null where that is not known. */
  readonly owed: Money | null;
  readonly owed_late: Money | null;
  readonly has_invoice: boolean;
  readonly first: FirstFacts;
}

/** How far ahead the page looks, in days; and the number of series that it names. */
export const AHEAD_DAYS = 30;
export const MOST_DUE = 6;
const MOST_COUNTED = 1_000;

export async function readActivitySummary(
  cx: Reader,
  today: CalendarDate,
): Promise<ActivitySummary> {
  const { account_id } = cx.caller;
  const monday = mondayOf(today);
  const row = await cx.row<ActivitySummary>(sql`select
      (select count(*)::int from (select from invoices where account_id = ${account_id} and status = 'draft'
        and series_id is null limit ${MOST_COUNTED}) d) as drafts,
      (select count(*)::int from invoices where account_id = ${account_id} and status = 'issued'
        and issue_date between ${firstDayOf(monthOf(today))} and ${today}) as issued,
      (select count(*)::int from credit_notes where account_id = ${account_id} and status = 'issued'
        and credit_date between ${firstDayOf(monthOf(today))} and ${today}) as credited,
      (select count(*)::int from recurring_series where account_id = ${account_id} and status = 'active'
        and not is_discarded and (end_date is null or end_date >= ${today})) as retainers,
      (select min(date) from work_registrations where account_id = ${account_id} and status = 'open' and billable
        and invoice_id is not null) as oldest_work,
      ${estimatedLines(cx, monthOf(today))} as lines,
      ${keptFigures(cx)} as kept,
      (select coalesce(json_agg(json_build_object('id', due.id, 'customer', due.name)), '[]') from (
        select s.id, c.name from recurring_series s
        join customers c on c.account_id = ${account_id} and c.id = s.customer_id
        where s.account_id = ${account_id} and s.next_due_on is not null
          and s.next_due_on <= ${addDays(today, AHEAD_DAYS)}
        order by s.next_due_on, s.id limit ${MOST_DUE}) due) as due,
      (select coalesce(json_agg(json_build_object('date', day.date, 'hours', day.hours) order by day.date), '[]') from (
        select w.date, sum(w.hours)::int as hours from users u
        join work_registrations w on w.account_id = ${account_id} and w.user_id = u.id
          and w.date between ${monday} and ${addDays(monday, 6)}
        where u.account_id = ${account_id} group by w.date) day) as hours,
      (select count(*)::int from users u where u.account_id = ${account_id} and exists (
        select from work_registrations w where w.account_id = ${account_id} and w.user_id = u.id
          and w.date between ${monday} and ${addDays(monday, 6)})) as people,
      (select coalesce(sum(i.functional_open), 0)::bigint from (${openToday(cx)}) i
        where not i.is_credit having ${isOpenKnown(cx)}) as owed,
      (select coalesce(sum(i.functional_open), 0)::bigint from (${openToday(cx)}) i
        where not i.is_credit and i.due_date < ${today} having ${isOpenKnown(cx)}) as owed_late,
      exists (select from invoices where account_id = ${account_id}) as has_invoice,
      ${firstFacts(cx)} as first`);
  if (row === undefined) throw new Error("a count gave no row");
  return row;
}

export interface OwnSummary {
  /** Hours of this week by date, without dates without hours, in 1/100. */
  readonly hours: ActivitySummary["hours"];
  readonly hours_of_month: number;
  /** The customers for whom the person worked within a month, by descending hours; hours in 1/100. */
  readonly customers: readonly {
    readonly id: string;
    readonly name: string;
    readonly hours: number;
    readonly last_day: CalendarDate;
  }[];
}

const MOST_CUSTOMERS = 8;

/** Reads the figures of the start page for one person. */
export async function readOwnSummary(
  cx: Reader,
  today: CalendarDate,
  user_id: string,
): Promise<OwnSummary> {
  const { account_id } = cx.caller;
  const monday = mondayOf(today);
  const row = await cx.row<OwnSummary>(sql`select
      (select coalesce(json_agg(json_build_object('date', day.date, 'hours', day.hours) order by day.date), '[]') from (
        select w.date, sum(w.hours)::int as hours from work_registrations w
        where w.account_id = ${account_id} and w.user_id = ${user_id}
          and w.date between ${monday} and ${addDays(monday, 6)} group by w.date) day) as hours,
      (select coalesce(sum(hours), 0)::int from work_registrations where account_id = ${account_id}
        and user_id = ${user_id} and date between ${firstDayOf(monthOf(today))} and ${today}) as hours_of_month,
      (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'hours', own.hours, 'last_day', own.last_day)
          order by own.hours desc, c.id), '[]') from (
        select coalesce(i.customer_id, s.customer_id) as customer_id, sum(w.hours)::int as hours,
          max(w.date) as last_day
        from work_registrations w
        left join invoices i on i.account_id = ${account_id} and i.id = w.invoice_id
        left join recurring_series s on s.account_id = ${account_id} and s.id = w.series_id
        where w.account_id = ${account_id} and w.user_id = ${user_id}
          and w.date between ${addDays(today, -AHEAD_DAYS)} and ${today}
        group by 1 order by 2 desc, 1 limit ${MOST_CUSTOMERS}) own
        join customers c on c.account_id = ${account_id} and c.id = own.customer_id) as customers`);
  if (row === undefined) throw new Error("a sum gave no row");
  return row;
}
