/** What is next for a retainer: its first open period, with the day of the invoice and whether a person has to act. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { type SeriesPeriod, timesOf } from "../../domain/series/period.ts";
import type { Series } from "../../features/recurring/series/series.ts";

/**
 * `scheduled` is issued automatically on its day, `late` fell due before the activation and waits for a person, `manual` always
 * waits for a person, `failed` was refused, `pending` has a booking in progress, and `draft` waits for the activation.
 */
export type NextState = "scheduled" | "late" | "manual" | "failed" | "pending" | "draft";

export interface NextOfSeries {
  readonly key: string;
  /** The planned date of the invoice. */
  readonly day: CalendarDate;
  readonly state: NextState;
}

type Timed = Pick<Series, "period_events" | "status" | "timing" | "activated_on">;

/** Returns the state of an open period. */
export function nextOf(series: Timed, period: SeriesPeriod): NextOfSeries {
  const { issue_date, due_on } = timesOf(period, series.timing);
  return { key: period.key, day: issue_date, state: stateOf(series, period.index, due_on) };
}

function stateOf(series: Timed, index: number, due_on: CalendarDate | null): NextState {
  const event = series.period_events.get(index)?.state;
  if (event === "failed" || event === "pending") return event;
  if (series.status === "draft") return "draft";
  if (due_on === null) return "manual";
  return due_on < (series.activated_on ?? "") ? "late" : "scheduled";
}
