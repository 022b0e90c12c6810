/**
 * Creating, booking and sending a credit note in one call (spec 5.5). The external id is the idempotency key: every
 * repetition with the same content, also a parallel one, returns the credit note that the first request created.
 */

import * as z from "zod";
import type { LineId } from "../../../domain/base/brand.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import {
  type CreditLine,
  creditDateOf,
  creditLinesFrom,
  decideCredit,
} from "../../../domain/sales/credit-note.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { contentHash, type JsonText } from "../../../platform/runtime/json.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";
import { bookingCommand, type SentDocument } from "../../ledger/booking/booking-command.ts";
import {
  type CreditFacts,
  creditNoteBookable,
  factsOfNew,
  noteSendError,
  readStored,
} from "./bookable.ts";
import type { CreditNote } from "./queries.ts";
import { readCredit } from "./read-credit.ts";
import { CreditNoteCreate } from "./schemas.ts";
import { warningsOfCredit } from "./warnings.ts";

/** The response to a POST: 201 when the note was created and was sent or needs no sending, 200 otherwise. */
interface CreditAnswer {
  readonly status: 200 | 201;
  readonly document: JsonText;
}

/**
 * Takes the body of POST /credit-notes; returns the credit note with the HTTP status of the reply. Throws
 * NOT_FOUND, VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, INVOICE_NOT_ISSUED, INVOICE_FULLY_CREDITED,
 * CREDIT_EXCEEDS_LINE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const createCreditNote = bookingCommand({
  name: "create_credit_note",
  input: CreditNoteCreate,
  bookable: creditNoteBookable,
  repeats: true,

  async read(tx, sent): Promise<CreditFacts> {
    // Parallel requests for one invoice wait here for its lock, and then see the note that the first request created.
    const ahead = readCredit(tx, sent.invoice, sent.external_id);
    const { invoice, lines, earlier } = await ahead.target;
    if (invoice) leaveIfLong(tx, { ...invoice, lines });
    const request_hash = hashOf(sent, invoice?.id);
    if (earlier) {
      if (!earlier.request_hash?.equals(request_hash)) throw new Problem("EXTERNAL_ID_CONFLICT");
      return readStored(tx, earlier.id);
    }
    if (invoice === undefined) throw notFound("invoice", sent.invoice);
    const digits = currencyDigits(invoice.currency);
    const requested = sent.kind === "full" ? [] : creditLinesFrom(sent.lines ?? [], lines, digits);
    if (invoice.status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
    const credits = decideCredit(sent.kind, requested, lines, digits);
    return factsOfNew(tx, draftOf(invoice, sent, credits), {
      request_hash,
      is_sent: invoice.auto_send,
      basis: await ahead.basis,
    });
  },

  keep: (tx, { snapshot, facts }) => warningsOfCredit(tx, snapshot, false, facts.beside?.basis),
  notify: noteSendError,

  answer: (_cx, sent, warnings): CreditAnswer => {
    const is_new = warnings !== null;
    return {
      status: is_new && sent.send_error === null ? 201 : 200,
      document: withSendError(sent),
    };
  },
});

/**
 * Issues a draft that a cancellation queued, or resumes a booking of unknown outcome; returns the note. Throws
 * NOT_FOUND, CREDIT_NOTE_ALREADY_ISSUED, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, LEDGER_REJECTED or LEDGER_UNAVAILABLE.
 */
export const issueCreditNote = bookingCommand({
  name: "issue_credit_note",
  input: z.object({ ref: Ref }),
  bookable: creditNoteBookable,
  read: (tx, { ref }) => readStored(tx, ref),
  notify: noteSendError,
  answer: (_cx, sent): JsonText => withSendError(sent),
});

/** Adds the stored send error to the credit note, so that a repetition shows the error again. */
function withSendError({ document, send_error }: SentDocument): JsonText {
  if (send_error === null) return document;
  return JSON.stringify({ ...JSON.parse(document), send_error }) as JsonText;
}

/** Hashes a request by invoice, kind, credit date as sent, reason and set of lines, regardless of order and spelling. */
function hashOf(sent: CreditNoteCreate, invoice_id: string | undefined): Buffer {
  const lines = [...(sent.lines ?? [])].sort((a, b) =>
    a.invoice_line_id < b.invoice_line_id ? -1 : 1,
  );
  return contentHash({
    invoice_id,
    kind: sent.kind,
    credit_date: sent.credit_date,
    lines: lines.map(({ invoice_line_id, amount }) => ({ invoice_line_id, amount })),
    // Requests without a reason keep the hash that they had before reasons existed.
    ...(sent.reason !== undefined && { reason: sent.reason }),
  });
}

function draftOf(
  invoice: Pick<Invoice, "id" | "customer_id" | "issue_date" | "currency">,
  sent: Pick<CreditNoteCreate, "external_id" | "kind" | "credit_date" | "reason">,
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
    reason: sent.reason ?? null,
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
