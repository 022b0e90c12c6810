/**
 * Where a line is: on a one-time invoice, or in a period of a series. The id of an occurrence's line
 * follows from the series line and the period (UUIDv5) and is stored nowhere until the period is issued or
 * worked in; before that it is found by trying the periods around the date.
 */
import { setImmediate } from "node:timers/promises";
import { addDays, type CalendarDate } from "../../domain/base/calendar.ts";
import { indexContaining, periodsFrom, type Recurrence } from "../../domain/series/period.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { namesOf } from "../../platform/id.ts";

export type Place =
  | { readonly kind: "invoice"; readonly invoice_id: string }
  | { readonly kind: "occurrence"; readonly series_id: string; readonly period_index: number }
  /** The line of a series, whose occurrence the date decides. */
  | { readonly kind: "series"; readonly series_id: string };

interface PlaceRow {
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly period_index: number | null;
}

/** The place of a line by its id, for work on a date, as seen today; undefined when the account has no such line. */
export async function findPlace(
  cx: Context,
  line_id: string,
  date: CalendarDate,
  today: CalendarDate,
): Promise<Place | undefined> {
  const [row] = await query<PlaceRow>(
    cx.db,
    `select i.id as invoice_id, i.series_id, i.period_index from invoice_lines l
     join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where l.account_id = $1 and l.id = $2
     union all
     select null, series_id, null from series_lines where account_id = $1 and line_id = $2
     union all
     (select null, series_id, period_index from work_registrations
      where account_id = $1 and line_id = $2 and series_id is not null limit 1)
     limit 1`,
    [cx.caller.account_id, line_id],
  );
  return row ? placeFrom(row) : findOccurrenceLine(cx, line_id, date, today);
}

/** A registration or an invoice as a place. Throws for a row that names none. */
export function placeFrom({ invoice_id, series_id, period_index }: PlaceRow): Place {
  if (series_id !== null) {
    return period_index === null
      ? { kind: "series", series_id }
      : { kind: "occurrence", series_id, period_index };
  }
  if (invoice_id === null) throw new Error("a line is neither on an invoice nor in a series");
  return { kind: "invoice", invoice_id };
}

interface SeriesLineRow extends Recurrence {
  readonly line_id: string;
  readonly series_id: string;
}

async function findOccurrenceLine(
  cx: Context,
  id: string,
  date: CalendarDate,
  today: CalendarDate,
): Promise<Place | undefined> {
  // No other version of UUID is made from a name.
  if (id[14] !== "5") return undefined;
  const rows = await query<SeriesLineRow>(
    cx.db,
    `select l.line_id, l.series_id, s.frequency, s.alignment, s.start_date, null::date as end_date
     from series_lines l
     join recurring_series s on s.account_id = l.account_id and s.id = l.series_id
     where l.account_id = $1`,
    [cx.caller.account_id],
  );
  // Nearly always the period of the date or its neighbour is meant; only a strange id costs the second try.
  const find = namesOf(id);
  const later = date > today ? date : today;
  for (const [from, to] of [
    [addDays(date, -NEAR_DAYS), addDays(date, NEAR_DAYS)],
    [addDays(date, -FAR_DAYS), addDays(later, FAR_DAYS)],
  ] as const) {
    const periods = periodsBetween(from, to);
    for (const [index, { line_id, series_id, ...series }] of rows.entries()) {
      const { first, keys } = periods(series);
      const at = find(line_id, keys);
      if (at >= 0) return { kind: "occurrence", series_id, period_index: first + at };
      // Others have their turn while a large account is searched.
      if (index % LINES_IN_A_ROW === LINES_IN_A_ROW - 1) await setImmediate();
    }
  }
  return undefined;
}

const LINES_IN_A_ROW = 500;
const NEAR_DAYS = 31;
/** More than the year for which occurrences are listed unless a client asks for more. */
const FAR_DAYS = 400;

/** Keys of successive periods, from an index on. */
interface Periods {
  readonly first: number;
  readonly keys: readonly string[];
}

/** The periods that touch a stretch of days; series that run alike share them. */
function periodsBetween(
  first_day: CalendarDate,
  last_day: CalendarDate,
): (series: Recurrence) => Periods {
  const known = new Map<string, Periods>();
  return (series) => {
    const form = `${series.frequency} ${series.alignment} ${series.start_date}`;
    const earlier = known.get(form);
    if (earlier) return earlier;
    const first = indexContaining(series, first_day) ?? 0;
    const keys: string[] = [];
    for (const period of periodsFrom(series, first)) {
      // The first two are tried always: work before the start is registered in them.
      if (period.from > last_day && keys.length > 1) break;
      keys.push(period.key);
    }
    known.set(form, { first, keys });
    return { first, keys };
  };
}
