/** The queries of retainers that need a decision, for the start page: not agreed, ending, or failed to be invoiced. */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

const SOON_DAYS = 30;

/** Selects drafts that begin within a month or have begun, the earliest first. */
export function attentionOfDrafts({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return sql`(select 'retainer_draft', 'recurring_series', s.id::text, null, c.name, c.id::text, null, s.currency,
      s.start_date::text, s.frequency
    from recurring_series s join customers c on c.account_id = ${account_id} and c.id = s.customer_id
    where s.account_id = ${account_id} and s.status = 'draft' and not s.is_discarded
      and s.start_date <= ${addDays(today, SOON_DAYS)}
    order by s.start_date, s.id limit 8)`;
}

/** Selects series that reach their end within a month; cancelled series are excluded, because their end is intended. */
export function attentionOfEnds({ caller: { account_id } }: Reader, today: CalendarDate): Sql {
  return sql`(select 'retainer_ends', 'recurring_series', s.id::text, null, c.name, c.id::text, null, s.currency,
      s.end_date::text, s.frequency
    from recurring_series s join customers c on c.account_id = ${account_id} and c.id = s.customer_id
    where s.account_id = ${account_id} and s.status = 'active' and not s.is_discarded and s.cancelled_at is null
      and s.end_date is not null and s.end_date between ${today} and ${addDays(today, SOON_DAYS)}
    order by s.end_date, s.id limit 8)`;
}

/** Selects periods that could not be issued; `detail` is the refusal's code and the index of the period. */
export function attentionOfFailures({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'occurrence_failed', 'recurring_series', s.id::text, null, c.name, c.id::text, null, s.currency,
      o.updated_at::date::text, o.failure_code || ' ' || o.period_index
    from occurrences o
    join recurring_series s on s.account_id = ${account_id} and s.id = o.series_id
    join customers c on c.account_id = ${account_id} and c.id = s.customer_id
    where o.account_id = ${account_id} and o.state = 'failed' and s.status = 'active' and not s.is_discarded
      and not exists (select from invoices i where i.account_id = ${account_id} and i.series_id = o.series_id
        and i.period_index = o.period_index)
    order by o.updated_at, o.series_id limit 8)`;
}
