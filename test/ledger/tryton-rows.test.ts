/**
 * The rows of the fault table that only Tryton shows, at the level of the service: no fiscal year (13), locked numbers (19),
 * a date before the last number (23), and a create that arrives after its caller has given up. The path from a caller to the
 * books of a real server; the bookings are read in its tables.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { besideBookings } from "../../src/background.ts";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { ledgerWork } from "../../src/features/ledger/booking/run-due.ts";
import { changeMapping } from "../../src/features/ledger/connections/change-mapping.ts";
import { connectAccount } from "../../src/features/ledger/connections/connect-account.ts";
import { bookables } from "../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import type { Connection } from "../../src/ledger/ledger.ts";
import { run } from "../../src/platform/commands/command.ts";
import { refusal } from "../support/http/refusal.ts";
import { openFaultProxy } from "../support/ledger/fault-proxy.ts";
import { letTimePass } from "../support/ledger/pass-time.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { type Json, type Reply, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let books: TrytonBooks;
let wire: Awaited<ReturnType<typeof openFaultProxy>>;
let product_id: string;
let customer_id: string;

beforeEach(requireTryton);
beforeAll(async () => {
  if (whyNoTryton() !== undefined) return;
  books = await openTryton();
  wire = await openFaultProxy(books.url);
  // No call reaches its time limit; and a caller never sees that its own call has reached it.
  const ledgers = world.services.ledgers as Map<string, Connection>;
  const timeouts = { call_ms: 60_000, pause_ms: 1, rounds: 1_000, total_ms: 25_000 };
  ledgers.set("tryton", { ...ledgers.get("tryton"), timeouts } as Connection);
  const operator = () => operatorContext(world.services, world.account.account_id);
  const access = { ...books.settings, ...books.secrets, url: wire.origin };
  await connectAccount(await operator(), "tryton", access);
  const row = (account_number: number, vat_code: string, account: number, tax: string | null) => ({
    ...{ account_number, vat_code, ledger_account: String(account), ledger_vat_code: tax },
  });
  const rows = [
    row(1000, "DK25", 1010, "U25"),
    row(6240, "", 6240, null),
    row(8070, "", 8070, null),
  ];
  await run(changeMapping, await operator(), { rows });
  const customer = { name: "Acme A/S", email: "ap@acme.example" };
  customer_id = (await world.done("POST /customers", customer)).id;
  product_id = (await world.done("POST /products", { name: "Consulting" })).id;
});
afterEach(() => wire?.clear());
afterAll(async () => {
  await wire?.close();
  await books?.close();
});

const draft = async (fields: Json = {}): Promise<string> => {
  const lines = [{ product_id, recognition_method: "value", agreed_value: 1000.5 }];
  const body = { customer_id, lines, auto_send: false, ...fields };
  return (await world.done("POST /invoices", body)).id;
};
const issue = (id: string): Promise<Reply> => world.rest(`POST /invoices/${id}/issue`);
const there = (guid: string) =>
  books.sql<{ state: string; number: string | null }>(
    "select state, number from account_invoice where reference like $1 || '%' order by id",
    [guid],
  );
const callsOf = async (id: string): Promise<string[]> => {
  const rows = await world.sql(
    `select concat_ws(' ', c.verb, c.outcome, c.status) as call from intent_calls c
     join intents i on i.account_id = c.account_id and i.id = c.intent_id
     where i.document_id = $1 and c.verb in ('book', 'find') order by c.id`,
    [id],
  );
  return rows.map(({ call }) => call);
};
const work = async (): Promise<void> => {
  const left = ledgerWork(world.services, bookables, noteSendError, besideBookings);
  while (await left.run(() => false)) await left.ended();
  await left.ended();
};

async function expectIssuedOnce(id: string): Promise<void> {
  const [posted, ...others] = await there(id);
  expect([posted?.state, others]).toEqual(["posted", []]);
  expect(await world.done(`GET /invoices/${id}`)).toMatchObject({
    status: "issued",
    ledger_invoice_number: Number(posted?.number),
  });
  const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=100`);
  expect(data.filter(({ action }: Json) => action === "issued")).toHaveLength(1);
}

/** Refused for a reason, with nothing left in Tryton, and a draft that may be changed. */
async function expectRefused(id: string, reply: Reply, reason: string): Promise<void> {
  expect([refusal(reply), reply.body.error.details]).toEqual(["409 LEDGER_REJECTED", { reason }]);
  expect((await there(id)).filter(({ state }) => state !== "draft")).toEqual([]);
  const { data } = await world.done(`GET /ledger/intents?document=${id}`);
  expect(data).toMatchObject([{ state: "released", last_outcome: reason }]);
}

it("row 13: a day outside of every fiscal year is refused, and the draft accepts another", async () => {
  const id = await draft({ issue_date: "2028-02-10" });
  await expectRefused(id, await issue(id), "NO_FISCAL_YEAR");
  await world.done(`PATCH /invoices/${id}`, { issue_date: "2026-03-10" });
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
});

it("row 19: a booking waits for locked numbers, unnoticed by its caller", async () => {
  const id = await draft();
  await books.sql("begin");
  await books.sql("select from ir_sequence_strict for update");
  const reply = issue(id);
  await expect.poll(() => callsOf(id)).toContain("book not_started lock_contention");
  await books.sql("rollback");

  expect(refusal(await reply)).toBe("200");
  expect((await callsOf(id)).at(-1)).toBe("book booked");
  await expectIssuedOnce(id);
});

it("row 23: a day before the last number is refused, and the draft accepts another", async () => {
  const last = await draft({ issue_date: "2026-03-10" });
  expect(refusal(await issue(last))).toBe("200");
  const id = await draft({ issue_date: "2026-03-01" });
  await expectRefused(id, await issue(id), "DATE_BEFORE_LAST_NUMBER");
  await world.done(`PATCH /invoices/${id}`, { issue_date: "2026-03-10" });
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
});

it("a create that arrives long after its call was abandoned leaves a draft, never a booking, and is swept", async () => {
  const id = await draft();
  let letGo: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  wire.next({ body: /"model\.account\.invoice\.create"/ }, { type: "drop_late", until });
  // The session stays open, so that the late call is valid in it.
  const lost = { type: "drop_before" } as const;
  wire.next({ body: /"common\.db\.logout"/ }, ...Array.from({ length: 20 }, () => lost));

  const reply = await issue(id);

  expect(refusal(reply)).toBe("500 LEDGER_UNAVAILABLE");
  expect(await there(id)).toEqual([]);
  await letTimePass(world);
  expect(refusal(await issue(id))).toBe("200");
  const looks = ["find absent", "find absent", "find absent"];
  expect(await callsOf(id)).toEqual(["book unknown connection_lost", ...looks, "book booked"]);
  letGo();
  await wire.settled();
  await expect.poll(() => there(id)).toMatchObject([{ state: "posted" }, { state: "draft" }]);
  await world.sql("update intents set sweep_at = clock_timestamp() where sweep_at is not null");
  await work();
  await expectIssuedOnce(id);
});

it("a voucher in a period that is closed in Tryton moves to the next month with its rows", async () => {
  const { id: customer } = await world.done("POST /customers", { name: "Earned" });
  const service = { service_from: "2026-01-01", service_to: "2026-01-28" };
  const line = { product_id, recognition_method: "value", agreed_value: 900, ...service };
  await draft({ customer_id: customer, lines: [line] });
  const january = `GET /accruals?customer=${customer}&month=2026-01`;
  const { id } = await world.done(january);
  const close = (state: string) =>
    books.sql(`update account_period set state = '${state}' where end_date <= '2026-01-31'`);
  await close("close");

  const refused = await world.rest(`POST /accruals/${id}/book`);
  await world.done("POST /ledger/connection/check");
  const later = await world.done(january);
  const booked = await world.rest(`POST /accruals/${later.id}/book`);

  expect(refusal(refused)).toBe("409 PERIOD_LOCKED");
  expect(later).toMatchObject({ accrual_month: "2026-02", original_accrual_month: "2026-01" });
  expect(refusal(booked)).toBe("200");
  const moves = await books.sql(
    "select date::text as date, state from account_move where description like $1 || '%'",
    [booked.body.ledger_voucher_guid],
  );
  expect(moves).toEqual([{ date: "2026-02-28", state: "posted" }]);
  await close("open");
});
