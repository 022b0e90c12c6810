/** The queries of two entries of the start page: the month that waits for its close, and its missing rates. */
import { type CalendarDate, monthOf } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/**
 * Selects the month that waits for its close: a month that was reopened or whose close ended with failures; else the month after
 * the last closed or locked one; else the first month with an issued document. The month has ended, and no close is running.
 */
export function attentionOfMonth({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return sql`(${ready(account_id, today)}
    select 'month_ready', 'period_close', month, null, null, null, null, null, last_day::text, null from ready)`;
}

/** Selects the currencies without a rate in the month, when an invoice was issued in them recently. */
export function attentionOfRates({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return sql`(${ready(account_id, today)}
    select 'rate_missing', 'exchange_rate', e.currency, e.currency, null, null, null, e.currency, ready.last_day::text, ready.month
    from ready cross join (
      select distinct currency from exchange_rates where account_id = ${account_id}) e
    where not exists (select from exchange_rates r where r.account_id = ${account_id} and r.currency = e.currency
        and r.date between (ready.month || '-01')::date and ready.last_day)
      and exists (select from invoices i where i.account_id = ${account_id} and i.status = 'issued'
        and i.issue_date >= ready.last_day - 92 and i.currency = e.currency)
    limit 8)`;
}

/** Returns the statement's prefix that makes `ready`: the month that waits for its close and its last day, or no row. */
export function withReady({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return ready(account_id, today);
}

/**
 * Returns the SQL expression for the month of an account that waits for its close, `YYYY-MM`; it may not have ended yet. Null where
 * the person `u` is a standard user, while a close runs, and before the first issued document.
 */
export function monthToClose(account_id: string): Sql {
  return sql`(${following(sql`${account_id}`)}
    select month from following where u.role = 'admin')`;
}

function ready(account_id: string, today: CalendarDate): Sql {
  return sql`${following(sql`${account_id}`)},
    ready as (
      select month, ((month || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
      from following where month < ${monthOf(today)})`;
}

function following(account_id: Sql): Sql {
  return sql`with closed as (
      select min(month) filter (where status in ('partial', 'reopened')) as again,
        max(month) filter (where status = 'completed') as through,
        bool_or(status = 'running') as runs
      from period_closes where account_id = ${account_id}),
    following as (
      select coalesce(closed.again, to_char(greatest((closed.through || '-01')::date + interval '1 month',
          date_trunc('month', greatest(k.period_lock_date, l.locked_through) + 1)), 'YYYY-MM'),
        to_char((select min(issue_date) from invoices where account_id = ${account_id} and status = 'issued'),
          'YYYY-MM')) as month
      from closed left join configurations k on k.account_id = ${account_id}
        left join ledger_connections l on l.account_id = ${account_id} and l.is_current
      where closed.runs is not true)`;
}
