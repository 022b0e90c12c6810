/**
 * A world whose account is connected to the scripted ledger, a simulator, with calls and expectations for its tests.
 * `useExternalLedger` registers the hooks that connect it, and clean up after each test.
 */
import { afterEach, beforeAll, expect } from "vitest";
import type { Intent } from "../../../src/features/ledger/booking/intents.ts";
import { ledgerWork } from "../../../src/features/ledger/booking/run-due.ts";
import { bookables } from "../../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../../src/features/sales/credit-notes/bookable.ts";
import { issueInvoice } from "../../../src/features/sales/invoices/issue.ts";
import { builtinLedger } from "../../../src/ledger/connectors/builtin/connector.ts";
import type { Connection } from "../../../src/ledger/ledger.ts";
import { transact } from "../../../src/platform/commands/tx.ts";
import { schedulerContext } from "../../../src/platform/runtime/services.ts";
import { refusal } from "../http/refusal.ts";
import { type Json, type Reply, useWorld } from "../world/world.ts";
import { openScriptedLedger } from "./scripted-ledger.ts";

const MARCH = "2026-03-10T09:00:00.000Z";
export const UNAVAILABLE = "500 LEDGER_UNAVAILABLE";
export const IN_PROGRESS = "409 INVOICE_ISSUE_IN_PROGRESS";
export const ALREADY = "409 INVOICE_ALREADY_ISSUED";

/** Matches intents that have not ended. */
export const OPEN_INTENTS = "state in ('booking', 'unknown', 'pending', 'parked')";

/** The actor of the process that died. */
export const DEAD_ACTOR = { kind: "api_key", id: "of-the-dead-process" } as const;

export function useExternalLedger() {
  const ledger = openScriptedLedger();
  const ledgers = new Map([ledger.connection, builtinLedger].map((one) => [one.kind, one]));
  const world = useWorld({ overrides: { ledgers } });
  const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
  const product = world.made("POST /products", { name: "Consulting", default_price: 1000 });
  /** Connects every account to the ledger of this kind. */
  const connect = async (kind: string): Promise<void> => {
    await world.sql("update accounts set ledger_kind = $1", [kind]);
  };
  /** Until the end of the test, no call of the ledger times out, for tests that delay one. */
  const bePatient = (): void => {
    const timeouts = { call_ms: 25_000, pause_ms: 1, rounds: 3, total_ms: 25_000 };
    ledgers.set("scripted", { ...ledger.connection, timeouts } as Connection);
  };
  beforeAll(async () => {
    await connect("scripted");
  });
  afterEach(async () => {
    ledger.forget();
    ledgers.set("scripted", ledger.connection);
    world.clock.set(MARCH);
    await world.sql("delete from intents");
  });

  const draft = async (fields: object = {}): Promise<string> => {
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      auto_send: false,
      lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 1250.5 }],
      ...fields,
    });
    return id;
  };
  const issue = (id: string): Promise<Reply> => world.rest(`POST /invoices/${id}/issue`);
  const show = (id: string): Promise<Json> => world.done(`GET /invoices/${id}`);
  /** Does the background work: resumes due bookings until none is left. */
  const work = async (): Promise<boolean> => {
    const left = ledgerWork(world.services, bookables, noteSendError);
    const found = await left.run(() => false);
    await left.ended();
    return found;
  };

  /** The open intent of a document; undefined without one. */
  const intentOf = async (id: string): Promise<Json | undefined> =>
    (await world.sql(`select * from intents where document_id = $1 and ${OPEN_INTENTS}`, [id]))[0];

  /** Simulates the passing of time: the lease has run out and the worker's pause is over. */
  const letLeaseExpire = async (id: string): Promise<void> => {
    const past = "clock_timestamp() - interval '1 second'";
    await world.sql(
      `update intents set lease_until = ${past}, next_attempt_at = ${past},
         called_at = called_at - interval '30 seconds' where document_id = $1 and ${OPEN_INTENTS}`,
      [id],
    );
  };

  /** Begins an issue as the service does, in a process that ends before it calls the ledger. */
  const issueInDyingProcess = async (ref: string): Promise<Intent> => {
    const cx = await schedulerContext(world.services, world.account.account_id);
    const caller = { ...cx.caller, actor: DEAD_ACTOR };
    const committed = await transact({ ...cx, caller }, async (inside) => {
      return issueInvoice.commit(inside, await issueInvoice.plan(inside, { ref }));
    });
    if (!("intent" in committed)) throw new Error("the ledger is not an external one");
    return committed.intent;
  };

  /** The audit events about issuing the invoice. */
  const eventsOf = async (id: string): Promise<Json[]> => {
    const { data } = await world.done(`GET /audit-events?resource_id=${id}&limit=100`);
    return data.filter((event: Json) => event.action === "issued");
  };

  /** Booked once in the ledger and issued in Matchbook, under one number and with the same totals. */
  const expectIssuedOnce = async (id: string): Promise<void> => {
    const booked = ledger.documents.get(id);
    expect(await show(id)).toMatchObject({
      status: "issued",
      ledger_invoice_guid: id,
      ledger_invoice_number: Number(booked?.number),
      issue_date: booked?.intent.document.issue_date,
    });
    const { net, gross } = await world.done(`GET /invoices/${id}/totals`);
    const totals = booked?.intent.document.totals;
    expect([net, gross].map((amount) => BigInt(Math.round(amount * 100)))).toEqual([
      totals?.net,
      totals?.gross,
    ]);
    expect(await intentOf(id)).toBeUndefined();
    expect(await eventsOf(id)).toHaveLength(1);
    expect(refusal(await issue(id))).toBe(ALREADY);
  };

  /** Still a draft, with the attempt recorded for the next call or the worker. */
  const expectUnderWay = async (id: string): Promise<void> => {
    expect(await show(id)).toMatchObject({ status: "draft", ledger_invoice_number: null });
    expect(await intentOf(id)).toBeDefined();
    const patch = await world.rest(`PATCH /invoices/${id}`, { title: "New" });
    expect(refusal(patch)).toBe(IN_PROGRESS);
    expect(refusal(await world.rest(`DELETE /invoices/${id}`))).toBe(IN_PROGRESS);
  };

  /** A draft as before, which can be edited and issued again. */
  const expectReleased = async (id: string): Promise<void> => {
    expect(await intentOf(id)).toBeUndefined();
    expect(ledger.documents.has(id)).toBe(false);
    const changed = await world.done(`PATCH /invoices/${id}`, { title: "Better" });
    expect(changed).toMatchObject({ status: "draft", title: "Better" });
    ledger.forget();
    expect(refusal(await issue(id))).toBe("200");
    expect(ledger.documents.get(id)?.intent.document.title).toBe("Better");
    await expectIssuedOnce(id);
  };

  return {
    world,
    ledger,
    ledgers,
    customer,
    product,
    connect,
    bePatient,
    draft,
    issue,
    show,
    work,
    intentOf,
    letLeaseExpire,
    issueInDyingProcess,
    eventsOf,
    expectIssuedOnce,
    expectUnderWay,
    expectReleased,
  };
}
