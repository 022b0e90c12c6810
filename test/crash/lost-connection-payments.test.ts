/**
 * The database connection is lost at each statement of importing a bank file, of booking its line, and of reversing the payment, one
 * after the other, before the server receives the statement and after it has run it. Nothing is stored in part, and the same call
 * again answers as if the first had succeeded.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { sendBankFile } from "../support/bank/send-file.ts";
import { useFragileWorld } from "../support/database/fragile-world.ts";
import { invoiceOf, type Json } from "../support/world/world.ts";

const fragile = useFragileWorld();
const { world } = fragile;
let invoice: Json;
let bank: string;
beforeAll(async () => {
  const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
  const { id: product_id } = await world.done("POST /products", { name: "Consulting" });
  [{ id: bank }] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank}`, { iban: DANISH_IBAN });
  const lines = [{ product_id, recognition_method: "value", agreed_value: 8000 }];
  const draft = { customer_id, lines, auto_send: false, issue_date: "2026-03-01" };
  const { id } = await world.done("POST /invoices", draft);
  invoice = invoiceOf(await world.done(`POST /invoices/${id}/issue`));
});

let count = 0;

/** An open line of 10.00. */
async function openLine(): Promise<Json> {
  count += 1;
  const text = `line ${count}.`;
  await sendBankFile(world, camt({ entries: [{ day: "2026-03-02", amount: "10.00", text }] }));
  const { data } = await world.done(`GET /bank-lines?state=open&search=${encodeURI(text)}`);
  return data[0];
}

const asPayment = ({ id }: Json): Json => ({
  lines: [{ bank_line: id, payment: { allocations: [{ invoice: invoice.id }] } }],
});

const openOfInvoice = async (): Promise<number> =>
  (await world.done(`GET /invoices/${invoice.id}/payment`)).open;

/** How many rows of each kind exist for a line and its payment. */
async function traces(line: string): Promise<Json> {
  const [row] = await world.sql(
    `with paid as (select * from payments where bank_line_id = $1)
     select (select state from bank_lines where id = $1) as state,
       (select count(*)::int from paid) as payments,
       (select count(*)::int from paid where reversed_on is not null) as reversed,
       (select count(*)::int from open_items where id in (select id from paid)) as items,
       (select count(*)::int from allocations where credit_id in (select id from paid) and reversed_on is null) as allocations,
       (select count(*)::int from ledger_entries
        where guid in (select id from paid) or reverses_guid in (select id from paid)) as entries,
       (select count(*)::int from audit_events where resource_id in (select id::text from paid)) as events`,
    [line],
  );
  return row ?? {};
}

const NOTHING = {
  state: "open",
  payments: 0,
  reversed: 0,
  items: 0,
  allocations: 0,
  entries: 0,
  events: 0,
};
const BOOKED = {
  state: "booked",
  payments: 1,
  reversed: 0,
  items: 1,
  allocations: 1,
  entries: 1,
  events: 1,
};
const REVERSED = { ...BOOKED, state: "open", reversed: 1, allocations: 0, entries: 2, events: 2 };

async function expectRightBooks(): Promise<void> {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
}

describe.each(["before", "after"] as const)("a connection lost %s a statement", (moment) => {
  it("of booking a line leaves all changes or none", async () => {
    const seen = new Set<string>();
    const before = await openOfInvoice();
    let booked = 0;
    const book = (line: Json) => fragile.post("/bank-lines/book", asPayment(line));
    for await (const lost of fragile.lostAtEveryStatement(moment, openLine, book)) {
      const { target: line, statement, status } = lost;
      const { state, ...found } = await traces(line.id);
      const expected = state === "open" ? NOTHING : BOOKED;
      expect({ statement, state, ...found }).toEqual({ statement, ...expected });
      seen.add(`${state} ${status}`);
      const again = await world.done("POST /bank-lines/book", asPayment(line));
      expect(again.booked).toBe(1);
      expect(await traces(line.id)).toEqual(BOOKED);
      booked += 1;
    }
    expect(booked).toBeGreaterThan(10);
    expect(seen).toContain("open 500");
    expect(seen.has("booked 500")).toBe(moment === "after");
    expect(seen).not.toContain("open 200");
    // The last one lost no connection.
    expect(await openOfInvoice()).toBe(before - 10 * (booked + 1));
    await expectRightBooks();
  });

  it("of reversing a payment leaves all changes or none", async () => {
    const seen = new Set<string>();
    const before = await openOfInvoice();
    const bookedLine = async (): Promise<Json> => {
      const line = await openLine();
      const run = await world.done("POST /bank-lines/book", asPayment(line));
      return { id: line.id, payment_id: run.outcomes[0].payment_id };
    };
    const reverse = ({ payment_id }: Json) =>
      fragile.post(`/payments/${payment_id}/reverse`, { reason: "came back" });
    for await (const lost of fragile.lostAtEveryStatement(moment, bookedLine, reverse)) {
      const { target, statement, status } = lost;
      const { state, ...found } = await traces(target.id);
      const expected = state === "booked" ? BOOKED : REVERSED;
      expect({ statement, state, ...found }).toEqual({ statement, ...expected });
      seen.add(`${state} ${status}`);
      const again = await world.rest(`POST /payments/${target.payment_id}/reverse`, {
        reason: "came back",
      });
      expect(again.status).toBe(state === "booked" ? 200 : 409);
      expect(await traces(target.id)).toEqual(REVERSED);
    }
    expect(seen).toContain("booked 500");
    expect(seen.has("open 500")).toBe(moment === "after");
    expect(seen).not.toContain("booked 200");
    expect(await openOfInvoice()).toBe(before);
    await expectRightBooks();
  });
});
