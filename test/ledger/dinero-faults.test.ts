/**
 * The rows of the fault table that a connector decides, on the simulation of Dinero with a faulty connection between them.
 * The bookings are read from the simulation's own books. Nothing here waits by time: a call that takes too long
 * is one that is abandoned while its request is held.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionSettings } from "../../src/ledger/connector.ts";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import type { DocumentBooking, Ledger } from "../../src/ledger/ledger.ts";
import { danish, reverseCharge } from "../support/documents/documents.ts";
import { bookingsOn, mapped } from "../support/ledger/bookings.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { gate } from "../support/ledger/dinero/under-fault.ts";
import { type Fault, openFaultProxy, type RequestPattern } from "../support/ledger/fault-proxy.ts";
import { plainLine } from "../support/ledger/plain-line.ts";

const CREATE = { method: "POST", path: /\/invoices$/ };
const BOOK = { path: /\/invoices\/[^/]+\/book$/ };
const EMAIL = { path: /\/email$/ };

let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let proxy: Awaited<ReturnType<typeof openFaultProxy>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
  proxy = await openFaultProxy(simulation.origin);
});
afterAll(async () => {
  await proxy?.close();
  await simulation?.close();
});
beforeEach(() => proxy.clear());

const options = () => ({ signal: new AbortController().signal });
/** A connector as in a new process: nothing is cached. */
const opened = (secrets?: ConnectionSettings) => {
  const access = simulatedAccess(proxy.origin);
  return dineroConnector.open(
    plainLine({ settings: access.settings, secrets: secrets ?? access.secrets }),
  );
};

const accounts = [
  mapped(1010, "DK25", "1000"),
  mapped(1010, "EU_SERVICES_RC", "1150"),
  mapped(1150, "EU_SERVICES_RC", "1150"),
  mapped(8070, null, "63000"),
];

const { invoice, voucher } = bookingsOn(accounts);

/** The ledger's documents under a guid. */
async function documentsOf({ guid }: { guid: string }) {
  const { invoices, credit_notes } = await simulation.books();
  return [...invoices, ...credit_notes].filter((one) => one.Guid === guid && !one.deleted);
}

/** A booking during which a request is held, and which is abandoned then. */
async function givenUp(
  ledger: Ledger,
  booking: DocumentBooking,
  pattern: RequestPattern,
  type: "hold_before" | "hold_after",
) {
  let letGo: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const controller = new AbortController();
  const before = proxy.requests.filter(({ fault }) => fault !== null).length;
  proxy.next(pattern, { type, until });
  const outcome = ledger.ensureBooked(booking, { signal: controller.signal });
  await proxy.reached(before + 1);
  if (type === "hold_after") await proxy.settled();
  controller.abort();
  return { outcome: await outcome, letGo };
}

const BOOKED_ONCE = [{ Status: "Booked" }];

describe("a ledger that is down or slow", () => {
  it("row 1: a closed port starts nothing, and the same booking resumes when it opens", async () => {
    const ledger = opened();
    const booking = invoice();
    await proxy.shut();

    expect(await ledger.ensureBooked(booking, options())).toMatchObject({
      state: "not_started",
      reason: "unavailable",
    });
    expect(await ledger.find("invoice", booking.guid, options())).toMatchObject({
      state: "not_started",
    });
    await proxy.reopen();

    expect(await documentsOf(booking)).toEqual([]);
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "booked" });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 2: a request that is lost before the ledger receives it is unknown, then absent", async () => {
    const ledger = opened();
    const booking = invoice();
    proxy.next(CREATE, { type: "drop_before" });

    expect(await ledger.ensureBooked(booking, options())).toMatchObject({
      state: "unknown",
      reason: "connection_lost",
    });
    expect(await ledger.find("invoice", booking.guid, options())).toEqual({ state: "absent" });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "booked" });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 2: a draft that arrives after its call was abandoned is never booked automatically, and swept", async () => {
    const ledger = opened();
    const booking = invoice();
    const { outcome, letGo } = await givenUp(ledger, booking, CREATE, "hold_before");
    expect(outcome).toMatchObject({ state: "unknown", reason: "timeout" });
    expect(await ledger.find("invoice", booking.guid, options())).toEqual({ state: "absent" });

    letGo();
    await expect.poll(() => documentsOf(booking)).toMatchObject([{ Status: "Draft" }]);
    expect(await ledger.more.sweep("invoice", booking.guid, options())).toMatchObject({
      drafts: 1,
    });
    expect(await documentsOf(booking)).toEqual([]);
  });

  it("row 2: two parallel sweeps of one draft both succeed", async () => {
    const ledger = opened();
    const booking = invoice();
    const { letGo } = await givenUp(ledger, booking, CREATE, "hold_before");
    letGo();
    await expect.poll(() => documentsOf(booking)).toMatchObject([{ Status: "Draft" }]);
    // The second one looks before the first deletes.
    const before = proxy.requests.filter(({ fault }) => fault !== null).length;
    const held = gate();
    proxy.next({ method: "DELETE" }, { type: "hold_before", until: held.passed });
    const first = ledger.more.sweep("invoice", booking.guid, options());
    await proxy.reached(before + 1);
    const second = await ledger.more.sweep("invoice", booking.guid, options());
    held.open();

    expect(second).toEqual({ state: "swept", drafts: 1 });
    expect(await first).toEqual({ state: "swept", drafts: 0 });
  });

  it("row 3: a booking with a late answer is found with the ledger's number", async () => {
    const ledger = opened();
    const booking = invoice();
    const { outcome, letGo } = await givenUp(ledger, booking, BOOK, "hold_after");
    letGo();

    expect(outcome).toMatchObject({ state: "unknown", reason: "timeout" });
    const [booked] = await documentsOf(booking);
    const number = BigInt(booked?.Number ?? 0);
    expect(await ledger.find("invoice", booking.guid, options())).toMatchObject({
      state: "booked",
      number,
      year: 2026,
    });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ number });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 4: a draft with a lost answer is found, and booked once", async () => {
    const ledger = opened();
    const booking = invoice();
    proxy.next(CREATE, { type: "drop_after" });

    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "unknown" });
    expect(await ledger.find("invoice", booking.guid, options())).toEqual({ state: "draft" });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "booked" });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 5: another process finds a booking of a process that ended, also after a restart of the ledger", async () => {
    const booking = invoice();
    proxy.next(BOOK, { type: "drop_after" });
    expect(await opened().ensureBooked(booking, options())).toMatchObject({ state: "unknown" });
    const [before] = await documentsOf(booking);

    await simulation.restart();

    expect(await documentsOf(booking)).toEqual([before]);
    const number = BigInt(before?.Number ?? 0);
    expect(await opened().ensureBooked(booking, options())).toMatchObject({ number });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 10: a sending with a lost answer is unknown, and found by a look-up", async () => {
    const ledger = opened();
    const booking = invoice();
    await ledger.ensureBooked(booking, options());
    proxy.next(EMAIL, { type: "drop_after" });
    const mail = { type: "email", receiver: "ap@bryggeri.example" } as const;

    const { send, sends } = ledger.more;
    expect(await send?.("invoice", booking.guid, mail, options())).toMatchObject({
      state: "unknown",
    });
    expect(await sends?.("invoice", booking.guid, options())).toMatchObject({
      sends: [{ channel: "email", receiver: "ap@bryggeri.example", state: "sent" }],
    });
    expect((await documentsOf(booking))[0]?.mailouts).toHaveLength(1);
  });
});

describe("a ledger that refuses", () => {
  it.each([
    ["named", "PERIOD_LOCKED"],
    ["vat_period", "PERIOD_LOCKED"],
    ["message", "PERIOD_LOCKED"],
    // An unknown code is a refusal of the content, with the answer kept.
    ["opaque", "VALIDATION"],
  ])("row 12: a locked day, reported as %s, is refused", async (locked_error, code) => {
    const ledger = opened();
    await simulation.control("switches", { locked_error });
    await simulation.control("organisation", { locked_through: "2025-12-31" });
    const booking = invoice({ issue_date: "2025-06-01" });

    expect(await ledger.ensureBooked(booking, options())).toMatchObject({
      state: "rejected",
      code,
    });
    expect(await documentsOf(booking)).toMatchObject([{ Status: "Draft" }]);
    await simulation.control("organisation", { locked_through: null });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({
      state: "booked",
      year: 2025,
    });
  });

  it("row 13: a day without an accounting year is refused, and a day in the next year is booked", async () => {
    const ledger = opened();
    expect(
      await ledger.ensureBooked(invoice({ issue_date: "2029-01-01" }), options()),
    ).toMatchObject({ state: "rejected", code: "NO_FISCAL_YEAR" });
    const first = await ledger.ensureBooked(invoice({ issue_date: "2027-01-01" }), options());
    expect(first).toMatchObject({ state: "booked", year: 2027, number: 1n });
  });

  it("row 15: a draft under an existing guid is booked, and a repetition returns the booking", async () => {
    const ledger = opened();
    const booking = invoice();
    proxy.next(BOOK, { type: "answer", status: 429, body: "API calls quota exceeded!" });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "not_started" });

    const booked = await ledger.ensureBooked(booking, options());

    expect(booked).toMatchObject({ state: "booked" });
    expect(await ledger.ensureBooked(booking, options())).toEqual(booked);
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it("row 15: an existing contact, even a deleted one, is reused", async () => {
    const ledger = opened();
    const { customer } = danish();
    await simulation.control("edit", {
      key: `contact/270001/${customer.id}`,
      change: { DeletedAt: "2026-11-01T00:00:00Z" },
    });
    const put = await ledger.more.putCustomer(
      {
        ...customer,
        guid: customer.id,
        ledger_id: null,
        active: true,
        name: "Renamed",
        country_key: "DK",
        webpage: null,
        use_cvr: false,
        company_type_key: null,
        preferred_invoice_language_key: null,
        preferred_invoice_currency_key: null,
        payment_condition_type: null,
        payment_condition_number_of_days: null,
      },
      options(),
    );
    expect(put).toEqual({ state: "stored", ledger_id: customer.id });
    const { contacts } = await simulation.books();
    expect(contacts.filter(({ ContactGuid }) => ContactGuid === customer.id)).toMatchObject([
      { Name: "Renamed", DeletedAt: null },
    ]);
  });

  it.each([
    ["booked if the content still matches", { Comment: "seen" }, { state: "booked" }],
    [
      "left unbooked if it does not",
      { net: "100", vat: "25" },
      { state: "rejected", code: "GUID_CONFLICT" },
    ],
  ])(
    "row 16: a draft that was changed between look-up and booking is %s",
    async (_, change, outcome) => {
      const ledger = opened();
      const booking = invoice();
      let letGo: () => void = () => {};
      const until = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const before = proxy.requests.filter(({ fault }) => fault !== null).length;
      proxy.next(BOOK, { type: "hold_before", until });
      const booked = ledger.ensureBooked(booking, options());
      await proxy.reached(before + 1);
      await simulation.control("edit", { key: `invoice/270001/${booking.guid}`, change });
      letGo();

      expect(await booked).toMatchObject(outcome);
      const state = outcome.state === "booked" ? "Booked" : "Draft";
      expect(await documentsOf(booking)).toMatchObject([{ Status: state }]);
    },
  );

  it.each([
    ["free again", true, { state: "booked" }],
    ["used permanently", false, { state: "guid_used" }],
  ])(
    "row 17: a different total is refused before the booking, its draft deleted, and its guid %s",
    async (_, deleted_guid_is_free, later) => {
      const ledger = opened();
      await simulation.control("switches", { deleted_guid_is_free });
      // The account has no VAT in Dinero.
      const booking = { ...invoice(), accounts: [mapped(1010, "DK25", "1020")] };

      expect(await ledger.ensureBooked(booking, options())).toMatchObject({
        state: "rejected",
        code: "TOTAL_MISMATCH",
        fields: { vat: "0 instead of 1381875" },
      });
      expect(await documentsOf(booking)).toEqual([]);
      expect(await ledger.ensureBooked({ ...booking, accounts }, options())).toMatchObject(later);
      await simulation.control("switches", { deleted_guid_is_free: true });
    },
  );

  it.each([
    ["accepted", true, { state: "booked" }],
    ["refused", false, { state: "rejected", code: "UNKNOWN_ACCOUNT" }],
  ])(
    "row 11: a line on a balance account is %s, as the ledger decides",
    async (_, balance_accounts_on_lines, outcome) => {
      await simulation.control("switches", { balance_accounts_on_lines });
      const [line] = danish().lines;
      if (line === undefined) throw new Error("a document has a line");
      const booking = invoice({
        lines: [{ ...line, vat_code: "DK0", vat_rate: 0 }],
        vat: [],
        totals: { net: line.net, vat: 0n, gross: line.net },
      });
      const onBalance = { ...booking, accounts: [mapped(1010, "DK0", "63000")] };
      expect(await opened().ensureBooked(onBalance, options())).toMatchObject(outcome);
      await simulation.control("switches", { balance_accounts_on_lines: true });
    },
  );

  it("row 11: an account that the ledger lacks is refused by name", async () => {
    const booking = { ...invoice(), accounts: [mapped(1010, "DK25", "1999")] };
    expect(await opened().ensureBooked(booking, options())).toMatchObject({
      state: "rejected",
      code: "UNKNOWN_ACCOUNT",
    });
  });

  it("row 18: an exhausted limit starts nothing for a minute", async () => {
    const ledger = opened();
    const booking = invoice();
    await simulation.control("switches", { limit: 1 });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({
      state: "not_started",
      reason: "rate_limited",
      retry_after_ms: 60_000,
    });
    await simulation.control("switches", { limit: 0 });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "booked" });
  });
});

describe("row 20: a connection that is not authorised", () => {
  it("gets a new token once if its token was revoked", async () => {
    const ledger = opened();
    await ledger.find("invoice", randomUUID(), options());
    await simulation.control("revoke");
    expect(await ledger.ensureBooked(invoice(), options())).toMatchObject({ state: "booked" });
  });

  it("is reported as unauthorized if its key is wrong", async () => {
    const secrets = { client_secret: "sim-secret", api_key: "another" };
    expect(await opened(secrets).ensureBooked(invoice(), options())).toMatchObject({
      state: "unauthorized",
      reason: "credentials",
    });
  });

  it("is reported as lacking the plan", async () => {
    await simulation.control("organisation", { IsPro: false });
    const ledger = opened();
    const expected = { state: "unauthorized", reason: "subscription" };
    expect(await ledger.ensureBooked(invoice(), options())).toMatchObject(expected);
    expect(await ledger.more.check(options())).toMatchObject(expected);
    await simulation.control("organisation", { IsPro: true });
  });

  it("books with the next refresh token, and is unauthorized with a used one", async () => {
    const { refresh_token } = await simulation.control("grant");
    const secrets = { client_secret: "sim-secret", refresh_token: String(refresh_token) };
    const ledger = opened(secrets);
    await simulation.control("switches", { token_seconds: 1 });
    // Each token has expired when it is issued: every request uses the next refresh token.
    expect(await ledger.find("invoice", randomUUID(), options())).toEqual({ state: "absent" });
    await simulation.control("switches", { token_seconds: 3600 });
    expect(await ledger.ensureBooked(invoice(), options())).toMatchObject({ state: "booked" });
    // Another process that has only the first one ends the grant.
    expect(await opened(secrets).find("invoice", randomUUID(), options())).toMatchObject({
      state: "unauthorized",
    });
  });
});

describe("row 21: an answer that cannot be read", () => {
  it.each<[string, Fault]>([
    ["500", { type: "rewrite", status: 500 }],
    ["480", { type: "rewrite", status: 480 }],
    ["a page in place of JSON", { type: "rewrite", body: "<html>" }],
    ["half of it", { type: "cut" }],
    ["a redirect", { type: "rewrite", status: 302 }],
  ])("%s is unknown, and the booking is found", async (_, fault) => {
    const ledger = opened();
    const booking = invoice();
    proxy.next(BOOK, fault);

    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "unknown" });
    expect(await ledger.find("invoice", booking.guid, options())).toMatchObject({
      state: "booked",
    });
    expect(await documentsOf(booking)).toMatchObject(BOOKED_ONCE);
  });

  it.each(["", '{"Status":"Paused"}'])(
    "a booking answered with %j is looked up immediately",
    async (body) => {
      const booking = invoice();
      proxy.next(BOOK, { type: "rewrite", body });
      const booked = await opened().ensureBooked(booking, options());
      const [there] = await documentsOf(booking);
      expect(booked).toMatchObject({ state: "booked", number: BigInt(there?.Number ?? 0) });
    },
  );

  it("a 404 page from elsewhere does not count as an absent document", async () => {
    const ledger = opened();
    proxy.next({ method: "GET" }, { type: "answer", status: 404, body: "<html>" });
    expect(await ledger.find("invoice", randomUUID(), options())).toMatchObject({
      state: "unknown",
    });
  });
});

describe("row 22: a voucher that is booked later", () => {
  it("is pending, then booked, without VAT, whatever guid the ledger gives it", async () => {
    const ledger = opened();
    const booking = voucher();
    await simulation.control("switches", {
      ledger_item_ms: 3_600_000,
      ledger_item_id_is_voucher_guid: false,
    });
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "pending" });
    expect(await ledger.find("voucher", booking.guid, options())).toMatchObject({
      state: "pending",
    });
    // A repetition makes no new request for a booking.
    expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "pending" });
    await simulation.control("edit", {
      key: `ledger_item/270001/${booking.guid}`,
      change: { due_at: 0 },
    });

    const found = await ledger.find("voucher", booking.guid, options());
    expect(found).toMatchObject({ state: "booked", totals: null });
    const { entries, ledger_items } = await simulation.books();
    const item = ledger_items.find(({ Id }) => Id === booking.guid);
    const own = entries.filter(({ VoucherGuid }) => VoucherGuid === item?.voucher_guid);
    expect(own.map(({ AccountNumber, Amount }) => [AccountNumber, Amount])).toEqual(
      expect.arrayContaining([
        [1000, 9000],
        [1150, 2000],
      ]),
    );
    expect(own.filter(({ AccountNumber }) => AccountNumber === 64000)).toEqual([]);
    await simulation.control("switches", { ledger_item_ms: 0 });
  });

  it.each(["drop_before", "drop_after"] as const)(
    "is booked once if its booking request ends in %s",
    async (type) => {
      const ledger = opened();
      const booking = voucher();
      proxy.next({ path: /ledgeritems\/book$/ }, { type });
      expect(await ledger.ensureBooked(booking, options())).toMatchObject({ state: "unknown" });
      const booked = await ledger.ensureBooked(booking, options());
      expect(booked).toMatchObject({ state: "booked", year: 2026 });
      const { ledger_items } = await simulation.books();
      expect(ledger_items.filter(({ Id }) => Id === booking.guid)).toMatchObject([
        { Status: "Booked" },
      ]);
    },
  );

  it.each([
    ["refused", "draft", { state: "rejected", code: "PERIOD_LOCKED" }, "draft"],
    ["reverts", "draft", { state: "pending" }, "draft"],
    ["reverts", "gone", { state: "pending" }, "absent"],
    ["reverts", "pending", { state: "pending" }, "pending"],
  ])(
    "on a locked day does not book: %s, then %s",
    async (locked_ledger_item, unbookable_item, expected, found) => {
      const ledger = opened();
      const change = { locked_ledger_item, unbookable_item, locked_error: "named" };
      await simulation.control("switches", change);
      await simulation.control("organisation", { locked_through: "2025-12-31" });
      const booking = voucher({ issue_date: "2025-12-31" });
      expect(await ledger.ensureBooked(booking, options())).toMatchObject(expected);
      expect(await ledger.find("voucher", booking.guid, options())).toMatchObject({
        state: found,
      });
      await simulation.control("organisation", { locked_through: null });
      await simulation.control("switches", { unbookable_item: "draft" });
    },
  );
});

describe("a successful booking", () => {
  it("takes three requests, and uses the ledger's exchange rate", async () => {
    const ledger = opened();
    const { customer } = danish();
    await ledger.ensureBooked(invoice(), options());
    await simulation.control("forget");

    const { document_id: _, ...foreign } = reverseCharge();
    const booked = await ledger.ensureBooked(invoice({ ...foreign, customer }), options());

    expect(booked).toMatchObject({
      state: "booked",
      totals: { net: 1250000n, vat: 0n, gross: 1250000n },
      functional: { rate_micro: 7460000n, gross: 9325000n, vat: 0n },
    });
    expect(await simulation.calls()).toHaveLength(3);
  });

  it("updates a draft whose document was changed after a refusal", async () => {
    const ledger = opened();
    await simulation.control("organisation", { locked_through: "2026-11-20" });
    const refused = invoice();
    await ledger.ensureBooked(refused, options());
    await simulation.control("organisation", { locked_through: null });

    const changed = invoice({ document_id: refused.guid, title: "Changed" });
    expect(await ledger.ensureBooked(changed, options())).toMatchObject({ state: "booked" });
    expect(await documentsOf(changed)).toMatchObject([
      { Status: "Booked", Description: "Changed" },
    ]);
  });

  it("of a credit note refers to the invoice in the ledger", async () => {
    const ledger = opened();
    const original = invoice();
    await ledger.ensureBooked(original, options());
    const credits = {
      invoice_id: original.guid,
      invoice_number: 1n,
      invoice_date: original.document.issue_date,
    };
    const credit = invoice({ kind: "credit_note", credits });
    await ledger.ensureBooked(credit, options());
    expect(await documentsOf(credit)).toMatchObject([{ CreditNoteFor: original.guid }]);
    const older = invoice({
      kind: "credit_note",
      credits: { invoice_number: 1n, invoice_date: credits.invoice_date },
    });
    await ledger.ensureBooked(older, options());
    expect(await documentsOf(older)).toMatchObject([{ CreditNoteFor: null, Status: "Booked" }]);
  });
});
