/** Books the accrual of a customer and month, and reopens a booking (spec 3.8). */
import * as z from "zod";
import type { Month } from "../../../domain/base/calendar.ts";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { earlierOpenMonth, firstMonth } from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { thaw } from "../../../platform/runtime/json.ts";
import { bookingCommand } from "../../ledger/booking/booking-command.ts";
import {
  type Configuration,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import type { CustomerPosition } from "../revenue-facts/positions.ts";
import { type AccrualFacts, accrualBookable, readByGuid, type ToBook } from "./bookable.ts";
import { withVatCodes } from "./find-revenue.ts";
import type { StoredAccrual } from "./present.ts";
import {
  accrualId,
  closedThrough,
  findCurrentBooking,
  getRow,
  positionThrough,
  presentAccrual,
  todayOf,
} from "./queries.ts";
import { ReasonBody } from "./schemas.ts";
import { type AccrualSnapshot, snapshotOf } from "./snapshot.ts";
import type { DecidedAccrual } from "./store-bookings.ts";

/**
 * Books an accrual and returns it. Throws NOT_FOUND, ACCRUAL_ALREADY_BOOKED, PERIOD_NOT_ENDED,
 * PERIOD_LOCKED, LATER_ACCRUAL_BOOKED, EARLIER_ACCRUAL_OPEN, EXCHANGE_RATE_MISSING,
 * ACCOUNT_ROLE_MISSING, LEDGER_NOT_CONNECTED, LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const bookAccrual = bookingCommand({
  name: "book_accrual",
  input: z.object({ id: Uuid }),
  bookable: accrualBookable,

  async read(tx, { id }): Promise<AccrualFacts> {
    const { row, configuration } = await lockAccrual(tx, id);
    const current_booking = await findCurrentBooking(tx, id);
    if (current_booking?.state === "pending")
      return readByGuid(tx, current_booking.voucher_guid ?? "");
    if (current_booking !== undefined) throw new Problem("ACCRUAL_ALREADY_BOOKED");
    const position = await positionThrough(tx, configuration, row.customer_id, row.month);
    const first = firstMonth(position.line_balances);
    if (first === null || row.month < first) throw notFound("accrual", id);
    const facts = await factsOfMonth(tx, configuration, position, row.month, row.revision + 1);
    const accrual = await sentTo(tx, position, configuration, facts.accrual);
    return { ...facts, accrual, under_way: await underWay(tx, row.customer_id) };
  },

  answer: (_cx, { document }) => document,
});

/** Splits the revenue by VAT code for a connected ledger. The built-in ledger posts one sum for each account. */
async function sentTo(
  tx: Tx,
  position: CustomerPosition,
  configuration: Configuration,
  accrual: DecidedAccrual,
): Promise<DecidedAccrual> {
  if (tx.ledger === null || tx.ledger.transactional) return accrual;
  const snapshot = await withVatCodes(tx, position, configuration, accrual.snapshot);
  return { ...accrual, snapshot };
}

/** Reads the inputs of booking a customer's month. */
export async function factsOfMonth(
  cx: Reader,
  configuration: Configuration,
  position: CustomerPosition,
  month: Month,
  revision: number,
): Promise<ToBook> {
  const { booked_through } = position;
  const closed_through = closedThrough(configuration, booked_through);
  const snapshot = await snapshotOf(cx, position, configuration, closed_through, month);
  const accrual_id = accrualId(cx, position.customer_id, month);
  return {
    state: "draft",
    guid: accrual_id,
    document: null,
    accrual: { accrual_id, revision, snapshot },
    reversal: null,
    ledger_is_connected: cx.ledger !== null,
    lock: configuration,
    booked_through,
    today: todayOf(cx, configuration),
    earlier_open: earlierOpenMonth(position.line_balances, closed_through, month),
    missing_rate: missingRate(position, snapshot, month),
    under_way: null,
  };
}

/** Returns the customer's month whose booking or reversal is in progress with an unknown outcome. Null if none is. */
async function underWay(tx: Tx, customer_id: string): Promise<Month | null> {
  const found = await tx.row<{ month: Month }>(sql`select a.month from accruals a
    join accrual_bookings b on b.account_id = a.account_id and b.accrual_id = a.id
      and b.state in ('pending', 'reversing')
    where a.account_id = ${tx.caller.account_id} and a.customer_id = ${customer_id}`);
  return found?.month ?? null;
}

/** Returns the first month of a foreign line without a known rate; null when no rate is missing. */
function missingRate({ line_balances }: CustomerPosition, snapshot: AccrualSnapshot, month: Month) {
  if (snapshot.figures !== null) return null;
  for (const { now, currency } of line_balances) {
    const without = now.find((one) => one.earned_functional === null);
    if (without) return { currency, month: without.month };
  }
  return { currency: snapshot.functional_currency, month };
}

/**
 * Reopens the last booking of a customer and returns the draft: the voucher is reversed under its own
 * date. Throws NOT_FOUND, ACCRUAL_NOT_BOOKED, LATER_ACCRUAL_BOOKED, PERIOD_LOCKED, LEDGER_NOT_CONNECTED,
 * LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const reopenAccrual = bookingCommand({
  name: "reopen_accrual",
  input: z.object({ id: Uuid, body: ReasonBody }),
  bookable: accrualBookable,

  async read(tx, { id, body }): Promise<AccrualFacts> {
    const { row, configuration } = await lockAccrual(tx, id);
    const current_booking = await findCurrentBooking(tx, id);
    if (current_booking?.state === "reversing")
      return readByGuid(tx, current_booking.reversal_guid ?? "");
    if (current_booking?.state !== "booked") throw new Problem("ACCRUAL_NOT_BOOKED");
    const { revision } = current_booking;
    return {
      state: "draft",
      guid: id,
      document: presentAccrual(row),
      accrual: {
        accrual_id: id,
        revision,
        snapshot: thaw<AccrualSnapshot>(current_booking.snapshot),
      },
      reversal: { reason: body.reason },
      ledger_is_connected: tx.ledger !== null,
      lock: configuration,
      booked_through: await bookedThrough(tx, row.customer_id),
    };
  },

  answer: (_cx, { document }) => document,
});

/** Returns the accrual; locks its customer and the configuration. Throws NOT_FOUND. */
async function lockAccrual(
  tx: Tx,
  id: string,
): Promise<{ readonly row: StoredAccrual; readonly configuration: Configuration }> {
  const { customer_id } = await getRow(tx, id);
  lockCustomers(tx, [customer_id]);
  holdConfiguration(tx);
  const [row, configuration] = await Promise.all([getRow(tx, id), getConfiguration(tx)]);
  return { row, configuration };
}

/** Returns the last month of a customer with an effective booking or one in progress. */
export async function bookedThrough(tx: Tx, customer_id: string): Promise<Month | null> {
  const found = await tx.row<{ month: Month | null }>(sql`
    select max(a.month) as month from accruals a
    join accrual_bookings b on b.account_id = a.account_id and b.accrual_id = a.id and b.state <> 'reversed'
    where a.account_id = ${tx.caller.account_id} and a.customer_id = ${customer_id}`);
  return found?.month ?? null;
}

/** Locks customers in the order of their ids, to serialize their bookings. Must be a transaction's first lock. */
export function lockCustomers(tx: Tx, ids: readonly string[]): void {
  tx.lock(sql`select from customers where account_id = ${tx.caller.account_id} and id = any(${ids})
    order by id for no key update`);
}
