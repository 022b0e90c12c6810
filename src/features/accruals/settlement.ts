/**
 * What becomes of an accrual when a ledger has answered for its voucher: booked, a draft again, or as it
 * was. The accrual is named by the guid of its voucher or of the voucher's reversal.
 */
import { Problem } from "../../domain/base/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import { type JsonText, thaw } from "../../platform/json.ts";
import type { Issued, Settlement } from "../booking/settle.ts";
import { getRow, presentAccrual, type Standing } from "./queries.ts";
import type { AccrualSnapshot } from "./snapshot.ts";
import { draftOf, storeBooked, storeReversal } from "./store-bookings.ts";

export const accrualSettlement: Settlement = {
  // Voucher numbers of external ledgers begin anew each year: none of ours says that they may not.
  number_constraint: "",
  in_progress: "LEDGER_UNAVAILABLE",

  async findIssued(inside, guid) {
    const booking = await findByGuid(inside, guid);
    // A refusal that another attempt has learnt of has left nothing.
    if (booking === undefined) throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
    const is_done = guid === booking.voucher_guid ? "booked" : "reversed";
    if (booking.state !== is_done) return null;
    return presentAccrual(await getRow(inside, booking.accrual_id));
  },

  async finish(inside, { guid }, _payload, { number }) {
    const booking = await findByGuid(inside, guid);
    if (booking === undefined) throw new Error("a booked voucher has no accrual");
    const { accrual_id, revision } = booking;
    if (guid !== booking.voucher_guid) return finishReopening(inside, accrual_id, number);
    const snapshot = thaw<AccrualSnapshot>(booking.snapshot);
    const booked = { accrual_id, revision, snapshot, voucher: { guid, number }, was_pending: true };
    const [document] = await storeBooked(inside, [booked]);
    return { document: document as JsonText, delivery_id: null };
  },

  /** Nothing was booked: the draft is computed again, or the booking stands as it did. */
  async release(inside, guid, reason) {
    const booking = await findByGuid(inside, guid);
    if (booking === undefined) return;
    const { accrual_id, revision } = booking;
    const key = [inside.caller.account_id, accrual_id, revision];
    const at = "where account_id = $1 and accrual_id = $2 and revision = $3";
    if (guid === booking.voucher_guid) {
      // The revision is used up: another attempt is another voucher, whatever becomes of a late first one.
      await query(inside.db, `delete from accrual_bookings ${at}`, key);
    } else {
      await query(
        inside.db,
        `update accrual_bookings set state = 'booked', reversal_guid = null, reason = null ${at}`,
        key,
      );
    }
    const document = presentAccrual(await getRow(inside, accrual_id));
    await recordAudit(inside, {
      action: guid === booking.voucher_guid ? "booking_refused" : "reopening_refused",
      resource_type: "accrual",
      resource_id: accrual_id,
      before: document,
      after: document,
      reason,
    });
  },
};

/** Makes an accrual whose reversal is booked a draft again; `number` is the reversal's, null without one. */
export async function finishReopening(
  inside: Context,
  accrual_id: string,
  number: bigint | null,
): Promise<Issued> {
  const { account_id, actor } = inside.caller;
  const before = await getRow(inside, accrual_id);
  const booking = await standingOf(inside, accrual_id);
  const snapshot = thaw<AccrualSnapshot>(booking.snapshot);
  await storeReversal(inside, { accrual_id, revision: booking.revision, snapshot });
  await together([
    query(
      inside.db,
      `update accrual_bookings set state = 'reversed', reversal_number = $4, reopened_at = $5, reopened_by = $6
       where account_id = $1 and accrual_id = $2 and revision = $3`,
      [
        account_id,
        accrual_id,
        booking.revision,
        number,
        inside.clock.now(),
        `${actor.kind}:${actor.id}`,
      ],
    ),
    query(
      inside.db,
      `update accruals set status = 'draft', booked_at = null, original_month = null,
         ledger_voucher_guid = null, ledger_voucher_number = null
       where account_id = $1 and id = $2`,
      [account_id, accrual_id],
    ),
  ]);
  const document = presentAccrual(draftOf(before));
  await recordAudit(inside, {
    action: "reopened",
    resource_type: "accrual",
    resource_id: accrual_id,
    before: presentAccrual(before),
    after: document,
    reason: booking.reason,
  });
  return { document, delivery_id: null };
}

type Booking = Standing & { readonly accrual_id: string };
type AnyBooking = Omit<Booking, "state"> & { readonly state: Standing["state"] | "reversed" };

const COLUMNS = "accrual_id, revision, state, snapshot, voucher_guid, reversal_guid, reason";

/** The booking of a voucher or of its reversal, under the lock of its customer. */
async function findByGuid(inside: Context, guid: string): Promise<AnyBooking | undefined> {
  const key = [inside.caller.account_id, guid];
  const [, rows] = await together([
    query(
      inside.db,
      `select c.id from customers c
       join accruals a on a.account_id = $1 and a.customer_id = c.id
       join accrual_bookings b on b.account_id = $1 and b.accrual_id = a.id
       where c.account_id = $1 and (b.voucher_guid = $2 or b.reversal_guid = $2)
       for no key update of c`,
      key,
    ),
    query<AnyBooking>(
      inside.db,
      `select ${COLUMNS} from accrual_bookings
       where account_id = $1 and (voucher_guid = $2 or reversal_guid = $2)`,
      key,
    ),
  ]);
  return rows[0];
}

async function standingOf(inside: Context, accrual_id: string): Promise<Booking> {
  const rows = await query<Booking>(
    inside.db,
    `select ${COLUMNS} from accrual_bookings
     where account_id = $1 and accrual_id = $2 and state = 'reversing'`,
    [inside.caller.account_id, accrual_id],
  );
  if (rows[0] === undefined) throw new Error("the accrual is not being reopened");
  return rows[0];
}
