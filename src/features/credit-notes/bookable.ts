/**
 * The booking of a credit note (spec 5.5): what it is decided from, what makes a booked one issued, what a refusal leaves
 * behind, and how the outcome of its sending comes to stand on the resource.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { creditDocumentOf, requireOpenDate } from "../../domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import { stamped } from "../../platform/database/resources.ts";
import { sql, update } from "../../platform/database/sql.ts";
import type { Tx } from "../../platform/tx.ts";
import type { Bookable, BookingFacts, Decision, Issued, Outcome } from "../booking/bookable.ts";
import { getConfiguration, holdConfiguration } from "../configuration/queries.ts";
import { type DeliveryListener, sendErrorOf } from "../deliveries/attempt.ts";
import { queueDeliveries, recipientOf } from "../deliveries/queue.ts";
import { findIssued, storeIssuedDocuments } from "../documents/issued-documents.ts";
import { getInvoice, lockInvoice } from "../invoices/queries.ts";
import {
  bookedCredits,
  type CreditNote,
  getCreditNote,
  insertCreditNote,
  lockCreditNote,
  presentCreditNote,
} from "./queries.ts";
import { postpone } from "./retry.ts";

/** A credit note under its lock and that of its invoice. */
export interface CreditFacts extends BookingFacts {
  readonly note: CreditNote;
  /** With what it is stored when it is booked; null where it is stored already. */
  readonly made_of: { readonly request_hash: Buffer } | null;
  /** What booking it stands on; null unless it is a draft. */
  readonly inputs: CreditInputs | null;
}

interface CreditInputs {
  readonly invoice: { readonly document: DocumentSnapshot; readonly number: bigint };
  readonly earlier: Awaited<ReturnType<typeof bookedCredits>>;
  readonly period_lock_date: CalendarDate | null;
  readonly ledger_is_connected: boolean;
}

export interface DecidedCredit extends Decision<CreditFacts> {
  readonly snapshot: DocumentSnapshot;
}

export const creditNoteBookable: Bookable<CreditFacts, DecidedCredit> = {
  in_progress: "LEDGER_UNAVAILABLE",
  done: "CREDIT_NOTE_ALREADY_ISSUED",
  number_constraint: "credit_notes_account_id_ledger_credit_note_number_key",

  async read(tx, ids) {
    const facts: CreditFacts[] = [];
    for (const id of ids) facts.push(await readStored(tx, id));
    return facts;
  },

  decide(facts) {
    const { note, inputs } = facts;
    if (inputs === null) throw new Error("a credit note that is no draft is not decided");
    requireOpenDate(note.credit_date, inputs.period_lock_date);
    if (!inputs.ledger_is_connected) throw new Problem("LEDGER_NOT_CONNECTED");
    return { facts, snapshot: creditDocumentOf(note, inputs.invoice, inputs.earlier) };
  },

  begun(tx, decided) {
    for (const { facts } of decided) storeNew(tx, facts);
  },

  async booked(tx, outcomes) {
    const issued: Issued[] = [];
    for (const outcome of outcomes) issued.push(await storeIssue(tx, outcome));
    return issued;
  },

  /** One that a caller created is gone, its external id free again; one that a cancellation queued stays. */
  async refused(tx, { note, document }, reason) {
    const { account_id } = tx.caller;
    if (note.external_id === null) postpone(tx, note.id, null);
    else
      tx.write(sql`delete from credit_notes where account_id = ${account_id} and id = ${note.id}`);
    tx.audit("credit_note", note.id, "issue_refused", {
      before: document,
      after: note.external_id === null ? document : null,
      reason,
    });
  },
};

/** The credit note under a reference. The invoice is locked first: its credits are counted under it. Throws NOT_FOUND. */
export async function readStored(tx: Tx, ref: string): Promise<CreditFacts> {
  const found = await getCreditNote(tx, ref);
  await lockInvoice(tx, found.note.invoice_id);
  const { note, document, is_being_booked } = await lockCreditNote(tx, found.note.id);
  const known = { guid: note.id, note, document, made_of: null };
  if (note.status === "issued") return { ...known, state: "booked", inputs: null };
  if (is_being_booked) return { ...known, state: "booking", inputs: null };
  return { ...known, state: "draft", inputs: await inputsOf(tx, note) };
}

/** A credit note that is not there yet; under the lock of its invoice. */
export async function readNew(
  tx: Tx,
  note: CreditNote,
  request_hash: Buffer,
): Promise<CreditFacts> {
  return {
    state: "draft",
    guid: note.id,
    document: presentCreditNote(note),
    note,
    made_of: { request_hash },
    inputs: await inputsOf(tx, note),
  };
}

async function inputsOf(tx: Tx, note: CreditNote): Promise<CreditInputs> {
  holdConfiguration(tx);
  const [{ period_lock_date }, invoice, earlier] = await Promise.all([
    getConfiguration(tx),
    findIssued(tx, note.invoice_id),
    bookedCredits(tx, note),
  ]);
  if (invoice === undefined) throw new Problem("INVOICE_NOT_ISSUED");
  const { snapshot: document, number } = invoice;
  const ledger_is_connected = tx.ledger !== null;
  return { invoice: { document, number }, earlier, period_lock_date, ledger_is_connected };
}

/** Stores a new one: after the ledger's locks, because it is stamped. */
function storeNew(tx: Tx, { note, document, made_of }: CreditFacts): void {
  if (made_of === null) return;
  insertCreditNote(tx, note, made_of.request_hash);
  tx.audit("credit_note", note.id, "created", { before: null, after: document });
}

/** Makes a booked credit note issued. */
async function storeIssue(
  tx: Tx,
  { facts, booking, booked }: Outcome<CreditFacts>,
): Promise<Issued> {
  if (booking === null || booking.intent.kind !== "credit_note" || booked === null) {
    throw new Error("a credit note was booked as something else");
  }
  const { note } = facts;
  const issued: CreditNote = {
    ...note,
    status: "issued",
    ledger_credit_note_guid: booked.guid,
    ledger_credit_note_number: booked.number,
    issued_at: tx.clock.now(),
    queue_state: null,
  };
  const document = presentCreditNote(issued);
  const { invoice } = await getInvoice(tx, note.invoice_id);
  const recipient = invoice.auto_send ? await recipientOf(tx, note.id, note.customer_id) : null;
  storeNew(tx, facts);
  storeIssuedDocuments(tx, [
    { intent: booking.intent, payload: booking.payload, number: booked.number },
  ]);
  const [delivery_id = null] = queueDeliveries(tx, recipient === null ? [] : [recipient]);
  const row = {
    status: "issued" as const,
    ledger_credit_note_guid: booked.guid,
    ledger_credit_note_number: booked.number,
    issued_at: tx.clock.now(),
    queue_state: null,
    next_attempt_at: null,
    document,
    updated_at: stamped(tx.caller.account_id),
  };
  tx.write(
    sql`${update("credit_notes", row)} where account_id = ${tx.caller.account_id} and id = ${note.id}`,
  );
  tx.audit("credit_note", note.id, "issued", { before: presentCreditNote(note), after: document });
  return { document, delivery_id };
}

/** Writes the outcome of a sending on the credit note that was sent; other documents are left alone. */
export const noteSendError: DeliveryListener = async (tx, delivery) => {
  const { account_id } = tx.caller;
  const found = await tx.row(
    sql`select 1 from credit_notes where account_id = ${account_id} and id = ${delivery.document_id}`,
  );
  if (found === undefined) return;
  const { note } = await lockCreditNote(tx, delivery.document_id);
  const send_error = sendErrorOf(delivery);
  if (note.send_error === send_error) return;
  tx.write(sql`update credit_notes set send_error = ${send_error}, document = ${presentCreditNote({ ...note, send_error })}, updated_at = stamp(${account_id})
     where account_id = ${account_id} and id = ${note.id}`);
};
