/**
 * Hours for a customer that no document will bill: hours dropped by a cancelled retainer, or on fully credited
 * invoices. They may be moved to a line that bills them (spec 6.3). Hours on drafts and retainers are billed later.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

interface UnbilledWork {
  readonly id: string;
  readonly user_name: string;
  readonly date: CalendarDate;
  /** 1/100 of an hour. */
  readonly hours: number;
  readonly note: string | null;
  /** The key of the dropped period; null for hours of a credited invoice. */
  readonly period: string | null;
  /** The number of the credited invoice. */
  readonly number: bigint | null;
}

/** Lists at most `limit` registrations, those with the earliest date first. */
export function listUnbilled(
  cx: Reader,
  customer_id: string,
  limit: number,
): Promise<UnbilledWork[]> {
  const { account_id } = cx.caller;
  return cx.rows<UnbilledWork>(sql`select w.id, u.name as user_name, w.date, w.hours, w.note, o.period, o.number
     from (
       select r.id, r.user_id, r.date, r.hours, r.note, r.period, null::bigint as number
       from recurring_series s
       join work_registrations r on r.account_id = s.account_id and r.series_id = s.id
       where s.account_id = ${account_id} and s.customer_id = ${customer_id}
         and r.status = 'dropped' and r.billable
       union all
       select r.id, r.user_id, r.date, r.hours, r.note, null, i.ledger_invoice_number
       from invoices i
       join work_registrations r on r.account_id = i.account_id and r.invoice_id = i.id
       where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.status = 'issued'
         and r.status = 'invoiced' and r.billable
         and exists (select from credit_notes n where n.account_id = ${account_id} and n.invoice_id = i.id)
         and is_fully_credited(${account_id}, i.id)
     ) o
     join work_registrations w on w.account_id = ${account_id} and w.id = o.id
     join users u on u.account_id = w.account_id and u.id = w.user_id
     order by w.date, w.id limit ${limit}`);
}

/** A draft with hours that will be billed when the draft is issued. */
interface WaitingDraft {
  readonly id: string;
  readonly title: string | null;
  /** 1/100 of an hour. */
  readonly hours: number;
  readonly since: CalendarDate;
}

/** Lists the customer's drafts other than `but` that have billable hours; the draft with the earliest hours is first. */
export function listWaiting(
  cx: Reader,
  customer_id: string,
  but: string,
  limit: number,
): Promise<WaitingDraft[]> {
  const { account_id } = cx.caller;
  return cx.rows<WaitingDraft>(sql`select i.id, i.title, sum(w.hours)::int as hours, min(w.date) as since
     from invoices i
     join work_registrations w on w.account_id = i.account_id and w.invoice_id = i.id
     where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.status = 'draft'
       and i.id <> ${but} and w.status = 'open' and w.billable
     group by i.id, i.title order by 4, 1 limit ${limit}`);
}

/** A line of a draft to which hours can be moved: its text, and the title of the draft. */
interface OpenDraftLine {
  readonly id: string;
  readonly text: string;
  readonly draft: string | null;
}

/** Lists lines by hours or progress on the customer's drafts of one-time invoices, at most `limit`, the newest draft first. */
export function openDraftLines(
  cx: Reader,
  customer_id: string,
  limit: number,
): Promise<OpenDraftLine[]> {
  const { account_id } = cx.caller;
  return cx.rows<OpenDraftLine>(sql`select l.id, coalesce(l.description_override, l.product_name) as text,
       i.title as draft
     from invoices i
     join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
     where i.account_id = ${account_id} and i.customer_id = ${customer_id} and i.status = 'draft'
       and i.series_id is null and l.recognition_method in ('hours', 'progress')
     order by i.id desc, l.position limit ${limit}`);
}
