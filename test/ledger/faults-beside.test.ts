/**
 * Two accounts in one service: while the ledger of one accepts requests and answers none, bookings, sendings and closes of the
 * other continue. Counted, not timed.
 */
import { beforeAll, expect, it } from "vitest";
import { besideBookings } from "../../src/background.ts";
import type { OpenedAccount } from "../../src/features/access/accounts/create.ts";
import { ledgerWork } from "../../src/features/ledger/booking/run-due.ts";
import { bookables } from "../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { issueInvoice } from "../../src/features/sales/invoices/issue.ts";
import { transact } from "../../src/platform/commands/tx.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { refusal } from "../support/http/refusal.ts";
import { simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { gate, unhurried } from "../support/ledger/dinero/under-fault.ts";
import { connectDinero, useDineroWorld } from "../support/ledger/dinero/world.ts";
import { letTimePass } from "../support/ledger/pass-time.ts";
import type { Json, Reply } from "../support/world/world.ts";

const LIVE = 270002;
const { world, simulation, wire, meetWith, work } = useDineroWorld();

/** The calls for an account, with its own customer and product. */
async function openLedgerAccount(key: string) {
  const done = (call: string, body?: unknown): Promise<Json> => world.done(call, body, key);
  const customer = { name: "Acme A/S", email: "ap@acme.example" };
  const customer_id = (await done("POST /customers", customer)).id;
  const product_id = (await done("POST /products", { name: "Consulting" })).id;
  const draft = async (fields: Json = {}): Promise<string> => {
    const lines = [{ product_id, recognition_method: "value", agreed_value: 900, ...fields }];
    const body = { customer_id, auto_send: fields.service_from === undefined, lines };
    return (await done("POST /invoices", body)).id;
  };
  const issue = (id: string): Promise<Reply> =>
    world.rest(`POST /invoices/${id}/issue`, undefined, key);
  const statusOf = async (id: string): Promise<string> =>
    (await done(`GET /invoices/${id}`)).status;
  return { done, draft, issue, statusOf };
}

let dead: Awaited<ReturnType<typeof openLedgerAccount>>;
let live: Awaited<ReturnType<typeof openLedgerAccount>>;
let account: OpenedAccount;
beforeAll(async () => {
  meetWith(unhurried);
  account = await world.openAnother();
  await simulation().control("organisation", { Id: LIVE, key: "live-key" });
  const { settings, secrets } = simulatedAccess(simulation().origin);
  await connectDinero(world, account.account_id, {
    ...settings,
    ...secrets,
    organization_id: String(LIVE),
    api_key: "live-key",
  });
  dead = await openLedgerAccount(world.account.keys.read_write);
  live = await openLedgerAccount(account.keys.read_write);
});

/** Begun by a process that ended before it called the ledger. */
async function leave(account_id: string, ref: string): Promise<void> {
  const cx = await schedulerContext(world.services, account_id);
  await transact(cx, async (tx) => issueInvoice.commit(tx, await issueInvoice.plan(tx, { ref })));
}

it("a ledger without answers does not delay another account", async () => {
  const [lost, left] = [await dead.draft(), await live.draft()];
  await leave(world.account.account_id, lost);
  await leave(account.account_id, left);
  await letTimePass(world);
  const held = gate();
  const met = wire().requests.length;
  wire().each(() => ({ type: "hold_before", until: held.passed }));
  const background = ledgerWork(world.services, bookables, noteSendError, besideBookings);

  await background.run(() => false);

  // Of the abandoned bookings, one stays in progress; the other is done.
  await wire().reached(1);
  await expect.poll(() => live.statusOf(left)).toBe("issued");
  // Bookings by callers, with their sendings.
  const issued = [];
  for (let count = 0; count < 5; count += 1) {
    const id = await live.draft();
    expect(refusal(await live.issue(id))).toBe("200");
    issued.push(id);
  }
  const { invoices } = await simulation().books(LIVE);
  for (const id of issued) {
    expect(invoices.filter(({ Guid }) => Guid === id)).toMatchObject([
      { Status: "Booked", mailouts: [{ Receiver: "ap@acme.example" }] },
    ]);
  }
  // Closes.
  await live.draft({ service_from: "2026-10-01", service_to: "2026-10-31" });
  expect(await live.done("POST /period-closes", { month: "2026-10" })).toMatchObject({
    status: "completed",
    booked_with_voucher: 1,
  });
  expect(await dead.statusOf(lost)).toBe("draft");
  expect(wire().requests).toHaveLength(met + 1);

  held.open();
  wire().clear();
  await background.ended();
  await letTimePass(world);
  await work();
  expect(await dead.statusOf(lost)).toBe("issued");
  expect((await simulation().books()).invoices).toMatchObject([{ Guid: lost, Status: "Booked" }]);
});

it("callers of a ledger that is known to be down are answered without a call to it", async () => {
  await wire().shut();
  expect(refusal(await dead.issue(await dead.draft()))).toBe("500 LEDGER_UNAVAILABLE");
  await wire().reopen();
  const met = wire().requests.length;

  for (let count = 0; count < 5; count += 1) {
    expect(refusal(await dead.issue(await dead.draft()))).toBe("500 LEDGER_UNAVAILABLE");
    expect(refusal(await live.issue(await live.draft()))).toBe("200");
  }

  expect(wire().requests).toHaveLength(met);
  await letTimePass(world);
  await work();
  const { invoices } = await simulation().books();
  expect(invoices.filter(({ Status }) => Status === "Booked")).toHaveLength(7);
  expect(new Set(invoices.map((one) => one.Number)).size).toBe(invoices.length);
});
