/** Yields the periods of many series as one sequence by their first days. Each is created only when requested. */
import { addDays, type CalendarDate } from "../base/calendar.ts";
import { countPeriods, periodAt, type Recurrence, type SeriesPeriod } from "./period.ts";

/** The properties of a series that its periods need. */
export interface Recurring extends Recurrence {
  readonly id: string;
  /** The index of the first requested period. */
  readonly first_index: number;
}

/** A position in the sequence: periods that start on the same day are in the order of their series' ids. */
export interface PlaceInRow {
  readonly from: CalendarDate;
  readonly id: string;
}

interface Waiting<Series> extends PlaceInRow {
  readonly series: Series;
  readonly period: SeriesPeriod;
}

/** Yields the periods that start in the range, after a position if one is given. */
export function* periodsByDay<Series extends Recurring>(
  many: readonly Series[],
  range: { readonly from: CalendarDate; readonly to: CalendarDate },
  after: PlaceInRow | null = null,
): Generator<{ readonly series: Series; readonly period: SeriesPeriod }> {
  const from = after !== null && after.from > range.from ? after.from : range.from;
  // The next period is at the end of the array, where removing it does not move the others.
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

/** Returns the index at which a period belongs among the waiting periods. */
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
