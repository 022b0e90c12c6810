/** Stores periods that were not issued: failed periods, and periods with nothing to invoice (spec 4.5 and 4.7). */
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import type { PeriodEvent, Series } from "../series/series.ts";
import { presentOccurrence } from "./present.ts";

/** The hours until each retry of a failed period by the scheduler; after the last retry only a person can retry (spec 4.7). */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/** A period that was not issued, with its new state; the series is as it was before this. */
export interface Unissued {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly period_event: Extract<PeriodEvent, { state: "failed" | "skipped" }>;
  /** The reason of the skip, or the code of the failure. */
  readonly reason: string;
  /** The message that a run reports. */
  readonly message: string;
}

/** Returns a failed period; `attempts` is the number of its failures, including this one. Retries follow the account's clock. */
export function failedPeriod(
  { clock }: Pick<Tx, "clock">,
  series: Series,
  period: SeriesPeriod,
  code: string,
  attempts: number,
  message = "",
): Unissued {
  const hours = HOURS_UNTIL_RETRY[attempts - 1];
  const now = Date.parse(clock.now());
  const next_attempt_at = hours === undefined ? null : timestampOf(now + hours * 3_600_000);
  const period_event = { state: "failed", attempts, next_attempt_at } as const;
  return { series, period, period_event, reason: code, message };
}

/** Returns a period that is skipped because it has nothing to invoice. */
export function emptyPeriod(series: Series, period: SeriesPeriod): Unissued {
  const period_event = { state: "skipped" } as const;
  return { series, period, period_event, reason: "nothing_to_invoice", message: "" };
}

/** Returns the series after the period event. */
export function afterUnissued({ series, period, period_event }: Unissued): Series {
  return {
    ...series,
    period_events: new Map(series.period_events).set(period.index, period_event),
  };
}

/** Stores the period events, with an audit event for each; the caller writes the series. */
export function storeUnissued(tx: Tx, unissued: readonly Unissued[]): void {
  if (unissued.length === 0) return;
  const { columns, table } = tableOf(unissued, {
    series_id: ["uuid", ({ series }) => series.id],
    period_index: ["int", ({ period }) => period.index],
    state: ["text", ({ period_event }) => period_event.state],
    reason: [
      "text",
      ({ period_event, reason }) => (period_event.state === "skipped" ? reason : null),
    ],
    failure_code: [
      "text",
      ({ period_event, reason }) => (period_event.state === "failed" ? reason : null),
    ],
    attempts: ["int", (one) => attemptsOf(one)],
    next_attempt_at: ["timestamptz", ({ period_event }) => retryOf(period_event)],
  });
  tx.write(sql`insert into occurrences (account_id, updated_at, ${columns})
     select ${tx.caller.account_id}, clock_timestamp(), o.* from ${table} as o
     on conflict (account_id, series_id, period_index) do update set state = excluded.state,
       reason = excluded.reason, failure_code = excluded.failure_code, attempts = excluded.attempts,
       next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at`);
  for (const one of unissued) {
    const { series, period, period_event, reason } = one;
    tx.audit("occurrence", `${series.id}/${period.key}`, period_event.state, {
      before: presentOccurrence(series, period),
      after: presentOccurrence(afterUnissued(one), period),
      customer_id: series.customer_id,
      reason,
    });
  }
}

/** Returns the number of failures to store: a skip keeps the number of earlier failures of the period. */
function attemptsOf({ series, period, period_event }: Unissued): number {
  if (period_event.state === "failed") return period_event.attempts;
  const before = series.period_events.get(period.index);
  return before?.state === "failed" ? before.attempts : 0;
}

function retryOf(period_event: Unissued["period_event"]): string | null {
  return period_event.state === "failed" ? period_event.next_attempt_at : null;
}
