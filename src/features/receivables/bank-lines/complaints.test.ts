/**
 * What users of other systems complain about (each test names the report), in one account: a past day that changes, a paid foreign
 * invoice that stays open, an import that pays twice, the wrong one of two equal amounts, a batch entry, and a payment less a fee.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, fullCredit, credited } = useSales();
const other = world.made("POST /customers", { name: "Nordlys ApS" });

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.46 });
});

let count = 0;
const pay = (amount: number, fields: Json = {}): Promise<Json> => {
  count += 1;
  const body = { external_id: `pay-${count}`, date: "2026-03-05", amount, ...fields };
  return world.done("POST /payments", body);
};
const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-03-02", ...fields });
const stateOf = (invoice: Json): Promise<Json> => world.done(`GET /invoices/${invoice.id}/payment`);
const send = (entries: readonly CamtEntry[]) => sendBankFile(world, camt({ entries }));
const linesOf = async (day: string): Promise<Json[]> =>
  (await world.done(`GET /bank-lines?from=${day}&to=${day}&include=suggestions&limit=100`)).data;
const book = (...lines: Json[]): Promise<Json> => world.done("POST /bank-lines/book", { lines });
const openItem = async ({ id }: Json): Promise<Json | undefined> => {
  const { data } = await world.done("GET /open-items?limit=100");
  return data.find((item: Json) => item.document_id === id);
};

describe("a paid foreign invoice", () => {
  it("does not stay open by its exchange difference (ERPNext #34676, #35301)", async () => {
    const invoice = await owed(1000, { currency: "EUR", customer_id: other.id });
    expect(await openItem(invoice)).toMatchObject({ open: 1000, functional_open: 7460 });
    const payment = await pay(1000, { bank_amount: 7400, allocations: [{ invoice: invoice.id }] });
    expect(payment.exchange_difference).toBe(-60);
    expect(await stateOf(invoice)).toMatchObject({ state: "paid", open: 0 });
    expect(await openItem(invoice)).toBeUndefined();
    const { data } = await world.done(`GET /receivables?customer=${other.id}`);
    expect(data).toEqual([]);
    const { ledger } = await world.done("GET /receivables/summary");
    expect(ledger.map(({ difference }: Json) => difference)).toEqual([0, 0]);
  });
});

describe("a file of a bank", () => {
  it("that comes twice, and a booking that is sent twice, pay once (ERPNext #54388)", async () => {
    const invoice = await owed(1250);
    const text = `Faktura ${invoice.ledger_invoice_number}`;
    const entries = [{ day: "2026-03-03", amount: "1250.00", text, bank_reference: "B1" }];
    const first = await send(entries);
    const again = await send(entries);
    const longer = await send([
      ...entries,
      { day: "2026-03-04", amount: "1.00", text: "interest" },
    ]);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(longer.body.statements[0]).toMatchObject({ new_lines: 1, known_lines: 1 });
    const [line, ...rest] = await linesOf("2026-03-03");
    expect(rest).toEqual([]);
    const sent = { bank_line: line?.id, accept: true };
    const runs = [await book(sent), await book(sent)];
    expect(runs.map(({ outcomes }) => outcomes[0].state)).toEqual(["booked", "booked"]);
    const { data } = await world.done(`GET /payments?invoice=${invoice.id}`);
    expect(data.map(({ amount }: Json) => amount)).toEqual([1250]);
    expect(await stateOf(invoice)).toMatchObject({ state: "paid", paid: 1250 });
  });

  it("with an amount that two invoices have is matched with neither, and by its number with the right one (Odoo #9177)", async () => {
    const [one, two] = [await owed(640), await owed(640, { customer_id: other.id })];
    const named = `Faktura ${two.ledger_invoice_number}`;
    await send([
      { day: "2026-03-06", amount: "640.00", text: "Overførsel", bank_reference: "C1" },
      { day: "2026-03-07", amount: "640.00", text: named, bank_reference: "C2" },
    ]);
    const [unnamed] = await linesOf("2026-03-06");
    const best = unnamed?.suggestions.map(({ confidence }: Json) => confidence);
    expect(best).toEqual(["possible", "possible"]);
    const refused = await book({ bank_line: unnamed?.id, accept: true });
    expect(refused.outcomes[0].code).toBe("MATCH_NOT_EXACT");
    const [line] = await linesOf("2026-03-07");
    expect(line?.suggestions[0]).toMatchObject({
      confidence: "exact",
      payment: { customer: other.id },
    });
    await book({ bank_line: line?.id, accept: true });
    expect([(await stateOf(one)).open, (await stateOf(two)).open]).toEqual([640, 0]);
  });

  it("has each part of a batch entry with its own amount (OCA bank-statement-import #157)", async () => {
    const [one, two] = [await owed(300), await owed(200, { customer_id: other.id })];
    const parts = [
      { amount: "300.00", counterparty: "Acme A/S" },
      { amount: "200.00", counterparty: "Nordlys ApS" },
    ];
    await send([{ day: "2026-03-08", amount: "500.00", text: "Samlet", parts }]);
    const lines = await linesOf("2026-03-08");
    const found = new Map(
      lines.map(({ counterparty, amount, id }) => [counterparty.name, { amount, id }]),
    );
    expect([found.get("Acme A/S")?.amount, found.get("Nordlys ApS")?.amount]).toEqual([300, 200]);
    const run = await book(
      { bank_line: found.get("Acme A/S")?.id, payment: { allocations: [{ invoice: one.id }] } },
      { bank_line: found.get("Nordlys ApS")?.id, payment: { allocations: [{ invoice: two.id }] } },
    );
    expect(run).toMatchObject({ booked: 2, refused: 0 });
    expect([(await stateOf(one)).state, (await stateOf(two)).state]).toEqual(["paid", "paid"]);
  });

  it("may bring a full payment less a fee: the invoice is paid (OCA account-reconcile #500)", async () => {
    const invoice = await owed(1000);
    await send([{ day: "2026-03-09", amount: "985.00", text: "Kort" }]);
    const [line] = await linesOf("2026-03-09");
    const payment = { fee: 15, allocations: [{ invoice: invoice.id }] };
    const run = await book({ bank_line: line?.id, payment });
    expect(await stateOf(invoice)).toMatchObject({ state: "paid", paid: 1000, open: 0 });
    const booked = await world.done(`GET /payments/${run.outcomes[0].payment_id}`);
    expect([booked.amount, booked.bank_amount, booked.fee]).toEqual([1000, 985, 15]);
  });
});

describe("a past day", () => {
  it("does not change when something is applied, reversed or refunded later (OCA account-financial-reporting #707, Odoo #16016)", async () => {
    const invoice = await owed(1000);
    const foreign = await owed(500, { currency: "EUR" });
    const waiting = { customer: customer.id, remainder: "customer_credit" };
    const money = await pay(1200, waiting);
    const euro = await pay(300, { ...waiting, currency: "EUR", bank_amount: 2200 });
    const paid = await owed(800);
    const settled = await pay(800, { allocations: [{ invoice: paid.id }] });
    const note = await credited(fullCredit(paid, { credit_date: "2026-03-08" }));
    world.clock.set("2026-04-10T08:00:00Z");
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-31" });

    const before = await readsOf([invoice, foreign, paid]);
    const applied = await world.done("POST /allocations", {
      external_id: "later",
      payment: money.id,
      invoice: invoice.id,
    });
    expect(applied.date).toBe("2026-04-01");
    await world.done("POST /allocations", {
      external_id: "later-euro",
      payment: euro.id,
      invoice: foreign.id,
      date: "2026-04-05",
    });
    await pay(800, {
      kind: "refund",
      date: "2026-04-06",
      allocations: [{ credit_note: note.id }],
    });
    await world.done(`POST /payments/${settled.id}/reverse`, { reason: "came back" });
    await world.done(`POST /allocations/${applied.id}/reverse`, { reason: "the other invoice" });
    expect(await readsOf([invoice, foreign, paid])).toEqual(before);
  });

  /** What reports show at the end of days of March. */
  async function readsOf(invoices: readonly Json[]): Promise<Record<string, Json>> {
    const shown: Record<string, Json> = {};
    for (const day of ["2026-03-02", "2026-03-05", "2026-03-08", "2026-03-20", "2026-03-31"]) {
      const paths = [
        `/receivables?at=${day}`,
        `/receivables/summary?at=${day}`,
        `/open-items?at=${day}&state=all&limit=100`,
        `/customers/${customer.id}/statement?from=2026-01-01&to=${day}`,
        `/ledger/trial-balance?to=${day}`,
        ...invoices.map(({ id }) => `/invoices/${id}/payment?at=${day}`),
      ];
      for (const path of paths) {
        const reply = await world.rest(`GET ${path}`);
        shown[path] = reply.status === 200 ? reply.body : { code: reply.body.error.code };
      }
    }
    return shown;
  }
});
