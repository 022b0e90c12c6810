/**
 * Creating, booking and sending a credit note in one call (spec 5.5). The
 * external id is the idempotency key: a repeat with the same content answers what was made, however
 * often and in parallel it comes.
 */
import * as z from "zod";
import type { LineId } from "../../domain/base/brand.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { notFound, Problem } from "../../domain/base/problem.ts";
import {
  type CreditLine,
  creditDateOf,
  creditDocumentOf,
  creditLinesFrom,
  decideCredit,
} from "../../domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { recordAudit } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { findStored } from "../../platform/database/resources.ts";
import { together } from "../../platform/database/transaction.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import { contentHash, type JsonText } from "../../platform/json.ts";
import {
  type Begun,
  beginBooking,
  completeBooking,
  isOpen,
  takeOver,
} from "../booking/book-document.ts";
import { findIntent } from "../booking/intents.ts";
import { getConfiguration } from "../configuration/queries.ts";
import { trySend } from "../deliveries/attempt.ts";
import { findIssued } from "../documents/issued-documents.ts";
import { getInvoice } from "../invoices/queries.ts";
import {
  bookedCredits,
  type CreditNote,
  creditableLines,
  findByExternalId,
  getCreditNote,
  insertCreditNote,
  presentCreditNote,
} from "./queries.ts";
import { CreditNoteCreate } from "./schemas.ts";
import { creditNoteSettlement, finishCreditNote, noteSendError } from "./settlement.ts";
import { warningsOfCredit } from "./warnings.ts";

/** A credit note that is not there yet. */
export interface NewCredit {
  readonly note: CreditNote;
  readonly document: DocumentSnapshot;
  readonly warnings: readonly Warning[];
}

type CreatePlan =
  | { readonly repeat: JsonText }
  /** A repeat of one whose booking is not known yet. */
  | { readonly pending: string }
  | (NewCredit & { readonly request_hash: Buffer });

type Created = { readonly repeat: JsonText } | { readonly begun: Begun; readonly is_new: boolean };

/** What a POST answers: 201 when it was made and sent or need not be sent, 200 otherwise. */
interface CreditAnswer {
  readonly status: 200 | 201;
  readonly document: JsonText;
}

/**
 * Takes the body of POST /credit-notes; answers the credit note with the status of the reply. Throws
 * NOT_FOUND, VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, INVOICE_NOT_ISSUED, INVOICE_FULLY_CREDITED,
 * CREDIT_EXCEEDS_LINE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const createCreditNote = defineCommand({
  name: "create_credit_note",
  access: "issue",
  input: CreditNoteCreate,

  async plan(cx, sent): Promise<CreatePlan> {
    const target = await findStored(cx.db, "invoices", cx.caller.account_id, sent.invoice);
    // Parallel requests for one invoice wait here for each other, and then see what the first made.
    const loaded = target && (await getInvoice(cx, target.id));
    const request_hash = hashOf(sent, target?.id);
    const earlier = await findByExternalId(cx, sent.external_id);
    if (earlier) {
      if (!earlier.request_hash?.equals(request_hash)) throw new Problem("EXTERNAL_ID_CONFLICT");
      return earlier.status === "issued" ? { repeat: earlier.document } : { pending: earlier.id };
    }
    if (loaded === undefined) throw notFound("invoice", sent.invoice);
    const { invoice } = loaded;
    const lines = await creditableLines(cx, invoice.id);
    const digits = currencyDigits(invoice.currency);
    const requested = sent.kind === "full" ? [] : creditLinesFrom(sent.lines ?? [], lines, digits);
    if (invoice.status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
    const credits = decideCredit(sent.kind, requested, lines, digits);
    const note = draftOf(invoice, sent, credits);
    const document = await documentOf(cx, note);
    return { note, document, warnings: await warningsOfCredit(cx, document, false), request_hash };
  },

  async commit(cx, plan): Promise<Created> {
    if ("repeat" in plan) return plan;
    if ("pending" in plan) return { begun: await begunAgain(cx, plan.pending), is_new: false };
    // Stored after the booking: the ledger's locks come before the stamp's and the audit trail's.
    const store = () => storeNew(cx, plan.note, plan.request_hash);
    const begun = await beginBooking(cx, plan.document, (...booking) =>
      finishCreditNote(cx, plan.note, ...booking, store),
    );
    if ("intent" in begun) await store();
    return { begun, is_new: true };
  },

  is_begun: (created) => "begun" in created && isOpen(created.begun),

  async after(cx, created): Promise<CreditAnswer> {
    if ("repeat" in created) return { status: 200, document: created.repeat };
    const document = await completeAndSend(cx, created.begun);
    const is_sent = JSON.parse(document).send_error === null;
    return { status: created.is_new && is_sent ? 201 : 200, document };
  },
});

/**
 * Issues a draft that a cancellation queued, or goes on with a booking that is not known yet; answers the
 * credit note. Throws NOT_FOUND, CREDIT_NOTE_ALREADY_ISSUED, PERIOD_LOCKED, LEDGER_NOT_CONNECTED,
 * LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const issueCreditNote = defineCommand({
  name: "issue_credit_note",
  access: "issue",
  input: z.object({ ref: Ref }),

  async plan(cx, { ref }) {
    const found = await getCreditNote({ ...cx, locks: false }, ref);
    // The invoice first, as everywhere: its credits are counted under its lock.
    await getInvoice(cx, found.note.invoice_id);
    const { note, is_being_booked } = await getCreditNote(cx, found.note.id);
    if (note.status === "issued") throw new Problem("CREDIT_NOTE_ALREADY_ISSUED");
    if (is_being_booked) return { pending: note.id };
    return { note, document: await documentOf(cx, note) };
  },

  async commit(cx, plan): Promise<Begun> {
    if ("pending" in plan) return begunAgain(cx, plan.pending);
    return beginBooking(cx, plan.document, (...booking) =>
      finishCreditNote(cx, plan.note, ...booking),
    );
  },

  is_begun: isOpen,

  after: (cx, begun): Promise<JsonText> => completeAndSend(cx, begun),
});

function storeNew(cx: Context, note: CreditNote, request_hash: Buffer): Promise<unknown> {
  return together([
    insertCreditNote(cx, note, request_hash),
    recordAudit(cx, {
      action: "created",
      resource_type: "credit_note",
      resource_id: note.id,
      before: null,
      after: presentCreditNote(note),
    }),
  ]);
}

async function completeAndSend(cx: Context, begun: Begun): Promise<JsonText> {
  const issued = await completeBooking(cx, begun, creditNoteSettlement);
  if (issued.delivery_id === null) return issued.document;
  const send_error = await trySend(cx, issued.delivery_id, noteSendError);
  return JSON.stringify({ ...JSON.parse(issued.document), send_error }) as JsonText;
}

/** Goes on with a booking that was begun; a lease that another call holds is left to it. */
async function begunAgain(cx: Context, id: string): Promise<Begun> {
  const intent = await findIntent(cx, id);
  return { intent: await takeOver(cx, intent, creditNoteSettlement.in_progress) };
}

/** The same invoice, kind, day as sent and set of lines is the same request, in whatever order and spelling. */
function hashOf(sent: CreditNoteCreate, invoice_id: string | undefined): Buffer {
  const lines = [...(sent.lines ?? [])].sort((a, b) =>
    a.invoice_line_id < b.invoice_line_id ? -1 : 1,
  );
  return contentHash({
    invoice_id,
    kind: sent.kind,
    credit_date: sent.credit_date,
    lines: lines.map(({ invoice_line_id, amount }) => ({ invoice_line_id, amount })),
  });
}

function draftOf(
  invoice: Invoice,
  sent: Pick<CreditNoteCreate, "external_id" | "kind" | "credit_date">,
  credits: readonly CreditLine[],
): CreditNote {
  return {
    id: newId<string>(),
    external_id: sent.external_id,
    invoice_id: invoice.id,
    customer_id: invoice.customer_id,
    kind: sent.kind,
    status: "draft",
    credit_date: creditDateOf(sent.credit_date, invoice.issue_date),
    ledger_credit_note_guid: null,
    ledger_credit_note_number: null,
    issued_at: null,
    send_error: null,
    queue_state: null,
    lines: credits.map((credit, index) => ({
      ...credit,
      id: newId<LineId>(),
      position: index + 1,
      new_service_to: null,
      shortened_to: null,
    })),
    currency_digits: currencyDigits(invoice.currency),
  };
}

/** What is to be booked, after the credits that are booked by now. Throws PERIOD_LOCKED, LEDGER_NOT_CONNECTED. */
async function documentOf(cx: Context, note: CreditNote): Promise<DocumentSnapshot> {
  const [configuration, invoice, booked] = await together([
    getConfiguration(cx, true),
    findIssued(cx, note.invoice_id),
    bookedCredits(cx, note),
  ]);
  if (invoice === undefined) throw new Problem("INVOICE_NOT_ISSUED");
  const { period_lock_date } = configuration;
  if (period_lock_date !== null && note.credit_date <= period_lock_date) {
    throw new Problem("PERIOD_LOCKED", { details: { date: note.credit_date, period_lock_date } });
  }
  if (cx.ledger === null) throw new Problem("LEDGER_NOT_CONNECTED");
  const issued = { document: invoice.snapshot, number: invoice.number };
  return creditDocumentOf(note, issued, booked);
}
