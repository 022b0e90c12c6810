/** Finds the next period of a series that the scheduler issues; the series alone determines this period. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import {
  periodAt,
  periodsFrom,
  type SeriesPeriod,
  timesOf,
} from "../../../domain/series/period.ts";
import { firstUnsettled, type Series } from "../series/series.ts";

/** Returns the oldest waiting period that has fallen due since the activation, or a period whose retry is due. */
export function nextDue(
  series: Series,
  today: CalendarDate,
  now: string,
  tried: ReadonlySet<number>,
): SeriesPeriod | undefined {
  if (series.status !== "active" || series.is_discarded) return undefined;
  const isTried = (index: number): boolean => tried.has(index);
  const retry = retriesDue(series, now).find((period) => !isTried(period.index));
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (retry !== undefined && period.index >= retry.index) return retry;
    const { due_on } = timesOf(period, series.timing);
    // Later periods fall due later; failed periods are due by their retry.
    if (due_on === null || due_on > today) return retry;
    if (isTried(period.index) || series.period_events.has(period.index)) continue;
    if (due_on >= (series.activated_on ?? "")) return period;
  }
  return retry;
}

/** Returns at most `most` periods that have fallen due or whose retry is due, in the order of their issue. */
export function duePeriods(
  series: Series,
  today: CalendarDate,
  now: string,
  most: number,
): SeriesPeriod[] {
  const found: SeriesPeriod[] = [];
  const tried = new Set<number>();
  while (found.length < most) {
    const period = nextDue(series, today, now, tried);
    if (period === undefined) break;
    tried.add(period.index);
    found.push(period);
  }
  return found;
}

/** Returns failed periods whose retry is due, in order; including periods that a person issued before they fell due. */
function retriesDue(series: Series, now: string): SeriesPeriod[] {
  return [...series.period_events]
    .flatMap(([index, period_event]) => {
      if (period_event.state !== "failed" || (period_event.next_attempt_at ?? "~") > now) return [];
      return periodAt(series, index) ?? [];
    })
    .sort((a, b) => a.index - b.index);
}
