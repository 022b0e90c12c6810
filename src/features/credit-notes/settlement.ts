/**
 * What makes a booked credit note issued, what a refusal leaves behind, and how the outcome of its
 * sending comes to stand on the resource.
 */
import type { Booked, DocumentBooking } from "../../ledger/ledger.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import { storeIssuedDocument } from "../booking/book-document.ts";
import type { Issued, Settlement } from "../booking/settle.ts";
import {
  type DeliveryListener,
  queueDelivery,
  recipientOf,
  sendErrorOf,
} from "../deliveries/attempt.ts";
import { getInvoice } from "../invoices/queries.ts";
import { type CreditNote, getCreditNote, presentCreditNote } from "./queries.ts";
import { postpone } from "./retry.ts";

/** What becomes of a credit note when the ledger has answered. */
export const creditNoteSettlement: Settlement = {
  number_constraint: "credit_notes_account_id_ledger_credit_note_number_key",
  in_progress: "LEDGER_UNAVAILABLE",

  async findIssued(inside, id) {
    const { note, document } = await getCreditNote(inside, id);
    return note.status === "issued" ? document : null;
  },

  async finish(inside, booking: DocumentBooking, payload, booked) {
    const { note } = await getCreditNote(inside, booking.guid);
    return finishCreditNote(inside, note, booking, payload, booked);
  },

  /** One that a caller created is gone, its external id free again; one that a cancellation queued stays. */
  async release(inside, id, reason) {
    const { note, document } = await getCreditNote(inside, id);
    const key = [inside.caller.account_id, id];
    if (note.external_id === null) {
      await postpone(inside, id, null);
    } else {
      await query(inside.db, "delete from credit_notes where account_id = $1 and id = $2", key);
    }
    await recordAudit(inside, {
      action: "issue_refused",
      resource_type: "credit_note",
      resource_id: id,
      before: document,
      after: note.external_id === null ? document : null,
      reason,
    });
  },
};

/**
 * Makes a booked credit note issued; inside the transaction that booked it or learnt of its booking.
 * `store` sends what stores a new one first.
 */
export async function finishCreditNote(
  cx: Context,
  note: CreditNote,
  booking: DocumentBooking,
  payload: string,
  booked: Booked,
  store?: () => Promise<unknown>,
): Promise<Issued> {
  const { account_id } = cx.caller;
  const issued: CreditNote = {
    ...note,
    status: "issued",
    ledger_credit_note_guid: booked.guid,
    ledger_credit_note_number: booked.number,
    issued_at: cx.clock.now(),
    queue_state: null,
  };
  const document = presentCreditNote(issued);
  const { invoice } = await getInvoice({ ...cx, locks: false }, note.invoice_id);
  const recipient = invoice.auto_send ? await recipientOf(cx, note.id, note.customer_id) : null;
  const [, , delivery_id] = await together([
    store?.() ?? Promise.resolve(),
    storeIssuedDocument(cx, booking, payload, booked),
    recipient ? queueDelivery(cx, recipient) : Promise.resolve(null),
    query(
      cx.db,
      `update credit_notes set status = 'issued', ledger_credit_note_guid = $3,
         ledger_credit_note_number = $4, issued_at = $5, queue_state = null, next_attempt_at = null,
         document = $6, updated_at = stamp($1)
       where account_id = $1 and id = $2`,
      [account_id, note.id, booked.guid, booked.number, issued.issued_at, document],
    ),
    recordAudit(cx, {
      action: "issued",
      resource_type: "credit_note",
      resource_id: note.id,
      before: presentCreditNote(note),
      after: document,
    }),
  ]);
  return { document, delivery_id };
}

/** Writes the outcome of a sending on the credit note that was sent; other documents are left alone. */
export const noteSendError: DeliveryListener = async (inside, delivery) => {
  const { account_id } = inside.caller;
  const found = await query(
    inside.db,
    "select 1 from credit_notes where account_id = $1 and id = $2",
    [account_id, delivery.document_id],
  );
  if (found.length === 0) return;
  const { note } = await getCreditNote(inside, delivery.document_id);
  const send_error = sendErrorOf(delivery);
  if (note.send_error === send_error) return;
  await query(
    inside.db,
    `update credit_notes set send_error = $3, document = $4, updated_at = stamp($1)
     where account_id = $1 and id = $2`,
    [account_id, note.id, send_error, presentCreditNote({ ...note, send_error })],
  );
};
