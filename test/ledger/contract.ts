/**
 * The requirements for every ledger: the rest of the product relies on nothing else.
 * A connector proves itself by running this suite against the real system or a labelled simulator.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Month } from "../../src/domain/base/calendar.ts";
import type { VoucherSnapshot } from "../../src/domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../../src/domain/sales/document.ts";
import type { LedgerCustomer, LedgerMonth, PutOutcome } from "../../src/ledger/connected.ts";
import type {
  Booked,
  BookingIntent,
  BookOutcome,
  DocumentBooking,
  FoundBooking,
  MappedAccount,
  VoucherBooking,
} from "../../src/ledger/ledger.ts";
import type { Failure } from "../../src/ledger/outcome.ts";
import {
  changedCustomer,
  documentBooking,
  requireBooked,
  voucherBooking,
} from "../support/ledger/bookings.ts";

/** A ledger with open books; each call is separate, as the product makes it. */
export interface LedgerUnderTest {
  /** A document of this ledger's customer and accounts. */
  readonly document: DocumentSnapshot;
  /** A voucher of its accounts. */
  readonly voucher: VoucherSnapshot;
  /** The accounts for its lines; none for a ledger in our own database. */
  readonly accounts?: readonly MappedAccount[];
  /** The number of parallel calls; 20 unless that takes too long. */
  readonly at_once?: number;
  book(intent: BookingIntent): Promise<BookOutcome>;
  find(kind: BookingIntent["kind"], guid: string): Promise<FoundBooking>;
  /** Books, then rolls the transaction back; undefined for a ledger outside of our transactions. */
  bookAndRollBack?(intent: DocumentBooking): Promise<void>;
  /** Leaves a draft, like a call that is lost before the booking; undefined when the ledger has no drafts. */
  leaveDraft?(intent: DocumentBooking): Promise<void>;
  sweep?(kind: BookingIntent["kind"], guid: string): Promise<unknown>;
  /** Undefined for a ledger in our own database, or one that only books. */
  month?(month: Month): Promise<LedgerMonth | Failure>;
  /** Undefined for a ledger that receives no customers. */
  putCustomer?(customer: LedgerCustomer): Promise<PutOutcome>;
  close(): Promise<void>;
}

/** Registers the suite for one ledger; skips it when a requirement is missing, with a sentence as the reason. */
export function describeLedger(
  name: string,
  open: () => Promise<LedgerUnderTest>,
  missing?: string,
): void {
  describe(`${name} keeps the ledger's contract:`, () => {
    let ledger: LedgerUnderTest;
    beforeAll(async () => {
      if (missing === undefined) ledger = await open();
    });
    beforeEach((test) => test.skip(missing !== undefined, missing));
    afterAll(() => ledger?.close());

    const intentOf = (change: Partial<DocumentSnapshot> = {}, guid: string = randomUUID()) =>
      documentBooking({ ...ledger.document, ...change, document_id: guid }, ledger.accounts);
    const creditOf = (intent: DocumentBooking, { number }: Booked) =>
      intentOf({
        kind: "credit_note",
        credits: {
          invoice_id: intent.guid,
          invoice_number: number,
          invoice_date: intent.document.issue_date,
        },
      });
    const voucherOf = (guid: string = randomUUID()): VoucherBooking =>
      voucherBooking(
        { ...ledger.voucher, document_id: guid, reference: `accrual:${guid}:1` },
        ledger.accounts,
      );
    const number = async (intent: DocumentBooking) =>
      requireBooked(await ledger.book(intent)).number;
    const atOnce = <Result>(most: number, call: (index: number) => Promise<Result>) =>
      Promise.all(
        Array.from({ length: Math.min(most, ledger.at_once ?? most) }, (_, index) => call(index)),
      );

    it("books a document under the given guid, and returns its number and totals", async () => {
      const intent = intentOf();

      const booked = requireBooked(await ledger.book(intent));

      expect(booked.guid).toBe(intent.guid);
      expect(booked.number).toBeGreaterThan(0n);
      expectTotals(booked, intent);
    });

    it("accepts a VAT that differs by at most one minor unit for each code", async () => {
      // 25 % of 0.50 is 0.13 when halves are rounded up, and 0.12 when they are rounded to even.
      const intent = intentOf(halfCent(ledger.document));

      const booked = requireBooked(await ledger.book(intent));

      expectTotals(booked, intent);
      const again = requireBooked(await ledger.book(intent));
      expect([again.number, again.totals]).toEqual([booked.number, booked.totals]);
    });

    it("books a credit note with positive amounts, and finds it as a credit note", async () => {
      const invoice = intentOf();
      const credit = creditOf(invoice, requireBooked(await ledger.book(invoice)));

      const booked = requireBooked(await ledger.book(credit));

      expectTotals(booked, credit);
      expect(await number(credit)).toBe(booked.number);
      expect(await ledger.find("credit_note", credit.guid)).toMatchObject({
        state: "booked",
        number: booked.number,
      });
      expect(await ledger.find("invoice", credit.guid)).toEqual({ state: "absent" });
    });

    it("books a voucher once, immediately or a little later", async () => {
      const intent = voucherOf();
      expect(await ledger.find("voucher", intent.guid)).toEqual({ state: "absent" });

      const first = await ledger.book(intent);
      expect(["booked", "pending"]).toContain(first.state);
      await expect
        .poll(() => ledger.find("voucher", intent.guid))
        .toMatchObject({ state: "booked", guid: intent.guid });

      const booked = requireBooked(await ledger.book(intent));
      expect(booked.number).toBeGreaterThan(0n);
      if (first.state === "booked") expect(first.number).toBe(booked.number);
    });

    it("finds a remaining draft and books it once, and sweeps an unwanted draft", async () => {
      const { leaveDraft, sweep } = ledger;
      if (leaveDraft === undefined || sweep === undefined) return;
      const [wanted, unwanted] = [intentOf(), intentOf()];
      await leaveDraft(wanted);
      await leaveDraft(unwanted);
      expect(await ledger.find("invoice", wanted.guid)).toEqual({ state: "draft" });

      const booked = requireBooked(await ledger.book(wanted));
      expect(await sweep("invoice", wanted.guid)).toEqual({ state: "swept", drafts: 0 });
      expect(await sweep("invoice", unwanted.guid)).toEqual({ state: "swept", drafts: 1 });

      expect(await ledger.find("invoice", wanted.guid)).toMatchObject({ number: booked.number });
      expect(await ledger.find("invoice", unwanted.guid)).toEqual({ state: "absent" });
      expect(await sweep("invoice", unwanted.guid)).toEqual({ state: "swept", drafts: 0 });
    });

    it("reports that the guid of a deleted draft is used, and books once under another guid", async () => {
      const { leaveDraft, sweep } = ledger;
      if (leaveDraft === undefined || sweep === undefined) return;
      const intent = intentOf();
      await leaveDraft(intent);
      expect(await sweep("invoice", intent.guid)).toEqual({ state: "swept", drafts: 1 });
      expect(await ledger.find("invoice", intent.guid)).toEqual({ state: "absent" });

      const first = await ledger.book(intent);
      if (first.state === "booked") return;

      expect(first).toMatchObject({ state: "guid_used" });
      expect(await ledger.find("invoice", intent.guid)).toEqual({ state: "absent" });
      const other = { ...intent, guid: randomUUID() };
      const booked = requireBooked(await ledger.book(other));
      expect(booked.guid).toBe(other.guid);
      expect(await ledger.book(intent)).toMatchObject({ state: "guid_used" });
      expect(await sweep("invoice", intent.guid)).toEqual({ state: "swept", drafts: 0 });
    });

    it("lists the documents of a month and the movements of the accounts", async () => {
      const { month } = ledger;
      if (month === undefined) return;
      const intent = intentOf();
      const read = async (): Promise<LedgerMonth> => {
        const reported = await month(intent.document.issue_date.slice(0, 7) as Month);
        if (reported.state !== "month") throw new Error(`expected a month: ${reported.state}`);
        return reported;
      };
      const before = await read();

      const booked = requireBooked(await ledger.book(intent));

      const after = await read();
      expect(before.documents.map(({ guid }) => guid)).not.toContain(intent.guid);
      expect(after.documents).toContainEqual(
        expect.objectContaining({
          kind: "invoice",
          ledger_id: booked.ledger_id,
          guid: intent.guid,
          number: booked.number,
          date: intent.document.issue_date,
          gross: booked.totals?.gross,
          stands: true,
        }),
      );
      for (const [account, sold] of soldOn(intent)) {
        expect((after.moved.get(account) ?? 0n) - (before.moved.get(account) ?? 0n)).toBe(-sold);
        expect((after.balances.get(account) ?? 0n) - (before.balances.get(account) ?? 0n)).toBe(
          -sold,
        );
      }
    });

    it("stores one customer, however often it receives it", async () => {
      const { putCustomer } = ledger;
      if (putCustomer === undefined) return;
      const customer = changedCustomer();

      const first = await putCustomer(customer);
      if (first.state !== "stored") throw new Error(`expected a customer: ${first.state}`);
      const again = await putCustomer({ ...customer, name: "Another name" });
      const known = await putCustomer({ ...customer, ledger_id: first.ledger_id });

      expect([again, known]).toEqual([first, first]);
    });

    it("books once per guid: a repetition returns the same booking", async () => {
      const intent = intentOf();

      const numbers = [await number(intent), await number(intent), await number(intent)];

      expect(new Set(numbers).size).toBe(1);
      expect(await number(intentOf())).not.toBe(numbers[0]);
    });

    it("refuses different content under the same guid, and keeps the first", async () => {
      const intent = intentOf({ title: "First" });
      const first = await number(intent);

      const other = await ledger.book(intentOf({ title: "Second" }, intent.guid));

      expect(other).toMatchObject({ state: "rejected", code: "GUID_CONFLICT" });
      expect(await ledger.find("invoice", intent.guid)).toMatchObject({ number: first });
    });

    it("finds nothing before a booking, and the same booking after it", async () => {
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

      const numbers = await atOnce(20, () => number(intent));

      expect(new Set(numbers).size).toBe(1);
    });

    it("gives parallel bookings of different guids different numbers", async () => {
      const numbers = await atOnce(20, () => number(intentOf()));

      expect(new Set(numbers).size).toBe(numbers.length);
    });

    it("leaves no gap in its numbers after refusals, repetitions and rollbacks", async () => {
      const before = await number(intentOf());
      const intent = intentOf();
      const rounds = await atOnce(8, async (index) => {
        await number(intent);
        await number(intentOf());
        await ledger.book(intentOf({ title: `Other ${index}` }, intent.guid));
        await ledger.bookAndRollBack?.(intentOf());
      });

      expect(await number(intentOf())).toBe(before + 1n + BigInt(rounds.length) + 1n);
    });
  });
}

/** The document with one line of 0.50 under its first VAT code, at 25 %. */
function halfCent(document: DocumentSnapshot): Partial<DocumentSnapshot> {
  const [line] = document.lines;
  const [vat] = document.vat;
  if (line === undefined || vat === undefined) throw new Error("a document has lines and VAT");
  const row = { quantity: 100, unit_price_scaled: 5_000n, discount: 0, net: 50n };
  return {
    lines: [{ ...line, net: 50n, net_functional: 50n, rows: [row] }],
    vat: [{ ...vat, base: 50n, vat: 13n, vat_functional: 13n }],
    totals: { net: 50n, vat: 13n, gross: 63n },
  };
}

/** A ledger that reports totals reports ours, except for its own rounding of VAT. */
function expectTotals({ totals }: Booked, { document }: DocumentBooking): void {
  if (totals === null) return;
  const allowed = BigInt(document.vat.length);
  expect(totals.net).toBe(document.totals.net);
  expect(totals.gross).toBe(totals.net + totals.vat);
  expect(totals.vat).toBeGreaterThanOrEqual(document.totals.vat - allowed);
  expect(totals.vat).toBeLessThanOrEqual(document.totals.vat + allowed);
}

/** The sales on each account of the ledger, in minor units of its currency. */
function soldOn({ document, accounts }: DocumentBooking): Map<string, bigint> {
  const sold = new Map<string, bigint>();
  for (const { account_number, vat_code, net_functional } of document.lines) {
    const mapped = accounts.find(
      (one) => one.account_number === account_number && one.vat_code === vat_code,
    );
    if (mapped === undefined) throw new Error(`${account_number} has no account there`);
    const { ledger_account } = mapped;
    sold.set(ledger_account, (sold.get(ledger_account) ?? 0n) + net_functional);
  }
  return sold;
}
