/**
 * Booking the accrual of a customer and month, and taking a booking back (spec 3.8). What is booked
 * is frozen first; the built-in ledger books it in the same transaction, an external one behind an
 * intent that repeats the same voucher until its answer is known.
 */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import { firstMonth } from "../../domain/revenue/accrual.ts";
import { requireBookable, requireReopenable } from "../../domain/revenue/accrual-booking.ts";
import { reversalOf } from "../../domain/revenue/voucher.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type JsonText, thaw } from "../../platform/json.ts";
import { type Begun, completeBooking, isOpen, takeOver } from "../booking/book-document.ts";
import { findIntent, type Intent, openIntent } from "../booking/intents.ts";
import { requireBooked } from "../booking/refusals.ts";
import { ledgerWithin } from "../configuration/accounts.ts";
import { type Configuration, getConfiguration } from "../configuration/queries.ts";
import type { CustomerPosition } from "../revenue-facts/positions.ts";
import {
  closedThrough,
  earlierOpen,
  findStanding,
  getRow,
  positionThrough,
  todayOf,
} from "./queries.ts";
import { ReasonBody } from "./schemas.ts";
import { accrualSettlement, finishReopening } from "./settlement.ts";
import { type AccrualSnapshot, snapshotOf } from "./snapshot.ts";
import { type DecidedAccrual, storeBooked, storePending } from "./store-bookings.ts";
import { bookingOf, reversalGuid, voucherOf } from "./vouchers.ts";

type BookPlan = DecidedAccrual | { readonly resume: Intent };

/**
 * Books an accrual and answers it. Throws NOT_FOUND, ACCRUAL_ALREADY_BOOKED, PERIOD_NOT_ENDED,
 * PERIOD_LOCKED, LATER_ACCRUAL_BOOKED, EARLIER_ACCRUAL_OPEN, EXCHANGE_RATE_MISSING,
 * ACCOUNT_ROLE_MISSING, LEDGER_NOT_CONNECTED, LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const bookAccrual = defineCommand({
  name: "book_accrual",
  access: "issue",
  input: z.object({ id: Uuid }),

  async plan(cx, { id }): Promise<BookPlan> {
    const { customer_id } = await getRow(cx, id);
    await lockCustomers(cx, [customer_id]);
    const configuration = await getConfiguration(cx, true);
    const row = await getRow(cx, id);
    const standing = await findStanding(cx, id);
    if (standing?.state === "pending")
      return { resume: await findIntent(cx, standing.voucher_guid ?? "") };
    if (standing !== undefined) throw new Problem("ACCRUAL_ALREADY_BOOKED");
    const position = await positionThrough(cx, configuration, customer_id, row.month);
    const first = firstMonth(position.pieces);
    if (first === null || row.month < first) throw notFound("accrual", id);
    const snapshot = await decideAccrual(cx, configuration, position, row.month);
    await requireNothingPending(cx, customer_id, row.month);
    return { accrual_id: id, revision: row.revision + 1, snapshot };
  },

  async commit(cx, plan): Promise<Begun> {
    if ("resume" in plan) {
      return { intent: await takeOver(cx, plan.resume, accrualSettlement.in_progress) };
    }
    return beginAccrual(cx, plan);
  },

  is_begun: isOpen,

  after: async (cx, begun): Promise<JsonText> =>
    (await completeBooking(cx, begun, accrualSettlement)).document,
});

/** The accrual that would be booked. Throws what `requireBookable` throws, and LEDGER_NOT_CONNECTED. */
export async function decideAccrual(
  cx: Context,
  configuration: Configuration,
  position: CustomerPosition,
  month: Month,
): Promise<AccrualSnapshot> {
  const closed_through = closedThrough(configuration, position.booked_through);
  const snapshot = await snapshotOf(position, configuration, closed_through, month);
  requireBookable({
    month,
    today: todayOf(cx, configuration),
    period_lock_date: configuration.period_lock_date,
    booked_through: position.booked_through,
    earlier_open: earlierOpen(position, closed_through, month),
    missing_rate: missingRate(position, snapshot, month),
    missing_roles: snapshot.entries.flatMap((entry) =>
      entry.account_number === null ? [entry.account_role] : [],
    ),
  });
  requireLedger(cx, snapshot);
  return snapshot;
}

/** Throws LEDGER_NOT_CONNECTED when there is a voucher and nowhere to book it. */
export function requireLedger(cx: Context, snapshot: AccrualSnapshot): void {
  if (snapshot.entries.length > 0 && cx.ledger === null) throw new Problem("LEDGER_NOT_CONNECTED");
}

/**
 * What a customer's other booking under way will say is not known: nothing is booked beside it. Throws
 * EARLIER_ACCRUAL_OPEN or LATER_ACCRUAL_BOOKED.
 */
async function requireNothingPending(
  cx: Context,
  customer_id: string,
  month: Month,
): Promise<void> {
  const rows = await query<{ month: Month }>(
    cx.db,
    `select a.month from accruals a
     join accrual_bookings b on b.account_id = $1 and b.accrual_id = a.id
       and b.state in ('pending', 'reversing')
     where a.account_id = $1 and a.customer_id = $2`,
    [cx.caller.account_id, customer_id],
  );
  const other = rows[0]?.month;
  if (other === undefined) return;
  const code = other < month ? "EARLIER_ACCRUAL_OPEN" : "LATER_ACCRUAL_BOOKED";
  throw new Problem(code, { details: { month: other } });
}

/** The first month of a foreign line that no rate is known for; null when the accrual is whole. */
export function missingRate({ pieces }: CustomerPosition, snapshot: AccrualSnapshot, month: Month) {
  if (snapshot.figures !== null) return null;
  for (const { now, currency } of pieces) {
    const without = now.find((one) => one.earned_functional === null);
    if (without) return { currency, month: without.month };
  }
  return { currency: snapshot.functional_currency, month };
}

async function beginAccrual(cx: Context, decided: DecidedAccrual): Promise<Begun> {
  const voucher = voucherOf(decided.accrual_id, decided.revision, decided.snapshot);
  const ledger = ledgerWithin(cx);
  if (voucher !== null && ledger === undefined) {
    const { booking, payload } = bookingOf(cx, voucher);
    await storePending(cx, decided, voucher.document_id);
    return { intent: await openIntent(cx, booking, payload) };
  }
  const booked = voucher && ledger ? await bookIn(cx, ledger, voucher) : null;
  const [document] = await storeBooked(cx, [{ ...decided, voucher: booked, was_pending: false }]);
  return { document: document as JsonText, delivery_id: null };
}

async function bookIn(
  cx: Context,
  ledger: NonNullable<ReturnType<typeof ledgerWithin>>,
  voucher: NonNullable<ReturnType<typeof voucherOf>>,
) {
  const { guid, number } = requireBooked(
    await ledger.ensureBooked(bookingOf(cx, voucher).booking, { signal: NEVER }),
  );
  return { guid, number };
}

/** Inside our own transaction nothing is waited for. */
const NEVER = new AbortController().signal;

type ReopenPlan =
  | { readonly decided: DecidedAccrual; readonly reason: string }
  | { readonly resume: Intent };

/**
 * Takes the last booking of a customer back and answers the draft: the voucher is reversed under its own
 * date. Throws NOT_FOUND, ACCRUAL_NOT_BOOKED, LATER_ACCRUAL_BOOKED, PERIOD_LOCKED, LEDGER_NOT_CONNECTED,
 * LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const reopenAccrual = defineCommand({
  name: "reopen_accrual",
  access: "issue",
  input: z.object({ id: Uuid, body: ReasonBody }),

  async plan(cx, { id, body }): Promise<ReopenPlan> {
    const { customer_id } = await getRow(cx, id);
    await lockCustomers(cx, [customer_id]);
    const configuration = await getConfiguration(cx, true);
    const row = await getRow(cx, id);
    const standing = await findStanding(cx, id);
    if (standing?.state === "reversing") {
      return { resume: await findIntent(cx, standing.reversal_guid ?? "") };
    }
    requireReopenable({
      month: row.month,
      is_booked: standing?.state === "booked",
      booked_through: await bookedThrough(cx, customer_id),
      period_lock_date: configuration.period_lock_date,
    });
    if (standing === undefined) throw new Error("a booked accrual has no booking");
    const snapshot = thaw<AccrualSnapshot>(standing.snapshot);
    requireLedger(cx, snapshot);
    const decided = { accrual_id: id, revision: standing.revision, snapshot };
    return { decided, reason: body.reason };
  },

  async commit(cx, plan): Promise<Begun> {
    if ("resume" in plan) {
      return { intent: await takeOver(cx, plan.resume, accrualSettlement.in_progress) };
    }
    return beginReopening(cx, plan.decided, plan.reason);
  },

  is_begun: isOpen,

  after: async (cx, begun): Promise<JsonText> =>
    (await completeBooking(cx, begun, accrualSettlement)).document,
});

async function beginReopening(
  cx: Context,
  decided: DecidedAccrual,
  reason: string,
): Promise<Begun> {
  const { accrual_id, revision, snapshot } = decided;
  const voucher = voucherOf(accrual_id, revision, snapshot);
  const reversal = voucher && reversalOf(voucher, reversalGuid(accrual_id, voucher));
  await query(
    cx.db,
    `update accrual_bookings set state = 'reversing', reversal_guid = $4, reason = $5
     where account_id = $1 and accrual_id = $2 and revision = $3`,
    [cx.caller.account_id, accrual_id, revision, reversal?.document_id ?? null, reason],
  );
  if (reversal === null) return finishReopening(cx, accrual_id, null);
  const { booking, payload } = bookingOf(cx, reversal);
  const ledger = ledgerWithin(cx);
  if (ledger === undefined) return { intent: await openIntent(cx, booking, payload) };
  const { number } = requireBooked(await ledger.ensureBooked(booking, { signal: NEVER }));
  return finishReopening(cx, accrual_id, number);
}

/** The last month of a customer with a booking that stands or is under way. */
async function bookedThrough(cx: Context, customer_id: string): Promise<Month | null> {
  const rows = await query<{ month: Month | null }>(
    cx.db,
    `select max(a.month) as month from accruals a
     join accrual_bookings b on b.account_id = $1 and b.accrual_id = a.id and b.state <> 'reversed'
     where a.account_id = $1 and a.customer_id = $2`,
    [cx.caller.account_id, customer_id],
  );
  return rows[0]?.month ?? null;
}

/** Bookings of one customer take turns. The first lock of the transaction, in the order of ids. */
export async function lockCustomers(cx: Context, ids: readonly string[]): Promise<void> {
  if (!cx.locks) return;
  await query(
    cx.db,
    "select id from customers where account_id = $1 and id = any($2) order by id for no key update",
    [cx.caller.account_id, ids],
  );
}
