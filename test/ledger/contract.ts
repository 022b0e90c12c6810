/**
 * What every ledger must do, whoever keeps the books: the rest of the product relies on nothing else.
 * A connector proves itself by running this suite against the real thing or a labelled simulator.
 */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import type {
  Booked,
  BookingIntent,
  BookOutcome,
  DocumentBooking,
  Found,
} from "../../src/ledger/ledger.ts";
import { freeze } from "../../src/platform/json.ts";

/** A ledger with its books open; each call is one of its own, as the product makes it. */
export interface LedgerUnderTest {
  /** A document of this ledger's customer and accounts. */
  readonly document: DocumentSnapshot;
  book(intent: DocumentBooking): Promise<BookOutcome>;
  find(kind: BookingIntent["kind"], guid: string): Promise<Found>;
  /** Books, then takes the transaction back; undefined for a ledger outside of our transactions. */
  bookAndRollBack?(intent: DocumentBooking): Promise<void>;
  close(): Promise<void>;
}

/** Registers the suite for one ledger. */
export function describeLedger(name: string, open: () => Promise<LedgerUnderTest>): void {
  describe(`${name} keeps the ledger's contract:`, () => {
    let ledger: LedgerUnderTest;
    beforeAll(async () => {
      ledger = await open();
    });
    afterAll(() => ledger.close());

    const intentOf = (change: Partial<DocumentSnapshot> = {}, guid: string = randomUUID()) =>
      intentFor({ ...ledger.document, ...change, document_id: guid });
    const number = async (intent: DocumentBooking) =>
      requireBooked(await ledger.book(intent)).number;

    it("books a document under the guid that it was given, with a number and its totals", async () => {
      const intent = intentOf();

      const booked = requireBooked(await ledger.book(intent));

      expect(booked.guid).toBe(intent.guid);
      expect(booked.number).toBeGreaterThan(0n);
      expect([null, intent.document.totals]).toContainEqual(booked.totals);
    });

    it("books once per guid: a repeat answers the same booking", async () => {
      const intent = intentOf();

      const numbers = [await number(intent), await number(intent), await number(intent)];

      expect(new Set(numbers).size).toBe(1);
      expect(await number(intentOf())).not.toBe(numbers[0]);
    });

    it("refuses other content under the same guid and keeps what it has", async () => {
      const intent = intentOf({ title: "First" });
      const first = await number(intent);

      const other = await ledger.book(intentOf({ title: "Second" }, intent.guid));

      expect(other).toMatchObject({ state: "rejected", code: "GUID_CONFLICT" });
      expect(await ledger.find("invoice", intent.guid)).toMatchObject({ number: first });
    });

    it("finds nothing before the booking, and the same booking after it", async () => {
      const intent = intentOf();
      expect(await ledger.find("invoice", intent.guid)).toEqual({ state: "absent" });

      const booked = requireBooked(await ledger.book(intent));

      expect(await ledger.find("invoice", intent.guid)).toMatchObject({
        state: "booked",
        guid: intent.guid,
        number: booked.number,
      });
      expect(await ledger.find("credit_note", intent.guid)).toEqual({ state: "absent" });
    });

    it("gives parallel bookings of one guid one number", async () => {
      const intent = intentOf();

      const numbers = await Promise.all(Array.from({ length: 20 }, () => number(intent)));

      expect(new Set(numbers).size).toBe(1);
    });

    it("gives parallel bookings of many guids a number each", async () => {
      const numbers = await Promise.all(Array.from({ length: 20 }, () => number(intentOf())));

      expect(new Set(numbers).size).toBe(20);
    });

    it("leaves no gap in its numbers, whatever is refused, repeated or taken back", async () => {
      const before = await number(intentOf());
      const intent = intentOf();
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          await number(intent);
          await number(intentOf());
          await ledger.book(intentOf({ title: `Other ${index}` }, intent.guid));
          await ledger.bookAndRollBack?.(intentOf());
        }),
      );

      expect(await number(intentOf())).toBe(before + 1n + 8n + 1n);
    });
  });
}

function intentFor(document: DocumentSnapshot): DocumentBooking {
  return {
    kind: "invoice",
    guid: document.document_id,
    payload_hash: createHash("sha256").update(freeze(document)).digest(),
    document,
    requested_by: "api_key:contract",
    accounts: [],
  };
}

function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state !== "booked") throw new Error(`expected a booking: ${JSON.stringify(outcome)}`);
  return outcome;
}
