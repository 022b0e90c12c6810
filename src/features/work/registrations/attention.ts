/** The queries of work on the start page: work to be invoiced, budgets nearly used up, and invoiced milestones. */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

const WAITS_DAYS = 30;
const LATELY_DAYS = 14;
/** The most registrations that are read to find the oldest drafts, and the lines with recent work. */
const MOST_LOOKED_AT = 500;
/** The used percentage of a budget from which the budget needs attention. */
const NEARLY_USED = 80;

/** Selects drafts with billable work from more than a month ago, the oldest first; for a person, those with their work. */
export function attentionOfWork(
  { caller: { account_id } }: Reader,
  today: CalendarDate,
  user_id: string | null,
): Sql {
  return sql`(select 'work_waits', 'invoice', i.id::text, i.title, c.name, c.id::text, null, i.currency, o.since::text,
      (select sum(h.hours)::text from work_registrations h
        where h.account_id = ${account_id} and h.invoice_id = i.id and h.billable)
    from (
      select w.invoice_id, min(w.date) as since from (
        select r.invoice_id, r.date from work_registrations r
        where r.account_id = ${account_id} and r.status = 'open' and r.billable and r.invoice_id is not null
          and r.date <= ${addDays(today, -WAITS_DAYS)} and (${user_id}::uuid is null or r.user_id = ${user_id})
        order by r.date limit ${MOST_LOOKED_AT}) w
      group by w.invoice_id order by 2, 1 limit 8) o
    join invoices i on i.account_id = ${account_id} and i.id = o.invoice_id
    join customers c on c.account_id = ${account_id} and c.id = i.customer_id)`;
}

/**
 * Selects lines of drafts with most of their budget used and with recent work; `detail` is the used and the agreed hours, in
 * 1/100. For a person, the lines that they are assigned to and worked on.
 */
export function attentionOfBudgets(
  { caller: { account_id } }: Reader,
  today: CalendarDate,
  user_id: string | null,
): Sql {
  return sql`(with worked as materialized (
      select distinct line_id from (
        select r.line_id from work_registrations r
        where r.account_id = ${account_id} and r.status = 'open' and r.billable and r.invoice_id is not null
          and r.date >= ${addDays(today, -LATELY_DAYS)} and (${user_id}::uuid is null or r.user_id = ${user_id})
        order by r.date desc limit ${MOST_LOOKED_AT}) r)
    select 'budget', 'invoice', l.invoice_id::text, coalesce(i.title, l.product_name), c.name, c.id::text, null,
      i.currency, used.last_day::text, used.hours || ' ' || l.budget_hours
    from worked
    join invoice_lines l on l.account_id = ${account_id} and l.id = worked.line_id and l.budget_hours is not null
      and l.amount is null
    cross join lateral (
      select sum(w.hours) as hours, max(w.date) as last_day from work_registrations w
      where w.account_id = ${account_id} and w.line_id = l.id and w.billable) used
    join invoices i on i.account_id = ${account_id} and i.id = l.invoice_id
    join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    where used.hours * 100 >= l.budget_hours * ${NEARLY_USED}::int
      and (${user_id}::uuid is null or exists (select from invoice_line_assignees a
        where a.account_id = ${account_id} and a.line_id = l.id and a.user_id = ${user_id}))
    order by used.hours::numeric / l.budget_hours desc, l.id limit 8)`;
}

/** Selects the last working day, for a person who registers hours and has none on that day. */
export function attentionOfMissingHours(
  { caller: { account_id } }: Reader,
  last_working_day: CalendarDate,
  user_id: string,
): Sql {
  return sql`(select 'hours_missing', 'day', ${last_working_day}::date::text, null, null, null, null, null,
      ${last_working_day}::date::text, null
    where not exists (select from work_registrations w
        where w.account_id = ${account_id} and w.user_id = ${user_id} and w.date = ${last_working_day})
      and exists (select from work_registrations w
        where w.account_id = ${account_id} and w.user_id = ${user_id}
          and w.date between ${addDays(last_working_day, -WAITS_DAYS)} and ${last_working_day}))`;
}

/** How long an invoiced milestone needs no attention, in days. */
const QUIET_DAYS = 14;
/** The most lines that are read, in the order of their creation: enough for eight results. */
const MOST_OPEN = 100;

/** Selects milestones invoiced some time ago, a liability until they are reached; `detail` is the number and the id of the line. */
export function attentionOfMilestones(
  { caller: { account_id } }: Reader,
  today: CalendarDate,
): Sql {
  return sql`(with open as materialized (
      select m.id, m.invoice_id from invoice_lines m where m.account_id = ${account_id} and m.recognition_method = 'milestone'
        and m.amount is not null
        and not exists (select from line_completions d where d.account_id = ${account_id} and d.line_id = m.id)
      order by m.id limit ${MOST_OPEN})
    select 'milestone_open', 'invoice', i.id::text, coalesce(l.description_override, l.product_name), c.name,
      c.id::text, l.amount - coalesce(back.amount, 0)::bigint, i.currency, i.issue_date::text, i.ledger_invoice_number || ' ' || l.id
    from open
    join invoice_lines l on l.account_id = ${account_id} and l.id = open.id
    join invoices i on i.account_id = ${account_id} and i.id = open.invoice_id and i.status = 'issued'
    join customers c on c.account_id = ${account_id} and c.id = i.customer_id
    left join lateral (
      select sum(b.amount) as amount from credit_note_lines b
      join credit_notes n on n.account_id = ${account_id} and n.id = b.credit_note_id and n.status = 'issued'
      where b.account_id = ${account_id} and b.invoice_line_id = open.id) back on true
    where i.issue_date <= ${addDays(today, -QUIET_DAYS)} and l.amount > coalesce(back.amount, 0)
    order by i.issue_date, l.id limit 8)`;
}
