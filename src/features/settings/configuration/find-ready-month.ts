/** The month that waits for its close, as SQL: the start page shows it, and the scheduler announces it. */
import { type CalendarDate, monthOf } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/**
 * Returns the SQL expression for the month of an account that waits for its close, `YYYY-MM`; it may not have ended yet. It is a month
 * that was reopened or whose close ended with failures; else the month after the last closed or locked one; else the first month with
 * an issued document. Null while a close runs, and before the first issued document.
 */
export function nextMonthToClose(account_id: Sql): Sql {
  return sql`(select coalesce(closed.again, to_char(greatest((closed.through || '-01')::date + interval '1 month',
          date_trunc('month', greatest(k.period_lock_date, l.locked_through) + 1)), 'YYYY-MM'),
        to_char((select min(issue_date) from invoices where account_id = ${account_id} and status = 'issued'),
          'YYYY-MM'))
      from (select min(month) filter (where status in ('partial', 'reopened')) as again,
          max(month) filter (where status = 'completed') as through, bool_or(status = 'running') as runs
        from period_closes where account_id = ${account_id}) closed
        left join configurations k on k.account_id = ${account_id}
        left join ledger_connections l on l.account_id = ${account_id} and l.is_current
      where closed.runs is not true)`;
}

/** Returns the statement's prefix that makes `ready`: the month that waits for its close and its last day, or no row. */
export function withReady({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return sql`with ready as (
      select month, ((month || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
      from (select ${nextMonthToClose(sql`${account_id}`)} as month) next where month < ${monthOf(today)})`;
}
