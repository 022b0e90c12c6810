/** The series of an account for its list: by state, with the customer, within the view of the reader. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { andSeen } from "../views/queries.ts";

export const seriesGroups = ["active", "draft", "ended"] as const;
export type SeriesGroup = (typeof seriesGroups)[number];

/** A series in its group. `of_group` is the number of series in the group, `place` the position of this one, from 1. */
export interface PlacedSeries {
  readonly id: string;
  readonly customer: string;
  readonly group: SeriesGroup;
  readonly of_group: number;
  readonly place: number;
}

/** The series of a group on one page. */
export const SERIES_ON_PAGE = 50;

/**
 * Returns the series on a page of each group, or of one `group`, by the customers' names. A series has ended when it was
 * discarded or its last day has passed; `before` is the number of series on earlier pages.
 */
export function listPlacedSeries(
  cx: Reader,
  today: CalendarDate,
  {
    group,
    customer_id,
  }: { readonly group: SeriesGroup | null; readonly customer_id: string | null },
  before: number,
): Promise<PlacedSeries[]> {
  const of_customer =
    customer_id === null ? sql`` : sql` and recurring_series.customer_id = ${customer_id}`;
  return cx.rows<PlacedSeries>(sql`select * from (
      select s.id, s.customer, s."group", count(*) over (partition by s."group")::int as of_group,
        row_number() over (partition by s."group" order by s.customer, s.start_date, s.id)::int as place
      from (
        select recurring_series.id, c.name as customer, recurring_series.start_date,
          case when recurring_series.is_discarded or recurring_series.end_date < ${today} then 'ended'
            when recurring_series.status = 'draft' then 'draft' else 'active' end as "group"
        from recurring_series
          join customers c on c.account_id = recurring_series.account_id and c.id = recurring_series.customer_id
        where recurring_series.account_id = ${cx.caller.account_id}${of_customer}${andSeen(cx, "recurring_series")}) s
      where ${group}::text is null or s."group" = ${group}) placed
    where placed.place > ${before} and placed.place <= ${before + SERIES_ON_PAGE}
    order by placed."group", placed.place`);
}

/** Returns the ids of active series with a period in the range, of one customer or of all, within the reader's view. */
export async function seriesWithin(
  cx: Reader,
  from: CalendarDate,
  to: CalendarDate,
  customer_id: string | null,
): Promise<string[]> {
  const of_customer =
    customer_id === null ? sql`` : sql` and recurring_series.customer_id = ${customer_id}`;
  const rows = await cx.rows<{ id: string }>(sql`select recurring_series.id from recurring_series
    where recurring_series.account_id = ${cx.caller.account_id} and recurring_series.status = 'active'
      and not recurring_series.is_discarded and recurring_series.start_date <= ${to}
      and (recurring_series.end_date is null or recurring_series.end_date >= ${from}
        or recurring_series.cancelled_at is not null)${of_customer}${andSeen(cx, "recurring_series")}`);
  return rows.map(({ id }) => id);
}
