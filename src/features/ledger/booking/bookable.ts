/**
 * The kinds of documents that a ledger books: an invoice, the invoice of a period, a credit note, the voucher of an accrual. Each
 * kind defines its own steps; the booking itself, immediate or through an intent, is the same for all (`booking-command.ts`).
 */
import type { ProblemCode } from "../../../domain/base/problem.ts";
import type { Booked, BookingIntent } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";

/** The booking state of a document: to be booked, being booked by an external ledger, or booked. */
type BookingState = "draft" | "booking" | "booked";

/** The facts of a document, read under its locks. */
export interface BookingFacts {
  readonly state: BookingState;
  /** The document's name in the ledger: every repetition finds the same document by it. */
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

/** A decision as sent: its bytes, and their hash in the intent. */
export interface FrozenBooking {
  readonly intent: BookingIntent;
  readonly payload: string;
}

/** A booked document; `booking` and `booked` are null when there was nothing to post. */
export interface Outcome<Facts extends BookingFacts> {
  readonly facts: Facts;
  readonly booking: FrozenBooking | null;
  readonly booked: Booked | null;
  /** The connection that booked it; null for the built-in ledger. */
  readonly connection_id: string | null;
}

/** The API text of a booked document. */
export function textOf({ document, guid }: BookingFacts): JsonText {
  if (document === null) throw new Error(`the booked document ${guid} is not shown`);
  return document;
}

/** A booked document as the API shows it. */
export interface Issued {
  readonly document: JsonText;
  /** The delivery to attempt next; null when it is not to be sent. */
  readonly delivery_id: string | null;
}

/** One kind of document. A single document is a batch of one. */
export interface Bookable<Facts extends BookingFacts, Decided extends Decision<Facts>> {
  /** The refusal while another process is calling the ledger for the document. */
  readonly in_progress: ProblemCode;
  /** The refusal of booking a document that is booked already. */
  readonly done: ProblemCode;
  /** The constraint that keeps two documents from having the same number. */
  readonly number_constraint: string;
  /**
   * Locks documents, given by their guids, and reads the facts of the decision. Throws NOT_FOUND for one that no longer exists.
   */
  read(tx: Tx, guids: readonly string[]): Promise<Facts[]>;
  /** Decides the booking. Computes only; throws the refusal of the document. */
  decide(facts: Facts): Decided;
  /** Stores documents that wait for an external ledger, in the transaction that stores their intents. */
  begun?(tx: Tx, decided: readonly Decided[]): void;
  /** Stores the outcome in the transaction that booked the documents or learned of the booking; the result has the same order. */
  booked(tx: Tx, outcomes: readonly Outcome<Facts>[]): Promise<Issued[]>;
  /**
   * The answer while the ledger has accepted the document and not booked it yet; without it, the caller gets the refusal for a
   * ledger that gave no answer.
   */
  accepted?(cx: Reader, guid: string): Promise<JsonText>;
  /** Handles a document that was not booked, for the reason: it returns to its earlier state, or is deleted. */
  refused(tx: Tx, facts: Facts, reason: string): Promise<void>;
}

/** A kind of document of which only the steps are known. */
// biome-ignore lint/suspicious/noExplicitAny: what one kind reads, the same kind decides and stores.
export type AnyBookable = Bookable<any, any>;

/** By the kind of the intent. */
export type Bookables = Readonly<Record<BookingIntent["kind"], AnyBookable>>;
