/**
 * Runs the scheduler for one account, one step at a time: a batch of periods, of credit notes, of reminders or of announcements. Between
 * two steps the run holds no locks, unless its account is the only one: then the next batch locks and reads while one is written.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Database, refreshStatistics } from "../../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { sendQueued } from "../../documents/deliveries/queue.ts";
import { AutomaticReminders } from "../../reminders/reminder-runs/run-automatic.ts";
import { noteSendError } from "../../sales/credit-notes/bookable.ts";
import {
  countQueued,
  issueQueuedCreditNotes,
  QueueProgress,
} from "../../sales/credit-notes/queue.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { announce } from "../series/run-announcements.ts";
import { type BatchOutcome, issueBatch, type PeriodOutcome } from "./issue-batch.ts";
import { issueOneByOne } from "./issue-one-by-one.ts";
import type { SchedulerRun } from "./schemas.ts";

/** The number of series read at a time: most series have one due period, so these series about fill a batch. */
const SERIES_AT_A_TIME = 200;
/** The number of series read at a time when each needs calls of an external ledger. */
const SERIES_ONE_BY_ONE = 20;
const LISTED_AT_A_TIME = 2_000;
/** The tables that a run fills, whose statistics it refreshes. */
const GROWING = [
  "invoices",
  "invoice_lines",
  "ledger_entries",
  "ledger_postings",
  "issued_documents",
  "audit_events",
  "recurring_series",
] as const;

/** The connection pools on which a run reads ahead: one run for each pool, because such a run uses two of its connections. */
const reading_ahead = new WeakSet<Database["pool"]>();

interface DueSeries {
  readonly id: string;
  readonly due: CalendarDate;
}

/** A batch that locks and reads, and waits for its turn to be written. */
interface Batch {
  readonly ids: readonly string[];
  readonly grant: (has_turn: boolean) => void;
  /** The outcome of the batch. Never rejects: a failure of the batch is its value. */
  readonly done: Promise<{ readonly outcome: BatchOutcome | null } | { readonly error: unknown }>;
}

export class AccountRun {
  readonly #cx: Context;
  readonly #today: CalendarDate;
  readonly #is_moving: boolean;
  readonly #outcome: SchedulerRun;
  /** Due series that have not been in a batch, the oldest first. */
  #queue: string[] = [];
  /** The last series listed so far; null when all have been listed. */
  #after: DueSeries | "start" | null = "start";
  readonly #seen = new Set<string>();
  /** Series that another transaction had locked. The run retries them at the end, and then waits for the locks. */
  #held: string[] = [];
  #waits = false;
  #ahead: Batch | null = null;
  #next_statistics = SERIES_AT_A_TIME;
  #delivery_ids: string[] = [];
  #series_at_a_time = SERIES_AT_A_TIME;
  readonly #notes = new QueueProgress();
  readonly #reminders: AutomaticReminders;

  private constructor(cx: Context, today: CalendarDate, is_moving: boolean) {
    this.#cx = cx;
    this.#today = today;
    this.#reminders = new AutomaticReminders(cx);
    this.#is_moving = is_moving;
    this.#outcome = {
      object: "scheduler_run",
      started_at: cx.clock.now(),
      issued: [],
      skipped: [],
      failed: [],
      credit_notes_issued: [],
      credit_notes_failed: [],
      reminded: 0,
      remaining: 0,
    };
  }

  /** Begins a run of the context's account, by its clock. While the books move to another ledger, everything stays due. */
  static async begin(cx: Context): Promise<AccountRun> {
    const { time_zone, is_moving } = await getConfiguration(cx);
    return new AccountRun(cx, todayIn(cx.clock, time_zone), is_moving);
  }

  /**
   * Issues a batch of periods or, when none are left, of credit notes, then of reminders, and then announces what comes with time;
   * returns the size of the batch, 0 when nothing is left. With `reads_ahead` the next batch is locked and read meanwhile. Throws when the database is unavailable.
   */
  async step(deadline: number, reads_ahead: boolean): Promise<number> {
    if (this.#is_moving) return 0;
    const batch = this.#taken() ?? (await this.#begin());
    if (batch === null) return this.#otherWork(deadline);
    if (this.#cx.ledger?.transactional !== true) return this.#oneByOne(batch.ids, deadline);
    batch.grant(true);
    if (reads_ahead) await this.#readAhead();
    const done = await batch.done;
    if ("error" in done || done.outcome === null) {
      await this.end();
      const error = "error" in done ? done.error : new Error("a batch lost its turn");
      if (isUnavailable(error)) throw error;
      this.#cx.log.warn({ err: error }, "a batch of the scheduler is issued one by one");
      return this.#oneByOne(batch.ids, deadline);
    }
    const { outcomes, delivery_ids, left, held, cost } = done.outcome;
    for (const outcome of outcomes) this.#record(outcome);
    this.#delivery_ids.push(...delivery_ids);
    this.#queue.unshift(...left);
    // Series for which a batch had no room are read again: the next batch takes about as many series as this one.
    this.#series_at_a_time =
      left.length > 0
        ? Math.max(1, batch.ids.length - left.length)
        : Math.min(SERIES_AT_A_TIME, 2 * this.#series_at_a_time);
    this.#held.push(...held);
    await this.#refreshStatistics();
    return cost;
  }

  /** Discards a batch that was read ahead: its series stay due. */
  async end(): Promise<void> {
    const ahead = this.#taken();
    ahead?.grant(false);
    await ahead?.done;
    this.#queue.unshift(...(ahead?.ids ?? []));
  }

  /** Attempts the deliveries of a run that issued few invoices; the worker sends deliveries not attempted by the deadline. */
  async send(deadline: number): Promise<void> {
    const ids = this.#delivery_ids;
    this.#delivery_ids = [];
    await sendQueued(this.#cx, ids, deadline, noteSendError);
  }

  /** Whether anything was issued, skipped or refused. */
  get hasDone(): boolean {
    const { reminded, ...lists } = this.#outcome;
    const has_entry = Object.values(lists).some((list) => Array.isArray(list) && list.length > 0);
    return has_entry || reminded > 0;
  }

  /** Returns the outcome of the run, with the number of series and queued credit notes that are still due. */
  async outcome(): Promise<SchedulerRun> {
    const series = await countDue(this.#cx, this.#today);
    return { ...this.#outcome, remaining: series + (await countQueued(this.#cx)) };
  }

  /** Returns and removes the batch that was read ahead. */
  #taken(): Batch | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) reading_ahead.delete(this.#cx.db.pool);
    return ahead;
  }

  /** Begins the batch after the one being written; a failure here does not affect the commit of the latter. */
  async #readAhead(): Promise<void> {
    const { pool } = this.#cx.db;
    if (reading_ahead.has(pool)) return;
    reading_ahead.add(pool);
    try {
      this.#ahead = await this.#begin();
    } catch (error) {
      this.#cx.log.warn({ err: error }, "the next batch of the scheduler was not read ahead");
    } finally {
      if (this.#ahead === null) reading_ahead.delete(pool);
    }
  }

  /** Begins a batch of the next due series; null when there are none. */
  async #begin(): Promise<Batch | null> {
    const is_external = this.#cx.ledger?.transactional !== true;
    const ids = await this.#nextSeries(is_external ? SERIES_ONE_BY_ONE : this.#series_at_a_time);
    if (ids.length === 0) return null;
    let grant: Batch["grant"] = () => {};
    const turn = new Promise<boolean>((resolve) => {
      grant = resolve;
    });
    if (is_external) return { ids, grant, done: Promise.resolve({ outcome: null }) };
    const input = { series_ids: ids, today: this.#today, waits: this.#waits, turn };
    const done = run(issueBatch, this.#cx, input).then(
      (outcome) => ({ outcome }),
      (error: unknown) => ({ error }),
    );
    return { ids, grant, done };
  }

  async #nextSeries(most: number): Promise<string[]> {
    while (this.#queue.length < most && this.#after !== null) {
      const listed: DueSeries[] = await listDue(this.#cx, this.#today, this.#after);
      this.#after = listed.length < LISTED_AT_A_TIME ? null : (listed.at(-1) ?? null);
      // A series with more missed periods than a run issues is due again, and listed again later.
      const unseen = listed.filter(({ id }) => !this.#seen.has(id));
      for (const { id } of unseen) this.#seen.add(id);
      this.#queue.push(...unseen.map(({ id }) => id));
    }
    if (this.#queue.length === 0 && this.#ahead === null && this.#held.length > 0) {
      this.#queue = await stillDue(this.#cx, this.#today, this.#held);
      this.#held = [];
      this.#waits = true;
    }
    return this.#queue.splice(0, most);
  }

  async #oneByOne(ids: readonly string[], deadline: number): Promise<number> {
    await issueOneByOne(this.#cx, ids, this.#today, deadline, (outcome) => this.#record(outcome));
    return ids.length;
  }

  #record({ kind, ...entry }: PeriodOutcome): void {
    (this.#outcome[kind] as object[]).push(entry);
  }

  async #issueCreditNotes(deadline: number): Promise<number> {
    const credits = await issueQueuedCreditNotes(this.#cx, deadline, this.#notes);
    if (credits === null) return 0;
    const { credit_notes_issued: issued, credit_notes_failed: failed, delivery_ids } = credits;
    this.#outcome.credit_notes_issued.push(...issued);
    this.#outcome.credit_notes_failed.push(...failed);
    this.#delivery_ids.push(...delivery_ids);
    return Math.max(1, issued.length + failed.length);
  }

  async #otherWork(deadline: number): Promise<number> {
    const done = (await this.#issueCreditNotes(deadline)) || (await this.#remind(deadline));
    if (done > 0 || Date.now() >= deadline) return done;
    return announce(this.#cx, this.#today);
  }

  async #remind(deadline: number): Promise<number> {
    if (Date.now() >= deadline) return 0;
    const { tried, issued, delivery_ids } = await this.#reminders.step();
    this.#outcome.reminded += issued;
    this.#delivery_ids.push(...delivery_ids);
    return tried;
  }

  async #refreshStatistics(): Promise<void> {
    if (this.#outcome.issued.length < this.#next_statistics) return;
    await refreshStatistics(this.#cx.db, GROWING);
    this.#next_statistics *= 8;
  }
}

function isDue(cx: Reader, today: CalendarDate): Sql {
  return sql`account_id = ${cx.caller.account_id}
    and (next_due_on <= ${today} or next_retry_at <= ${cx.clock.now()})`;
}

/** Lists due series, the oldest first, after the series that the run has listed. */
function listDue(
  cx: Reader,
  today: CalendarDate,
  after: DueSeries | "start",
): Promise<DueSeries[]> {
  const due = sql`coalesce(next_due_on, ${today})`;
  const unseen = after === "start" ? raw("") : sql`and (${due}, id) > (${after.due}, ${after.id})`;
  return cx.rows(sql`select id, ${due} as due from recurring_series
    where ${isDue(cx, today)} ${unseen} order by ${due}, id limit ${LISTED_AT_A_TIME}`);
}

/** Returns those of the given series that are still due, in the same order. */
async function stillDue(
  cx: Reader,
  today: CalendarDate,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`select id from recurring_series
    where ${isDue(cx, today)} and id = any(${ids})`);
  const due = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => due.has(id));
}

async function countDue(cx: Reader, today: CalendarDate): Promise<number> {
  const found = await cx.row<{ count: bigint }>(
    sql`select count(*) as count from recurring_series where ${isDue(cx, today)}`,
  );
  return Number(found?.count ?? 0n);
}
