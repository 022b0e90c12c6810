/**
 * Kinds of documents that a ledger books: an invoice, the invoice of a period, a credit note, an accrual's voucher.
 * Each kind defines its steps. The booking, immediate or through an intent, is the same (`booking-command.ts`).
 */
import type { ProblemCode } from "../../../domain/base/problem.ts";
import type { Booked, BookingIntent } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";

/** The booking state of a document: to be booked, being booked by an external ledger, or booked. */
type BookingState = "draft" | "booking" | "booked";

/** The facts of a document, read while the document is locked. */
export interface BookingFacts {
  readonly state: BookingState;
  /** The document's name in the ledger, by which every repetition finds the same document. */
  readonly guid: string;
  /** The document as the API shows it; may be null for a document that is still to be booked. */
  readonly document: JsonText | null;
}

/** The decision to book a document. */
export interface Decision<Facts extends BookingFacts> {
  readonly facts: Facts;
  /** The frozen document that the ledger receives; null when there is nothing to post. */
  readonly snapshot: BookingIntent["document"] | null;
}

/** A decision in the form in which the ledger receives it: its bytes, and their hash in the intent. */
export interface FrozenBooking {
  readonly intent: BookingIntent;
  readonly payload: string;
}

/** A booked document; `booking` and `booked` are null when there was nothing to post. */
export interface Outcome<Facts extends BookingFacts> {
  readonly facts: Facts;
  readonly booking: FrozenBooking | null;
  readonly booked: Booked | null;
  /** The connection that booked the document; null for the built-in ledger. */
  readonly connection_id: string | null;
}

/** Returns the text of a booked document in the API. */
export function textOf({ document, guid }: BookingFacts): JsonText {
  if (document === null) throw new Error(`the booked document ${guid} is not shown`);
  return document;
}

/** A booked document as the API shows it. */
export interface Issued {
  readonly document: JsonText;
  /** The delivery to attempt next; null when the document is not to be sent. */
  readonly delivery_id: string | null;
}

/** The steps of booking one kind of document. A single document is a batch of one. */
export interface Bookable<Facts extends BookingFacts, Decided extends Decision<Facts>> {
  /** The refusal while another process is calling the ledger for the document. */
  readonly in_progress: ProblemCode;
  /** The refusal of booking a document that is booked already. */
  readonly done: ProblemCode;
  /** The constraint that keeps two documents from having the same number. */
  readonly number_constraint: string;
  /** Locks the documents of the guids and reads the facts of the decision. Throws NOT_FOUND if one no longer exists. */
  read(tx: Tx, guids: readonly string[]): Promise<Facts[]>;
  /** Decides the booking. Computes only; throws the refusal of the document. */
  decide(facts: Facts): Decided;
  /** Stores documents that wait for an external ledger, in the transaction that stores their intents. */
  begun?(tx: Tx, decided: readonly Decided[]): void;
  /** Stores the outcomes in the transaction that booked or received them. The results are in the same order. */
  booked(tx: Tx, outcomes: readonly Outcome<Facts>[]): Promise<Issued[]>;
  /** Returns the response for a document accepted but not booked. The default is the refusal for a silent ledger. */
  accepted?(cx: Reader, guid: string): Promise<JsonText>;
  /** Handles a document that was not booked, with the reason: the document returns to its earlier state, or is deleted. */
  refused(tx: Tx, facts: Facts, reason: string): Promise<void>;
}

/** A kind of document whose types of facts and decisions are not known. */
// biome-ignore lint/suspicious/noExplicitAny: what one kind reads, the same kind decides and stores.
export type AnyBookable = Bookable<any, any>;

/** The steps of all kinds of documents, by the kind of the intent. */
export type Bookables = Readonly<Record<BookingIntent["kind"], AnyBookable>>;
