/**
 * The shared parts of the tests of the fault table: an account in a Dinero behind a faulty wire, its invoices, and the
 * expectations after each fault. Nothing waits for a fixed time: calls are given up only where a test says so, and the passing of
 * time is simulated by changing stored times.
 */
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Timeouts } from "../../../../src/ledger/ledger.ts";
import { refusal } from "../../http/refusal.ts";
import type { Json, Reply } from "../../world/world.ts";
import { letTimePass } from "../pass-time.ts";
import { useDineroWorld } from "./world.ts";

/** An operation's total time is over before one of its calls times out, so its caller never sees the timeout of a call. */
export const unhurried: Timeouts = { call_ms: 60_000, pause_ms: 1, rounds: 3, total_ms: 25_000 };
/** A held call is given up soon; on a slow machine other calls may be given up too, and are repeated. */
const hurried: Timeouts = { call_ms: 400, pause_ms: 1, rounds: 100, total_ms: 25_000 };

export const CREATE = { method: "POST", path: /\/invoices$/ };
export const BOOK = { path: /\/invoices\/[^/]+\/book$/ };
export const LOOK = { method: "GET", path: /\/invoices\/[0-9a-f-]+$/ };
export const UNAVAILABLE = "500 LEDGER_UNAVAILABLE";
const IN_PROGRESS = "409 INVOICE_ISSUE_IN_PROGRESS";
const REJECTED = "409 LEDGER_REJECTED";

export function useFaults() {
  const dinero = useDineroWorld();
  const { world, simulation, wire, meetWith } = dinero;
  const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
  const product = world.made("POST /products", { name: "Consulting", default_price: 1000 });
  // The first query for changes in the ledger belongs to no test.
  beforeAll(() => dinero.work());
  beforeEach(() => meetWith(unhurried));
  afterEach(async () => {
    wire().clear();
    // The circuit breaker and the pause after a 429 must not reach the next test.
    await world.sql(
      "update ledger_connections set failures = 0, down_since = null, next_probe_at = null",
    );
    await world.sql("delete from ledger_budgets");
  });

  const line = (agreed_value: number): Json => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value,
  });
  const draft = async (fields: Json = {}): Promise<string> => {
    const body = {
      customer_id: customer.id,
      auto_send: false,
      lines: [line(1000.5)],
      ...fields,
    };
    return (await world.done("POST /invoices", body)).id;
  };
  const issue = (id: string): Promise<Reply> => world.rest(`POST /invoices/${id}/issue`);
  const show = (id: string): Promise<Json> => world.done(`GET /invoices/${id}`);

  /** The documents with a guid in Dinero's books. */
  const there = async (guid: string) => {
    const { invoices, credit_notes } = await simulation().books();
    return [...invoices, ...credit_notes].filter((one) => one.Guid === guid && !one.deleted);
  };
  const edit = (guid: string, change: object): Promise<unknown> =>
    simulation().control("edit", { key: `invoice/270001/${guid}`, change });
  /** The latest booking of a document, as its intent shows it. */
  const intentOf = async (document_id: string): Promise<Json> =>
    (await world.done(`GET /ledger/intents?document=${document_id}`)).data[0];
  /** The recorded calls of a document, such as `book unknown`, without the requests that they made. */
  const callsOf = async (document_id: string): Promise<string[]> => {
    const rows = await world.sql(
      `select c.verb || ' ' || c.outcome as call from intent_calls c
       join intents i on i.account_id = c.account_id and i.id = c.intent_id
       where i.document_id = $1 and c.verb in ('book', 'find') order by c.id`,
      [document_id],
    );
    return rows.map(({ call }) => call);
  };
  const eventsOf = async (id: string): Promise<string[]> => {
    const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=100`);
    return data.map(({ action }: Json) => action).reverse();
  };
  /** Issued in Matchbook under the number and with the totals of the only booking in the ledger, and recorded once. */
  const expectIssuedOnce = async (id: string): Promise<void> => {
    const [booked, ...others] = await there(id);
    expect([booked?.Status, others]).toEqual(["Booked", []]);
    expect(await show(id)).toMatchObject({
      status: "issued",
      ledger_invoice_guid: id,
      ledger_invoice_number: booked?.Number,
    });
    const { net, vat } = await world.done(`GET /invoices/${id}/totals`);
    expect([net, vat].map((amount) => String(Math.round(amount * 100)))).toEqual([
      booked?.net,
      booked?.vat,
    ]);
    expect(await intentOf(id)).toMatchObject({ state: "settled", last_outcome: "booked" });
    expect((await eventsOf(id)).filter((action) => action === "issued")).toHaveLength(1);
    const { entries } = await simulation().books();
    // There is one posting on the receivables account, so the accounts have it only once too.
    const owed = entries.filter(
      ({ VoucherGuid, AccountNumber }) => VoucherGuid === id && AccountNumber === 56000,
    );
    expect(owed).toHaveLength(1);
  };
  /** Answered as a booking with an unknown outcome, and stored as one. */
  const expectUnderWay = async (id: string, reply: Reply): Promise<void> => {
    expect(refusal(reply)).toBe(UNAVAILABLE);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await show(id)).toMatchObject({ status: "draft", ledger_invoice_number: null });
    const patch = await world.rest(`PATCH /invoices/${id}`, { title: "Changed" });
    expect(refusal(patch)).toBe(IN_PROGRESS);
    expect(await intentOf(id)).toMatchObject({ settled_at: null });
  };
  /** Refused for a reason, and a draft as before. */
  const expectRefused = async (id: string, reply: Reply, reason: string): Promise<void> => {
    expect(refusal(reply)).toBe(REJECTED);
    expect(reply.body.error.details).toMatchObject({ reason });
    expect(reply.body.error.details.state).toBeUndefined();
    await expectReleased(id);
  };
  const expectReleased = async (id: string): Promise<void> => {
    expect(await intentOf(id)).toMatchObject({ state: "released" });
    const changed = await world.done(`PATCH /invoices/${id}`, { title: "Changed" });
    expect(changed).toMatchObject({ status: "draft", ledger_invoice_number: null });
    expect((await there(id)).filter(({ Status }) => Status === "Booked")).toEqual([]);
  };
  /** Left to a user: shown and recorded, and not retried automatically. */
  const expectParked = async (id: string, reply: Reply, reason: string): Promise<void> => {
    expect(refusal(reply)).toBe(REJECTED);
    const intent = await intentOf(id);
    expect(reply.body.error.details).toEqual({ reason, state: "parked", intent_id: intent.id });
    expect(intent).toMatchObject({ state: "parked", next_attempt_at: null });
    expect(await eventsOf(id)).toContain("booking_parked");
    await letTimePass(world);
    await simulation().control("forget");
    await dinero.work();
    expect((await simulation().calls()).filter((call) => call.includes(id))).toEqual([]);
  };

  return {
    ...dinero,
    customer,
    product,
    line,
    draft,
    issue,
    show,
    there,
    edit,
    intentOf,
    callsOf,
    eventsOf,
    letTimePass: () => letTimePass(world),
    /** Until the end of the test, calls are given up soon. */
    hurry: () => meetWith(hurried),
    expectIssuedOnce,
    expectUnderWay,
    expectRefused,
    expectReleased,
    expectParked,
  };
}

/** What a held request waits for, until the test releases it. */
export function gate() {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
