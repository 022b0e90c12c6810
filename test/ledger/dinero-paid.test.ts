/**
 * What is paid of invoices that Dinero booked, from the payments that people record there to what callers read here. None of our code
 * is replaced; Dinero is a simulation.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../support/http/refusal.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import type { Json } from "../support/world/world.ts";

const { world, simulation, work } = useDineroWorld();
const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });

/** An invoice of 1,250.00 of 2 November that is due on the 16th; today is the 20th. */
async function issued(fields: Json = {}): Promise<Json> {
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    issue_date: "2026-11-02",
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 1000 }],
    ...fields,
  });
  return world.done(`POST /invoices/${id}/issue`);
}
const pay = (invoice: Json, amount: number, date = "2026-11-18") =>
  simulation().control("pay", { guid: invoice.id, amount, date });
const paymentOf = ({ id }: Json): Promise<Json> => world.done(`GET /invoices/${id}/payment`);
/** A quarter of an hour and more passes; then the background work is done. */
async function aWhileLater(): Promise<void> {
  await beOlder();
  await work();
}
async function beOlder(): Promise<void> {
  await world.sql(`update ledger_items set read_at = read_at - interval '20 minutes',
    next_read_at = next_read_at - interval '20 minutes'`);
  await world.sql(`update ledger_connections set next_payments_at = next_payments_at - interval '20 minutes',
    payments_read_at = payments_read_at - interval '20 minutes'`);
}
const rowOf = async (invoice: Json, query = ""): Promise<Json | undefined> => {
  const { data } = await world.done(`GET /invoices?include=payment&limit=100${query}`);
  return data.find(({ id }: Json) => id === invoice.id);
};

beforeAll(async () => {
  // The first look is of everything that is open there.
  await work();
});

describe("an invoice that Dinero booked", () => {
  it("is read when it is asked for, and late by our due date", async () => {
    const invoice = await issued();
    expect(await rowOf(invoice)).toMatchObject({ payment: null });
    expect(await paymentOf(invoice)).toMatchObject({
      source: "ledger",
      as_of: expect.any(String),
      state: "open",
      is_overdue: true,
      days_overdue: 4,
      due_date: "2026-11-16",
      gross: 1250,
      paid: 0,
      credited: null,
      rounding: null,
      open: 1250,
      paid_on: null,
      allocations: [],
    });
    const before = await world.rest(`GET /invoices/${invoice.id}/payment?at=2026-11-19`);
    expect(refusal(before)).toBe("409 PAYMENTS_IN_LEDGER");
  });

  it("is asked for again only where the last answer is older than a quarter of an hour", async () => {
    const invoice = await issued();
    const first = await paymentOf(invoice);
    await pay(invoice, 500);
    await simulation().control("forget");
    expect(await paymentOf(invoice)).toEqual(first);
    expect(await simulation().calls()).toEqual([]);
    await beOlder();
    const partly = { state: "partly_paid", paid: 500, open: 750, is_overdue: true };
    expect(await paymentOf(invoice)).toMatchObject(partly);
    expect(await rowOf(invoice)).toMatchObject({
      payment: { state: "partly_paid", open: 750, is_overdue: true, paid_on: null },
    });
  });

  it("is read in the background when it has changed there", async () => {
    const invoice = await issued();
    await paymentOf(invoice);
    await pay(invoice, 1250, "2026-11-19");
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({
      payment: { state: "paid", open: 0, is_overdue: false, paid_on: "2026-11-19" },
    });
    await pay(invoice, 49.5, "2026-11-20");
    await aWhileLater();
    expect(await paymentOf(invoice)).toMatchObject({ state: "overpaid", paid: 1299.5, open: 0 });
  });

  it("is read in the background a while after it was booked, without being asked for", async () => {
    const invoice = await issued();
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "open", open: 1250 } });
  });

  it("is found again each night where a change was not reported", async () => {
    const invoice = await issued();
    await pay(invoice, 1250);
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "paid" } });
    const key = `invoice/270001/${invoice.id}`;
    const silently = { payments: [], UpdatedAt: "2026-01-01T00:00:00.000Z" };
    await simulation().control("edit", { key, change: silently });
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "paid" } });
    await world.sql(
      "update ledger_connections set payments_whole_at = clock_timestamp() - interval '2 days'",
    );
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "open", open: 1250 } });
  });

  it("keeps its last answer while Dinero does not answer", async () => {
    const invoice = await issued();
    await paymentOf(invoice);
    await pay(invoice, 1250);
    await beOlder();
    await simulation().control("faults", [
      { match: "payments$|changesSince|/invoices", times: 5, action: "status", status: 500 },
    ]);
    expect(await paymentOf(invoice)).toMatchObject({ state: "open", open: 1250 });
    await aWhileLater();
    await simulation().control("faults", []);
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "paid" } });
  });

  it("is credited by a note that Dinero has settled with it", async () => {
    const invoice = await issued();
    await world.done("POST /credit-notes", {
      invoice: invoice.id,
      external_id: "part",
      kind: "partial",
      credit_date: "2026-11-20",
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 400 }],
    });
    await beOlder();
    expect(await paymentOf(invoice)).toMatchObject({
      state: "open",
      paid: 0,
      credited: null,
      open: 750,
    });
  });
});

describe("what is owed by what Dinero says", () => {
  let owing: Json;
  beforeAll(async () => {
    owing = await world.done("POST /customers", { name: "Owing ApS", email: "ap@owing.example" });
    const late = await issued({ customer_id: owing.id });
    const due = await issued({ customer_id: owing.id, issue_date: "2026-11-20" });
    const paid = await issued({ customer_id: owing.id });
    await pay(late, 250);
    await pay(paid, 1250);
    await aWhileLater();
    expect(await rowOf(due)).toMatchObject({ payment: { state: "open" } });
  });
  const of = (path: string) => `${path}customer=${owing.id}`;

  it("is listed, the newest first, and added up for today", async () => {
    const { data } = await world.done(`GET ${of("/open-items?")}`);
    expect(data.map(({ open, days_overdue }: Json) => [open, days_overdue])).toEqual([
      [1250, 0],
      [1000, 4],
    ]);
    expect(data[1]).toMatchObject({
      object: "open_item",
      kind: "invoice",
      is_credit: false,
      amount: 1250,
      functional_amount: 1250,
      functional_open: 1000,
      due_date: "2026-11-16",
    });
    const closed = await world.done(`GET ${of("/open-items?state=closed&")}`);
    expect(closed.data.map(({ open }: Json) => open)).toEqual([0]);
    const all = await world.done(`GET ${of("/open-items?state=all&limit=2&")}`);
    expect([all.data.length, all.has_more]).toEqual([2, true]);
    const rest = await world.done(
      `GET ${of(`/open-items?state=all&limit=2&cursor=${all.next_cursor}&`)}`,
    );
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
  });

  it("is in rows of customers, and in the sum of all", async () => {
    const { data } = await world.done(`GET ${of("/receivables?")}`);
    expect(data).toMatchObject([
      {
        customer_name: "Owing ApS",
        currency: "DKK",
        not_due: 1250,
        days_1_30: 1000,
        total: 2250,
        credit_notes: 0,
        customer_credit: 0,
        balance: 2250,
        oldest_due_date: "2026-11-16",
        functional: { total: 2250 },
      },
    ]);
    const summary = await world.done("GET /receivables/summary");
    const rows = await world.done("GET /receivables?limit=100");
    const balances = rows.data.map(({ balance }: Json) => balance);
    expect(summary.functional.balance).toBe(balances.reduce((a: number, b: number) => a + b, 0));
    expect(summary.ledger).toMatchObject([{ ledger: null }, { ledger: null }]);
  });

  it("is not reported for an earlier day", async () => {
    for (const path of [
      "/open-items",
      "/receivables",
      "/receivables/summary",
      "/receivables.csv",
    ]) {
      const earlier = await world.rest(`GET ${path}?at=2026-11-19`);
      expect(refusal(earlier)).toBe("409 PAYMENTS_IN_LEDGER");
    }
  });

  it("is in a statement of account through today", async () => {
    const statement = await world.done(`GET /customers/${owing.id}/statement`);
    expect(statement).toMatchObject({
      to: "2026-11-20",
      opening_balance: 0,
      closing_balance: 2250,
      aging: { not_due: 1250, days_1_30: 1000, total: 2250, unapplied: 0 },
    });
    const lines = statement.lines.map(({ date, kind, number, debit, credit }: Json) => {
      return [date, kind, number === null, debit - credit];
    });
    expect(lines).toEqual([
      ["2026-11-02", "invoice", false, 1250],
      ["2026-11-02", "invoice", false, 1250],
      ["2026-11-18", "payment", true, -1250],
      ["2026-11-20", "invoice", false, 1250],
      ["2026-11-20", "payment", true, -250],
    ]);
    expect(statement.lines[2].text).toMatch(/^Betaling: faktura \d+$/);
    const earlier = await world.rest(`GET /customers/${owing.id}/statement?to=2026-11-19`);
    expect(refusal(earlier)).toBe("409 PAYMENTS_IN_LEDGER");
    const sent = await world.done(`POST /customers/${owing.id}/statements`, {});
    expect(sent).toMatchObject({ closing_balance: 2250, send_error: null });
  });

  it("filters invoices, and is in their file", async () => {
    const numbers = async (filter: string) => {
      const { data } = await world.done(`GET ${of(`/invoices?${filter}&`)}`);
      return data.length;
    };
    expect(await numbers("payment_state=open")).toBe(1);
    expect(await numbers("payment_state=partly_paid")).toBe(1);
    expect(await numbers("payment_state=paid")).toBe(1);
    expect(await numbers("payment_state=overpaid")).toBe(0);
    expect(await numbers("overdue=true")).toBe(1);
    expect(await numbers("overdue=false")).toBe(2);
    const file = await world.rest(`GET ${of("/invoices.csv?payment_state=partly_paid&")}`);
    const [head = "", row = ""] = String(file.body).split("\r\n");
    expect(head).toMatch(/,payment_state,document_paid,document_open,paid_on,/);
    expect(row).toMatch(/,partly_paid,250\.00,1000\.00,,/);
  });
});

it("is never written to Dinero", async () => {
  const invoice = await issued();
  await pay(invoice, 100);
  await simulation().control("forget");
  await paymentOf(invoice);
  await world.sql(
    "update ledger_connections set payments_whole_at = clock_timestamp() - interval '2 days'",
  );
  await aWhileLater();
  const calls = await simulation().calls();
  expect(calls).toContain(`GET /v2/270001/invoices/${invoice.id}/payments`);
  expect(calls.filter((call) => !call.startsWith("GET ") && !call.endsWith("/token"))).toEqual([]);
});

describe("an invoice of a connection that the account has left", () => {
  const leave = async (): Promise<void> => {
    await world.sql("update ledger_connections set is_current = false");
    await setKind("builtin");
  };
  const comeBack = async (): Promise<void> => {
    await world.sql("update ledger_connections set is_current = true");
    await setKind("dinero");
  };
  const setKind = (kind: string) =>
    world.sql("update accounts set ledger_kind = $2 where id = $1", [
      world.account.account_id,
      kind,
    ]);
  afterEach(comeBack);

  it("is still asked for there, and is in no report of what is owed here", async () => {
    const invoice = await issued();
    expect(await paymentOf(invoice)).toMatchObject({ state: "open" });
    await pay(invoice, 500);
    await beOlder();
    await leave();
    expect(await paymentOf(invoice)).toMatchObject({
      ...{ source: "ledger", state: "partly_paid", open: 750 },
      as_of: expect.any(String),
    });
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "partly_paid" } });
    await setKind("dinero");
    expect((await world.done("GET /receivables?limit=100")).data).toEqual([]);
  });

  it("is read in the background, too, while something may be owed", async () => {
    const invoice = await issued();
    await paymentOf(invoice);
    await pay(invoice, 1250);
    await leave();
    await aWhileLater();
    expect(await rowOf(invoice)).toMatchObject({ payment: { state: "paid" } });
  });

  it("keeps its last answer where the access has ended", async () => {
    const invoice = await issued();
    const known = await paymentOf(invoice);
    await pay(invoice, 1250);
    await beOlder();
    await leave();
    await world.sql("update ledger_connections set state = 'unauthorized'");
    const later = await paymentOf(invoice);
    await world.sql("update ledger_connections set state = 'connected'");
    const { as_of: _, ...payment } = known;
    expect(later).toMatchObject(payment);
  });
});
