/**
 * The migration `0036_hashed_line_ids`: existing series lines keep the ids that the lines of their occurrences have had, because
 * callers and bookings know them. These ids are hashes (UUIDv5), which PostgreSQL does not compute.
 */
import type pg from "pg";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { keyOfNumber, occurrenceLineId, periodNumber } from "../../domain/series/line-id.ts";
import { indexContaining, periodAt, type Recurrence } from "../../domain/series/period.ts";

interface SeriesRow extends Recurrence {
  readonly account_id: string;
  readonly id: string;
  readonly line_ids: readonly string[];
  /** Periods that begin on or after this date get new ids, except for the stored ones. */
  readonly new_from: CalendarDate;
  /** Keys of periods whose ids an invoice, a work registration or a booking contains. */
  readonly stored: readonly string[];
}

/** Selects series with the day of new period ids: 400 days after the latest of now, the test clock and the start. */
const SERIES = `
with stored as (
  select account_id, series_id, array_agg(period) as periods from (
    select account_id, series_id, period from invoices
    union select account_id, series_id, period from work_registrations
    union select account_id, series_id, period from accrual_rows) as known
  where series_id is not null and period is not null group by account_id, series_id)
select s.account_id, s.id, s.frequency, s.alignment, s.start_date::text, null as end_date,
  array(select line_id::text from series_lines
    where account_id = s.account_id and series_id = s.id) as line_ids,
  (greatest(current_date, a.test_clock_floor::date, s.start_date) + 400)::text as new_from,
  coalesce(t.periods, '{}') as stored
from recurring_series s
join accounts a on a.id = s.account_id
left join stored t on t.account_id = s.account_id and t.series_id = s.id`;

const WRITE = `
with marked as (
  update series_lines l set hashed_periods = array[s.first, s.next]
  from json_to_recordset($1) as s (account_id uuid, id uuid, first int, next int)
  where l.account_id = s.account_id and l.series_id = s.id)
insert into hashed_line_ids (account_id, id, line_id, period)
select account_id, id, line_id, period
from json_to_recordset($2) as i (account_id uuid, id uuid, line_id uuid, period text)`;

/** The approximate number of ids that one SQL statement writes. */
const AT_ONCE = 20_000;

/** Marks the periods of each line and stores their ids; runs inside the transaction of the migration. */
export async function keepHashedLineIds(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<SeriesRow>(SERIES);
  let marked: unknown[] = [];
  let ids: unknown[] = [];
  for (const [index, { account_id, id, line_ids, ...series }] of rows.entries()) {
    const [first, next] = periodsOf(series);
    marked.push({ account_id, id, first, next });
    for (const line_id of line_ids) {
      // A year without a week 53 gets an id for it, which no line uses.
      for (let number = first; number < next; number += 1) {
        const period = keyOfNumber(number) ?? "";
        const hash = occurrenceLineId({ line_id, hashed_periods: [first, next] }, period);
        ids.push({ account_id, id: hash, line_id, period });
      }
    }
    if (ids.length < AT_ONCE && index < rows.length - 1) continue;
    await client.query(WRITE, [JSON.stringify(marked), JSON.stringify(ids)]);
    [marked, ids] = [[], []];
  }
}

/** Returns the number of the first period whose ids are kept, and of the first period after them. */
function periodsOf(series: Recurrence & Pick<SeriesRow, "new_from" | "stored">): [number, number] {
  const first = periodAt(series, 0);
  const within = indexContaining(series, series.new_from) ?? 0;
  const is_new = periodAt(series, within)?.from === series.new_from;
  const next = periodAt(series, is_new ? within : within + 1);
  if (first === undefined || next === undefined) throw new Error("a series without end has ended");
  // Keys of an earlier frequency of the series belong to no current period.
  const stored = series.stored.filter((key) => formOf(key) === formOf(first.key)).map(periodNumber);
  return [
    Math.min(periodNumber(first.key), ...stored),
    Math.max(periodNumber(next.key), ...stored.map((number) => number + 1)),
  ];
}

function formOf(key: string): string {
  return key.replace(/\d+/g, "");
}
