/**
 * Booking the accruals of a month for many customers at once: their facts in one statement, their
 * vouchers and rows in a few. What one customer's accrual is refused for is that customer's alone.
 */

import type { Month } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { firstMonth } from "../../domain/revenue/accrual.ts";
import type { VoucherBooking } from "../../ledger/ledger.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import { decideAccrual, lockCustomers } from "../accruals/book-accrual.ts";
import { accrualId } from "../accruals/queries.ts";
import {
  type BookedAccrual,
  type DecidedAccrual,
  storeBooked,
} from "../accruals/store-bookings.ts";
import { bookingOf, voucherOf } from "../accruals/vouchers.ts";
import { requireBooked } from "../booking/refusals.ts";
import { ledgerWithin } from "../configuration/accounts.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { type CustomerPosition, positionsFrom } from "../revenue-facts/positions.ts";
import { type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import type { CloseError } from "./schemas.ts";

/** What a batch is decided from, read under the locks of its customers. */
interface BatchFacts {
  readonly facts: Facts;
  /** By accrual; one that has no row has none. */
  readonly revisions: ReadonlyMap<string, number>;
}

/**
 * Books what the customers have to book in the month, inside a transaction in our own database; answers
 * whom it was refused for. Customers without a row through the month, or whose month is closed, are
 * passed over.
 */
export async function bookBatch(
  cx: Context,
  customer_ids: readonly string[],
  month: Month,
): Promise<CloseError[]> {
  return bookFacts(cx, await readBatch(cx, customer_ids, month), month);
}

/** The first half of `bookBatch`: locks the customers, and reads. */
export async function readBatch(
  cx: Context,
  customer_ids: readonly string[],
  month: Month,
): Promise<BatchFacts> {
  // They travel together; what is read is as of after the locks, because each statement looks anew.
  const [, facts, revisions] = await together([
    lockCustomers(cx, customer_ids),
    factsOfCustomers(cx, customer_ids),
    revisionsOf(cx, month, customer_ids),
  ]);
  return { facts, revisions };
}

/**
 * The second half: decides, books and stores. The lock date is held only from here: were it held by a
 * batch that waits for the one before, no change of the configuration would get its turn while a close runs.
 */
export async function bookFacts(
  cx: Context,
  { facts, revisions }: BatchFacts,
  month: Month,
): Promise<CloseError[]> {
  const configuration = await getConfiguration(cx, true);
  const decided: DecidedAccrual[] = [];
  const errors: CloseError[] = [];
  for await (const position of positionsFrom(cx, configuration, facts, month)) {
    if (!hasToBook(position, month)) continue;
    try {
      const snapshot = await decideAccrual(cx, configuration, position, month);
      const accrual_id = accrualId(cx, position.customer_id, month);
      const revision = (revisions.get(accrual_id) ?? 0) + 1;
      decided.push({ accrual_id, revision, snapshot });
    } catch (error) {
      errors.push(closeErrorFrom(position.customer_id, error));
    }
  }
  await storeBooked(cx, await withVouchers(cx, decided));
  return errors;
}

/** Whether a customer has anything through the month that is not closed. */
export function hasToBook(position: CustomerPosition, month: Month): boolean {
  const first = firstMonth(position.pieces);
  const is_closed = position.booked_through !== null && position.booked_through >= month;
  return first !== null && first <= month && !is_closed;
}

/** A refusal becomes the customer's error; anything else is thrown on. */
export function closeErrorFrom(customer_id: string, error: unknown): CloseError {
  if (!(error instanceof Problem)) throw error;
  const { details } = error.extras;
  return { customer_id, code: error.code, message: error.message, ...(details && { details }) };
}

async function withVouchers(
  cx: Context,
  decided: readonly DecidedAccrual[],
): Promise<BookedAccrual[]> {
  const vouchers = decided.map((one) => voucherOf(one.accrual_id, one.revision, one.snapshot));
  const intents = vouchers.flatMap((voucher): VoucherBooking[] =>
    voucher === null ? [] : [bookingOf(cx, voucher).booking],
  );
  const ledger = ledgerWithin(cx);
  if (ledger === undefined) throw new Error("many vouchers are booked in our own database only");
  const outcomes = intents.length === 0 ? [] : await ledger.ensureVouchers(intents);
  let next = 0;
  return decided.map((one, index) => {
    const booked = vouchers[index] === null ? null : outcomes[next++];
    const voucher = booked ? requireBooked(booked) : null;
    return {
      ...one,
      voucher: voucher && { guid: voucher.guid, number: voucher.number },
      was_pending: false,
    };
  });
}

async function revisionsOf(
  cx: Context,
  month: Month,
  customer_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; revision: number }>(
    cx.db,
    `select id, revision from accruals
     where account_id = $1 and customer_id = any($2) and month = $3`,
    [cx.caller.account_id, customer_ids, month],
  );
  return new Map(rows.map((row) => [row.id, row.revision]));
}
