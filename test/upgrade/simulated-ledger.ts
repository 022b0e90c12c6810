/**
 * A simulator of an external ledger with books from a file: the ledger of an installation continues when the
 * installation is restored from a backup. Like a real ledger, it finds bookings only by guid and hash.
 */
import type {
  BookingIntent,
  BookOutcome,
  Connection,
  FoundBooking,
  Ledger,
} from "../../src/ledger/ledger.ts";

/** A booking of the ledger; amounts as text, because JSON numbers lose digits. */
export interface KeptBooking {
  readonly guid: string;
  readonly kind: string;
  readonly number: number;
  readonly payload_hash: string;
  readonly totals: { readonly net: string; readonly vat: string; readonly gross: string } | null;
}

/** `honest` books and answers; `silent` books without an answer; `deaf` neither books nor answers. */
type Mood = "honest" | "silent" | "deaf";

export interface SimulatedLedger {
  readonly connection: Connection;
  /** In the order of booking. */
  readonly books: readonly KeptBooking[];
  setMood(mood: Mood): void;
}

/** Short timeouts for the tests; the order of events is the same as with the usual ones. */
const timeouts = { call_ms: 2_000, pause_ms: 1, rounds: 2, total_ms: 5_000 };

export function openSimulatedLedger(kept: readonly KeptBooking[]): SimulatedLedger {
  const books = [...kept];
  let mood: Mood = "honest";
  const answerOf = ({ guid, number, totals }: KeptBooking) => ({
    state: "booked" as const,
    guid,
    ledger_id: `S${number}`,
    number: BigInt(number),
    totals: totals && {
      net: BigInt(totals.net),
      vat: BigInt(totals.vat),
      gross: BigInt(totals.gross),
    },
  });
  const book = (intent: BookingIntent): BookOutcome => {
    const { guid, kind } = intent;
    const payload_hash = Buffer.from(intent.payload_hash).toString("hex");
    const existing = books.find((one) => one.guid === guid);
    if (existing?.payload_hash === payload_hash) return answerOf(existing);
    if (existing) return { state: "rejected", code: "GUID_CONFLICT" };
    const number = 5001 + books.filter((one) => one.kind === kind).length;
    const totals = intent.kind === "voucher" ? null : textsOf(intent.document.totals);
    const booking = { guid, kind, number, payload_hash, totals };
    books.push(booking);
    return answerOf(booking);
  };
  const ledger: Ledger = {
    async ensureBooked(intent) {
      if (mood === "deaf") return { state: "unknown" };
      const outcome = book(intent);
      return mood === "silent" ? { state: "unknown" } : outcome;
    },
    async find(kind, guid): Promise<FoundBooking> {
      if (mood !== "honest") return { state: "unknown" };
      const booking = books.find((one) => one.guid === guid && one.kind === kind);
      return booking ? answerOf(booking) : { state: "absent" };
    },
  };
  return {
    connection: { kind: "simulated", transactional: false, timeouts, connect: () => ledger },
    books,
    setMood(next) {
      mood = next;
    },
  };
}

function textsOf(totals: { readonly net: bigint; readonly vat: bigint; readonly gross: bigint }) {
  return { net: `${totals.net}`, vat: `${totals.vat}`, gross: `${totals.gross}` };
}
