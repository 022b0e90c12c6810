/**
 * Books the accruals of a month for many customers together: one query reads their facts, a few SQL statements write their
 * vouchers and rows. A refusal affects only the refused customer's accrual.
 */

import * as z from "zod";
import type { Month } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { firstMonth } from "../../../domain/revenue/accrual.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { book } from "../../ledger/booking/booking-command.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { factsOfMonth, lockCustomers } from "../accruals/book-accrual.ts";
import { accrualBookable, type DecidedVoucher } from "../accruals/bookable.ts";
import { type CustomerPosition, positionsFrom } from "../revenue-facts/positions.ts";
import { type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { lockClose } from "./queries.ts";
import type { CloseError } from "./schemas.ts";

/** The lease of a process on a run, which the process renews with every batch. */
export const LEASE = "interval '60 seconds'";
const LOCK_TIMEOUT = "2s";

export interface Customer {
  readonly id: string;
  readonly name: string;
}

/** The inputs of a batch, which are read while its customers are locked. */
interface BatchFacts {
  readonly facts: Facts;
  /** By customer; a customer whose accrual has no row has no entry. */
  readonly revisions: ReadonlyMap<string, number>;
}

interface BatchInput {
  readonly month: Month;
  readonly customer_ids: readonly string[];
  /** Whether the batch may continue after reading; resolves when that is known. */
  readonly turn: Promise<boolean>;
  /** The last customer of the batch, to which the run advances; null when the run does not advance. */
  readonly last: Customer | null;
}

/**
 * Books the accruals of customers in the month, in the built-in ledger. Returns the errors of refused customers; null when the
 * batch could not continue after reading. Customers without a row through the month, or whose month is closed, are skipped.
 */
export const bookBatch = defineCommand({
  name: "book_close_batch",
  access: "issue",
  input: z.custom<BatchInput>(),

  async plan(tx, input) {
    const { customer_ids, month, turn } = input;
    // Shorter than usual: a customer that another transaction has locked is booked alone, later.
    tx.write(sql`set local lock_timeout = '${raw(LOCK_TIMEOUT)}'`);
    lockCustomers(tx, customer_ids);
    // Both queries are sent together, after the locks, because each SQL statement has its own snapshot.
    const [facts, revisions] = await Promise.all([
      factsOfCustomers(tx, customer_ids),
      revisionsOf(tx, month, customer_ids),
    ]);
    return { ...input, facts, revisions, has_turn: await turn };
  },

  async commit(tx, { month, last, facts, revisions, has_turn }): Promise<CloseError[] | null> {
    if (!has_turn) return null;
    // The close is locked before the ledger, because it is written after the ledger.
    if (last !== null) await lockClose(tx, month);
    const errors = await bookFacts(tx, { facts, revisions }, month);
    if (last !== null) await advance(tx, month, last, errors);
    return errors;
  },
});

/**
 * Decides, books and stores the accruals of a batch. The lock date is locked only from here: a batch that locked the date while
 * waiting for the previous batch would block all changes of the configuration during a close.
 */
async function bookFacts(
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
    const revision = (revisions.get(position.customer_id) ?? 0) + 1;
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

/** Stores `last` as the position of the run (null leaves the position unchanged), adds errors, and renews the lease. */
export async function advance(
  cx: Reader,
  month: Month,
  last: Customer | null,
  errors: readonly CloseError[],
): Promise<void> {
  await cx.rows(sql`update period_closes set done_name = coalesce(${last?.name ?? null}, done_name), done_id = coalesce(${last?.id ?? null}, done_id),
       lease_until = (select clock_timestamp() + ${raw(LEASE)}),
       errors = (errors::jsonb || ${JSON.stringify(errors)}::jsonb)::text
     where account_id = ${cx.caller.account_id} and month = ${month} and status = 'running'`);
}

/** Whether a customer has anything to book through the month. */
export function hasToBook(position: CustomerPosition, month: Month): boolean {
  const first = firstMonth(position.line_balances);
  const is_closed = position.booked_through !== null && position.booked_through >= month;
  return first !== null && first <= month && !is_closed;
}

/** Returns a refusal as the customer's error; rethrows any other error. */
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
  const rows = await cx.rows<{ customer_id: string; revision: number }>(sql`
    select customer_id, revision from accruals
     where account_id = ${cx.caller.account_id} and customer_id = any(${customer_ids}) and month = ${month}`);
  return new Map(rows.map((row) => [row.customer_id, row.revision]));
}
