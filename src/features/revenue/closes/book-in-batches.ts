/**
 * Runs a close through the customers, batch after batch, each in its own transaction. While one batch is decided and written,
 * the customers of the next batch are locked and their facts read on a second connection. The next batch writes nothing before
 * the first has committed, so that customers are processed in order.
 */

import type { Month } from "../../../domain/base/calendar.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Database, refreshStatistics } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { isUnavailable } from "../../../platform/database/unavailable.ts";
import { bookBatch, type Customer } from "./book-batch.ts";
import {
  AT_ONCE,
  bookOvertaken,
  closeOneByOne,
  mayBook,
  settleAccepted,
} from "./book-one-by-one.ts";
import type { CloseRow } from "./queries.ts";

export const CUSTOMERS_AT_A_TIME = 200;
/** The tables that a close fills, whose statistics it refreshes. */
const GROWING = [
  "accruals",
  "accrual_bookings",
  "accrual_rows",
  "ledger_entries",
  "ledger_postings",
] as const;

/** Consecutive customers by name, and the state of the transaction that books them. */
interface Batch {
  readonly customers: readonly Customer[];
  readonly last: Customer;
  /** Whether all customers of the batch are booked; never rejects. */
  readonly is_booked: Promise<boolean>;
}

/** The connection pools on which a run reads ahead: one run for each pool, because such a run uses two of its connections. */
const reading_ahead = new WeakSet<Database["pool"]>();

/**
 * Books customer after customer until the deadline; returns whether all are done. When the signal aborts, the current booking is
 * rolled back and the signal's reason is thrown; earlier bookings stay.
 */
export async function bookCustomers(
  cx: Context,
  { month, done_id, done_name }: CloseRow,
  deadline: number,
): Promise<boolean> {
  if (Date.now() >= deadline) return false;
  const at = done_id === null ? null : { name: done_name ?? "", id: done_id };
  let next = beginBatch(cx, month, at, AT_ONCE);
  let next_statistics = 1;
  for (let count = 1; ; count += 1) {
    const batch = await next;
    if (batch === undefined) {
      return (await bookOvertaken(cx, month, deadline)) && settleAccepted(cx, month, deadline);
    }
    const { is_booked, following } = await alongside(cx, month, batch, deadline);
    let done: Customer | null = batch.last;
    if (!is_booked) {
      cx.signal.throwIfAborted();
      done = await closeOneByOne(cx, month, batch.customers, deadline);
    }
    // Every index begins with the account: without new statistics, an early plan stays in use.
    if (count === next_statistics) {
      await refreshStatistics(cx.db, GROWING);
      next_statistics *= 8;
    }
    if (following === undefined && Date.now() >= deadline) return false;
    next = following ?? beginBatch(cx, month, done, AT_ONCE);
  }
}

/** Waits for a batch while the next one reads. Rolls the next one back after a failure or after the deadline. */
async function alongside(
  cx: Context,
  month: Month,
  { last, is_booked }: Batch,
  deadline: number,
): Promise<{ is_booked: boolean; following: Promise<Batch | undefined> | undefined }> {
  if (reading_ahead.has(cx.db.pool)) return { is_booked: await is_booked, following: undefined };
  reading_ahead.add(cx.db.pool);
  const turn = is_booked.then((is_whole) => is_whole && Date.now() < deadline);
  const following = beginBatch(cx, month, last, turn);
  // The caller that awaits the following batch sees its failure; until then the failure must not be an unhandled rejection.
  following.catch(() => {});
  const has_turn = await turn;
  reading_ahead.delete(cx.db.pool);
  if (has_turn) return { is_booked: true, following };
  await following.then((batch) => batch?.is_booked).catch(() => {});
  return { is_booked: await is_booked, following: undefined };
}

/** Begins a batch with the customers after `after`; undefined when there are none. */
async function beginBatch(
  cx: Context,
  month: Month,
  after: Customer | null,
  turn: Promise<boolean>,
): Promise<Batch | undefined> {
  const customers = await customersAfter(cx, month, after);
  const last = customers.at(-1);
  if (last === undefined) return undefined;
  return { customers, last, is_booked: bookWhole(cx, month, customers, last, turn) };
}

/** Books a batch in one transaction as soon as the batch may continue; returns whether it is booked. */
async function bookWhole(
  cx: Context,
  month: Month,
  customers: readonly Customer[],
  last: Customer,
  turn: Promise<boolean>,
): Promise<boolean> {
  if (!cx.ledger?.transactional) return false;
  const ids = customers.map((customer) => customer.id);
  try {
    const batch = { month, customer_ids: ids, turn, last };
    return (await run(bookBatch, cx, batch)) !== null;
  } catch (error) {
    if (!isUnavailable(error) && !cx.signal.aborted) {
      cx.log.warn({ err: error, month }, "a batch of a close is booked one by one");
    }
    return false;
  }
}

/** Returns the next customers, by name, that may have something to book in the month. */
export function customersAfter(
  cx: Reader,
  month: Month,
  after: Customer | null,
): Promise<Customer[]> {
  return cx.rows(
    sql`select c.id, c.name from customers c
     where c.account_id = ${cx.caller.account_id}
       and (c.name, c.id) > (${after?.name ?? ""}::text, ${after?.id ?? FIRST_ID}::uuid) and ${mayBook(month)}
     order by c.name, c.id limit ${CUSTOMERS_AT_A_TIME}`,
  );
}

/** The id that precedes every other id. */
export const FIRST_ID = "00000000-0000-0000-0000-000000000000";
