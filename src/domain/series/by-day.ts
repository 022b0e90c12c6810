/** The periods of many series as one row in the order of their first days; none is made before it is asked for. */
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { countPeriods, periodAt, type Recurrence, type SeriesPeriod } from "./period.ts";

/** A series as far as its periods need it. */
export interface Recurring extends Recurrence {
  readonly id: string;
  /** The period before which none is wanted. */
  readonly first_index: number;
}

/** A place in the row: what starts on the same day stands in the order of its series' ids. */
export interface PlaceInRow {
  readonly from: CalendarDate;
  readonly id: string;
}

interface Waiting<Series> extends PlaceInRow {
  readonly series: Series;
  readonly period: SeriesPeriod;
}

/** The periods that start in the range, behind a place where one is given. */
export function* periodsByDay<Series extends Recurring>(
  many: readonly Series[],
  range: { readonly from: CalendarDate; readonly to: CalendarDate },
  after: PlaceInRow | null = null,
): Generator<{ readonly series: Series; readonly period: SeriesPeriod }> {
  const from = after !== null && after.from > range.from ? after.from : range.from;
  // The last is the next: it is taken away without moving the others.
  const waiting = many
    .flatMap((series) => {
      const index = Math.max(series.first_index, countPeriods(series, addDays(from, -1)));
      return waitingAt(series, index, range.to);
    })
    .sort(laterFirst);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { series, period } = next;
    if (after === null || isBehind(next, after)) yield { series, period };
    for (const following of waitingAt(series, period.index + 1, range.to)) {
      waiting.splice(placeOf(waiting, following), 0, following);
    }
  }
}

function waitingAt<Series extends Recurring>(
  series: Series,
  index: number,
  to: CalendarDate,
): Waiting<Series>[] {
  const period = periodAt(series, index);
  if (period === undefined || period.from > to) return [];
  return [{ series, period, from: period.from, id: series.id }];
}

function isBehind(one: PlaceInRow, other: PlaceInRow): boolean {
  return one.from > other.from || (one.from === other.from && one.id > other.id);
}

function laterFirst(one: PlaceInRow, other: PlaceInRow): number {
  return isBehind(one, other) ? -1 : 1;
}

/** Where a period belongs among those that wait. */
function placeOf(waiting: readonly PlaceInRow[], one: PlaceInRow): number {
  let low = 0;
  let high = waiting.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(waiting[middle] ?? one, one)) low = middle + 1;
    else high = middle;
  }
  return low;
}
