/**
 * The connector to Tryton on a real server: the contract of the port, and the particularities of Tryton. Faults on
 * the way are in tryton-faults.test.ts.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { trytonConnector } from "../../src/ledger/connectors/tryton/connector.ts";
import type { Booked } from "../../src/ledger/ledger.ts";
import { accrual, danish, reverseCharge } from "../support/documents/documents.ts";
import { changedCustomer, changedProduct, requireBooked } from "../support/ledger/bookings.ts";
import { plainLine } from "../support/ledger/plain-line.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { accounts, invoice, voucher } from "../support/ledger/tryton/under-test.ts";
import { describeLedger, type LedgerUnderTest } from "./contract.ts";

const missing = whyNoTryton();
const options = { signal: new AbortController().signal };
let books: TrytonBooks;
let ledger: ReturnType<typeof trytonConnector.open>;

beforeAll(async () => {
  if (missing !== undefined) return;
  books = await openTryton();
  ledger = trytonConnector.open(plainLine(books, 60_000));
});
afterAll(() => books?.close());

describeLedger("the Tryton connector on a real Tryton", async () => underTest(), missing);

/** One writing call at a time, as the product makes them for a ledger that takes one at a time. */
function underTest(): LedgerUnderTest {
  let last: Promise<unknown> = Promise.resolve();
  return {
    document: danish(),
    voucher: accrual(),
    accounts,
    // Each makes fifteen calls, and renders a report in Tryton.
    at_once: 4,
    book(intent) {
      const turn = last.then(() => ledger.ensureBooked(intent, options));
      last = turn.catch(() => {});
      return turn;
    },
    find: (kind, guid) => ledger.find(kind, guid, options),
    sweep: (kind, guid) => ledger.more.sweep(kind, guid, options),
    month: (month) => ledger.more.month(month, options),
    putCustomer: (customer) => ledger.more.putCustomer(customer, options),
    async leaveDraft(intent) {
      const given_up = new AbortController();
      const line = plainLine(books, 60_000);
      await trytonConnector
        .open({
          ...line,
          request(request, call) {
            if (/\.(write|post)$/.test(request.verb)) given_up.abort();
            return line.request(request, call);
          },
        })
        .ensureBooked(intent, { signal: given_up.signal });
    },
    close: async () => {},
  };
}

describe("the Tryton connector", () => {
  beforeEach(requireTryton);

  it("reports the organisation, and the faults that prevent bookings", async () => {
    const check = await ledger.more.check(options);

    expect(check).toMatchObject({
      state: "ok",
      organisation: { name: "Nordlys Rådgivning ApS" },
      currency: "DKK",
      vat_codes: [
        { code: "U25", rate: 2500 },
        { code: "U0", rate: 0 },
      ],
      locked_through: null,
      faults: [],
    });
    const known = check.state === "ok" ? check.accounts.map(({ account }) => account) : [];
    expect(known).toEqual(["1010", "1150", "6190", "6240", "7680", "8070"]);
  });

  it.each([
    ["a prefix", "prefix = 'F'", "prefix = null"],
    ["a suffix", "suffix = '-26'", "suffix = null"],
    ["padding", "padding = 6", "padding = 0"],
  ])("refuses numbers with %s", async (_what, change, back) => {
    const sequence = "update ir_sequence_strict set";
    await books.sql(`${sequence} ${change} where name = 'Invoices 2026'`);

    const check = await ledger.more.check(options);

    await books.sql(`${sequence} ${back} where name = 'Invoices 2026'`);
    const message = "The sequence Invoices 2026 makes numbers with a prefix, suffix or padding.";
    expect(check).toMatchObject({ faults: [{ code: "NUMBERING_NOT_INTEGER", message }] });
  });

  it("reports a missing permission of the user", async () => {
    const [user] = await books.admin.search("res.user", ["login", "=", books.settings.user]);
    const group = await books.admin.search("res.group", ["name", "=", "Account Administration"]);
    await books.admin.call("res.user", "write", [user], { groups: [["remove", group]] });

    const check = await ledger.more.check(options);

    await books.admin.call("res.user", "write", [user], { groups: [["add", group]] });
    const message = "The user may not delete account.move.";
    expect(check).toMatchObject({ faults: [{ code: "INCOMPLETE", message }] });
  });

  it.each([
    ["in the future", "2036-12-20"],
    ["in the past, which the connector confirms", "2026-11-21"],
  ])("keeps a due date %s as it is on the document", async (_when, due_date) => {
    const intent = invoice({ payment: { type: "Netto", days: 1, due_date } });

    const { ledger_id } = requireBooked(await ledger.ensureBooked(intent, options));

    const due = await books.sql<{ day: string }>(
      `select line.maturity_date::text as day from account_move_line line
        join account_invoice invoice on invoice.move = line.move and invoice.account = line.account
        where invoice.id = $1`,
      [Number(ledger_id)],
    );
    expect(due).toEqual([{ day: due_date }]);
  });

  it("returns the year of a number that is unique only within it", async () => {
    const first = invoice({ issue_date: "2027-01-15" });

    expect(await ledger.ensureBooked(first, options)).toMatchObject({ number: 1n, year: 2027 });
  });

  it("refuses a document with a different VAT, and leaves no draft", async () => {
    const untaxed = accounts.map((account) => ({ ...account, ledger_vat_code: null }));
    const intent = { ...invoice(), accounts: untaxed };

    const outcome = await ledger.ensureBooked(intent, options);

    expect(outcome).toMatchObject({
      state: "rejected",
      code: "TOTAL_MISMATCH",
      fields: { net: "5527500", vat: "0" },
    });
    expect(await ledger.find("invoice", intent.guid, options)).toEqual({ state: "absent" });
  });

  it("refuses unknown accounts and taxes", async () => {
    const [first, ...rest] = accounts;
    if (first === undefined) throw new Error("accounts are mapped");
    const bookWith = (change: object) =>
      ledger.ensureBooked({ ...invoice(), accounts: [{ ...first, ...change }, ...rest] }, options);

    expect(await bookWith({ ledger_account: "9999" })).toMatchObject({ code: "UNKNOWN_ACCOUNT" });
    expect(await bookWith({ ledger_vat_code: "U99" })).toMatchObject({ code: "UNKNOWN_VAT_CODE" });
  });

  it("returns the rate of another currency, and the converted amounts", async () => {
    const { document_id: _, ...foreign } = reverseCharge();
    const lines = foreign.lines.map((line) => ({ ...line, account_number: 1150 }));
    const intent = invoice({ ...foreign, lines, issue_date: "2026-11-25" });

    const booked = requireBooked(await ledger.ensureBooked(intent, options));

    // A krone is 0.134048 euro there, and 12,500 euro follow from that rate.
    expect(booked).toMatchObject({
      totals: { net: 1_250_000n, vat: 0n, gross: 1_250_000n },
      functional: { rate_micro: 7_460_014n, gross: 9_325_018n, vat: 0n },
    });
  });

  it("lists the documents of a month, with the balances at its end", async () => {
    const document = invoice({ issue_date: "2025-06-10" });
    const credit = invoice({
      kind: "credit_note",
      issue_date: "2025-06-11",
      credits: { invoice_id: document.guid, invoice_number: 1n, invoice_date: "2025-06-10" },
    });
    const moved = voucher({ issue_date: "2025-06-30" });
    const booked: Booked[] = [];
    for (const intent of [document, credit, moved]) {
      booked.push(requireBooked(await ledger.ensureBooked(intent, options)));
    }

    const month = await ledger.more.month("2025-06" as never, options);

    if (month.state !== "month") throw new Error(`expected a month: ${month.state}`);
    const listed = (index: number, kind: string, date: string, gross: bigint | null) => ({
      ...{ kind, date, gross, stands: true },
      ledger_id: booked[index]?.ledger_id,
      guid: booked[index]?.guid,
      number: booked[index]?.number,
    });
    expect(month.documents).toEqual([
      listed(0, "invoice", "2025-06-10", 6_909_375n),
      listed(1, "credit_note", "2025-06-11", 6_909_375n),
      listed(2, "voucher", "2025-06-30", null),
    ]);
    const balances = { 1010: 900_000n, 1150: 200_000n, 8070: -1_100_000n };
    expect(Object.fromEntries(month.balances)).toEqual(balances);
    expect((await ledger.more.month("2025-05" as never, options)) as object).toMatchObject({
      documents: [],
      balances: new Map(),
    });
  });

  it("lists changes of our customers and products in Tryton", async () => {
    const guid = randomUUID();
    const stored = await ledger.more.putCustomer(changedCustomer({ guid }), options);
    const product = await ledger.more.putProduct(changedProduct(), options);
    if (stored.state !== "stored" || product.state !== "stored") throw new Error("not stored");
    const before = await changesSince(null);
    await books.admin.call("party.party", "write", [Number(stored.ledger_id)], {
      ...{ name: "Bryggeriet A/S", active: false },
    });

    const after = await changesSince(before.until);

    const id = { ledger_id: stored.ledger_id, guid };
    expect(before.customers).toContainEqual(
      expect.objectContaining({ ...id, active: true, fields: expect.objectContaining(ADDRESS) }),
    );
    expect(before.products).toContainEqual(
      expect.objectContaining({
        ledger_id: product.ledger_id,
        fields: { price_scaled: 12_345_678n },
      }),
    );
    expect(after.customers).toContainEqual(
      expect.objectContaining({
        ...{ ...id, active: false },
        fields: expect.objectContaining({ ...ADDRESS, name: "Bryggeriet A/S" }),
      }),
    );
  });

  it("reads lists that are longer than one response", async () => {
    await books.sql(
      `insert into party_party (code, name, active, create_date)
        select gen_random_uuid()::text, 'One of many', true, now() from generate_series(1, 1001)`,
    );

    const { customers } = await changesSince(null);

    const many = customers.filter(({ fields }) => fields.name === "One of many");
    expect(new Set(many.map(({ guid }) => guid)).size).toBe(1001);
  });

  it("stores a product once, and updates it", async () => {
    const product = changedProduct();

    const first = await ledger.more.putProduct(product, options);
    const again = await ledger.more.putProduct({ ...product, price_scaled: 99_999n }, options);

    expect(first.state).toBe("stored");
    expect(again).toEqual(first);
  });
});

async function changesSince(since: string | null) {
  const changes = await ledger.more.changes(since, options);
  if (changes.state !== "changes") throw new Error(`expected changes: ${changes.state}`);
  return changes;
}

const ADDRESS = { street: "Havnegade 44", zip_code: "5000", city: "Odense C" };
