/**
 * Counts waiting lines: lines in periods that have begun and have no invoice. An account may have a million of them, so they are
 * counted without being created. The database computes an upper bound from headers and numbers of lines. When this bound exceeds
 * the caller's limit, the series are counted exactly, by the lines in each period.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { countWaitingLines } from "../../../domain/series/bounds.ts";
import type { Recurrence } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";

/** Selects the active series that are counted: by default all series of the account. */
interface CountedSeries {
  /** Periods that start on or before this date count. */
  readonly through: CalendarDate;
  /** Only the series of one customer. */
  readonly customer_id?: string | null;
  /** All series except one. */
  readonly except_id?: string | null;
  /** Only series in which this person is assigned to a line. */
  readonly user_id?: string | null;
}

/** The waiting lines of a series. */
interface WaitingInSeries {
  readonly id: string;
  readonly external_id: string | null;
  readonly lines: number;
}

/** Returns the SQL expression for an upper bound of the waiting lines: a float, because integers have a largest value. */
export function estimatedWaiting(cx: Reader, counted: CountedSeries): Sql {
  return sql`(select coalesce(sum(w.lines), 0)::float8 from (${waitingSeries(cx, counted)}) w)`;
}

/** The most lines of documents and of waiting periods that one page processes. */
export const MOST_LINES_AT_ONCE = 10_000;

/** Whether more than `most` lines wait. Counts exactly only when `estimate`, from `estimatedWaiting`, is above `most`. */
export async function areMoreWaiting(
  cx: Reader,
  counted: CountedSeries,
  most: number,
  estimate: number,
): Promise<boolean> {
  if (estimate <= most) return false;
  const series = await countWaiting(cx, counted, most);
  return series.reduce((sum, { lines }) => sum + lines, 0) > most;
}

/** Counts waiting lines exactly, by series, in descending order of the upper bounds; stops once the sum is above `enough`. */
export async function countWaiting(
  cx: Reader,
  counted: CountedSeries,
  enough: number,
): Promise<WaitingInSeries[]> {
  const by_size = await cx.rows<{ id: string }>(
    sql`select w.id from (${waitingSeries(cx, counted)}) w order by w.lines desc, w.id`,
  );
  const ids = by_size.map(({ id }) => id);
  const slices = new Slices(cx.signal);
  const found: WaitingInSeries[] = [];
  let sum = 0;
  for (let at = 0; at < ids.length && sum <= enough; at += SERIES_AT_A_TIME) {
    const some = ids.slice(at, at + SERIES_AT_A_TIME);
    for (const { id, external_id, line_versions, settled, ...header } of await lineVersionsOf(
      cx,
      some,
    )) {
      if (slices.isOver) await slices.next();
      const series = { ...header, lines: linesFrom(line_versions) };
      const lines = countWaitingLines(series, settled, counted.through);
      sum += lines;
      found.push({ id, external_id, lines });
    }
  }
  return found;
}

const SERIES_AT_A_TIME = 200;

interface CountedRow extends Recurrence {
  readonly id: string;
  readonly external_id: string | null;
  readonly line_versions: readonly LineVersion[];
  /** The indexes of settled periods, in order. */
  readonly settled: readonly number[];
}

/** A version or an override of a line. */
type LineVersion = readonly [
  line_id: string,
  kind: "version" | "override",
  at: number,
  has_content: boolean,
];

function linesFrom(line_versions: readonly LineVersion[]) {
  type Known = Map<number, true | null>;
  const lines = new Map<string, { readonly versions: Known; readonly overrides: Known }>();
  for (const [line_id, kind, at, has_content] of line_versions) {
    const line = lines.get(line_id) ?? { versions: new Map(), overrides: new Map() };
    lines.set(line_id, line);
    (kind === "version" ? line.versions : line.overrides).set(at, has_content || null);
  }
  return [...lines.values()];
}

/**
 * Selects series with their number of `lines`: the periods that start through the date, at most one too many, less the periods
 * before the first open one, each with every line that the series ever had.
 */
function waitingSeries(cx: Reader, counted: CountedSeries): Sql {
  const { through, customer_id = null, except_id = null, user_id = null } = counted;
  const { account_id } = cx.caller;
  return sql`select s.id, (s.begun - s.standing_index) * l.count as lines
    from (
      select s.id, s.standing_index, case s.frequency
          when 'weekly' then (s.last_day - s.start_date + 6) / 7
          else ${monthOf("s.last_day")} / s.months - ${monthOf("s.start_date")} / s.months end + 1 as begun
      from (
        select s.id, s.standing_index, s.frequency, s.start_date, least(s.end_date, ${through}::date) as last_day,
          case s.frequency when 'quarterly' then 3 when 'half_yearly' then 6 when 'yearly' then 12 else 1 end as months
        from recurring_series s
        where s.account_id = ${account_id} and s.status = 'active' and not s.is_discarded
          and s.start_date <= ${through} and (${customer_id}::uuid is null or s.customer_id = ${customer_id})
          and (${except_id}::uuid is null or s.id <> ${except_id})
          and (${user_id}::uuid is null or s.id in (
            select o.series_id from series_line_assignees a
            join series_lines o on o.account_id = ${account_id} and o.line_id = a.line_id
            where a.account_id = ${account_id} and a.user_id = ${user_id}))) s) s
    cross join lateral (
      select count(*) from series_lines l where l.account_id = ${account_id} and l.series_id = s.id) l
    where s.begun > s.standing_index`;
}

/** Returns the month of a date, counted from the year 0. */
function monthOf(day: "s.last_day" | "s.start_date"): Sql {
  return raw(`(extract(year from ${day}) * 12 + extract(month from ${day}) - 1)::int`);
}

function lineVersionsOf(cx: Reader, ids: readonly string[]): Promise<CountedRow[]> {
  const { account_id } = cx.caller;
  return cx.rows<CountedRow>(sql`select s.id, s.external_id, s.frequency, s.alignment, s.start_date, s.end_date,
      (select coalesce(json_agg(json_build_array(l.line_id, p.kind, p.at, p.has_content)), '[]')
       from series_lines l
       cross join lateral (
         select 'version' as kind, v.from_index as at, v.content is not null as has_content
         from series_line_versions v where v.account_id = ${account_id} and v.line_id = l.line_id
         union all
         select 'override', o.period_index, o.content is not null
         from series_line_overrides o where o.account_id = ${account_id} and o.line_id = l.line_id) p
       where l.account_id = ${account_id} and l.series_id = s.id) as line_versions,
      (select coalesce(json_agg(h.period_index order by h.period_index), '[]') from (
         select i.period_index from invoices i where i.account_id = ${account_id} and i.series_id = s.id
         union
         select o.period_index from occurrences o
         where o.account_id = ${account_id} and o.series_id = s.id and o.state = 'skipped') h) as settled
    from recurring_series s
    where s.account_id = ${account_id} and s.id = any(${ids})`);
}
