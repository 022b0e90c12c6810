/**
 * What can be booked: an invoice, that of a period, a credit note, the voucher of an accrual. Each says in four steps
 * what is its own; how a booking goes, at once or behind an intent, is the same for all (`booking-command.ts`).
 */
import type { ProblemCode } from "../../../domain/base/problem.ts";
import type { Booked, BookingIntent } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";

/** Where a document stands: to be booked, being booked by an external ledger, or booked. */
type BookingState = "draft" | "booking" | "booked";

/** What is known of a document, under its locks. */
export interface BookingFacts {
  readonly state: BookingState;
  /** Under which the ledger knows it: whatever repeats, it sees the same document. */
  readonly guid: string;
  /** As the API shows it; may be null for what is still to be booked. */
  readonly document: JsonText | null;
}

/** What is decided to be booked. */
export interface Decision<Facts extends BookingFacts> {
  readonly facts: Facts;
  /** What the ledger is sent, frozen as it is; null where nothing is to be posted. */
  readonly snapshot: BookingIntent["document"] | null;
}

/** A decision as it is sent: its bytes, and their hash in the intent. */
export interface FrozenBooking {
  readonly intent: BookingIntent;
  readonly payload: string;
}

/** What has been booked; both are null where nothing was to be posted. */
export interface Outcome<Facts extends BookingFacts> {
  readonly facts: Facts;
  readonly booking: FrozenBooking | null;
  readonly booked: Booked | null;
  /** The connection that booked it; null for the built-in ledger. */
  readonly connection_id: string | null;
}

/** The text of what is booked. */
export function textOf({ document, guid }: BookingFacts): JsonText {
  if (document === null) throw new Error(`the booked document ${guid} is not shown`);
  return document;
}

/** A document that has been booked, as the API shows it. */
export interface Issued {
  readonly document: JsonText;
  /** The delivery to attempt next; null when it is not to be sent. */
  readonly delivery_id: string | null;
}

/** One kind of document. One document is a batch of one. */
export interface Bookable<Facts extends BookingFacts, Decided extends Decision<Facts>> {
  /** What a caller is told while somebody else is asking the ledger. */
  readonly in_progress: ProblemCode;
  /** What a caller is told who wants to book what is booked. */
  readonly done: ProblemCode;
  /** The constraint by which two documents cannot have one number. */
  readonly number_constraint: string;
  /** Locks documents, named by their guids, and reads what decides. Throws NOT_FOUND for one that is gone. */
  read(tx: Tx, guids: readonly string[]): Promise<Facts[]>;
  /** What is to be booked. Computes only; throws what the document is refused for. */
  decide(facts: Facts): Decided;
  /** Stores what waits for an external ledger, beside its intents. */
  begun?(tx: Tx, decided: readonly Decided[]): void;
  /** Stores what was booked, in the transaction that booked it or learnt of it; answers in the same order. */
  booked(tx: Tx, outcomes: readonly Outcome<Facts>[]): Promise<Issued[]>;
  /** What is answered while the ledger has accepted it and not booked it yet; absent where that is told as no answer. */
  accepted?(cx: Reader, guid: string): Promise<JsonText>;
  /** It was not booked, for the reason: it is what it was before, or gone. */
  refused(tx: Tx, facts: Facts, reason: string): Promise<void>;
}

/** A kind of document of which nothing but the steps is known. */
// biome-ignore lint/suspicious/noExplicitAny: what one kind reads, the same kind decides and stores.
export type AnyBookable = Bookable<any, any>;

/** By the kind that an intent has. */
export type Bookables = Readonly<Record<BookingIntent["kind"], AnyBookable>>;
