/**
 * The fault table of a connected ledger at the level of the service, rows 11 to 24: refusals of the ledger, bookings that
 * disagree
 * with the request, and changes made in the ledger by hand. Rows 13, 19 and 23 are those of Tryton
 * (tryton-rows.test.ts).
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { runDueCheck } from "../../src/features/ledger/connections/run-checks.ts";
import { refusal } from "../support/http/refusal.ts";
import {
  BOOK,
  CREATE,
  gate,
  LOOK,
  UNAVAILABLE,
  unhurried,
  useFaults,
} from "../support/ledger/dinero/under-fault.ts";
import type { Json } from "../support/world/world.ts";

const faults = useFaults();
const { world, simulation, wire, work, draft, line, issue, show, there, edit } = faults;
const { callsOf, intentOf, letTimePass } = faults;
const { expectIssuedOnce, expectRefused, expectReleased, expectParked } = faults;

/** Organisation and switches before the tests. */
let usual: Json;
const organisation = (change: Json) => simulation().control("organisation", change);
const switches = (change: Json) => simulation().control("switches", change);
beforeAll(async () => {
  usual = (await simulation().books()).organisation;
});
afterEach(async () => {
  await organisation(usual);
  await switches({ ledger_item_ms: 0, vat_rounding: "half_up" });
});
/** The accounts with the sales account changed, or without it. */
const accountsWith = (change: Json | null): Json[] =>
  usual.accounts.flatMap((one: Json) =>
    one.AccountNumber !== 1000 ? [one] : change === null ? [] : [{ ...one, ...change }],
  );

it("row 11: an invoice that the ledger refuses is a draft again, and issued once the ledger accepts it", async () => {
  const id = await draft();
  await organisation({ accounts: accountsWith(null) });

  await expectRefused(id, await issue(id), "UNKNOWN_ACCOUNT");

  await organisation(usual);
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
});

describe("row 12: a locked day", () => {
  it("refuses an invoice, which is a draft again", async () => {
    const id = await draft();
    await organisation({ locked_through: "2026-11-30" });

    const reply = await issue(id);

    expect(refusal(reply)).toBe("409 PERIOD_LOCKED");
    expect(reply.body.error.message).toBe(
      "The period of 2026-11-20 is locked in Dinero; nothing was booked.",
    );
    expect(reply.body.error.details).toEqual({ date: "2026-11-20", ledger: "Dinero" });
    await expectReleased(id);
    await organisation({ locked_through: null });
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("refuses a voucher, whose accrual is a draft again and booked once the month is open", async () => {
    const accrual = await earned("2026-09");
    await organisation({ locked_through: "2026-09-30" });

    const reply = await book(accrual);

    expect(refusal(reply)).toBe("409 PERIOD_LOCKED");
    expect(reply.body.error.message).toMatch(/^The period of 2026-09-30 is locked in Dinero/);
    expect(await world.done(`GET /accruals/${accrual}`)).toMatchObject({ status: "draft" });
    expect(await bookedItems()).toEqual(0);
    await organisation({ locked_through: null });
    expect(refusal(await book(accrual))).toBe("200");
    expect(await bookedItems()).toEqual(1);
  });

  it("refuses a voucher, whose rows move to the next month once the month is locked here as well", async () => {
    const accrual = await earned("2026-09");
    const before = await bookedItems();
    await organisation({ locked_through: "2026-09-30" });
    expect(refusal(await book(accrual))).toBe("409 PERIOD_LOCKED");

    const { customer_id } = await world.done(`GET /accruals/${accrual}`);
    await world.done("PATCH /configuration", { period_lock_date: "2026-09-30" });
    const later = await world.done(`GET /accruals?customer=${customer_id}&month=2026-09`);

    expect(later).toMatchObject({ accrual_month: "2026-10", original_accrual_month: "2026-09" });
    expect(refusal(await book(later.id))).toBe("200");
    expect(await bookedItems()).toBe(before + 1);
    expect((await simulation().books()).ledger_items.at(-1)).toMatchObject({
      Status: "Booked",
      VoucherDate: "2026-10-31",
    });
    await world.done("PATCH /configuration", { period_lock_date: null });
  });
});

it("row 12: a day that the ledger has reported as locked is refused with its lock date", async () => {
  const { id: customer_id } = await world.done("POST /customers", { name: "Early" });
  const id = await draft({ customer_id, issue_date: "2024-06-01" });
  const reported =
    "2024-06-01 is locked in Dinero: no booking there may be dated on or before 2024-12-31.";

  const reply = await issue(id);

  expect([refusal(reply), reply.body.error.message]).toEqual(["409 PERIOD_LOCKED", reported]);
  expect(reply.body.error.details).toEqual({
    date: "2024-06-01",
    period_lock_date: "2024-12-31",
    ledger: "Dinero",
  });
  const close = await world.rest("POST /period-closes", { month: "2024-06" });
  expect(close.body.error.message).toMatch(/^2024-06-30 is locked in Dinero/);
  await world.done("PATCH /configuration", { period_lock_date: "2024-12-31" });
  expect((await issue(id)).body.error.message).toBe(
    "The date is on or before the account's period lock date.",
  );
  await world.done("PATCH /configuration", { period_lock_date: null });
});

it("row 14: the number of another invoice is never accepted, and the booking is parked", async () => {
  const first = await draft();
  const taken = (await issue(first)).body.ledger_invoice_number;
  const id = await draft();
  wire().next(BOOK, { type: "drop_after" });
  wire().next(LOOK, { type: "rewrite" }, { type: "drop_before" });
  expect(refusal(await issue(id))).toBe(UNAVAILABLE);
  const own = (await there(id))[0]?.Number;
  await edit(id, { Number: taken });
  await letTimePass();

  await expectParked(id, await issue(id), "NUMBER_TAKEN");

  expect(await show(id)).toMatchObject({ status: "draft", ledger_invoice_number: null });
  await edit(id, { Number: own });
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
});

describe("row 16: a draft that is changed in the ledger during its booking", () => {
  const issuedWhile = async (id: string, change: Json) => {
    const held = gate();
    const met = wire().requests.filter(({ fault }) => fault !== null).length;
    wire().next(BOOK, { type: "hold_before", until: held.passed });
    const reply = issue(id);
    await wire().reached(met + 1);
    await edit(id, change);
    held.open();
    return reply;
  };

  it("is booked if the content still matches", async () => {
    const id = await draft();
    expect(refusal(await issuedWhile(id, { Comment: "seen" }))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("is not booked if the content differs, and the booking is parked", async () => {
    const id = await draft();
    const reply = await issuedWhile(id, { net: "100", vat: "25" });
    await expectParked(id, reply, "GUID_CONFLICT");
    expect(reply.body.error.message).toContain("no booking of it was found");
    expect(await there(id)).toMatchObject([{ Status: "Draft", net: "100" }]);
  });
});

describe("row 17: a different total", () => {
  it("is refused before the booking, and its draft deleted", async () => {
    const id = await draft();
    await organisation({ accounts: accountsWith({ VatCode: null }) });

    await expectRefused(id, await issue(id), "TOTAL_MISMATCH");

    expect(await there(id)).toEqual([]);
    await organisation(usual);
    expect(refusal(await issue(id))).toBe("200");
    await expectIssuedOnce(id);
  });

  it("is accepted and stored if it differs by a minor unit", async () => {
    await switches({ vat_rounding: "per_line" });
    const id = await draft({ lines: [line(0.02), line(0.02)] });
    expect(refusal(await issue(id))).toBe("200");
    expect(await there(id)).toMatchObject([{ net: "4", vat: "2" }]);
    await expectIssuedOnce(id);
  });

  it("parks the booking if it is found after the booking", async () => {
    const id = await draft();
    wire().next(BOOK, { type: "drop_after" });
    const held = gate();
    const met = wire().requests.filter(({ fault }) => fault !== null).length;
    wire().next(LOOK, { type: "rewrite" }, { type: "hold_before", until: held.passed });
    const reply = issue(id);
    await wire().reached(met + 3);
    await edit(id, { vat: "99999" });
    held.open();
    const answered = await reply;
    await expectParked(id, answered, "TOTAL_MISMATCH");
    expect(answered.body.error.message).toContain("The accounting system has booked");
    expect(await there(id)).toMatchObject([{ Status: "Booked" }]);
  });
});

describe("row 18: a rate limit", () => {
  it("that soon permits a call delays it", async () => {
    const id = await draft();
    await world.done("POST /ledger/connection/check");
    // A burst of requests is permitted, a little more than three seconds before their even time.
    const [{ earliest }] = await world.sql(
      `update ledger_budgets set next_at = clock_timestamp() + interval '3500 ms'
       returning clock_timestamp() + interval '300 ms' as earliest`,
    );
    expect(refusal(await issue(id))).toBe("200");
    expect(Date.parse((await intentOf(id)).settled_at)).toBeGreaterThanOrEqual(
      Date.parse(earliest),
    );
    await expectIssuedOnce(id);
  });

  it("with a Retry-After delays the call by that time", async () => {
    const id = await draft();
    const headers = { "retry-after": "2" };
    wire().next(CREATE, { type: "answer", status: 429, body: "", headers });
    expect(refusal(await issue(id))).toBe("200");
    expect(await callsOf(id)).toEqual(["book not_started", "book booked"]);
    await expectIssuedOnce(id);
  });

  it("that is exhausted is reported with the time for a retry, and no call is made meanwhile", async () => {
    const id = await draft();
    wire().next(CREATE, { type: "answer", status: 429, body: "API calls quota exceeded!" });
    await simulation().control("forget");

    const reply = await issue(id);

    await faults.expectUnderWay(id, reply);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(30);
    // Background work waits for a turn as long as for a call.
    faults.meetWith({ call_ms: 200, pause_ms: 1, rounds: 1, total_ms: 10_000 });
    await letTimePass();
    await work();
    expect(await simulation().calls()).toEqual([]);
    expect(await intentOf(id)).toMatchObject({ state: "booking" });
    await world.sql("delete from ledger_budgets");
    faults.meetWith(unhurried);
    await letTimePass();
    await work();
    await expectIssuedOnce(id);
  });
});

describe("row 20: a connection", () => {
  it("whose token has expired gets another one", async () => {
    const id = await draft();
    await simulation().control("revoke");
    expect(refusal(await issue(id))).toBe("200");
    expect(await callsOf(id)).toEqual(["book booked"]);
    await expectIssuedOnce(id);
  });

  it.each<[string, () => unknown, string]>([
    [
      "whose key is no longer valid",
      async () => {
        await simulation().control("revoke");
        wire().each((_method, path) =>
          path === "/token"
            ? { type: "answer", status: 400, body: '{"error":"invalid_grant"}' }
            : undefined,
        );
      },
      "unauthorized",
    ],
    ["whose plan has ended", () => organisation({ IsPro: false }), "subscription"],
  ])("%s keeps its bookings, and resumes when it works again", async (_what, end, state) => {
    const id = await draft();
    await end();

    expect(refusal(await issue(id))).toBe("409 LEDGER_NOT_CONNECTED");

    expect(await world.done("GET /ledger/connection")).toMatchObject({ state });
    expect(await intentOf(id)).toMatchObject({ state: "booking", last_outcome: "unauthorized" });
    // No automatic call follows: wrong credentials are not tried repeatedly.
    await letTimePass();
    await work();
    expect(await callsOf(id)).toEqual(["book unauthorized"]);
    expect(await runDueCheck(world.services)).toBe(false);
    wire().clear();
    await organisation(usual);
    await world.done("POST /ledger/connection/check");
    await work();
    await expectIssuedOnce(id);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ state: "connected" });
  });
});

describe("row 20: a connection whose credentials were refused", () => {
  /** Moves the refusal, and the last check, this many seconds into the past. */
  const refusedAgo = (seconds: number) =>
    world.sql(
      `update ledger_connections set refused_since = refused_since - $1 * interval '1 second',
         checked_at = checked_at - $1 * interval '1 second'`,
      [seconds],
    );
  const refuseKeys = () =>
    wire().each((_method, path) =>
      path === "/token"
        ? { type: "answer", status: 400, body: '{"error":"invalid_grant"}' }
        : undefined,
    );

  it("is checked after 30 s and 2 min, then every quarter of an hour, with one call each", async () => {
    const id = await draft();
    await world.done("POST /ledger/connection/check");
    const before = wire().requests.length;
    await simulation().control("revoke");
    refuseKeys();
    expect(refusal(await issue(id))).toBe("409 LEDGER_NOT_CONNECTED");
    await letTimePass();
    await work();
    expect(await runDueCheck(world.services)).toBe(false);
    expect(wire().requests.length - before).toBeLessThanOrEqual(3);

    const checked: boolean[] = [];
    const calls = wire().requests.length;
    for (const seconds of [29, 2, 60, 31, 600, 240]) {
      await refusedAgo(seconds);
      checked.push(await runDueCheck(world.services), await runDueCheck(world.services));
    }

    // At 29 s, 31 s, 91 s, 122 s, 722 s and 962 s.
    const [is_due, is_not_due] = [
      [true, false],
      [false, false],
    ];
    expect(checked).toEqual(
      [is_not_due, is_due, is_not_due, is_due, is_not_due, is_not_due].flat(),
    );
    await refusedAgo(100);
    expect(await runDueCheck(world.services)).toBe(true);
    expect(wire().requests.length - calls).toBe(3);
    wire().clear();
    await refusedAgo(901);
    expect(await runDueCheck(world.services)).toBe(true);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ state: "connected" });
    await work();
    await expectIssuedOnce(id);
  });

  it.each([
    ["a draft", CREATE],
    ["a token", { path: /^\/token$/ }],
  ])("by an unreadable answer at %s works as before", async (_what, pattern) => {
    const id = await draft();
    await simulation().control("revoke");
    wire().next(pattern, { type: "answer", status: 403, body: "<html>Forbidden</html>" });

    await faults.expectUnderWay(id, await issue(id));

    expect(await world.done("GET /ledger/connection")).not.toMatchObject({ state: "unauthorized" });
    await letTimePass();
    await work();
    await expectIssuedOnce(id);
    expect(await world.done("GET /ledger/connection")).toMatchObject({ state: "connected" });
  });
});

/** An accrual of a new customer, with earnings in the month. */
async function earned(month: string): Promise<string> {
  const { id: customer_id } = await world.done("POST /customers", { name: `Of ${month}` });
  const service = { service_from: `${month}-01`, service_to: `${month}-28` };
  await draft({ customer_id, lines: [{ ...line(900), ...service }] });
  return (await world.done(`GET /accruals?customer=${customer_id}&month=${month}`)).id;
}
const book = (accrual: string) => world.rest(`POST /accruals/${accrual}/book`);
/** The number of booked vouchers in Dinero. */
const bookedItems = async (): Promise<number> =>
  (await simulation().books()).ledger_items.filter(({ Status }) => Status === "Booked").length;

it("row 22: a voucher that is booked later leaves its accrual a draft, and its month open", async () => {
  const accrual = await earned("2026-08");
  const before = await bookedItems();
  await switches({ ledger_item_ms: 3_600_000 });

  const reply = await book(accrual);

  expect([refusal(reply), reply.body]).toMatchObject(["200", { status: "draft", pending: true }]);
  const close = () => world.done("POST /period-closes", { month: "2026-08" });
  const closed = await close();
  expect(closed.status).not.toBe("completed");
  expect(closed.remaining).toBeGreaterThanOrEqual(1);
  expect(await world.done("GET /configuration")).toMatchObject({ period_lock_date: null });
  expect(await bookedItems()).toBe(before);

  const { ledger_items } = await simulation().books();
  for (const { Id, Status } of ledger_items) {
    if (Status !== "PendingBooking") continue;
    await simulation().control("edit", { key: `ledger_item/270001/${Id}`, change: { due_at: 0 } });
  }
  await letTimePass();
  await work();

  expect(await world.done(`GET /accruals/${accrual}`)).toMatchObject({ status: "booked" });
  expect(await bookedItems()).toBe(before + 1);
});

it("row 24: an invoice deleted in the ledger is reported by the comparison, and never booked again", async () => {
  const id = await draft();
  const issued = (await issue(id)).body;
  await edit(id, { deleted: true, DeletedAt: "2026-11-20T10:00:00Z" });
  await simulation().control("forget");
  await letTimePass();

  await work();
  const { findings } = await world.done("GET /ledger/reconciliation?month=2026-11");

  expect(findings.filter((one: Json) => one.document_id === id)).toMatchObject([
    { is_explained: false },
  ]);
  expect(refusal(await issue(id))).toBe("409 INVOICE_ALREADY_ISSUED");
  const asked = await simulation().calls();
  expect(asked.filter((call) => /(POST|PUT) .*\/invoices/.test(call))).toEqual([]);
  expect(await there(id)).toEqual([]);
  expect(await show(id)).toMatchObject({
    status: "issued",
    ledger_invoice_number: issued.ledger_invoice_number,
  });
});
