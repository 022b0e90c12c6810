/**
 * The scheduler (domain.md 4.7): issues what has fallen due, oldest first, each period in its own
 * transaction. What is due follows from the series and what exists, never from a last run: after
 * downtime the missed periods are simply due.
 */
import type { CalendarDate } from "../../domain/calendar.ts";
import { periodsFrom, type SeriesPeriod, timesOf } from "../../domain/period.ts";
import { Problem } from "../../domain/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { issueQueuedCreditNotes } from "../credit-notes/queue.ts";
import { todayOf } from "./activate.ts";
import {
  commitOccurrence,
  completeOccurrence,
  planOccurrence,
  recordFailure,
} from "./issue-occurrence.ts";
import { markSkipped, presentOccurrence } from "./occurrences.ts";
import { getSeries, updateSeries } from "./queries.ts";
import type { SchedulerRun } from "./schemas.ts";
import type { Series } from "./series.ts";

/** More missed periods of one series wait for the next run: a mistaken start date is no flood. */
const MOST_PERIODS_OF_A_SERIES = 24;
const SERIES_AT_A_TIME = 100;
const WORKERS = 4;

type Outcome =
  | { readonly kind: "issued"; readonly period: string; readonly invoice_id: string }
  | { readonly kind: "skipped"; readonly period: string; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly period: string;
      readonly code: string;
      readonly message: string;
    };

/**
 * One run for the context's account. It ends after `most_ms`, whatever is left: the worker goes on
 * with that (decisions.md 47).
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
  for (;;) {
    const due = (await dueSeries(cx, today, seen.size)).filter((id) => !seen.has(id));
    if (due.length === 0 || Date.now() > deadline) break;
    for (const id of due) seen.add(id);
    await inParallel(due, async (id) => {
      if (Date.now() > deadline) seen.delete(id);
      else await issueDue(cx, id, today, deadline, outcome);
    });
  }
  const credits = await issueQueuedCreditNotes(cx, deadline);
  const remaining = (await dueSeries(cx, today, seen.size)).filter((id) => !seen.has(id)).length;
  return { ...outcome, ...credits, remaining };
}

/** Series with something due, the oldest first. */
async function dueSeries(cx: Context, today: CalendarDate, seen: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    cx.db,
    `select id from recurring_series
     where account_id = $1 and (next_due_on <= $2 or next_retry_at <= $3)
     order by next_due_on, id limit $4`,
    [cx.caller.account_id, today, cx.clock.now(), SERIES_AT_A_TIME + seen],
  );
  return rows.map((row) => row.id);
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
    const { kind, ...entry } = outcome;
    (run_outcome[kind] as object[]).push({ series_id, ...entry });
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
  try {
    const committed = await transaction(cx.db, async (db) => {
      const inside: Context = { ...cx, db, locks: true };
      const loaded = await getSeries(inside, series_id);
      period = nextDue(loaded.series, today, cx.clock.now(), tried);
      if (period === undefined) return null;
      return issueOrSkip(inside, loaded, period);
    });
    if (period === undefined || committed === null) return null;
    tried.add(period.index);
    if (committed === "empty") {
      return { kind: "skipped", period: period.key, reason: "nothing_to_invoice" };
    }
    const issued = await completeOccurrence(cx, {
      series_id,
      period_index: period.index,
      begun: committed,
    });
    return { kind: "issued", period: period.key, invoice_id: JSON.parse(issued.document).id };
  } catch (error) {
    if (period === undefined) throw error;
    tried.add(period.index);
    return failed(cx, series_id, period, error);
  }
}

async function issueOrSkip(
  inside: Context,
  loaded: Awaited<ReturnType<typeof getSeries>>,
  period: SeriesPeriod,
) {
  try {
    const plan = await planOccurrence(inside, loaded, period);
    // Somebody's earlier attempt is under way: its worker goes on with it.
    if ("resume" in plan) throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
    return await commitOccurrence(inside, plan);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "INVOICE_EMPTY") throw error;
    const { series } = loaded;
    const before = presentOccurrence(series, period);
    await markSkipped(inside, series.id, period.index, "nothing_to_invoice");
    const after: Series = {
      ...series,
      happened: new Map(series.happened).set(period.index, { state: "skipped" }),
    };
    await updateSeries(inside, after);
    await recordAudit(inside, {
      action: "skipped",
      resource_type: "occurrence",
      resource_id: `${series.id}/${period.key}`,
      before,
      after: presentOccurrence(after, period),
      reason: "nothing_to_invoice",
    });
    return "empty" as const;
  }
}

/** The oldest period that has fallen due since the activation and waits, or whose retry is due. */
function nextDue(
  series: Series,
  today: CalendarDate,
  now: string,
  tried: ReadonlySet<number>,
): SeriesPeriod | undefined {
  if (series.status !== "active" || series.is_discarded) return undefined;
  for (const period of periodsFrom(series, 0)) {
    if (series.timing.mode !== "manual" && period.from > today && period.index > 0) {
      const { due_on } = timesOf(period, series.timing);
      if (due_on !== null && due_on > today) return undefined;
    }
    if (tried.has(period.index)) continue;
    const happened = series.happened.get(period.index);
    if (happened?.state === "failed") {
      if (happened.next_attempt_at !== null && happened.next_attempt_at <= now) return period;
      continue;
    }
    if (happened !== undefined) continue;
    const { due_on } = timesOf(period, series.timing);
    if (due_on === null) return undefined;
    if (due_on > today) return undefined;
    if (due_on >= (series.activated_on ?? "")) return period;
  }
  return undefined;
}

/** A period that could not be issued waits for its retry; nothing fails silently. */
async function failed(
  cx: Context,
  series_id: string,
  period: SeriesPeriod,
  error: unknown,
): Promise<Outcome> {
  const problem = error instanceof Problem ? error : undefined;
  if (problem === undefined)
    cx.log.error({ err: error, series_id }, "a period could not be issued");
  const code = problem?.code ?? "INTERNAL_ERROR";
  const message = problem?.message ?? "Something went wrong on our side.";
  const is_known_already = problem?.kind === "unavailable" || code === "INVOICE_ISSUE_IN_PROGRESS";
  if (!is_known_already) await recordFailure(cx, series_id, period.index, code);
  return { kind: "failed", period: period.key, code, message };
}

/** One round over all accounts whose clock runs; what is due anywhere is issued. */
export async function runAllSchedulers(services: Services, most_ms: number): Promise<boolean> {
  const accounts = await query<{ id: string }>(
    services.db,
    `select a.id from accounts a where a.test_clock is null and (
       exists (select from recurring_series s where s.account_id = a.id and s.next_due_on is not null)
       or exists (select from recurring_series s where s.account_id = a.id and s.next_retry_at is not null)
       or exists (select from credit_notes n where n.account_id = a.id and n.queue_state is not null))`,
  );
  let is_unfinished = false;
  for (const { id } of accounts) {
    const cx = await schedulerContext(services, id);
    const { issued, failed: failures, remaining } = await runScheduler(cx, most_ms);
    if (issued.length + failures.length > 0) {
      services.log.info(
        { account_id: id, issued: issued.length, failed: failures.length, remaining },
        "scheduler run",
      );
    }
    is_unfinished ||= remaining > 0;
  }
  return is_unfinished;
}
