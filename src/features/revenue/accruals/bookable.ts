/**
 * Defines the booking of an accrual and its reversal (spec 3.8). The ledger identifies both by their voucher guids.
 * An accrual with nothing to post is booked without a voucher. A lock of the customer serializes its accruals.
 */
import type { Month } from "../../../domain/base/calendar.ts";
import type { PeriodLock } from "../../../domain/base/period-lock.ts";
import { Problem } from "../../../domain/base/problem.ts";
import {
  type AccrualBookingFacts as Conditions,
  requireBookable,
  requireReopenable,
} from "../../../domain/revenue/accrual-booking.ts";
import { reversalOf, type VoucherSnapshot } from "../../../domain/revenue/voucher.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, thaw } from "../../../platform/runtime/json.ts";
import type {
  Bookable,
  BookingFacts,
  Decision,
  Issued,
  Outcome,
} from "../../ledger/booking/bookable.ts";
import { type CurrentBooking, getRow, presentAccrual } from "./queries.ts";
import type { AccrualSnapshot } from "./snapshot.ts";
import {
  bookingIn,
  type DecidedAccrual,
  draftOf,
  markReversing,
  storeBooked,
  storePending,
  storeReversed,
} from "./store-bookings.ts";
import { reversalGuid, voucherOf } from "./vouchers.ts";

/** An accrual whose customer is locked. */
interface Known extends BookingFacts {
  readonly accrual: DecidedAccrual;
  readonly ledger_is_connected: boolean;
}

/** An accrual to book, with the inputs of the booking decision. */
export interface ToBook extends Known, Omit<Conditions, "month" | "missing_roles"> {
  readonly state: "draft";
  readonly reversal: null;
  /** The month of the customer whose booking or reversal is in progress, with an unknown outcome; null when there is none. */
  readonly under_way: Month | null;
}

/** A booked accrual to reopen, with the inputs of the reopening decision. */
interface ToTakeBack extends Known {
  readonly state: "draft";
  readonly reversal: { readonly reason: string };
  readonly booked_through: Month | null;
  readonly lock: PeriodLock;
}

/** An accrual whose booking or reversal has been requested from a ledger. */
interface UnderWay extends Known {
  readonly state: "booking" | "booked";
  readonly reversal: { readonly reason: string } | null;
}

export type AccrualFacts = ToBook | ToTakeBack | UnderWay;

export interface DecidedVoucher extends Decision<AccrualFacts> {
  readonly snapshot: VoucherSnapshot | null;
}

export const accrualBookable: Bookable<AccrualFacts, DecidedVoucher> = {
  in_progress: "LEDGER_UNAVAILABLE",
  done: "ACCRUAL_ALREADY_BOOKED",
  number_constraint: "accrual_bookings_ledger_number",

  async read(tx, guids) {
    const facts: AccrualFacts[] = [];
    for (const guid of guids) facts.push(await readByGuid(tx, guid));
    return facts;
  },

  decide(facts) {
    const { accrual_id, revision, snapshot } = facts.accrual;
    requireDecidable(facts);
    requireLedger(facts);
    if (facts.reversal === null) requireNothingUnderWay(facts);
    const voucher = voucherOf(accrual_id, revision, snapshot);
    const is_reversal = facts.reversal !== null && voucher !== null;
    return {
      facts,
      snapshot: is_reversal ? reversalOf(voucher, reversalGuid(accrual_id, voucher)) : voucher,
    };
  },

  begun(tx, decided) {
    for (const { facts, snapshot } of decided) {
      const guid = snapshot?.document_id ?? null;
      if (facts.reversal !== null) markReversing(tx, facts.accrual, guid, facts.reversal.reason);
      else if (guid !== null) storePending(tx, facts.accrual, guid);
    }
  },

  async booked(tx, outcomes) {
    const made = outcomes.filter(({ facts }) => facts.reversal === null);
    const documents = storeBooked(
      tx,
      made.map(({ facts, booked, connection_id }) => ({
        ...facts.accrual,
        voucher: booked && {
          guid: booked.guid,
          number: booked.number,
          year: booked.year ?? null,
          connection_id,
        },
        was_pending: facts.state === "booking",
      })),
    );
    const texts = new Map(made.map(({ facts }, index) => [facts, documents[index]]));
    const issued: Issued[] = [];
    for (const outcome of outcomes) {
      const document = texts.get(outcome.facts) ?? (await takeBack(tx, outcome));
      issued.push({ document, delivery_id: null });
    }
    return issued;
  },

  async accepted(cx, guid) {
    const found = await cx.row<{ accrual_id: string }>(sql`select accrual_id from accrual_bookings
      where account_id = ${cx.caller.account_id} and (voucher_guid = ${guid} or reversal_guid = ${guid})`);
    // Another attempt has received a refusal from the ledger in the meantime, and deleted the booking.
    if (found === undefined) throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
    return presentAccrual(await getRow(cx, found.accrual_id), true);
  },

  /** After a refusal nothing is booked: the draft is computed again, or for a refused reversal the booking stays in effect. */
  async refused(tx, { accrual, reversal }, reason) {
    const { accrual_id } = accrual;
    const own = bookingIn(tx, accrual);
    // The revision's number is not used again: a first voucher that is booked late cannot be confused with that of another
    // attempt.
    if (reversal === null) tx.write(sql`delete from accrual_bookings ${own}`);
    else {
      tx.write(
        sql`update accrual_bookings set state = 'booked', reversal_guid = null, reason = null ${own}`,
      );
    }
    const document = presentAccrual(await getRow(tx, accrual_id));
    tx.audit("accrual", accrual_id, reversal === null ? "booking_refused" : "reopening_refused", {
      before: document,
      after: document,
      reason,
    });
  },
};

function requireDecidable(facts: AccrualFacts): void {
  const { month, entries } = facts.accrual.snapshot;
  if (facts.state !== "draft") throw new Error("an accrual that is being booked is not decided");
  if (facts.reversal !== null) {
    requireReopenable({ ...facts, month, is_booked: true });
    return;
  }
  const missing_roles = entries.flatMap((entry) =>
    entry.account_number === null ? [entry.account_role] : [],
  );
  requireBookable({ ...facts, month, missing_roles });
}

/** Throws LEDGER_NOT_CONNECTED when there is a voucher to book and no connected ledger. */
export function requireLedger({ accrual, ledger_is_connected }: AccrualFacts): void {
  if (accrual.snapshot.entries.length > 0 && !ledger_is_connected) {
    throw new Problem("LEDGER_NOT_CONNECTED");
  }
}

/** Requires that no other month has an unknown outcome. Throws EARLIER_ACCRUAL_OPEN or LATER_ACCRUAL_BOOKED. */
function requireNothingUnderWay(facts: AccrualFacts): void {
  const other = "under_way" in facts ? facts.under_way : null;
  if (other === null) return;
  const code =
    other < facts.accrual.snapshot.month ? "EARLIER_ACCRUAL_OPEN" : "LATER_ACCRUAL_BOOKED";
  throw new Problem(code, { details: { month: other } });
}

/** Makes an accrual a draft again when its reversal is booked. */
async function takeBack(
  tx: Tx,
  { facts, booking, booked }: Outcome<AccrualFacts>,
): Promise<JsonText> {
  const { accrual, state } = facts;
  const reason = facts.reversal?.reason ?? null;
  if (state === "draft" && reason !== null) {
    markReversing(tx, accrual, booking?.intent.guid ?? null, reason);
  }
  const before = await getRow(tx, accrual.accrual_id);
  storeReversed(tx, accrual, booked);
  const document = presentAccrual(draftOf(before));
  tx.audit("accrual", accrual.accrual_id, "reopened", {
    before: presentAccrual(before),
    after: document,
    reason,
  });
  return document;
}

/** Returns the accrual booking of a voucher or reversing voucher, and locks its customer. Throws LEDGER_UNAVAILABLE. */
export async function readByGuid(tx: Tx, guid: string): Promise<AccrualFacts> {
  const { account_id } = tx.caller;
  tx.lock(sql`select c.id from customers c
    join accruals a on a.account_id = ${account_id} and a.customer_id = c.id
    join accrual_bookings b on b.account_id = ${account_id} and b.accrual_id = a.id
    where c.account_id = ${account_id} and (b.voucher_guid = ${guid} or b.reversal_guid = ${guid})
    for no key update of c`);
  const booking = await tx.row<StoredBooking>(sql`
    select accrual_id, revision, state, snapshot, voucher_guid, reversal_guid, reason from accrual_bookings
    where account_id = ${account_id} and (voucher_guid = ${guid} or reversal_guid = ${guid})`);
  // No booking is stored when another attempt has received a refusal from the ledger.
  if (booking === undefined) throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
  const { accrual_id, revision, state } = booking;
  const is_reversal = guid !== booking.voucher_guid;
  return {
    state: state === (is_reversal ? "reversed" : "booked") ? "booked" : "booking",
    guid,
    document: presentAccrual(await getRow(tx, accrual_id)),
    accrual: { accrual_id, revision, snapshot: thaw<AccrualSnapshot>(booking.snapshot) },
    reversal: is_reversal ? { reason: booking.reason ?? "" } : null,
    ledger_is_connected: tx.ledger !== null,
  };
}

type StoredBooking = Omit<CurrentBooking, "state"> & {
  readonly accrual_id: string;
  readonly state: CurrentBooking["state"] | "reversed";
};
