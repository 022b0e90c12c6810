/** Issues due periods one at a time, each in its own transaction: with an external ledger, or after a failed batch. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { isTransient, isUnavailable } from "../../../platform/database/unavailable.ts";
import {
  type Begun,
  carryOutBooking,
  complete,
  planBooking,
} from "../../ledger/booking/booking-command.ts";
import { type LoadedSeries, lockSeries } from "../series/queries.ts";
import type { Series } from "../series/series.ts";
import { updateDue } from "../series/store-due.ts";
import { occurrenceBookable, recordFailure, withPending } from "./bookable.ts";
import { nextDue } from "./find-next-due.ts";
import { MOST_PERIODS_OF_A_SERIES, type PeriodOutcome, reportFailure } from "./issue-batch.ts";
import { readPeriod } from "./issue-occurrence.ts";
import { afterUnissued, emptyPeriod, storeUnissued } from "./store-outcomes.ts";

const WORKERS = 4;

/** Issues the due periods of series until the deadline; reports each outcome. Throws only when the database is unavailable. */
export async function issueOneByOne(
  cx: Context,
  series_ids: readonly string[],
  today: CalendarDate,
  deadline: number,
  onOutcome: (outcome: PeriodOutcome) => void,
): Promise<void> {
  let away: unknown;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let id = series_ids[next++]; id !== undefined; id = series_ids[next++]) {
      if (away !== undefined || Date.now() >= deadline) return;
      await issueDue(cx, id, today, deadline, onOutcome).catch((error: unknown) => {
        // Due periods stay due until the database is back.
        if (isUnavailable(error)) away = error;
        else cx.log.error({ err: error, series_id: id }, "a series could not be looked at");
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  if (away !== undefined) throw away;
}

/** Issues the due periods of one series, one after the other. */
async function issueDue(
  cx: Context,
  series_id: string,
  today: CalendarDate,
  deadline: number,
  onOutcome: (outcome: PeriodOutcome) => void,
): Promise<void> {
  const tried = new Set<number>();
  while (tried.size < MOST_PERIODS_OF_A_SERIES && Date.now() < deadline) {
    const done = await issueNext(cx, series_id, today, tried);
    if (done === null) return;
    onOutcome(done.outcome);
    if (!done.has_more) return;
  }
}

interface Done {
  readonly outcome: PeriodOutcome;
  /** Whether another period of the series is due after this one. */
  readonly has_more: boolean;
}

/** Issues the next due period in its own transaction, with the series locked; returns null when no period is due. */
async function issueNext(
  cx: Context,
  series_id: string,
  today: CalendarDate,
  tried: Set<number>,
): Promise<Done | null> {
  let period: SeriesPeriod | undefined;
  let failures = 0;
  const next = (series: Series): SeriesPeriod | undefined =>
    nextDue(series, today, cx.clock.now(), tried);
  const begin = async (tx: Tx) => {
    const loaded = await lockSeries(tx, series_id);
    period = next(loaded.series);
    if (period === undefined) {
      // The stored due date is or was wrong, and is corrected here.
      updateDue(tx, [loaded.series]);
      return null;
    }
    const period_event = loaded.series.period_events.get(period.index);
    failures = period_event?.state === "failed" ? period_event.attempts : 0;
    return { period, ...(await issueOrSkip(tx, loaded, period)) };
  };
  try {
    const done = await transact(cx, begin);
    if (done === null) return null;
    const { begun, after } = done;
    tried.add(done.period.index);
    const has_more = next(after) !== undefined;
    const named = { series_id, period: done.period.key };
    if (begun === null) {
      return { outcome: { kind: "skipped", ...named, reason: "nothing_to_invoice" }, has_more };
    }
    return { outcome: { ...named, ...(await completed(cx, series_id, begun)) }, has_more };
  } catch (error) {
    // An unavailable or overloaded database is not a failure of the period.
    if (period === undefined || isTransient(error)) throw error;
    tried.add(period.index);
    const failed = reportFailure(cx, series_id, error);
    if (failed.code !== "INVOICE_ISSUE_IN_PROGRESS") {
      await recordFailure(cx, series_id, period.index, failed.code, failures);
    }
    return { outcome: { series_id, period: period.key, ...failed }, has_more: true };
  }
}

/** Completes a booking that has begun. The effect of a refusal is stored with the refusal. */
async function completed(cx: Context, series_id: string, begun: Begun) {
  try {
    const issued = await complete(cx, occurrenceBookable, begun);
    return { kind: "issued", invoice_id: JSON.parse(issued.document).id as string } as const;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return reportFailure(cx, series_id, error);
  }
}

/** Issues the period, or marks it as skipped when there is nothing to invoice. Returns the series after that. */
async function issueOrSkip(
  tx: Tx,
  loaded: LoadedSeries,
  period: SeriesPeriod,
): Promise<{ readonly begun: Begun | null; readonly after: Series }> {
  try {
    const facts = await readPeriod(tx, loaded, period);
    const plan = await planBooking(tx, occurrenceBookable, facts);
    // An earlier attempt is in progress; the worker resumes it.
    if ("resume" in plan) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
    const begun = await carryOutBooking(tx, occurrenceBookable, plan);
    return { begun, after: withPending(facts) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "INVOICE_EMPTY") throw error;
    const empty = emptyPeriod(loaded.series, period);
    const after = afterUnissued(empty);
    storeUnissued(tx, [empty]);
    updateDue(tx, [after]);
    return { begun: null, after };
  }
}
