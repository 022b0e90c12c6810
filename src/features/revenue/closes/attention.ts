/** The queries of two entries of the start page: the month that waits for its close, and its missing rates. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { nextMonthToClose, withReady } from "../../settings/configuration/find-ready-month.ts";

/** Selects the month that waits for its close: it has ended, and no close is running. */
export function attentionOfMonth(cx: Reader, today: CalendarDate): Sql {
  return sql`(${withReady(cx, today)}
    select 'month_ready', 'period_close', month, null, null, null, null, null, last_day::text, null from ready)`;
}

/** Selects the currencies without a rate in the month, when an invoice was issued in them recently. */
export function attentionOfRates(cx: Reader, today: CalendarDate): Sql {
  const { account_id } = cx.caller;
  return sql`(${withReady(cx, today)}
    select 'rate_missing', 'exchange_rate', e.currency, e.currency, null, null, null, e.currency, ready.last_day::text, ready.month
    from ready cross join (
      select distinct currency from exchange_rates where account_id = ${account_id}) e
    where not exists (select from exchange_rates r where r.account_id = ${account_id} and r.currency = e.currency
        and r.date between (ready.month || '-01')::date and ready.last_day)
      and exists (select from invoices i where i.account_id = ${account_id} and i.status = 'issued'
        and i.issue_date >= ready.last_day - 92 and i.currency = e.currency)
    limit 8)`;
}

/**
 * Returns the SQL expression for the month of an account that waits for its close, `YYYY-MM`; it may not have ended yet. Null where
 * the person `u` is a standard user, while a close runs, and before the first issued document.
 */
export function monthToClose(account_id: string): Sql {
  return sql`(select ${nextMonthToClose(sql`${account_id}`)} where u.role = 'admin')`;
}
