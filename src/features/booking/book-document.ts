/**
 * Booking a document: at once in a ledger of our own database, through an intent in an external one.
 * To be called inside the transaction that decided; what comes back tells how to go on after it.
 */

import { Problem, type ProblemCode } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Booked, DocumentBooking } from "../../ledger/ledger.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { freeze, sha256 } from "../../platform/json.ts";
import { ledgerWithin } from "../configuration/accounts.ts";
import { type Intent, openIntent, takeIntent } from "./intents.ts";
import { requireBooked } from "./refusals.ts";
import { type Issued, type Settlement, settleIntent } from "./settle.ts";

/** Booked already, or begun with an external ledger. */
export type Begun = Issued | { readonly intent: Intent };

/** Whether an external ledger has to be asked: a repetition finds the intent and goes on with it. */
export function isOpen(begun: Begun): boolean {
  return "intent" in begun;
}

/** Inside our own transaction nothing is waited for. */
const NEVER = new AbortController().signal;

/**
 * The document's own id is its guid: whatever repeats, the ledger sees the same document. `finish`
 * makes it issued in this transaction. Throws LEDGER_REJECTED, PERIOD_LOCKED.
 */
export async function beginBooking(
  cx: Context,
  document: DocumentSnapshot,
  finish: (booking: DocumentBooking, payload: string, booked: Booked) => Promise<Issued>,
): Promise<Begun> {
  const payload = freeze(document);
  const booking: DocumentBooking = {
    kind: document.kind,
    guid: document.document_id,
    payload_hash: sha256(payload),
    document,
    requested_by: `${cx.caller.actor.kind}:${cx.caller.actor.id}`,
  };
  const ledger = ledgerWithin(cx);
  if (ledger === undefined) return { intent: await openIntent(cx, booking, payload) };
  const booked = requireBooked(await ledger.ensureBooked(booking, { signal: NEVER }));
  return finish(booking, payload, booked);
}

/** Goes on after the transaction, outside of any. Throws what `settleIntent` throws. */
export async function completeBooking(
  cx: Context,
  begun: Begun,
  settlement: Settlement,
): Promise<Issued> {
  return "intent" in begun ? settleIntent(cx, begun.intent, settlement) : begun;
}

/** An attempt that another call is making right now is left alone. Throws the given refusal. */
export async function takeOver(
  cx: Context,
  intent: Intent,
  in_progress: ProblemCode,
): Promise<Intent> {
  const taken = await takeIntent(cx.db, intent.account_id, intent.id);
  if (taken === undefined) throw new Problem(in_progress);
  return taken;
}

/** Freezes what was booked; PDF and e-invoice are made from it alone (spec 10.3). */
export function storeIssuedDocument(
  cx: Context,
  booking: DocumentBooking,
  payload: string,
  booked: Booked,
): Promise<unknown> {
  return query(
    cx.db,
    `insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      cx.caller.account_id,
      booking.guid,
      booking.kind,
      booked.number,
      payload,
      booking.payload_hash,
    ],
  );
}
