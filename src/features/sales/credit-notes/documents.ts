/** The documents of a credit note: totals, PDF, sending again. Queued notes are previewed, issued notes are frozen. */

import { notFound, Problem } from "../../../domain/base/problem.ts";
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import { bookedFrom, creditDocumentOf } from "../../../domain/sales/credit-note.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";
import { defineSending } from "../../documents/deliveries/send.ts";
import { defineRevoking } from "../../documents/document-links/revoke-links.ts";
import { einvoiceReply } from "../../documents/einvoice-files/present.ts";
import { readinessOfDocument } from "../../documents/einvoice-readiness/read-readiness.ts";
import {
  creditedFrom,
  findIssued,
  pdfReply,
  type ShownDocument,
} from "../../documents/issued/issued-documents.ts";
import { presentTotals } from "../../documents/issued/totals.ts";
import { noteSendError } from "./bookable.ts";
import { bookedCredits, getCreditNote, lockCreditNote } from "./queries.ts";
import { warningsOfCredit } from "./warnings.ts";

/** Returns the totals as issued; for a queued note, the totals that issuing the note now would give. Throws NOT_FOUND. */
export async function totalsOfCreditNote(cx: Reader, ref: string): Promise<JsonText> {
  const { snapshot, number } = await documentFor(cx, ref);
  return jsonText(presentTotals(snapshot, await warningsOfCredit(cx, snapshot, number !== null)));
}

/** Returns the stored PDF of an issued credit note; for a queued note, a PDF marked as preview. Throws NOT_FOUND. */
export async function pdfOfCreditNote(cx: Reader, ref: string): Promise<ReplyFile> {
  return pdfReply(cx, await documentFor(cx, ref));
}

/** Returns the e-invoice of an issued credit note. Throws NOT_FOUND, CREDIT_NOTE_NOT_ISSUED, EINVOICE_INCOMPLETE, EINVOICE_BY_LEDGER. */
export async function einvoiceOfCreditNote(
  cx: Reader,
  ref: string,
  format: EinvoiceFormat | undefined,
): Promise<ReplyFile> {
  const shown = await documentFor(cx, ref);
  if (shown.number === null) throw new Problem("CREDIT_NOTE_NOT_ISSUED");
  return einvoiceReply(cx, shown, format);
}

/** Returns whether the credit note could be sent as an e-invoice. Throws NOT_FOUND, EINVOICE_BY_LEDGER. */
export async function readinessOfCreditNote(cx: Context, ref: string): Promise<JsonText> {
  return readinessOfDocument(cx, await documentFor(cx, ref));
}

/** Returns the document as issued; for a queued note, the document that issuing the note now would give. Throws NOT_FOUND. */
export async function documentFor(cx: Reader, ref: string): Promise<ShownDocument> {
  const { note } = await getCreditNote(cx, ref);
  const issued = note.status === "issued" ? await findIssued(cx, note.id) : undefined;
  if (issued) return { id: note.id, ...issued };
  const invoice = await findIssued(cx, note.invoice_id);
  if (invoice === undefined) throw notFound("invoice", note.invoice_id);
  const booked = (await bookedCredits(cx, [note])).get(note.id) ?? bookedFrom([]);
  const snapshot = creditDocumentOf(note, creditedFrom(invoice), booked);
  return { id: note.id, snapshot, number: null };
}

/** Sends an issued credit note again. Throws NOT_FOUND, CREDIT_NOTE_NOT_ISSUED. */
export const sendCreditNote = defineSending(
  "send_credit_note",
  async (tx, ref) => {
    const { note } = await lockCreditNote(tx, ref);
    if (note.status !== "issued") throw new Problem("CREDIT_NOTE_NOT_ISSUED");
    leaveIfLong(tx, { ...note, auto_send: true });
    return note;
  },
  noteSendError,
);

/** Ends all links to an issued credit note. Throws NOT_FOUND, CREDIT_NOTE_NOT_ISSUED. */
export const revokeCreditNoteLinks = defineRevoking(
  "revoke_credit_note_links",
  "credit_note",
  async (tx, ref) => {
    const { note } = await getCreditNote(tx, ref);
    if (note.status !== "issued") throw new Problem("CREDIT_NOTE_NOT_ISSUED");
    return note;
  },
);
