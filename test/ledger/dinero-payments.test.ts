/**
 * What the connector to Dinero reads of payments, each row of the table in the spec (13.9), on a simulation of its API: people
 * record payments there, and the connector only reads. What Dinero does not publish is a switch.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import type { DocumentBooking } from "../../src/ledger/ledger.ts";
import { danish } from "../support/documents/documents.ts";
import { bookingsOn, mapped } from "../support/ledger/bookings.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { plainLine } from "../support/ledger/plain-line.ts";

let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let ledger: ReturnType<typeof dineroConnector.open>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
  ledger = dineroConnector.open(plainLine(simulatedAccess(simulation.origin)));
});
beforeEach(() =>
  simulation.control("switches", {
    credit_notes_settle: true,
    payments_in_kroner: false,
    payments_listed: true,
  }),
);
afterAll(() => simulation?.close());

const options = { signal: new AbortController().signal };
const { invoice } = bookingsOn([
  mapped(1010, "DK25", "1000"),
  mapped(1150, "EU_SERVICES_RC", "1150"),
]);
const gross = danish().totals.gross;
const units = Number(gross) / 100;

async function booked(change: Partial<DocumentBooking["document"]> = {}): Promise<string> {
  const made = invoice(change);
  expect(await ledger.ensureBooked(made, options)).toMatchObject({ state: "booked" });
  return made.guid;
}
const pay = (guid: string, amount: number, date: string) =>
  simulation.control("pay", { guid, amount, date });
async function readOf(guid: string) {
  const read = await ledger.more.payments?.([{ kind: "invoice", guid }], options);
  if (read?.state !== "payments") throw new Error(`expected payments: ${JSON.stringify(read)}`);
  return read.payments;
}
async function changesSince(since: string | null) {
  const read = await ledger.more.paymentChanges?.(since, options);
  if (read?.state !== "payment_changes") throw new Error(`no changes: ${JSON.stringify(read)}`);
  return read;
}

describe("the payment of an invoice in Dinero", () => {
  it("is open when it is booked, and when it is overdue there", async () => {
    const guid = await booked();
    const open = { guid, state: "open", paid: 0n, remaining: gross, paid_on: null };
    expect(await readOf(guid)).toEqual([open]);
    await simulation.control("edit", {
      key: `invoice/270001/${guid}`,
      change: { Date: "2026-01-05" },
    });
    expect(await readOf(guid)).toEqual([open]);
  });

  it("is partly paid once something was paid", async () => {
    const guid = await booked();
    await pay(guid, 100.25, "2026-11-20");
    const rest = { paid: 10_025n, remaining: gross - 10_025n, paid_on: null };
    expect(await readOf(guid)).toEqual([{ guid, state: "partly_paid", ...rest }]);
  });

  it("is paid on the day of the last payment, and open again when that is reversed", async () => {
    const guid = await booked();
    await pay(guid, 100, "2026-11-25");
    await pay(guid, units - 100, "2026-11-21");
    const paid = { guid, state: "paid", paid: gross, remaining: 0n };
    expect(await readOf(guid)).toEqual([{ ...paid, paid_on: "2026-11-25" }]);
    await simulation.control("switches", { payments_listed: false });
    expect(await readOf(guid)).toEqual([{ ...paid, paid_on: null }]);
    await pay(guid, -units, "2026-11-26");
    expect(await readOf(guid)).toMatchObject([{ state: "open", remaining: gross }]);
  });

  it("is overpaid with what was paid too much below 0", async () => {
    const guid = await booked();
    await pay(guid, units + 50, "2026-11-20");
    expect(await readOf(guid)).toEqual([
      { guid, state: "overpaid", paid: gross + 5_000n, remaining: -5_000n, paid_on: "2026-11-20" },
    ]);
  });

  it("has no amounts where those may be kroner of a foreign invoice", async () => {
    const foreign = { currency: "EUR" } as const;
    const [open, part, paid] = [
      await booked(foreign),
      await booked(foreign),
      await booked(foreign),
    ];
    await pay(part, 100, "2026-11-20");
    await pay(paid, units, "2026-11-20");
    expect(await readOf(part)).toMatchObject([{ paid: 10_000n, remaining: gross - 10_000n }]);
    await simulation.control("switches", { payments_in_kroner: true });
    expect(await readOf(open)).toMatchObject([{ state: "open", paid: 0n, remaining: gross }]);
    expect(await readOf(part)).toMatchObject([
      { state: "partly_paid", paid: null, remaining: null },
    ]);
    expect(await readOf(paid)).toMatchObject([{ state: "paid", paid: gross, remaining: 0n }]);
  });

  it("is not reported of a draft, a document that is not there, and a credit note", async () => {
    const guid = await booked();
    const key = `invoice/270001/${guid}`;
    await simulation.control("edit", { key, change: { Status: "Draft" } });
    expect(await readOf(guid)).toEqual([]);
    await simulation.control("edit", { key, change: null });
    expect(await readOf(guid)).toEqual([]);
    await simulation.control("forget");
    const read = await ledger.more.payments?.([{ kind: "credit_note", guid }], options);
    expect([read, await simulation.calls()]).toEqual([{ state: "payments", payments: [] }, []]);
  });

  it("is not known after an answer that cannot be read", async () => {
    const guid = await booked();
    const body = { PaidAmount: "none" };
    await simulation.control("faults", [
      { match: "payments$", action: "status", status: 500, body: "" },
    ]);
    expect(await ledger.more.payments?.([{ kind: "invoice", guid }], options)).toMatchObject({
      state: "unknown",
    });
    await simulation.control("faults", [
      { match: "payments$", action: "status", status: 200, body: JSON.stringify(body) },
    ]);
    expect(await readOf(guid)).toEqual([
      { guid, state: "open", paid: 0n, remaining: gross, paid_on: null },
    ]);
  });
});

it("lists what is open, then what has changed", async () => {
  const [open, paid, later] = [await booked(), await booked(), await booked()];
  await pay(paid, units, "2026-11-20");
  const whole = await changesSince(null);
  expect(whole.guids).toEqual(expect.arrayContaining([open, later]));
  expect(whole.guids).not.toContain(paid);
  const long_ago = new Date(Date.now() - 3_600_000).toISOString();
  for (const guid of [open, paid]) {
    const change = { UpdatedAt: long_ago };
    await simulation.control("edit", { key: `invoice/270001/${guid}`, change });
  }
  await pay(later, 10, "2026-11-21");
  const changed = await changesSince(whole.until);
  expect(changed.guids).toContain(later);
  expect(changed.guids).not.toContain(open);
  expect(Date.parse(changed.until)).toBeGreaterThanOrEqual(Date.parse(whole.until));
});

it("only reads", async () => {
  const guid = await booked();
  await simulation.control("forget");
  await readOf(guid);
  await changesSince(null);
  await changesSince("2026-11-01T00:00:00Z");
  const calls = await simulation.calls();
  expect(calls).toContain(`GET /v2/270001/invoices/${guid}/payments`);
  expect(calls.filter((call) => !call.startsWith("GET "))).toEqual([]);
});
