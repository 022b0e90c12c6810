/**
 * A Tryton as Debian installs it, which hashes passwords by bcrypt, behind a connection that adds 700 ms to each call: an account
 * is connected and books there. Password checks are counted in Tryton's own log, and the bookings are read in its
 * tables.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { besideBookings } from "../../src/background.ts";
import type { Problem } from "../../src/domain/base/problem.ts";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { ledgerWork } from "../../src/features/ledger/booking/run-due.ts";
import { changeMapping } from "../../src/features/ledger/connections/change-mapping.ts";
import { connectAccount } from "../../src/features/ledger/connections/connect-account.ts";
import { bookables } from "../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { trytonConnector } from "../../src/ledger/connectors/tryton/connector.ts";
import type { Connection } from "../../src/ledger/ledger.ts";
import { run } from "../../src/platform/commands/command.ts";
import { refusal } from "../support/http/refusal.ts";
import { openFaultProxy } from "../support/ledger/fault-proxy.ts";
import { letLinksPass } from "../support/ledger/pass-time.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { requireTryton, whyNoTryton } from "../support/ledger/tryton/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const SLOW_MS = 700;
/** Longer than the time limit of one request of the connector. */
const TOO_SLOW_MS = 60_000;

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let books: TrytonBooks;
let wire: Awaited<ReturnType<typeof openFaultProxy>>;

beforeEach(requireTryton);
beforeAll(async () => {
  if (whyNoTryton() !== undefined) return;
  world.clock.set("2026-11-20T09:00:00.000Z");
  // For any load of the machine: the calls that fit into the real time limits are counted.
  const ledgers = world.services.ledgers as Map<string, Connection>;
  const timeouts = { call_ms: 120_000, pause_ms: 1, rounds: 3, total_ms: 120_000 };
  ledgers.set("tryton", { ...ledgers.get("tryton"), timeouts } as Connection);
  books = await openTryton(true);
  wire = await openFaultProxy(books.url);
});
beforeEach(() => wire?.each(() => ({ type: "delay", ms: SLOW_MS })));
afterEach(() => wire?.clear());
afterAll(async () => {
  await wire?.close();
  await books?.close();
});

const operator = () => operatorContext(world.services, world.account.account_id);
const connect = async (settings: Json = {}) =>
  connectAccount(await operator(), "tryton", {
    ...books.settings,
    ...books.secrets,
    url: wire.origin,
    ...settings,
  });
const problemOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => Promise.reject(new Error("nothing was refused")),
    (problem: Problem) => problem,
  );

it("is refused with different reasons for an unknown database, a slow answer, and no answer", async () => {
  const unknown = await problemOf(connect({ database: "nowhere" }));
  expect([unknown.code, unknown.message]).toEqual([
    "LEDGER_REJECTED",
    "INCOMPLETE: The server answers, and has no database nowhere.",
  ]);

  wire.each(() => ({ type: "delay", ms: TOO_SLOW_MS }));
  const slow = await problemOf(connect());
  expect([slow.code, slow.message]).toEqual([
    "LEDGER_UNAVAILABLE",
    "The accounting system answers too slowly: its check was not over in time. Nothing is stored.",
  ]);

  await wire.shut();
  const away = await problemOf(connect());
  expect([away.code, away.message]).toEqual([
    "LEDGER_UNAVAILABLE",
    "The accounting system did not answer; nothing is stored.",
  ]);
  await wire.reopen();
});

it("is connected, and books an invoice with at most two password checks", async () => {
  await connect();
  expect(await world.done("GET /ledger/connection")).toMatchObject({ state: "connected" });
  const pair = { account_number: 1000, vat_code: "DK25" } as const;
  await run(changeMapping, await operator(), {
    rows: [{ ...pair, ledger_account: "1010", ledger_vat_code: "U25" }],
  });
  const customer = await world.done("POST /customers", { name: "Acme A/S" });
  const product = await world.done("POST /products", { name: "Consulting" });
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 1000.5 }];
  const body = { customer_id: customer.id, lines, auto_send: false };
  const { id } = await world.done("POST /invoices", body);
  // Both took longer than their callers wait, and are sent by the background work when those calls have ended.
  await letLinksPass(world);
  const left = ledgerWork(world.services, bookables, noteSendError, besideBookings);
  while (await left.run(() => false)) await left.ended();
  const { data } = await world.done("GET /ledger/sync");
  expect(data).toEqual([]);
  const [before, calls] = [books.sign_ins() ?? 0, wire.requests.length];

  const reply = await world.rest(`POST /invoices/${id}/issue`);

  expect(refusal(reply)).toBe("200");
  const of_invoice = wire.requests.length - calls;
  const checks = (books.sign_ins() ?? 0) - before;
  expect(checks).toBeGreaterThanOrEqual(1);
  expect(checks).toBeLessThanOrEqual(2);
  // Calls of one second each, one after the other.
  expect(of_invoice * 1_000).toBeLessThanOrEqual(trytonConnector.timeouts?.call_ms ?? 0);
  expect(
    await books.sql("select state, number from account_invoice where reference = $1", [id]),
  ).toEqual([{ state: "posted", number: String(reply.body.ledger_invoice_number) }]);
  await expect.poll(() => books.sql("select from ir_session")).toEqual([]);
});
