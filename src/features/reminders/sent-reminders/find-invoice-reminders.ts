/** Reads how an invoice was reminded of, and until when no reminder lists it. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The reminders of an invoice that stand. */
export interface InvoiceReminders {
  /** How many of them counted it. */
  readonly level: number;
  readonly last_on: CalendarDate | null;
  /** The last reminder that lists it; null without any. */
  readonly last_id: string | null;
  /** The last day of its hold, also of one that is over; null without one. */
  readonly hold_until: CalendarDate | null;
  readonly hold_reason: string | null;
}

/** Returns the reminders of an invoice; a cancelled one does not count. */
export async function findInvoiceReminders(cx: Reader, id: string): Promise<InvoiceReminders> {
  const { account_id } = cx.caller;
  const row = await cx.row<InvoiceReminders>(sql`
    select (count(*) filter (where t.counts))::int as level, max(r.date) as last_on,
      (array_agg(r.id order by r.date desc, r.id desc))[1] as last_id,
      (select h.until_date from reminder_holds h where h.account_id = ${account_id} and h.invoice_id = ${id}) as hold_until,
      (select h.reason from reminder_holds h where h.account_id = ${account_id} and h.invoice_id = ${id}) as hold_reason
    from reminder_items t join reminders r on r.account_id = ${account_id} and r.id = t.reminder_id
    where t.account_id = ${account_id} and t.item_id = ${id} and r.cancelled_on is null`);
  if (row === undefined) throw new Error("a count has a row");
  return row;
}
