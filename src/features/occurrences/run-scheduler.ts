/**
 * The scheduler (spec 4.7): issues what has fallen due, oldest first, each period in its own
 * transaction. What is due follows from the series and what exists, never from a last run: after
 * downtime the missed periods are simply due.
 */

import type { CalendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../domain/series/period.ts";
import type { Context, Reader } from "../../platform/context.ts";
import { refreshStatistics } from "../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../platform/database/sql.ts";
import { isUnavailable } from "../../platform/database/unavailable.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { type Tx, transact } from "../../platform/tx.ts";
import { type Begun, carryOutBooking, complete, planBooking } from "../booking/booking-command.ts";
import { issueQueuedCreditNotes } from "../credit-notes/queue.ts";
import { todayOf } from "../series/activate.ts";
import { type LoadedSeries, lockSeries, updateSeries } from "../series/queries.ts";
import type { Series } from "../series/series.ts";
import { occurrenceBookable, recordFailure, withPending } from "./bookable.ts";
import { nextDue } from "./find-next-due.ts";
import { readPeriod } from "./issue-occurrence.ts";
import { presentOccurrence } from "./present.ts";
import type { SchedulerRun } from "./schemas.ts";
import { markSkipped } from "./skip.ts";

/** More missed periods of one series wait for the next run: a mistaken start date is no flood. */
const MOST_PERIODS_OF_A_SERIES = 24;
const SERIES_AT_A_TIME = 100;
const WORKERS = 4;
/** The tables that a run fills. */
const GROWING = [
  "invoices",
  "invoice_lines",
  "ledger_entries",
  "ledger_postings",
  "issued_documents",
  "audit_events",
  "recurring_series",
] as const;

type Outcome = {
  /** Whether another period of the series is due after this one. */
  readonly has_more: boolean;
  readonly period: string;
} & (
  | { readonly kind: "issued"; readonly invoice_id: string }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
);

/**
 * One run for the context's account, by its clock; answers what was issued, skipped and refused. It ends
 * after `most_ms` milliseconds, whatever is left: the worker goes on with that (spec 4.7).
 */
export async function runScheduler(cx: Context, most_ms: number): Promise<SchedulerRun> {
  const deadline = Date.now() + most_ms;
  const today = await todayOf(cx);
  const outcome: SchedulerRun = {
    object: "scheduler_run",
    started_at: cx.clock.now(),
    issued: [],
    skipped: [],
    failed: [],
    credit_notes_issued: [],
    credit_notes_failed: [],
    remaining: 0,
  };
  const seen = new Set<string>();
  let after: DueSeries | null = null;
  let next_statistics = SERIES_AT_A_TIME;
  while (Date.now() < deadline) {
    const due: DueSeries[] = await dueSeries(cx, today, after);
    if (due.length === 0) break;
    let away: unknown;
    await inParallel(due, async ({ id }) => {
      // One with more missed periods than a run issues is due again, at a later place.
      if (away !== undefined || Date.now() >= deadline || seen.has(id)) return;
      seen.add(id);
      await issueDue(cx, id, today, deadline, outcome).catch((error: unknown) => {
        // What is due stays due until the database is back.
        if (isUnavailable(error)) away = error;
        else cx.log.error({ err: error, series_id: id }, "a series could not be looked at");
      });
    });
    if (away !== undefined) throw away;
    after = due.at(-1) ?? null;
    if (outcome.issued.length >= next_statistics) {
      await refreshStatistics(cx.db, GROWING);
      next_statistics *= 8;
    }
  }
  const credits = await issueQueuedCreditNotes(cx, deadline);
  return { ...outcome, ...credits, remaining: await countWaiting(cx, today) };
}

interface DueSeries {
  readonly id: string;
  readonly due: CalendarDate;
}

function isDue(cx: Reader, today: CalendarDate): Sql {
  return sql`account_id = ${cx.caller.account_id}
    and (next_due_on <= ${today} or next_retry_at <= ${cx.clock.now()})`;
}

/** Some series with something due, the oldest first, after those that this run has been through. */
function dueSeries(cx: Reader, today: CalendarDate, after: DueSeries | null): Promise<DueSeries[]> {
  const due = sql`coalesce(next_due_on, ${today})`;
  const unseen = after === null ? raw("") : sql`and (${due}, id) > (${after.due}, ${after.id})`;
  return cx.rows(sql`select id, ${due} as due from recurring_series
    where ${isDue(cx, today)} ${unseen} order by ${due}, id limit ${SERIES_AT_A_TIME}`);
}

/** Series that still have something due: those the run did not come to, or not to the end of. */
async function countWaiting(cx: Reader, today: CalendarDate): Promise<number> {
  const found = await cx.row<{ count: bigint }>(
    sql`select count(*) as count from recurring_series where ${isDue(cx, today)}`,
  );
  return Number(found?.count ?? 0n);
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

/** Issues what is due of one series, period after period. */
async function issueDue(
  cx: Context,
  series_id: string,
  today: CalendarDate,
  deadline: number,
  run_outcome: SchedulerRun,
): Promise<void> {
  const tried = new Set<number>();
  while (tried.size < MOST_PERIODS_OF_A_SERIES && Date.now() < deadline) {
    const outcome = await issueNext(cx, series_id, today, tried);
    if (outcome === null) return;
    const { kind, has_more, ...entry } = outcome;
    (run_outcome[kind] as object[]).push({ series_id, ...entry });
    if (!has_more) return;
  }
}

/** One period in its own transaction, under the series' lock; null when none is due. */
async function issueNext(
  cx: Context,
  series_id: string,
  today: CalendarDate,
  tried: Set<number>,
): Promise<Outcome | null> {
  let period: SeriesPeriod | undefined;
  let failures = 0;
  const next = (series: Series): SeriesPeriod | undefined =>
    nextDue(series, today, cx.clock.now(), tried);
  const begin = async (tx: Tx) => {
    const loaded = await lockSeries(tx, series_id);
    period = next(loaded.series);
    if (period === undefined) {
      // The mark that brought us here was wrong, or is by now: it is put right.
      updateSeries(tx, loaded.series);
      return null;
    }
    const happened = loaded.series.happened.get(period.index);
    failures = happened?.state === "failed" ? happened.attempts : 0;
    return { period, ...(await issueOrSkip(tx, loaded, period)) };
  };
  try {
    const done = await transact(cx, begin);
    if (done === null) return null;
    const { begun, after } = done;
    tried.add(done.period.index);
    const entry = { period: done.period.key, has_more: next(after) !== undefined };
    if (begun === null) return { kind: "skipped", ...entry, reason: "nothing_to_invoice" };
    return { ...(await completed(cx, series_id, begun)), ...entry };
  } catch (error) {
    // A database that is away is no failure of the period.
    if (period === undefined || isUnavailable(error)) throw error;
    tried.add(period.index);
    const outcome = outcomeOf(cx, series_id, error);
    if (outcome.code !== "INVOICE_ISSUE_IN_PROGRESS") {
      await recordFailure(cx, series_id, period.index, outcome.code, failures);
    }
    return { ...outcome, period: period.key, has_more: true };
  }
}

/** How a booking that was begun ends. What a refusal leaves behind is stored with it. */
async function completed(cx: Context, series_id: string, begun: Begun) {
  try {
    const issued = await complete(cx, occurrenceBookable, begun);
    return { kind: "issued", invoice_id: JSON.parse(issued.document).id as string } as const;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return outcomeOf(cx, series_id, error);
  }
}

/** Issues the period; marks it as skipped when there is nothing to invoice. Answers the series after that. */
async function issueOrSkip(
  tx: Tx,
  loaded: LoadedSeries,
  period: SeriesPeriod,
): Promise<{ readonly begun: Begun | null; readonly after: Series }> {
  try {
    const facts = await readPeriod(tx, loaded, period);
    const plan = await planBooking(tx, occurrenceBookable, facts);
    // Somebody's earlier attempt is under way: its worker goes on with it.
    if ("resume" in plan) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
    const begun = await carryOutBooking(tx, occurrenceBookable, plan);
    return { begun, after: withPending(facts) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "INVOICE_EMPTY") throw error;
    const { series } = loaded;
    const before = presentOccurrence(series, period);
    await markSkipped(tx, series.id, period.index, "nothing_to_invoice");
    const after: Series = {
      ...series,
      happened: new Map(series.happened).set(period.index, { state: "skipped" }),
    };
    updateSeries(tx, after);
    tx.audit("occurrence", `${series.id}/${period.key}`, "skipped", {
      before,
      after: presentOccurrence(after, period),
      reason: "nothing_to_invoice",
    });
    return { begun: null, after };
  }
}

/** A period that could not be issued; nothing fails silently. */
function outcomeOf(cx: Reader, series_id: string, error: unknown) {
  const problem = error instanceof Problem ? error : undefined;
  if (problem === undefined)
    cx.log.error({ err: error, series_id }, "a period could not be issued");
  const code = problem?.code ?? "INTERNAL_ERROR";
  const message = problem?.message ?? "Something went wrong on our side.";
  return { kind: "failed", code, message } as const;
}

/**
 * One round over all accounts whose clock runs; what is due anywhere is issued. Answers whether another
 * round should follow at once.
 */
export async function runAllSchedulers(
  services: Services,
  most_ms: number,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  const accounts = await services.db.rows<{
    id: string;
  }>(sql`select a.id from accounts a where a.test_clock is null and (
       exists (select from recurring_series s where s.account_id = a.id and s.next_due_on is not null)
       or exists (select from recurring_series s where s.account_id = a.id and s.next_retry_at is not null)
       or exists (select from credit_notes n where n.account_id = a.id and n.queue_state is not null))`);
  let is_unfinished = false;
  for (const { id } of accounts) {
    if (isStopped()) return false;
    const started = Date.now();
    const run = await runScheduler(await schedulerContext(services, id), most_ms).catch(
      (error: unknown) => {
        if (isUnavailable(error)) throw error;
        services.log.error({ err: error, account_id: id }, "no scheduler run");
      },
    );
    // What goes wrong in one account holds up no other.
    if (!run) continue;
    const { issued, failed: failures, remaining } = run;
    if (issued.length + failures.length > 0) {
      services.log.info(
        { account_id: id, issued: issued.length, failed: failures.length, remaining },
        "scheduler run",
      );
    }
    // Without progress the rest waits for the next tick: a ledger that is away is not asked without
    // end. So does what one run leaves of a series by itself.
    const was_cut = Date.now() - started >= most_ms;
    is_unfinished ||= was_cut && remaining > 0 && issued.length > 0;
  }
  return is_unfinished;
}
