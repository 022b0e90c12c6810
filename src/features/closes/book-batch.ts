/**
 * Booking the accruals of a month for many customers at once: their facts in one statement, their
 * vouchers and rows in a few. What one customer's accrual is refused for is that customer's alone.
 */

import type { Month } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { firstMonth } from "../../domain/revenue/accrual.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Tx } from "../../platform/tx.ts";
import { factsOfMonth, lockCustomers } from "../accruals/book-accrual.ts";
import { accrualBookable, type DecidedVoucher } from "../accruals/bookable.ts";
import { accrualId } from "../accruals/queries.ts";
import { book } from "../booking/booking-command.ts";
import { getConfiguration, holdConfiguration } from "../configuration/queries.ts";
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
  tx: Tx,
  customer_ids: readonly string[],
  month: Month,
): Promise<CloseError[]> {
  return bookFacts(tx, await readBatch(tx, customer_ids, month), month);
}

/** The first half of `bookBatch`: locks the customers, and reads. */
export async function readBatch(
  tx: Tx,
  customer_ids: readonly string[],
  month: Month,
): Promise<BatchFacts> {
  // They travel together; what is read is as of after the locks, because each statement looks anew.
  lockCustomers(tx, customer_ids);
  const [facts, revisions] = await Promise.all([
    factsOfCustomers(tx, customer_ids),
    revisionsOf(tx, month, customer_ids),
  ]);
  return { facts, revisions };
}

/**
 * The second half: decides, books and stores. The lock date is held only from here: were it held by a
 * batch that waits for the one before, no change of the configuration would get its turn while a close runs.
 */
export async function bookFacts(
  tx: Tx,
  { facts, revisions }: BatchFacts,
  month: Month,
): Promise<CloseError[]> {
  holdConfiguration(tx);
  const configuration = await getConfiguration(tx);
  const decided: DecidedVoucher[] = [];
  const errors: CloseError[] = [];
  for await (const position of positionsFrom(tx, configuration, facts, month)) {
    if (!hasToBook(position, month)) continue;
    const revision = (revisions.get(accrualId(tx, position.customer_id, month)) ?? 0) + 1;
    const accrual = await factsOfMonth(tx, configuration, position, month, revision);
    try {
      decided.push(accrualBookable.decide(accrual));
    } catch (error) {
      errors.push(closeErrorFrom(position.customer_id, error));
    }
  }
  await book(tx, accrualBookable, decided);
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

async function revisionsOf(
  cx: Reader,
  month: Month,
  customer_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await cx.rows<{ id: string; revision: number }>(sql`select id, revision from accruals
     where account_id = ${cx.caller.account_id} and customer_id = any(${customer_ids}) and month = ${month}`);
  return new Map(rows.map((row) => [row.id, row.revision]));
}
