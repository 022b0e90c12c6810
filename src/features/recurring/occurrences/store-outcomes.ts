/** What is stored of periods that were not issued: that they failed, or that there is nothing to invoice (spec 4.5 and 4.7). */
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import type { Happened, Series } from "../series/series.ts";
import { presentOccurrence } from "./present.ts";

/** Hours until a failed period is tried again by itself; after the last one only by hand (spec 4.7). */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/** A period that was not issued, with what it is from now on; the series is that of before. */
export interface Unissued {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly happened: Extract<Happened, { state: "failed" | "skipped" }>;
  /** Of a failure its code. */
  readonly reason: string;
  /** What a run tells of it. */
  readonly message: string;
}

/** A period that has failed so many times, this one included; tried again by the account's clock. */
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
  const happened = { state: "failed", attempts, next_attempt_at } as const;
  return { series, period, happened, reason: code, message };
}

/** A period of which nothing is to be invoiced. */
export function emptyPeriod(series: Series, period: SeriesPeriod): Unissued {
  const happened = { state: "skipped" } as const;
  return { series, period, happened, reason: "nothing_to_invoice", message: "" };
}

/** The series after that. */
export function afterUnissued({ series, period, happened }: Unissued): Series {
  return { ...series, happened: new Map(series.happened).set(period.index, happened) };
}

/** Stores what became of periods, with an audit event for each; the series themselves are the caller's to write. */
export function storeUnissued(tx: Tx, unissued: readonly Unissued[]): void {
  if (unissued.length === 0) return;
  const { columns, table } = tableOf(unissued, {
    series_id: ["uuid", ({ series }) => series.id],
    period_index: ["int", ({ period }) => period.index],
    state: ["text", ({ happened }) => happened.state],
    reason: ["text", ({ happened, reason }) => (happened.state === "skipped" ? reason : null)],
    failure_code: ["text", ({ happened, reason }) => (happened.state === "failed" ? reason : null)],
    attempts: ["int", (one) => attemptsOf(one)],
    next_attempt_at: ["timestamptz", ({ happened }) => retryOf(happened)],
  });
  tx.write(sql`insert into occurrences (account_id, ${columns})
     select ${tx.caller.account_id}, o.* from ${table} as o
     on conflict (account_id, series_id, period_index) do update set state = excluded.state,
       reason = excluded.reason, failure_code = excluded.failure_code, attempts = excluded.attempts,
       next_attempt_at = excluded.next_attempt_at, updated_at = clock_timestamp()`);
  for (const one of unissued) {
    const { series, period, happened, reason } = one;
    tx.audit("occurrence", `${series.id}/${period.key}`, happened.state, {
      before: presentOccurrence(series, period),
      after: presentOccurrence(afterUnissued(one), period),
      reason,
    });
  }
}

/** A skip keeps how often the period had failed before it. */
function attemptsOf({ series, period, happened }: Unissued): number {
  if (happened.state === "failed") return happened.attempts;
  const before = series.happened.get(period.index);
  return before?.state === "failed" ? before.attempts : 0;
}

function retryOf(happened: Unissued["happened"]): string | null {
  return happened.state === "failed" ? happened.next_attempt_at : null;
}
