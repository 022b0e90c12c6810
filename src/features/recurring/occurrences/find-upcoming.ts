/** Finds the period of a series that is invoiced next, apart from earlier ones that wait for a person, failed or were skipped. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import {
  periodAt,
  periodsFrom,
  type SeriesPeriod,
  timesOf,
} from "../../../domain/series/period.ts";
import { isScheduled } from "../../../domain/series/scheduled.ts";
import { firstOpen, firstUnsettled, type Series } from "../series/series.ts";

/** A period that is not the next one: left to a person, being booked, failed, or skipped. */
interface PeriodApart {
  readonly state: "waits" | "booking" | "failed" | "skipped";
  readonly period: SeriesPeriod;
}

export interface Upcoming {
  readonly next: SeriesPeriod | undefined;
  /** In the order of the periods. */
  readonly apart: readonly PeriodApart[];
}

/**
 * Returns the period that the scheduler issues next. Without a scheduler (manual timing) it is the first one that is planned today
 * or later, and for a draft the first one. Skipped periods are apart only if they are planned today or later.
 */
export function upcomingOf(series: Series, today: CalendarDate): Upcoming {
  if (series.status === "draft" || series.is_discarded) {
    return { next: firstOpen(series), apart: [] };
  }
  const start = firstUnsettled(series);
  const apart = skippedBefore(series, start, today);
  for (const period of periodsFrom(series, start)) {
    const { issue_date, due_on } = timesOf(period, series.timing);
    const state = stateApart(series, period.index);
    const is_past = issue_date < today;
    if (state !== undefined) {
      if (state !== "skipped" || !is_past) apart.push({ state, period });
    } else if (!series.period_events.has(period.index)) {
      const is_next = due_on === null ? !is_past : isScheduled(due_on, series.activated_on);
      if (is_next) return { next: period, apart: [...apart, ...failedAfter(series, period.index)] };
      apart.push({ state: "waits", period });
    }
  }
  return { next: undefined, apart };
}

/** Returns the skipped periods right before an index that are planned today or later. */
function skippedBefore(series: Series, index: number, today: CalendarDate): PeriodApart[] {
  const found: PeriodApart[] = [];
  for (let at = index - 1; at >= 0; at -= 1) {
    const period = periodAt(series, at);
    if (period === undefined || timesOf(period, series.timing).issue_date < today) break;
    if (stateApart(series, at) === "skipped") found.unshift({ state: "skipped", period });
  }
  return found;
}

function stateApart(series: Series, index: number): PeriodApart["state"] | undefined {
  const state = series.period_events.get(index)?.state;
  if (state === "pending") return "booking";
  return state === "issued" ? undefined : state;
}

/** Returns the failed periods after an index: a person had tried to issue them early. */
function failedAfter(series: Series, after: number): PeriodApart[] {
  return [...series.period_events]
    .filter(([index, { state }]) => index > after && state === "failed")
    .sort(([a], [b]) => a - b)
    .flatMap(([index]): PeriodApart[] => {
      const period = periodAt(series, index);
      return period === undefined ? [] : [{ state: "failed", period }];
    });
}
