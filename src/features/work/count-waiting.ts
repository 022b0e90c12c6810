/**
 * The lines of an account that wait for their invoice, counted: of series only headers are read and lines
 * counted, because there may be tens of thousands.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { periodAt, type Recurrence } from "../../domain/series/period.ts";
import type { Reader } from "../../platform/context.ts";
import { numbered, sql } from "../../platform/database/sql.ts";

/** Lines on drafts of one-time invoices, and on begun, open occurrences of active series. */
export async function countWaiting(cx: Reader, today: CalendarDate): Promise<number> {
  const { account_id } = cx.caller;
  const [drafts, headers] = await Promise.all([
    cx.rows<{ count: number }>(sql`select count(*)::int as count from invoices i
       join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
       where i.account_id = ${account_id} and i.status = 'draft' and i.series_id is null`),
    cx.rows<
      Recurrence & { readonly id: string; readonly standing_index: number }
    >(sql`select id, frequency, alignment, start_date, end_date, standing_index from recurring_series
       where account_id = ${account_id} and status = 'active' and not is_discarded and start_date <= ${today}`),
  ]);
  const begun: [id: string, index: number][] = [];
  for (const header of headers) {
    for (let index = header.standing_index; ; index += 1) {
      const period = periodAt(header, index);
      if (period === undefined || period.from > today) break;
      begun.push([header.id, index]);
    }
  }
  if (begun.length === 0) return drafts[0]?.count ?? 0;
  const ids = begun.map(([id]) => id);
  const indexes = begun.map(([, index]) => index);
  const lines = await cx.row<{ count: number }>(numbered(COUNT_LINES, [account_id, ids, indexes]));
  return (drafts[0]?.count ?? 0) + (lines?.count ?? 0);
}

const COUNT_LINES = `
  select count(*)::int as count from unnest($2::uuid[], $3::int[]) as p (series_id, at)
  join series_lines l on l.account_id = $1 and l.series_id = p.series_id
  left join series_line_overrides o
    on o.account_id = $1 and o.line_id = l.line_id and o.period_index = p.at
  left join lateral (
    select v.content from series_line_versions v
    where v.account_id = $1 and v.line_id = l.line_id and v.from_index <= p.at
    order by v.from_index desc limit 1) v on o.line_id is null
  where coalesce(o.content, v.content) is not null
    and not exists (select from invoices i where i.account_id = $1 and i.series_id = p.series_id
      and i.period_index = p.at and i.status = 'issued')
    and not exists (select from occurrences s where s.account_id = $1 and s.series_id = p.series_id
      and s.period_index = p.at and s.state = 'skipped'
      and not exists (select from invoices i where i.account_id = $1
        and i.series_id = p.series_id and i.period_index = p.at))`;
