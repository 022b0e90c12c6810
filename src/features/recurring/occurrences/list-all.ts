/** Lists occurrences of all series by first day, from the headers alone. Only occurrences on the page are priced. */
import type * as z from "zod";
import { addYears, type CalendarDate, calendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { type PlaceInRow, periodsByDay, type Recurring } from "../../../domain/series/by-day.ts";
import { countPeriods, type SeriesPeriod } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import {
  cursorFrom,
  envelope,
  positionFrom,
  strangeCursor,
} from "../../../platform/database/page.ts";
import { findStored } from "../../../platform/database/resources.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { todayOf } from "../series/activate.ts";
import { findManySeries } from "../series/queries.ts";
import { type Series, stateOf, uncancelled } from "../series/series.ts";
import { shownOccurrence } from "./present.ts";
import { type PricedPeriod, pricedPeriods } from "./price-periods.ts";
import { type AllOccurrencesQuery, OccurrenceRow } from "./schemas.ts";

const PLACE = /^\d{4}-\d\d-\d\d [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The number of periods whose events are read together. */
const LOOKED_AT = 100;

/**
 * Returns a page of occurrences by the first day of their periods: those that start from `from` (default today) through `to`
 * (default a year later). Dropped occurrences are left out unless requested. An unknown customer gives an empty list. Throws
 * VALIDATION_FAILED for a cursor that this service did not issue.
 */
export async function listAllOccurrences(cx: Reader, page: AllOccurrencesQuery): Promise<JsonText> {
  const from = page.from ?? (await todayOf(cx));
  const range = { from, to: page.to ?? addYears(from, 1) };
  const after = page.cursor === undefined ? null : placeFrom(page.cursor);
  const candidates = await findCandidates(cx, page, range);
  const found: Placed[] = [];
  const row = periodsByDay(candidates, range, after);
  for (;;) {
    // Without a filter all occurrences are shown, so none is read unnecessarily.
    const wanted = page.status === undefined ? page.limit + 1 : LOOKED_AT;
    const some = taken(row, wanted);
    found.push(...(await inState(cx, some, page.status)));
    if (some.length < wanted || found.length > page.limit) break;
  }
  const shown = found.slice(0, page.limit);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  const next_cursor = last
    ? cursorFrom({ id: `${last.period.from} ${last.series.id}`, horizon: null })
    : null;
  const rows = (await pricedPeriods(cx, shown)).map((row) => jsonText(shownRow(row)));
  return envelope(rows, next_cursor);
}

function placeFrom(cursor: string): PlaceInRow {
  const [from = "", id = ""] = positionFrom(cursor, PLACE).id.split(" ");
  const day = calendarDate(from);
  if (day === undefined) throw strangeCursor();
  return { from: day, id };
}

/** Returns the series that may have such occurrences in the range, as far as their headers show. */
async function findCandidates(
  cx: Reader,
  { customer, series_status, status }: AllOccurrencesQuery,
  { from, to }: { readonly from: CalendarDate; readonly to: CalendarDate },
): Promise<Recurring[]> {
  const billed = customer === undefined ? null : await findStored(cx, "customers", customer);
  if (billed === undefined) return [];
  const { account_id } = cx.caller;
  const of_customer = billed === null ? sql`` : sql`and customer_id = ${billed.id}`;
  const in_status = series_status === undefined ? sql`` : sql`and s.status = ${series_status}`;
  const rows = await cx.rows<
    Header & { readonly standing_index: number }
  >(sql`select id, frequency, alignment, start_date, end_date, cancelled_at, end_before_cancel,
       standing_index
     from recurring_series s where account_id = ${account_id} and not is_discarded and start_date <= ${to}
       and (end_date is null or end_date >= ${from} or cancelled_at is not null)
       ${of_customer} ${in_status} ${mayHave(cx, status, from, to)}`);
  return rows.map(({ standing_index, ...header }): Recurring => {
    // Before the effective index every period is issued or skipped; after the end of a cancelled series every period is dropped.
    if (status === "scheduled") return { ...header, first_index: standing_index };
    if (status !== "dropped") return { ...header, first_index: 0 };
    const { end_date } = header;
    const first_index = end_date === null ? 0 : countPeriods(header, end_date);
    return { ...uncancelled(header), first_index };
  });
}

type Header = Pick<
  Series,
  | "id"
  | "frequency"
  | "alignment"
  | "start_date"
  | "end_date"
  | "cancelled_at"
  | "end_before_cancel"
>;

/** Returns the SQL condition that excludes series without an occurrence in the state, where an index shows it. */
function mayHave(
  { caller: { account_id } }: Reader,
  status: AllOccurrencesQuery["status"],
  from: CalendarDate,
  to: CalendarDate,
): Sql {
  switch (status) {
    case "issued":
      return sql`and exists (select from invoices i where i.account_id = ${account_id} and i.series_id = s.id
        and i.status = 'issued' and i.period_from between ${from} and ${to})`;
    case "failed":
    case "skipped":
      return sql`and exists (select from occurrences o where o.account_id = ${account_id} and o.series_id = s.id
        and o.state = ${status})`;
    case "dropped":
      return sql`and cancelled_at is not null`;
    default:
      return sql``;
  }
}

type Placed = Omit<PricedPeriod, "net">;

/** Returns the next items of an iterator, at most `most`. */
function taken<Item>(row: Iterator<Item>, most: number): Item[] {
  const some: Item[] = [];
  while (some.length < most) {
    const next = row.next();
    if (next.done === true) break;
    some.push(next.value);
  }
  return some;
}

/** Returns the occurrences in the state; without a state all occurrences other than dropped ones. */
async function inState(
  cx: Reader,
  some: readonly { readonly series: Recurring; readonly period: SeriesPeriod }[],
  status: AllOccurrencesQuery["status"],
): Promise<Placed[]> {
  const ids = some.map(({ series }) => series.id);
  const many = await findManySeries(cx, ids);
  return some.flatMap(({ series: { id }, period }): Placed[] => {
    const series = many.get(id);
    if (series === undefined) return [];
    const state = stateOf(series, period);
    const is_wanted = status === undefined ? state !== "dropped" : state === status;
    return is_wanted ? [{ series, period }] : [];
  });
}

/** Returns an occurrence as the list of all series shows it. */
export function shownRow({ series, period, net }: PricedPeriod): z.output<typeof OccurrenceRow> {
  const { customer_id, currency } = series;
  return OccurrenceRow.parse({
    ...shownOccurrence(series, period),
    customer_id,
    currency,
    net: scaledToNumber(net, currencyDigits(currency)),
  });
}
