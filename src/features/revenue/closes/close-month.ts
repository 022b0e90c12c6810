/**
 * The month-end close: the accruals of all customers, in batches with one transaction each (spec 3.10). Its progress
 * follows from the bookings and the position of the run, so an interrupted run is simply resumed.
 */

import * as z from "zod";
import { lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import {
  isLocked,
  requireEnded,
  requireRoles,
  requireUnlocked,
} from "../../../domain/revenue/accrual-booking.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { withinTime } from "../../../platform/runtime/slices.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { lockConfiguration, moveLockDate } from "../../settings/configuration/save.ts";
import { todayOf } from "../accruals/queries.ts";
import { rolesOf } from "../accruals/snapshot.ts";
import { LEASE } from "./book-batch.ts";
import { bookCustomers } from "./book-in-batches.ts";
import { requireEarlierClosed } from "./find-earlier.ts";
import { type CloseRow, countSkipped, findClose, lockClose, presentClose } from "./queries.ts";
import type { CloseBody } from "./schemas.ts";
import { warningsOf } from "./warnings.ts";

/** The interval at which a process renews the lease of its run: several times before the lease expires. */
const RENEWAL_MS = 15_000;
/** The pause of a run that waits for vouchers. */
const WAITING_MS = 2_000;

interface ClosedPeriod {
  readonly is_new: boolean;
  readonly document: JsonText;
}

/**
 * Begins or resumes the close of a month for at most `most_ms` milliseconds. The worker continues with the rest, even
 * one customer (spec 3.10). Throws PERIOD_NOT_ENDED, PERIOD_LOCKED, EARLIER_PERIOD_OPEN, ACCOUNT_ROLE_MISSING.
 */
export async function closePeriod(
  request: Context,
  { month, lock }: CloseBody,
  most_ms: number,
): Promise<ClosedPeriod> {
  // A repetition of the request resumes the run; a single command of the run is not repeated.
  const cx: Context = { ...request, once: null };
  const deadline = Date.now() + most_ms;
  const configuration = await getConfiguration(cx);
  requireEnded(month, todayOf(cx, configuration));
  const earlier = await findClose(cx, month);
  if (earlier?.status !== "running") {
    // While the month is open, an accrual may have been reopened: accruals that are not booked are booked now.
    const is_locked = isLocked(month, configuration.period_lock_date);
    const is_done = earlier?.status === "completed" && is_locked;
    if (earlier && is_done) return { is_new: false, document: await presentClose(cx, earlier) };
    requireUnlocked(month, configuration);
    await requireEarlierClosed(cx, month);
    requireRoles(rolesOf(configuration), await hasForeign(cx));
  }
  const has_begun = await run(beginClose, cx, { month, lock, expected: earlier ?? null });
  const started = has_begun ? await findClose(cx, month) : await takeOrAwait(cx, month, deadline);
  if (started !== undefined) await proceed(cx, started, deadline - Date.now(), true);
  const row = await findClose(cx, month);
  if (row === undefined) throw new Error("the close is gone");
  return { is_new: has_begun && earlier === undefined, document: await presentClose(cx, row) };
}

/**
 * Begins a run with its lease held by this process, because the worker takes over runs without a lease. Returns
 * false, and begins none, when another call has changed the run or the status since the check.
 */
const beginClose = defineCommand({
  name: "begin_close",
  access: "issue",
  input: z.custom<{ month: Month; lock: boolean; expected: CloseRow | null }>(),

  plan: async (_tx, input) => input,

  async commit(tx, { month, lock, expected }): Promise<boolean> {
    const { account_id, actor } = tx.caller;
    const begun =
      await tx.row(sql`insert into period_closes as c (account_id, month, status, locks, actor_kind, actor_id, lease_until, begun_at)
       values (${account_id}, ${month}, 'running', ${lock}, ${actor.kind}, ${actor.id}, clock_timestamp() + ${raw(LEASE)}, clock_timestamp())
       on conflict (account_id, month) do update set status = 'running', locks = ${lock}, errors = '[]',
         warnings = '[]', skipped = null, done_name = null, done_id = null, closed_at = null,
         closed_by = null, actor_kind = ${actor.kind}, actor_id = ${actor.id}, lease_until = excluded.lease_until,
         begun_at = excluded.begun_at
       where c.status <> 'running' and c.status = ${expected?.status ?? null} and c.begun_at = ${expected?.begun_at ?? null}::timestamptz
       returning month`);
    if (begun === undefined) return false;
    tx.audit("period_close", month, "close_begun", {
      before: expected === null ? null : await presentClose(tx, expected),
      after: null,
    });
    return true;
  },
});

/**
 * Takes over a run whose lease has expired, or waits for the process that holds the lease, whose result this call then returns
 * too. Returns undefined when the run has ended, or the time is over.
 */
async function takeOrAwait(
  cx: Reader,
  month: Month,
  deadline: number,
): Promise<CloseRow | undefined> {
  for (let pause = 50; ; pause = Math.min(2 * pause, 1_000)) {
    const taken = await takeRun(cx, month);
    if (taken !== undefined) return taken;
    const row = await findClose(cx, month);
    if (row?.status !== "running" || Date.now() + pause >= deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function takeRun(cx: Reader, month: Month): Promise<CloseRow | undefined> {
  const taken =
    await cx.row(sql`update period_closes set lease_until = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${cx.caller.account_id} and month = ${month} and status = 'running' and lease_until <= (select clock_timestamp())
     returning month`);
  return taken === undefined ? undefined : findClose(cx, month);
}

/**
 * Continues a run until it is done, or for `most_ms` milliseconds: then any process may take it over. With
 * `is_waiting` a caller waits, so longer work is rolled back. Otherwise the customer in progress is finished.
 */
async function proceed(
  cx: Context,
  started: CloseRow,
  most_ms: number,
  is_waiting: boolean,
): Promise<void> {
  const { month } = started;
  const deadline = Date.now() + most_ms;
  let rest_ms = 0;
  const goOn = async (signal: AbortSignal): Promise<boolean> => {
    const own: Context = { ...cx, signal };
    if (!(await bookCustomers(own, started, deadline))) {
      // A run that waits for an external ledger is resumed after a pause.
      if (Date.now() < deadline) rest_ms = WAITING_MS;
      return false;
    }
    await run(endClose, own, { month, warnings: await warningsOf(own, month) });
    return true;
  };
  const renewal = setInterval(() => void renewLease(cx, month), RENEWAL_MS);
  try {
    const is_ended = await (is_waiting ? given(cx, most_ms, goOn) : goOn(cx.signal));
    if (is_ended) return;
  } finally {
    clearInterval(renewal);
  }
  await cx.rows(
    sql`update period_closes set lease_until = (select clock_timestamp() + ${rest_ms} * interval '1 millisecond') where account_id = ${cx.caller.account_id} and month = ${month}`,
  );
}

/** Does the work within the time limit; returns false when the work was aborted. */
async function given(
  cx: Context,
  most_ms: number,
  work: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  let own: AbortSignal | undefined;
  try {
    return await withinTime(cx.signal, most_ms, (signal) => {
      own = signal;
      return work(signal);
    });
  } catch (error) {
    if (own?.aborted) return false;
    throw error;
  }
}

/** Renews the lease, because one customer may outlast it. If the database is unavailable, the work itself fails. */
async function renewLease(cx: Context, month: Month): Promise<void> {
  await cx
    .rows(
      sql`update period_closes set lease_until = (select clock_timestamp() + ${raw(LEASE)}) where account_id = ${cx.caller.account_id} and month = ${month}
       and status = 'running'`,
    )
    .catch(() => {});
}

/** Ends a run. Without errors the close is completed, and locks its month if requested. Otherwise it is partial. */
const endClose = defineCommand({
  name: "end_close",
  access: "issue",
  input: z.custom<{ month: Month; warnings: Awaited<ReturnType<typeof warningsOf>> }>(),

  plan: async (_tx, input) => input,

  async commit(tx, { month, warnings }): Promise<void> {
    const row = await lockClose(tx, month);
    if (row?.status !== "running") return;
    const has_failed = row.errors !== "[]";
    const locks = row.locks && !has_failed;
    const before = (await lockConfiguration(tx)).own_lock_date;
    const moves = locks && (before === null || before < lastDayOf(month));
    const actor = { kind: row.actor_kind, id: row.actor_id };
    const closed: CloseRow = {
      ...row,
      status: has_failed ? "partial" : "completed",
      has_locked: moves,
      lock_date_before: moves ? before : null,
      warnings: JSON.stringify(warnings),
      skipped: await countSkipped(tx, row),
      closed_at: tx.clock.now(),
      closed_by: `${actor.kind}:${actor.id}`,
    };
    tx.write(sql`update period_closes set status = ${closed.status}, has_locked = ${closed.has_locked}, lock_date_before = ${closed.lock_date_before}, warnings = ${closed.warnings},
         closed_at = ${closed.closed_at}, closed_by = ${closed.closed_by}, skipped = ${closed.skipped}, lease_until = null
       where account_id = ${tx.caller.account_id} and month = ${month}`);
    const after = await presentClose(tx, closed);
    if (moves) await moveLockDate(tx, lastDayOf(month));
    tx.audit("period_close", month, "closed", { before: null, after });
  },
});

/** Whether the account has or had any amount in a currency other than its functional one. */
export async function hasForeign(cx: Reader): Promise<boolean> {
  const row = await cx.row<{ found: boolean }>(sql`
    select exists (select from invoices i where i.account_id = ${cx.caller.account_id} and i.currency <> k.functional_currency)
         or exists (select from recurring_series s
           where s.account_id = ${cx.caller.account_id} and s.currency <> k.functional_currency)
         or exists (select from opening_contracts o
           where o.account_id = ${cx.caller.account_id} and o.currency <> k.functional_currency)
         or exists (select from accrual_rows r
           where r.account_id = ${cx.caller.account_id} and r.currency <> k.functional_currency) as found
     from configurations k where k.account_id = ${cx.caller.account_id}`);
  return row?.found ?? false;
}

/** The abandoned runs of all accounts. */
export const leftCloses = sql`from period_closes where status = 'running' and lease_until <= clock_timestamp()`;

/** Resumes one abandoned run, of any account; returns whether there was one. */
export async function resumeClose(
  contextOf: (account_id: string) => Promise<Context>,
  db: Context["db"],
  most_ms: number,
): Promise<boolean> {
  const rows = await db.rows<{ account_id: string; month: Month }>(
    sql`select account_id, month ${leftCloses} order by lease_until limit 1`,
  );
  const [left] = rows;
  if (left === undefined) return false;
  const cx = await contextOf(left.account_id);
  const started = await takeRun(cx, left.month);
  if (started === undefined) return false;
  // The actor that requested the close stays the actor of its bookings.
  const actor = { kind: started.actor_kind, id: started.actor_id } as Context["caller"]["actor"];
  await proceed({ ...cx, caller: { ...cx.caller, actor } }, started, most_ms, false);
  return true;
}
