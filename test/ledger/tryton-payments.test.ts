/** What the connector to Tryton reads of payments, each row of the table in the spec (13.9), in a real Tryton. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PaidDocument } from "../../src/ledger/connected.ts";
import { trytonConnector } from "../../src/ledger/connectors/tryton/connector.ts";
import type { DocumentBooking } from "../../src/ledger/ledger.ts";
import { danish } from "../support/documents/documents.ts";
import { plainLine } from "../support/ledger/plain-line.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { payInTryton, reconcileInTryton } from "../support/ledger/tryton/pay.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { invoice } from "../support/ledger/tryton/under-test.ts";

const options = { signal: new AbortController().signal };
const gross = danish().totals.gross;
const text = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;

describe("the payment of a document in Tryton", () => {
  let books: TrytonBooks;
  let line: ReturnType<typeof plainLine>;
  let ledger: ReturnType<typeof trytonConnector.open>;
  beforeAll(async () => {
    if (whyNoTryton() !== undefined) return;
    books = await openTryton();
    line = plainLine(books, 60_000);
    ledger = trytonConnector.open(line);
  });
  beforeEach(requireTryton);
  afterAll(() => books?.close());

  async function booked(made: DocumentBooking = invoice()): Promise<string> {
    expect(await ledger.ensureBooked(made, options)).toMatchObject({ state: "booked" });
    return made.guid;
  }
  async function readOf(guid: string, kind: PaidDocument["kind"] = "invoice") {
    const read = await ledger.more.payments?.([{ kind, guid }], options);
    if (read?.state !== "payments") throw new Error(`expected payments: ${JSON.stringify(read)}`);
    return read.payments;
  }

  it("is open when it is posted, and partly paid with what is left to pay", async () => {
    const guid = await booked();
    expect(await readOf(guid)).toEqual([
      { guid, state: "open", paid: 0n, remaining: gross, paid_on: null },
    ]);
    await payInTryton(books, guid, "100.25", "2026-11-20");
    const rest = { paid: 10_025n, remaining: gross - 10_025n, paid_on: null };
    expect(await readOf(guid)).toEqual([{ guid, state: "partly_paid", ...rest }]);
  });

  it("is paid on the day of its reconciliation, and open again without it", async () => {
    const guid = await booked();
    const payment = await payInTryton(books, guid, text(gross), "2026-11-20");
    const reconciled = await reconcileInTryton(books, [guid], [payment], "2026-11-23");
    expect(await readOf(guid)).toEqual([
      { guid, state: "paid", paid: gross, remaining: 0n, paid_on: "2026-11-23" },
    ]);
    await books.admin.call("account.move.reconciliation", "delete", [reconciled]);
    expect(await readOf(guid)).toMatchObject([{ remaining: 0n, paid_on: null }]);
  });

  it("of a credit note is its own, with amounts above 0", async () => {
    const guid = await booked();
    const credits = { invoice_id: guid, invoice_number: 1n, invoice_date: "2026-11-20" };
    const credit = await booked(invoice({ kind: "credit_note", credits }));
    expect(await readOf(credit, "credit_note")).toEqual([
      { guid: credit, state: "open", paid: 0n, remaining: gross, paid_on: null },
    ]);
    await reconcileInTryton(books, [guid, credit], [], "2026-11-24");
    for (const one of [guid, credit]) {
      expect(await readOf(one)).toMatchObject([{ state: "paid", paid_on: "2026-11-24" }]);
    }
  });

  it("is not reported of a draft, an unknown document, and a cancelled one", async () => {
    const guid = await booked();
    expect(await readOf("0199aaaa-0000-7000-8000-000000000000")).toEqual([]);
    await books.sql("update account_invoice set state = 'cancelled' where reference = $1", [guid]);
    expect(await readOf(guid)).toEqual([]);
    await books.sql("update account_invoice set state = 'draft' where reference = $1", [guid]);
    expect(await readOf(guid)).toEqual([]);
  });

  it("only is read", async () => {
    const guid = await booked();
    line.verbs.length = 0;
    await readOf(guid);
    const reads = /^(common\.db\.log(in|out)|res\.user\.get_preferences|[\w.]+\.search_read)$/;
    expect(line.verbs).toContain("account.invoice.search_read");
    expect(line.verbs.filter((verb) => !reads.test(verb))).toEqual([]);
  });
});
