/**
 * States and amounts of the periods of many series in a range. Periods without work have the amount of their lines, which is
 * computed again only where a line changes, so a range of thousands of periods stays cheap.
 */
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { Money } from "../../../domain/base/money.ts";
import { type Line, netOf, type UserHours } from "../../../domain/sales/line.ts";
import { periodsFrom, type SeriesPeriod } from "../../../domain/series/period.ts";
import { linesOver, occurrenceLine, type PlacedContent } from "../../../domain/series/series.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { linesOfPeriod } from "../series/periods.ts";
import type { OccurrenceState } from "../series/schemas.ts";
import { type Series, shownPeriod, stateOf, uncancelled } from "../series/series.ts";

/** A period with its state and its net amount in minor units: as booked, or by the current lines and hours. */
interface StatedPeriod {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly state: OccurrenceState;
  readonly net: Money;
}

/** The indexes of periods: from `first` up to, and without, `end`. */
interface IndexRange {
  readonly first: number;
  readonly end: number;
}

/** Returns the periods of series in the ranges, in order, including dropped ones. Uses two queries for all series. */
export async function periodsInRanges(
  cx: Reader,
  many: readonly Series[],
  rangeOf: (series: Series) => IndexRange,
): Promise<StatedPeriod[]> {
  const ranges = many.map((series) => ({ series, ...rangeOf(series) }));
  const [booked, worked] = await Promise.all([bookedNets(cx, ranges), openHours(cx, many)]);
  const slices = new Slices(cx.signal);
  const found: StatedPeriod[] = [];
  for (const { series, first, end } of ranges) {
    const netAt = netsOf(series, worked.get(series.id) ?? NO_HOURS);
    for (const period of periodsFrom(uncancelled(series), first)) {
      if (period.index >= end) break;
      if (slices.isOver) await slices.next();
      const state = stateOf(series, period);
      const shown = shownPeriod(series, period);
      const net =
        state === "issued" ? (booked.get(`${series.id} ${period.index}`) ?? 0n) : netAt(shown);
      found.push({ series, period: shown, state, net });
    }
  }
  return found;
}

/** Returns the net amount of a whole period by lines without hours: what the series invoices in each period. */
export function netOfWholePeriod(
  lines: readonly PlacedContent[],
  currency: string,
): { readonly net: Money; readonly has_hours: boolean } {
  const fixed = lines.filter(({ content }) => content.recognition_method !== "hours");
  const digits = currencyDigits(currency);
  return {
    net: fixed.reduce((sum, { content }) => sum + netOf({ ...content, id: NO_ID }, digits, []), 0n),
    has_hours: fixed.length < lines.length,
  };
}

const NO_ID = "" as Line["id"];

/** Hours of open work by the ids of occurrence lines, with the indexes of their periods. */
interface OpenHours {
  readonly indexes: ReadonlySet<number>;
  readonly by_line: ReadonlyMap<string, readonly UserHours[]>;
}

const NO_HOURS: OpenHours = { indexes: new Set(), by_line: new Map() };

/** Returns a function of the net amount of a period, which remembers the last amount of a whole period. */
function netsOf(series: Series, worked: OpenHours): (period: SeriesPeriod) => Money {
  const digits = currencyDigits(series.currency);
  const linesIn = linesOver(series.lines);
  let known: { readonly lines: readonly PlacedContent[]; readonly net: Money } | undefined;
  return (period) => {
    if (worked.indexes.has(period.index)) {
      return linesOfPeriod(series, period).reduce(
        (sum, { line }) => sum + netOf(line, digits, worked.by_line.get(line.id)),
        0n,
      );
    }
    const lines = linesIn(period.index);
    const is_whole = period.days === period.nominal_days;
    if (is_whole && known?.lines === lines) return known.net;
    const net = lines.reduce(
      (sum, { content }) => sum + netOf(occurrenceLine(content, NO_ID, period), digits, undefined),
      0n,
    );
    if (is_whole) known = { lines, net };
    return net;
  };
}

/** Reads the booked amounts of issued periods by `<series> <index>`. */
async function bookedNets(
  cx: Reader,
  ranges: readonly (IndexRange & { readonly series: Series })[],
): Promise<ReadonlyMap<string, Money>> {
  const invoice_ids = ranges.flatMap(({ series, first, end }) =>
    [...series.period_events].flatMap(([index, event]) =>
      event.state === "issued" && index >= first && index < end ? [event.invoice_id] : [],
    ),
  );
  if (invoice_ids.length === 0) return new Map();
  const rows = await cx.rows<{
    series_id: string | null;
    period_index: number | null;
    net: bigint;
  }>(sql`select i.series_id, i.period_index, coalesce(sum(l.amount), 0)::bigint as net
     from invoices i left join invoice_lines l on l.account_id = i.account_id and l.invoice_id = i.id
     where i.account_id = ${cx.caller.account_id} and i.id = any(${invoice_ids})
     group by i.account_id, i.id, i.series_id, i.period_index`);
  return new Map(
    rows.map(({ series_id, period_index, net }) => [`${series_id} ${period_index}`, net]),
  );
}

/** Reads the billable hours that are neither invoiced nor dropped, by the ids of the series. */
async function openHours(
  cx: Reader,
  many: readonly Series[],
): Promise<ReadonlyMap<string, OpenHours>> {
  const ids = many.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<
    UserHours & { series_id: string | null; period_index: number | null; line_id: string }
  >(sql`select series_id, period_index, line_id, user_id, sum(hours) as hours, min(date) as first_day,
       max(date) as last_day
     from work_registrations
     where account_id = ${cx.caller.account_id} and series_id = any(${ids}) and status = 'open' and billable
     group by series_id, period_index, line_id, user_id order by line_id, user_id`);
  const found = new Map<string, { indexes: Set<number>; by_line: Map<string, UserHours[]> }>();
  for (const { series_id, period_index, line_id, ...hours } of rows) {
    const of_series = found.get(series_id ?? "") ?? { indexes: new Set(), by_line: new Map() };
    of_series.indexes.add(period_index ?? 0);
    of_series.by_line.set(line_id, [...(of_series.by_line.get(line_id) ?? []), hours]);
    found.set(series_id ?? "", of_series);
  }
  return found;
}
