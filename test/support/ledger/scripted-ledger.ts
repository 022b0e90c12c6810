/**
 * A simulator of an external ledger, for tests only: it has its own books by guid and numbers its bookings, and a test scripts
 * the faults of the next calls. A booking remains for any answer of the call; without a script, the ledger works correctly.
 */
import type {
  Booked,
  BookingIntent,
  BookOutcome,
  Connection,
  DocumentBooking,
  FoundBooking,
  Ledger,
  VoucherBooking,
} from "../../../src/ledger/ledger.ts";
import type { RejectCode } from "../../../src/ledger/outcome.ts";

/** The course of one call of `ensureBooked`; `book` does what a correct ledger does. */
export type BookStep = (book: () => BookOutcome) => Promise<BookOutcome>;
/** The course of one call of `find`; `look` does what a correct ledger does. */
type FindStep = (look: () => FoundBooking) => Promise<FoundBooking>;

export interface ScriptedLedger {
  readonly connection: Connection;
  /** Every booked document, by guid, in the order of booking. */
  readonly documents: ReadonlyMap<string, BookedDocument>;
  /** The same for vouchers. */
  readonly vouchers: ReadonlyMap<string, BookedVoucher>;
  /** Every call since the last `forget`, in order: `book <guid>` or `find <guid>`. */
  readonly calls: readonly string[];
  /** The next calls of `ensureBooked` take these courses, one each. */
  onBook(...steps: readonly BookStep[]): void;
  /** The next calls of `find` take these courses, one each. */
  onFind(...steps: readonly FindStep[]): void;
  /** Drops the rest of the script and the recorded calls; bookings stay. */
  forget(): void;
  /** What `ensureBooked` does without a script, like a call whose caller no longer waits. */
  book(intent: BookingIntent): BookOutcome;
}

interface BookedDocument {
  readonly intent: DocumentBooking;
  readonly number: bigint;
}

interface BookedVoucher {
  readonly intent: VoucherBooking;
  readonly number: bigint;
}

/** Short, so that tests do not wait; the order of events is the same as with the usual timeouts. */
const timeouts = { call_ms: 40, pause_ms: 1, rounds: 3, total_ms: 2_000 };

export function openScriptedLedger(): ScriptedLedger {
  const documents = new Map<string, BookedDocument>();
  const vouchers = new Map<string, BookedVoucher>();
  const bookedUnder = (guid: string) => documents.get(guid) ?? vouchers.get(guid);
  const calls: string[] = [];
  const book_steps: BookStep[] = [];
  const find_steps: FindStep[] = [];

  const book = (intent: BookingIntent): BookOutcome => {
    const existing = bookedUnder(intent.guid);
    if (existing === undefined) {
      const books = intent.kind === "voucher" ? vouchers : documents;
      const number = BigInt(books.size + 1001);
      if (intent.kind === "voucher") vouchers.set(intent.guid, { intent, number });
      else documents.set(intent.guid, { intent, number });
      return bookedAs(intent, number);
    }
    const is_same = Buffer.from(existing.intent.payload_hash).equals(intent.payload_hash);
    return is_same
      ? bookedAs(intent, existing.number)
      : { state: "rejected", code: "GUID_CONFLICT" };
  };
  const ledger: Ledger = {
    async ensureBooked(intent) {
      calls.push(`book ${intent.guid}`);
      const step = book_steps.shift() ?? steps.honest;
      return step(() => book(intent));
    },
    async find(kind, guid) {
      calls.push(`find ${guid}`);
      const look = (): FoundBooking => {
        const found = bookedUnder(guid);
        if (found === undefined || found.intent.kind !== kind) return { state: "absent" };
        return bookedAs(found.intent, found.number);
      };
      const step = find_steps.shift();
      return step === undefined ? look() : step(look);
    },
  };
  return {
    connection: { kind: "scripted", transactional: false, timeouts, connect: () => ledger },
    documents,
    vouchers,
    calls,
    onBook: (...added) => book_steps.push(...added),
    onFind: (...added) => find_steps.push(...added),
    forget() {
      for (const list of [calls, book_steps, find_steps]) list.length = 0;
    },
    book,
  };
}

function bookedAs(intent: BookingIntent, number: bigint): Booked {
  const totals = intent.kind === "voucher" ? null : intent.document.totals;
  return { state: "booked", guid: intent.guid, ledger_id: `L${number}`, number, totals };
}

const forever = new Promise<never>(() => {});

/** Courses of a booking. If its name says that it booked, the ledger has the document afterwards. */
export const steps = {
  honest: async (book) => book(),
  /** The same request arrives twice, as after a retransmission. */
  twice: async (book) => {
    book();
    return book();
  },
  bookedButSilent: (book) => {
    book();
    return forever;
  },
  silent: () => forever,
  bookedButThrows: async (book) => {
    book();
    throw new Error("the answer could not be read");
  },
  throws: async () => {
    throw new Error("the connector has a bug");
  },
  bookedButUnknown: async (book) => {
    book();
    return { state: "unknown" };
  },
  unknown: async () => ({ state: "unknown" }),
  notStarted: async () => ({ state: "not_started" }),
  unauthorized: async () => ({ state: "unauthorized" }),
  refusedConnection: async () => ({ state: "not_started", reason: "unavailable" }),
  /** Accepted, but not booked yet. */
  pending: async () => ({ state: "pending", poll_after_ms: 1_000 }),
  otherGuid: altered((booked) => ({ ...booked, guid: "01990000-0000-7000-8000-00000000dead" })),
  withoutNumber: altered((booked) => ({ ...booked, number: 0n })),
  withoutTotals: altered((booked) => ({ ...booked, totals: null })),
} satisfies Readonly<Record<string, BookStep>>;

/** Nothing is booked, and the ledger returns the reason. */
export function rejected(code: RejectCode): BookStep {
  return async () => ({ state: "rejected", code });
}

/** Booked under a number that the ledger chose. */
export function numbered(number: bigint): BookStep {
  return altered((booked) => ({ ...booked, number }));
}

/** Booked with one of the totals a minor unit off. */
export function offBy1(total: "net" | "vat" | "gross"): BookStep {
  return altered((booked) => {
    const totals = booked.totals ?? { net: 0n, vat: 0n, gross: 0n };
    return { ...booked, totals: { ...totals, [total]: totals[total] + 1n } };
  });
}

/** Not called, because of too many earlier calls. */
export function limited(retry_after_ms: number): BookStep {
  return async () => ({ state: "not_started", reason: "rate_limited", retry_after_ms });
}

/** Booked with VAT that differs by this many minor units, and the corresponding gross. */
export function taxed(by: bigint): BookStep {
  return altered((booked) => {
    const { net, vat } = booked.totals ?? { net: 0n, vat: 0n };
    return { ...booked, totals: { net, vat: vat + by, gross: net + vat + by } };
  });
}

/** Booked at the ledger's own rate, with the corresponding totals. */
export function rated(rate_micro: bigint): BookStep {
  return altered((booked) => {
    const { vat, gross } = booked.totals ?? { vat: 0n, gross: 0n };
    const of = (amount: bigint): bigint => (amount * rate_micro + 500_000n) / 1_000_000n;
    return { ...booked, functional: { rate_micro, vat: of(vat), gross: of(gross) } };
  });
}

/** The same wrong answer from `find`. */
export function found(step: BookStep): FindStep {
  return (look) =>
    step(() => {
      const answer = look();
      return answer.state === "booked" ? answer : { state: "unknown" };
    }) as Promise<FoundBooking>;
}

/** A point at which a call waits: `entered` resolves when the call arrives, `open` lets it continue as `step`. */
export function door(step: BookStep = steps.honest) {
  let enter: () => void = () => {};
  let open: () => void = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const held: BookStep = async (book) => {
    enter();
    await opened;
    return step(book);
  };
  return { held, entered, open };
}

function altered(change: (booked: Booked) => Booked): BookStep {
  return async (book) => {
    const outcome = book();
    return outcome.state === "booked" ? change(outcome) : outcome;
  };
}
