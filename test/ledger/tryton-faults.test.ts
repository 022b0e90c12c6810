/**
 * Faults on the way to a real Tryton, and its refusals. The books are read in Tryton's own tables: whatever the
 * connector reports, nothing may be booked there twice.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { trytonConnector } from "../../src/ledger/connectors/tryton/connector.ts";
import type { BookingIntent, BookOutcome } from "../../src/ledger/ledger.ts";
import { requireBooked } from "../support/ledger/bookings.ts";
import { openFaultProxy, type RequestPattern } from "../support/ledger/fault-proxy.ts";
import { plainLine } from "../support/ledger/plain-line.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { invoice, voucher } from "../support/ledger/tryton/under-test.ts";

const missing = whyNoTryton();
const options = { signal: new AbortController().signal };
const callOf = (method: string): RequestPattern => ({ body: new RegExp(`"model\\.${method}"`) });

describe("a Tryton behind an unreliable connection", () => {
  let books: TrytonBooks;
  let proxy: Awaited<ReturnType<typeof openFaultProxy>>;
  let ledger: ReturnType<typeof trytonConnector.open>;
  /** The same over a transport that loses the logouts. */
  let in_kept_session: typeof ledger;
  beforeAll(async () => {
    if (missing !== undefined) return;
    books = await openTryton();
    proxy = await openFaultProxy(books.url);
    const settings = { ...books.settings, url: proxy.origin };
    const line = plainLine({ ...books, settings }, 60_000);
    ledger = trytonConnector.open(line);
    in_kept_session = trytonConnector.open({
      ...line,
      request: async (request, call) =>
        request.verb === "common.db.logout"
          ? { state: "lost", reason: "connection_lost" }
          : line.request(request, call),
    });
  });
  beforeEach(requireTryton);
  afterEach(() => proxy?.clear());
  afterAll(async () => {
    await proxy?.close();
    await books?.close();
  });

  const book = (intent: BookingIntent, signal = options.signal) =>
    ledger.ensureBooked(intent, { signal });
  const find = ({ kind, guid }: BookingIntent) => ledger.find(kind, guid, options);
  const sweep = ({ kind, guid }: BookingIntent) => ledger.more.sweep(kind, guid, options);
  /** The states of the documents under a guid, in the order of the ids. */
  const statesOf = async ({ kind, guid }: BookingIntent): Promise<string[]> => {
    const [table, field] =
      kind === "voucher" ? ["account_move", "description"] : ["account_invoice", "reference"];
    const rows = await books.sql<{ state: string }>(
      `select state from ${table} where ${field} like $1 || '%' order by id`,
      [guid],
    );
    return rows.map(({ state }) => state);
  };
  /** Books while a call is held, and abandons the booking then. */
  const bookHeldUp = async (
    intent: BookingIntent,
    method: string,
    until: Promise<void>,
    by = ledger,
  ) => {
    const gives_up = new AbortController();
    const faults = proxy.requests.filter(({ fault }) => fault !== null).length;
    proxy.next(callOf(method), { type: "hold_before", until });
    void proxy.reached(faults + 1).then(() => gives_up.abort());
    return by.ensureBooked(intent, { signal: gives_up.signal });
  };

  describe.each([
    ["an invoice", () => invoice(), "account.invoice"],
    ["a voucher", () => voucher(), "account.move"],
  ])("%s", (_what, make: () => BookingIntent, model) => {
    it("whose create arrives long after the end of its session leaves nothing", async () => {
      const intent = make();
      const held = gate();
      await books.sql("delete from ir_session");
      await bookHeldUp(intent, `${model}.create`, held.passed);
      await expect.poll(() => sessionsOf(books)).toBe(0);

      held.open();
      await proxy.settled();

      expect(await statesOf(intent)).toEqual([]);
      requireBooked(await book(intent));
      expect(await statesOf(intent)).toEqual(["posted"]);
    });

    it("whose create arrives long after its call was abandoned is booked once, and the extra draft is swept", async () => {
      const intent = make();
      const held = gate();
      expect(
        await bookHeldUp(intent, `${model}.create`, held.passed, in_kept_session),
      ).toMatchObject({
        state: "unknown",
        reason: "timeout",
      });
      expect([await find(intent), await find(intent)]).toEqual([
        { state: "absent" },
        { state: "absent" },
      ]);
      const booked = requireBooked(await book(intent));

      held.open();

      await expect.poll(() => statesOf(intent)).toEqual(["posted", "draft"]);
      expect(await find(intent)).toMatchObject({ state: "booked", number: booked.number });
      expect(requireBooked(await book(intent)).number).toBe(booked.number);
      expect(await sweep(intent)).toEqual({ state: "swept", drafts: 1 });
      expect(await statesOf(intent)).toEqual(["posted"]);
    });

    it("whose create arrives before the next attempt is booked from one draft", async () => {
      const intent = make();
      const held = gate();
      await bookHeldUp(intent, `${model}.create`, held.passed);
      // The next attempt sees no document yet when it creates its own.
      proxy.next(callOf(`${model}.create`), { type: "delay", ms: 0 });
      const faults = proxy.requests.filter(({ fault }) => fault !== null).length;
      void proxy.reached(faults + 1).then(held.open);

      requireBooked(await book(intent));
      await proxy.settled();
      await sweep(intent);

      expect(await statesOf(intent)).toEqual(["posted"]);
    });

    it("whose posting arrives long after its call was abandoned is posted once", async () => {
      const intent = make();
      const held = gate();
      expect(await bookHeldUp(intent, `${model}.post`, held.passed)).toMatchObject({
        state: "unknown",
      });
      expect(await find(intent)).toEqual({ state: "draft" });
      const booked = requireBooked(await book(intent));

      held.open();
      await proxy.settled();

      expect(await find(intent)).toMatchObject({ number: booked.number });
      expect(await statesOf(intent)).toEqual(["posted"]);
    });

    it.each([
      ["create", "drop_after", "draft"],
      ["create", "drop_before", "absent"],
      ["post", "drop_after", "booked"],
      ["post", "drop_before", "draft"],
      ["post", "cut", "booked"],
    ] as const)(
      "that is lost at %s (%s) is found as %s and booked once",
      async (verb, type, state) => {
        const intent = make();
        proxy.next(callOf(`${model}.${verb}`), { type });

        expect(await book(intent)).toMatchObject({ state: "unknown", reason: "connection_lost" });
        expect(await find(intent)).toMatchObject({ state });

        requireBooked(await book(intent));
        expect(await statesOf(intent)).toEqual(["posted"]);
      },
    );

    it("with an unreadable answer to its posting is found", async () => {
      const intent = make();
      proxy.next(callOf(`${model}.post`), { type: "rewrite", status: 502, body: "Bad gateway" });

      expect(await book(intent)).toMatchObject({ state: "unknown", reason: "bad_response" });

      expect(await find(intent)).toMatchObject({ state: "booked" });
    });

    it("in a closed period, or outside of every fiscal year, is refused and leaves nothing", async () => {
      const closed = make();
      await closePeriods(books, "2025-03-31");
      const at = (issue_date: string): BookingIntent =>
        ({ ...closed, document: { ...closed.document, issue_date } }) as BookingIntent;

      expect(await book(at("2025-02-10"))).toMatchObject({
        state: "rejected",
        code: "PERIOD_LOCKED",
      });
      expect(await book(at("2035-02-10"))).toMatchObject({
        state: "rejected",
        code: "NO_FISCAL_YEAR",
      });

      expect(await statesOf(closed)).toEqual([]);
      expect(await ledger.more.lockedThrough(options)).toEqual({
        state: "locked_through",
        day: "2025-03-31",
      });
    });
  });

  it.each([
    ["a session that has ended", "account.invoice.post", 401, { state: "booked" }],
    ["a 403 on the way", "account.invoice.create", 403, { state: "booked" }],
    ["a 403 at the sign-in", null, 403, { state: "unknown", reason: "bad_response" }],
  ])("does not take %s for a wrong password", async (_what, method, status, outcome) => {
    const intent = invoice();
    const pattern = method === null ? { body: /"common\.db\.login"/ } : callOf(method);
    proxy.next(pattern, { type: "answer", status, body: "<html>" });

    expect(await book(intent)).toMatchObject(outcome);

    expect(requireBooked(await book(intent)).guid).toBe(intent.guid);
    expect(await statesOf(intent)).toEqual(["posted"]);
  });

  it("starts no booking while it is down", async () => {
    const intent = invoice();
    await proxy.shut();
    try {
      // An open connection has to be lost first.
      await expect
        .poll(() => book(intent))
        .toMatchObject({ state: "not_started", reason: "unavailable" });
    } finally {
      await proxy.reopen();
    }
    expect(await find(intent)).toEqual({ state: "absent" });
  });

  it("starts no booking while its numbers are locked, and leaves no gap", async () => {
    const before = requireBooked(await book(invoice()));
    const intent = invoice();
    const outcome = await whileLocked(books, () => book(intent));

    expect(outcome).toMatchObject({ state: "not_started", reason: "lock_contention" });
    expect(requireBooked(await book(intent)).number).toBe(before.number + 1n);
  });

  it("refuses a date before the last number", async () => {
    requireBooked(await book(invoice({ issue_date: "2026-11-22" })));
    const intent = invoice({ issue_date: "2026-11-01" });

    expect(await book(intent)).toMatchObject({
      state: "rejected",
      code: "DATE_BEFORE_LAST_NUMBER",
    });

    expect(await statesOf(intent)).toEqual([]);
  });

  it("refuses a user with a wrong password", async () => {
    const stranger = trytonConnector.open(
      plainLine({ ...books, secrets: { password: "another one" } }),
    );

    expect(await stranger.find("invoice", invoice().guid, options)).toMatchObject({
      state: "unauthorized",
    });
  });
});

/** Closes the periods one by one, as an accountant does, so that nothing may be booked through a day. */
async function closePeriods({ admin }: TrytonBooks, through: string): Promise<void> {
  const [year, month, of_month] = through.split("-").map(Number);
  const end_date = { __class__: "date", year, month, day: of_month };
  const open = await admin.search(
    "account.period",
    ["end_date", "<=", end_date],
    ["state", "=", "open"],
  );
  if (open.length > 0) await admin.call("account.period", "close", open);
}

/** The number of sessions of the connector's user in Tryton. */
async function sessionsOf({ sql, settings }: TrytonBooks): Promise<number> {
  const rows = await sql(
    "select from ir_session s join res_user u on u.id = s.create_uid where u.login = $1",
    [settings.user],
  );
  return rows.length;
}

/** Runs while another posting holds the locks of the sequences. */
async function whileLocked(
  books: TrytonBooks,
  call: () => Promise<BookOutcome>,
): Promise<BookOutcome> {
  await books.sql("begin");
  try {
    await books.sql("select from ir_sequence_strict for update");
    return await call();
  } finally {
    await books.sql("rollback");
  }
}

/** A gate that a held call waits for. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
