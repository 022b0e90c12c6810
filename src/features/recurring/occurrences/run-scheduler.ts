/**
 * The scheduler (spec 4.7): issues due periods, the oldest first, batch by batch. Due periods follow from the series and the
 * existing invoices, never from the time of the last run: after downtime the missed periods are simply due.
 */
import type { Context } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isTransient, isUnavailable } from "../../../platform/database/unavailable.ts";
import { RoundRobin } from "../../../platform/fairness/round-robin.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { accountsToRemind } from "../../reminders/reminder-runs/run-automatic.ts";
import { accountsToAnnounce } from "../series/run-announcements.ts";
import { PERIODS_AT_A_TIME } from "./issue-batch.ts";
import { AccountRun } from "./run-account.ts";
import type { SchedulerRun } from "./schemas.ts";

/**
 * Runs the scheduler once for the context's account, by its clock; returns the periods issued, skipped and refused. The run ends
 * after `most_ms` milliseconds; the worker continues with the rest (spec 4.7).
 */
export async function runScheduler(cx: Context, most_ms: number): Promise<SchedulerRun> {
  const deadline = Date.now() + most_ms;
  const run = await AccountRun.begin(cx);
  try {
    while (Date.now() < deadline && !cx.signal.aborted) {
      if ((await run.step(deadline, true)) === 0) break;
    }
  } catch (error) {
    // Committed outcomes are reported, even when the database has no time for the rest.
    if (!run.hasDone || !isTransient(error)) throw error;
    cx.log.warn({ err: error }, "a run of the scheduler ends early");
  } finally {
    await run.end();
  }
  await run.send(deadline);
  return run.outcome();
}

/** The run of one account in a round of several accounts. */
interface Participant {
  readonly account_id: string;
  run: AccountRun | null;
  had_turn: boolean;
}

/** The longest turn, however few periods were issued in it. */
const TURN_MS = 2_000;
/** The largest offset of local time ahead of UTC. */
const MOST_AHEAD_MS = 14 * 3_600_000;

/** The account that this process served last, round robin; initially an id that sorts before all others. */
let last_account = "00000000-0000-0000-0000-000000000000";

/**
 * Runs one round over all accounts with a running clock, which issues all due periods. The round is a deficit round robin, a
 * batch each, so that an account with many due periods does not delay accounts with few; the next round begins after the account
 * with the last turn. The round ends after `most_ms` milliseconds; returns whether another round should follow immediately.
 * Accounts with due periods that make no progress are added to `resting`, and no round includes these.
 */
export async function runAllSchedulers(
  services: Services,
  most_ms: number,
  isStopped: () => boolean = () => false,
  resting: Set<string> = new Set(),
): Promise<boolean> {
  const deadline = Date.now() + most_ms;
  const begun = await waitingAccounts(services, resting);
  const isOver = () => isStopped() || Date.now() >= deadline;
  const turns = new RoundRobin(PERIODS_AT_A_TIME);
  const waiting = [...begun];
  try {
    for (let one = waiting[0]; one !== undefined && !isOver(); one = waiting[0]) {
      const has_more = await takeTurn(services, turns, one, deadline, waiting.length === 1);
      waiting.shift();
      if (has_more) waiting.push(one);
    }
  } finally {
    for (const { run } of begun) await run?.end();
  }
  let has_more = false;
  for (const one of begun.filter(({ had_turn }) => had_turn)) {
    const is_cut = waiting.includes(one);
    has_more = (await reportRun(services, one, is_cut, resting)) || has_more;
  }
  const is_one_left = begun.some(({ had_turn }) => !had_turn);
  // A round in which no account got a turn does not show whether another round is needed.
  const got_further = begun.some(({ had_turn }) => had_turn);
  return (has_more || (is_one_left && got_further)) && !isStopped();
}

/** Returns accounts that may have something due, beginning with the account whose turn is next. */
async function waitingAccounts(
  { db, clock }: Services,
  resting: ReadonlySet<string>,
): Promise<Participant[]> {
  const now = clock.now();
  const latest_today = new Date(Date.parse(now) + MOST_AHEAD_MS).toISOString().slice(0, 10);
  const accounts = await db.rows<{
    id: string;
  }>(sql`select a.id from accounts a join (
       select s.account_id from recurring_series s where s.next_due_on <= ${latest_today}
       union select s.account_id from recurring_series s where s.next_retry_at <= ${now}
       union select n.account_id from credit_notes n where n.queue_state is not null and n.next_attempt_at <= ${now}
       union ${accountsToRemind(now)}
       union ${accountsToAnnounce(now)}
     ) due on due.account_id = a.id
     where a.test_clock is null and not a.id = any(${[...resting]}::uuid[])
     order by a.id <= ${last_account}, a.id`);
  return accounts.map(({ id }) => ({ account_id: id, run: null, had_turn: false }));
}

/**
 * Lets an account issue what its turn allows; returns whether the account has more to do. A single account reads its next batch
 * while one is written. An error in one account does not block others.
 */
async function takeTurn(
  services: Services,
  turns: RoundRobin,
  participant: Participant,
  deadline: number,
  is_alone: boolean,
): Promise<boolean> {
  const { account_id } = participant;
  participant.had_turn = true;
  last_account = account_id;
  const ends = Math.min(deadline, Date.now() + TURN_MS);
  try {
    participant.run ??= await AccountRun.begin(await schedulerContext(services, account_id));
    const most = turns.left(account_id);
    let used = 0;
    while (used < most) {
      const done = await participant.run.step(deadline, is_alone);
      // No further credit notes are begun after the deadline.
      if (done === 0) return Date.now() >= deadline;
      used += done;
      if (Date.now() >= ends) break;
    }
    turns.charge(account_id, used);
    return true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    services.log.error({ err: error, account_id }, "no scheduler run");
    return false;
  }
}

/** Logs the outcome of an account; returns whether it was interrupted while it made progress. */
async function reportRun(
  { log }: Services,
  { account_id, run }: Participant,
  is_cut: boolean,
  resting: Set<string>,
): Promise<boolean> {
  if (run === null) {
    resting.add(account_id);
    return false;
  }
  // No caller waits for the mail of a scheduled run: the worker sends it.
  await run.send(0);
  const { issued, failed, credit_notes_issued, credit_notes_failed, reminded, remaining } =
    await run.outcome();
  const done = issued.length + credit_notes_issued.length + reminded;
  const failures = failed.length + credit_notes_failed.length;
  if (done + failures > 0) {
    log.info({ account_id, issued: done, failed: failures, remaining }, "scheduler run");
  }
  // Without progress the rest waits for the next scheduled run, so that an unavailable ledger is not called endlessly. The same
  // applies to periods of a series beyond the limit of one run.
  if (done === 0 && remaining > 0) resting.add(account_id);
  return is_cut && remaining > 0 && done > 0;
}
