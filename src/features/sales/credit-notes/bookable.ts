/**
 * Defines the booking of a credit note (spec 5.5): the inputs of the decision, the writes that issue a booked note, the effect
 * of a refusal, and the result of sending the note, which is stored with it.
 */
import { type PeriodLock, requireOpenDate } from "../../../domain/base/period-lock.ts";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { itemOfDocument, type NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import {
  type BookedCredits,
  type CreditedDocument,
  creditDocumentOf,
} from "../../../domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { DocumentBooking } from "../../../ledger/ledger.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { inSlices } from "../../../platform/runtime/slices.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";
import { sendErrorOf } from "../../documents/deliveries/present.ts";
import { auditQueued, queueDeliveries, recipientsOf } from "../../documents/deliveries/queue.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import {
  creditedFrom,
  findManyIssued,
  storeIssuedDocuments,
} from "../../documents/issued/issued-documents.ts";
import type {
  Bookable,
  BookingFacts,
  Decision,
  Issued,
  Outcome,
} from "../../ledger/booking/bookable.ts";
import { storeCredits } from "../../receivables/allocations/store-credits.ts";
import { storeLedgerItems } from "../../receivables/ledger-items/queries.ts";
import { findItems, lockItems } from "../../receivables/open-items/queries.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";
import { lockInvoices } from "../invoices/queries.ts";
import {
  bookedCredits,
  type CreditNote,
  getCreditNote,
  insertCreditNote,
  invoicesOf,
  lockCreditNote,
  lockCreditNotes,
  presentCreditNote,
  sendingInvoices,
} from "./queries.ts";
import type { CreditBasis } from "./read-credit.ts";
import { postpone } from "./retry.ts";

/** A credit note, locked together with its invoice. */
export interface CreditFacts extends BookingFacts {
  readonly note: CreditNote;
  /** Stored with a new credit note when it is booked; null when the credit note is already stored. */
  readonly made_of: { readonly request_hash: Buffer } | null;
  /** The inputs of the booking decision; null unless the note is a draft. */
  readonly inputs: CreditInputs | null;
  /** Facts that were read together with the invoice of a new note; absent where stored notes were read. */
  readonly beside?: FactsBeside;
}

interface FactsBeside {
  readonly basis: CreditBasis;
  /** Whether the documents of the invoice are sent. */
  readonly is_sent: boolean;
}

interface CreditInputs {
  /** The credited invoice as issued; null when the invoice is not issued. */
  readonly invoice: CreditedDocument | null;
  readonly earlier: BookedCredits;
  /** The open item of the invoice, locked; null when it has none. */
  readonly item: NumberedItem | null;
  readonly lock: PeriodLock;
  readonly ledger_is_connected: boolean;
}

export interface DecidedCredit extends Decision<CreditFacts> {
  readonly snapshot: DocumentSnapshot;
}

export const creditNoteBookable: Bookable<CreditFacts, DecidedCredit> = {
  in_progress: "LEDGER_UNAVAILABLE",
  done: "CREDIT_NOTE_ALREADY_ISSUED",
  number_constraint: "credit_notes_ledger_number",

  async read(tx, ids) {
    const found = await readMany(tx, ids);
    return ids.map((id) => {
      const facts = found.get(id);
      if (facts === undefined) throw notFound("credit_note", id);
      return facts;
    });
  },

  decide(facts) {
    const { note, inputs } = facts;
    if (inputs === null) throw new Error("a credit note that is no draft is not decided");
    if (inputs.invoice === null) throw new Problem("INVOICE_NOT_ISSUED");
    requireOpenDate(note.credit_date, inputs.lock);
    if (!inputs.ledger_is_connected) throw new Problem("LEDGER_NOT_CONNECTED");
    return { facts, snapshot: creditDocumentOf(note, inputs.invoice, inputs.earlier) };
  },

  begun(tx, decided) {
    for (const { facts } of decided) storeNew(tx, facts);
  },

  booked: storeIssued,

  /** A refusal deletes a note that a caller created and frees its external id; a note that a cancellation queued stays. */
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

/** Returns a credit note. Locks its invoice first, because credits are counted under that lock. Throws NOT_FOUND. */
export async function readStored(tx: Tx, ref: string): Promise<CreditFacts> {
  const { note } = await getCreditNote(tx, ref);
  const facts = (await readMany(tx, [note.id])).get(note.id);
  if (facts === undefined) throw notFound("credit_note", ref);
  return facts;
}

/** Locks credit notes and their invoices, and returns the notes by id; ids that no longer exist are left out. */
async function readMany(tx: Tx, ids: readonly string[]): Promise<Map<string, CreditFacts>> {
  const invoice_ids = [...new Set((await invoicesOf(tx, ids)).values())];
  const invoices = await lockInvoices(tx, invoice_ids);
  const loaded = [...(await lockCreditNotes(tx, ids)).values()];
  const drafts = loaded.flatMap(({ note, is_being_booked }) =>
    note.status === "issued" || is_being_booked ? [] : [note],
  );
  // Each credit note is decided from all lines of its invoice.
  leaveIfLong(tx, ...drafts.flatMap(({ invoice_id }) => invoices.get(invoice_id)?.invoice ?? []));
  const inputs = await inputsOf(tx, drafts);
  return new Map(
    loaded.map(({ note, document }) => {
      const known = { guid: note.id, note, document, made_of: null };
      const own = inputs.get(note.id);
      const state = note.status === "issued" ? "booked" : own ? "draft" : "booking";
      return [note.id, { ...known, state, inputs: own ?? null }];
    }),
  );
}

/** Returns the facts of a credit note that is not stored yet, from what was read under the lock of its invoice. */
export function factsOfNew(
  tx: Tx,
  note: CreditNote,
  { request_hash, ...beside }: FactsBeside & { readonly request_hash: Buffer },
): CreditFacts {
  const { configuration: lock, issued, earlier, item } = beside.basis;
  const invoice = issued && creditedFrom(issued);
  return {
    state: "draft",
    guid: note.id,
    document: presentCreditNote(note),
    note,
    made_of: { request_hash },
    inputs: { invoice, earlier, item, lock, ledger_is_connected: tx.ledger !== null },
    beside,
  };
}

/** Reads the inputs of the booking decision for drafts, by the ids of the notes. */
async function inputsOf(tx: Tx, notes: readonly CreditNote[]): Promise<Map<string, CreditInputs>> {
  if (notes.length === 0) return new Map();
  const invoice_ids = notes.map(({ invoice_id }) => invoice_id);
  lockItems(tx, invoice_ids);
  holdConfiguration(tx);
  const [lock, invoices, earlier, items] = await Promise.all([
    getConfiguration(tx),
    findManyIssued(tx, invoice_ids),
    bookedCredits(tx, notes),
    findItems(tx, sql`i.id = any(${invoice_ids})`),
  ]);
  const ledger_is_connected = tx.ledger !== null;
  return new Map(
    notes.map(({ id, invoice_id }) => {
      const issued = invoices.get(invoice_id);
      const invoice = issued ? creditedFrom(issued) : null;
      const booked = earlier.get(id);
      if (booked === undefined) throw new Error("the credits of an invoice were not read");
      const item = items.get(invoice_id) ?? null;
      return [id, { invoice, earlier: booked, item, lock, ledger_is_connected }];
    }),
  );
}

/** Stores a new credit note. Its audit event is stamped, so the write follows the ledger's locks. */
function storeNew(tx: Tx, { note, document, made_of }: CreditFacts): void {
  if (made_of === null) return;
  insertCreditNote(tx, note, made_of.request_hash);
  tx.audit("credit_note", note.id, "created", { before: null, after: document });
}

/** A booked credit note in its issued form. */
interface IssuedCredit {
  readonly draft: CreditNote;
  readonly note: CreditNote;
  readonly text: JsonText;
  readonly intent: DocumentBooking;
  readonly payload: string;
  readonly number: bigint;
  readonly connection_id: string | null;
  readonly year: number | null;
  readonly beside: FactsBeside | undefined;
}

/** Marks booked credit notes as issued; the results are in the order of the outcomes. */
async function storeIssued(tx: Tx, outcomes: readonly Outcome<CreditFacts>[]): Promise<Issued[]> {
  const issued = await inSlices(outcomes, (outcome) => issuedFrom(tx, outcome));
  const sent = await sentOf(tx, issued);
  const recipients = await recipientsOf(
    tx,
    sent.map(({ note }) => ({ document_id: note.id, customer_id: note.customer_id })),
    new Map(sent.flatMap(({ beside }) => [...(beside?.basis.recipients ?? [])])),
  );
  for (const { facts } of outcomes) storeNew(tx, facts);
  storeIssuedDocuments(tx, issued);
  await storeCredits(
    tx,
    outcomes.flatMap((outcome, at) => creditOf(outcome, issued[at]?.number)),
  );
  storeLedgerItems(tx, issued.flatMap(ledgerItemOf));
  const deliveries = queueDeliveries(tx, recipients);
  markIssued(tx, issued);
  for (const { draft, note, text } of issued) {
    const before = presentCreditNote(draft);
    tx.audit("credit_note", note.id, "issued", { before, after: text });
  }
  auditQueued(tx, recipients, deliveries);
  const delivery_of = new Map(sent.map(({ note }, at) => [note.id, deliveries[at] ?? null]));
  return issued.map(({ note, text }) => ({
    document: text,
    delivery_id: delivery_of.get(note.id) ?? null,
  }));
}

/** Returns the open item of a credit note in the built-in ledger with that of its invoice, or nothing. */
function creditOf(
  { facts, booking, connection_id }: Outcome<CreditFacts>,
  number = 0n,
): Parameters<typeof storeCredits>[1][number][] {
  if (connection_id !== null || booking === null) return [];
  const document = booking.intent.document as DocumentSnapshot;
  const credit = itemOfDocument(document, number);
  const { functional_currency } = document;
  const invoice = facts.inputs?.item ?? null;
  return credit === null ? [] : [{ credit, invoice, functional_currency }];
}

/** Returns the item of a credit note that a connected ledger booked, or nothing. */
function ledgerItemOf({
  connection_id,
  intent,
  note,
  number,
}: IssuedCredit): Parameters<typeof storeLedgerItems>[1] {
  const item = connection_id === null ? null : itemOfDocument(intent.document, number);
  if (connection_id === null || item === null) return [];
  return [{ item, connection_id, guid: note.ledger_credit_note_guid ?? note.id }];
}

function issuedFrom(
  tx: Tx,
  { facts, booking, booked, connection_id }: Outcome<CreditFacts>,
): IssuedCredit {
  if (booking === null || booking.intent.kind !== "credit_note" || booked === null) {
    throw new Error("a credit note was booked as something else");
  }
  const { intent, payload } = booking;
  const note: CreditNote = {
    ...facts.note,
    status: "issued",
    ledger_credit_note_guid: booked.guid,
    ledger_credit_note_number: booked.number,
    issued_at: tx.clock.now(),
    queue_state: null,
  };
  const text = presentCreditNote(note);
  const { number, year = null } = booked;
  const { note: draft, beside } = facts;
  return { draft, note, text, intent, payload, number, connection_id, year, beside };
}

/** Returns the notes that are sent: those of invoices whose documents are. */
async function sentOf(cx: Tx, issued: readonly IssuedCredit[]): Promise<IssuedCredit[]> {
  const asked = issued.flatMap(({ note, beside }) => (beside ? [] : [note.invoice_id]));
  const sending = await sendingInvoices(cx, asked);
  return issued.filter(({ note, beside }) => beside?.is_sent ?? sending.has(note.invoice_id));
}

function markIssued(tx: Tx, issued: readonly IssuedCredit[]): void {
  const { account_id } = tx.caller;
  const { table } = tableOf(issued, {
    id: ["uuid", ({ note }) => note.id],
    guid: ["uuid", ({ note }) => note.ledger_credit_note_guid],
    number: ["bigint", ({ number }) => number],
    document: ["lines", ({ text }) => text],
    connection_id: ["uuid", ({ connection_id }) => connection_id],
    year: ["int", ({ year }) => year],
  });
  tx.write(sql`update credit_notes c set status = 'issued', ledger_credit_note_guid = n.guid,
      ledger_credit_note_number = n.number, ledger_connection_id = n.connection_id, ledger_year = n.year, issued_at = ${tx.clock.now()}, queue_state = null,
      next_attempt_at = null, document = n.document, updated_at = ${stampedAnew(account_id)}
    from ${table} as n (id, guid, number, document, connection_id, year) where c.account_id = ${account_id} and c.id = n.id`);
}

/** Stores the outcome of a delivery on the sent credit note; ignores deliveries of other documents. */
export const noteSendError: DeliveryListener = async (tx, delivery) => {
  const { account_id } = tx.caller;
  const found = await tx.row(
    sql`select 1 from credit_notes where account_id = ${account_id} and id = ${delivery.document_id}`,
  );
  if (found === undefined) return;
  const { note } = await lockCreditNote(tx, delivery.document_id);
  const send_error = sendErrorOf(delivery);
  if (note.send_error === send_error) return;
  tx.write(sql`update credit_notes set send_error = ${send_error}, document = ${presentCreditNote({ ...note, send_error })}, updated_at = ${stampedAnew(account_id)}
     where account_id = ${account_id} and id = ${note.id}`);
};
