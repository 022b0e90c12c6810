/** The series of one customer for the customer's page, within the view of the reader. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Frequency } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { andSeen } from "../views/queries.ts";
import type { SeriesGroup } from "./list-placed-series.ts";

interface SeriesOfCustomer {
  readonly id: string;
  /** The text of the first line; null without lines. */
  readonly what: string | null;
  readonly frequency: Frequency;
  readonly group: Exclude<SeriesGroup, "ended">;
  readonly start_date: CalendarDate;
  /** The day on which the next invoice falls due; null where none does without a person. */
  readonly next_due_on: CalendarDate | null;
}

/** Returns at most `limit` series that have not ended on `today`: the active ones first, by their first day. */
export function listSeriesOfCustomer(
  cx: Reader,
  customer_id: string,
  today: CalendarDate,
  limit: number,
): Promise<SeriesOfCustomer[]> {
  const { account_id } = cx.caller;
  return cx.rows<SeriesOfCustomer>(sql`select s.id,
      coalesce(s.line ->> 'description_override', p.name) as what, s.frequency, s."group", s.start_date,
      s.next_due_on
    from (
      select recurring_series.id, recurring_series.frequency, recurring_series.start_date,
        recurring_series.next_due_on, recurring_series.document::json -> 'lines' -> 0 as line,
        case when recurring_series.status = 'draft' then 'draft' else 'active' end as "group"
      from recurring_series
      where recurring_series.account_id = ${account_id} and recurring_series.customer_id = ${customer_id}
        and not recurring_series.is_discarded
        and (recurring_series.end_date is null or recurring_series.end_date >= ${today})
        ${andSeen(cx, "recurring_series")}) s
    left join products p on p.account_id = ${account_id} and p.id = (s.line ->> 'product_id')::uuid
    order by s."group", s.start_date, s.id limit ${limit}`);
}
