/**
 * The scheduler's run of one account, a step at a time: a batch of periods or of credit notes. Between two steps it holds
 * nothing, unless it is alone: then the next batch locks and reads while one is written.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Database, refreshStatistics } from "../../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { sendQueued } from "../../documents/deliveries/queue.ts";
import { noteSendError } from "../../sales/credit-notes/bookable.ts";
import {
  countQueued,
  issueQueuedCreditNotes,
  QueueProgress,
} from "../../sales/credit-notes/queue.ts";
import { todayOf } from "../series/activate.ts";
import { type BatchOutcome, issueBatch, type PeriodOutcome } from "./issue-batch.ts";
import { issueOneByOne } from "./issue-one-by-one.ts";
import type { SchedulerRun } from "./schemas.ts";

/** Of most series one period is due: a batch is about full with them. */
const SERIES_AT_A_TIME = 200;
/** So many at a time where an external ledger is asked for each. */
const SERIES_ONE_BY_ONE = 20;
const LISTED_AT_A_TIME = 2_000;
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

/** Pools on which a run reads ahead: one at a time, because it has two of the connections. */
const reading_ahead = new WeakSet<Database["pool"]>();

interface DueSeries {
  readonly id: string;
  readonly due: CalendarDate;
}

/** A batch that locks and reads, and waits for its turn to be written. */
interface Batch {
  readonly ids: readonly string[];
  readonly grant: (has_turn: boolean) => void;
  /** Never fails: what a batch could not be is its value. */
  readonly done: Promise<{ readonly outcome: BatchOutcome | null } | { readonly error: unknown }>;
}

export class AccountRun {
  readonly #cx: Context;
  readonly #today: CalendarDate;
  readonly #outcome: SchedulerRun;
  /** Series that are due and that no batch has had, the oldest first. */
  #queue: string[] = [];
  /** Up to where the series have been listed; null when all have been. */
  #after: DueSeries | "start" | null = "start";
  readonly #seen = new Set<string>();
  /** Series that somebody else held when their turn came: looked at again, and then waited for, at the end. */
  #held: string[] = [];
  #waits = false;
  #ahead: Batch | null = null;
  #next_statistics = SERIES_AT_A_TIME;
  #delivery_ids: string[] = [];
  #series_at_a_time = SERIES_AT_A_TIME;
  readonly #notes = new QueueProgress();

  private constructor(cx: Context, today: CalendarDate) {
    this.#cx = cx;
    this.#today = today;
    this.#outcome = {
      object: "scheduler_run",
      started_at: cx.clock.now(),
      issued: [],
      skipped: [],
      failed: [],
      credit_notes_issued: [],
      credit_notes_failed: [],
      remaining: 0,
    };
  }

  /** Of the context's account, by its clock. */
  static async begin(cx: Context): Promise<AccountRun> {
    return new AccountRun(cx, await todayOf(cx));
  }

  /**
   * Issues a batch of periods, or where there are none left of credit notes; answers how much that was, 0 when nothing is
   * left. With `reads_ahead` it locks and reads the next batch meanwhile. Throws for a database that is away.
   */
  async step(deadline: number, reads_ahead: boolean): Promise<number> {
    const batch = this.#taken() ?? (await this.#begin());
    if (batch === null) return this.#issueCreditNotes(deadline);
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
    for (const outcome of outcomes) this.#tell(outcome);
    this.#delivery_ids.push(...delivery_ids);
    this.#queue.unshift(...left);
    // What is locked and read in vain is read again: the next batch takes about as many as this one had room for.
    this.#series_at_a_time =
      left.length > 0
        ? Math.max(1, batch.ids.length - left.length)
        : Math.min(SERIES_AT_A_TIME, 2 * this.#series_at_a_time);
    this.#held.push(...held);
    await this.#refreshStatistics();
    return cost;
  }

  /** Gives up what was read ahead: it is due as before. */
  async end(): Promise<void> {
    const ahead = this.#taken();
    ahead?.grant(false);
    await ahead?.done;
    this.#queue.unshift(...(ahead?.ids ?? []));
  }

  /** Attempts what is to be sent of a run that issued a few; the worker sends what is not attempted by the deadline. */
  async send(deadline: number): Promise<void> {
    const ids = this.#delivery_ids;
    this.#delivery_ids = [];
    await sendQueued(this.#cx, ids, deadline, noteSendError);
  }

  /** Whether anything has been issued, skipped or refused. */
  get hasDone(): boolean {
    return Object.values(this.#outcome).some(
      (entries) => Array.isArray(entries) && entries.length > 0,
    );
  }

  /** What was done, and how many series and queued credit notes are still due: the run did not come to the end of them. */
  async outcome(): Promise<SchedulerRun> {
    const series = await countDue(this.#cx, this.#today);
    return { ...this.#outcome, remaining: series + (await countQueued(this.#cx)) };
  }

  /** What was read ahead, which is nobody's then. */
  #taken(): Batch | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) reading_ahead.delete(this.#cx.db.pool);
    return ahead;
  }

  /** Begins with what follows the batch that is written, which is committed whatever becomes of this. */
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

  /** Begins with the next series that are due; null when there are none. */
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
      // One with more missed periods than a run issues is due again, at a later place.
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
    await issueOneByOne(this.#cx, ids, this.#today, deadline, (outcome) => this.#tell(outcome));
    return ids.length;
  }

  #tell({ kind, ...entry }: PeriodOutcome): void {
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

/** Some series with something due, the oldest first, after those that the run has listed. */
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

/** Of some series those with something due, in the same order. */
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
