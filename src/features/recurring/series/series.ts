/** Defines a series in memory: its header, lines and period events; and presents a series as the API shows it. */

import type { Timestamp } from "../../../domain/base/brand.ts";
import { type CalendarDate, daysBetween } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { Printed } from "../../../domain/sales/printed.ts";
import {
  type IssueTiming,
  periodAt,
  periodsFrom,
  type Recurrence,
  type SeriesPeriod,
  timesOf,
} from "../../../domain/series/period.ts";
import {
  inputOf,
  type LineContent,
  linesAt,
  type SeriesLine,
} from "../../../domain/series/series.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type OccurrenceState, SeriesResource } from "./schemas.ts";

/** A series is read and written completely, while it is locked. */
export interface Series extends Recurrence {
  readonly id: string;
  readonly external_id: string | null;
  readonly customer_id: string;
  readonly currency: string;
  readonly timing: IssueTiming;
  readonly auto_send: boolean | null;
  /** The printed texts, which are copied to the invoices of the periods. */
  readonly printed: Printed;
  readonly status: "draft" | "active";
  readonly activated_on: CalendarDate | null;
  readonly cancelled_at: Timestamp | null;
  /** The end date before the first cancellation. */
  readonly end_before_cancel: CalendarDate | null;
  readonly is_discarded: boolean;
  readonly lines: readonly SeriesLine[];
  readonly period_events: ReadonlyMap<number, PeriodEvent>;
}

/** A period event; a period without one is scheduled. */
export type PeriodEvent =
  | (Invoiced & { readonly state: "issued"; readonly issue_date: CalendarDate })
  /** An invoice whose booking in an external ledger has no outcome yet. */
  | (Invoiced & { readonly state: "pending" })
  | { readonly state: "skipped" }
  | {
      readonly state: "failed";
      readonly attempts: number;
      readonly next_attempt_at: Timestamp | null;
    };

/** A period with the dates of its invoice. */
interface Invoiced {
  readonly invoice_id: string;
  readonly period: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly is_final_partial: boolean;
}

/** The data that decides the state of a period. */
export interface HistoryOfSeries
  extends Pick<Series, "end_date" | "cancelled_at" | "is_discarded"> {
  readonly period_events: ReadonlyMap<number, Pick<PeriodEvent, "state">>;
}

/** Whether a period still waits to be invoiced. */
export function isOpen(series: Pick<HistoryOfSeries, "period_events">, index: number): boolean {
  const state = series.period_events.get(index)?.state;
  return state === undefined || state === "failed" || state === "pending";
}

/** Returns the indexes of the periods that are issued or skipped, in order. */
export function settledPeriods(series: Series): number[] {
  return [...series.period_events.keys()]
    .filter((index) => !isOpen(series, index))
    .sort((a, b) => a - b);
}

/** The index before which every period is issued or skipped: the search for open periods begins here. */
export function firstUnsettled(series: Pick<HistoryOfSeries, "period_events">): number {
  let index = 0;
  while (series.period_events.has(index) && !isOpen(series, index)) index += 1;
  return index;
}

/** Returns the first period that is not issued, skipped or dropped; undefined when none is left. */
export function firstOpen(series: Series): SeriesPeriod | undefined {
  if (series.is_discarded) return undefined;
  for (const period of periodsFrom(series, firstUnsettled(series)))
    if (isOpen(series, period.index)) return period;
  return undefined;
}

/** Returns the series with the end date before any cancellation. */
export function uncancelled<
  Known extends Pick<Series, "cancelled_at" | "end_date" | "end_before_cancel">,
>(series: Known): Known {
  if (series.cancelled_at === null) return series;
  return { ...series, end_date: series.end_before_cancel };
}

/** Returns the status of an occurrence in the API. */
export function stateOf(series: HistoryOfSeries, period: SeriesPeriod): OccurrenceState {
  const period_event = series.period_events.get(period.index);
  if (period_event?.state === "issued") return "issued";
  if (series.cancelled_at !== null) {
    const after_end = series.end_date !== null && period.from > series.end_date;
    if (after_end || series.is_discarded) return "dropped";
  }
  return period_event === undefined || period_event.state === "pending"
    ? "scheduled"
    : period_event.state;
}

/** Returns a period as the API shows it: an issued period as it was when it was issued. */
export function shownPeriod(series: Series, period: SeriesPeriod): SeriesPeriod {
  const period_event = series.period_events.get(period.index);
  if (period_event?.state !== "issued" && period_event?.state !== "pending") {
    // A period cut by a cancellation is shown cut; a dropped period is shown as it was before the cancellation.
    return periodAt(series, period.index) ?? period;
  }
  return {
    ...period,
    key: period_event.period,
    from: period_event.from,
    to: period_event.to,
    days: daysBetween(period_event.from, period_event.to),
    is_final_partial: period_event.is_final_partial,
  };
}

/** Returns the next times at which the scheduler has work for the series. */
export function dueTimes(series: Series): {
  readonly next_due_on: CalendarDate | null;
  readonly next_retry_at: Timestamp | null;
} {
  if (series.status !== "active" || series.is_discarded) {
    return { next_due_on: null, next_retry_at: null };
  }
  const retries = [...series.period_events].flatMap(([index, period_event]) =>
    // A failed period after the end is not retried.
    period_event.state === "failed" &&
    period_event.next_attempt_at !== null &&
    periodAt(series, index)
      ? [period_event.next_attempt_at]
      : [],
  );
  return { next_due_on: nextDue(series), next_retry_at: retries.sort()[0] ?? null };
}

/** Returns the due day of the first waiting period that fell due since the activation. */
function nextDue(series: Series): CalendarDate | null {
  if (series.timing.mode === "manual") return null;
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    const { due_on } = timesOf(period, series.timing);
    const waits = series.period_events.get(period.index) === undefined;
    if (waits && due_on !== null && due_on >= (series.activated_on ?? "")) return due_on;
  }
  return null;
}

/** Returns the index of the period whose effective lines are shown: the first open period, otherwise the last. */
export function effectiveIndex(series: Series): number {
  const open = firstOpen(series);
  if (open) return open.index;
  return Math.max(0, ...[...series.period_events.keys()]);
}

/** Presents the series as the API shows it, with its effective lines. Nothing in the result depends on the current date. */
export function presentSeries(series: Series): JsonText {
  const { mode, offset_days } = series.timing;
  return jsonText(
    SeriesResource.parse({
      object: "recurring_series",
      id: series.id,
      external_id: series.external_id,
      customer_id: series.customer_id,
      currency: series.currency,
      frequency: series.frequency,
      start_date: series.start_date,
      end_date: series.end_date,
      issue_timing: offset_days === 0 ? { mode } : { mode, offset_days },
      status: series.status,
      cancelled_at: series.cancelled_at,
      lines: linesAt(series.lines, effectiveIndex(series), "effective").map(({ content }) =>
        presentContent(content, series.currency),
      ),
      ...(series.alignment === "calendar" ? { alignment: series.alignment } : {}),
      ...(series.auto_send === null ? {} : { auto_send: series.auto_send }),
      ...series.printed,
    }),
  );
}

/** Presents a line's content with JSON numbers; with a budget only when there is one. */
export function presentContent(content: LineContent, currency: string) {
  const {
    service_from: _,
    service_to: __,
    budget_hours,
    ...shown
  } = inputOf(content, currencyDigits(currency));
  return { ...shown, ...(budget_hours === null ? {} : { budget_hours }) };
}
