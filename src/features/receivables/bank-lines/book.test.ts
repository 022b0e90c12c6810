/** Booking bank lines (spec 13.5): by a suggestion, as payments and refunds, as the return of a payment, or as nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, partCredit, credited } = useSales();

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

let day = 1;

/** Imports lines of a new day; returns them in their order. */
async function imported(...entries: Omit<CamtEntry, "day">[]): Promise<Json[]> {
  day += 1;
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  const { body } = await sendBankFile(
    world,
    camt({ entries: entries.map((one) => ({ ...one, day: date })) }),
  );
  const { data } = await world.done(`GET /bank-lines?from=${date}&to=${date}&limit=100`);
  expect(data).toHaveLength(body.statements[0].new_lines);
  return data.reverse();
}

const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-01-01", ...fields });
const book = (...lines: Json[]): Promise<Json> => world.done("POST /bank-lines/book", { lines });
const paymentOf = (id: string): Promise<Json> => world.done(`GET /payments/${id}`);
const openOf = async ({ id }: Json): Promise<number> =>
  (await world.done(`GET /invoices/${id}/payment`)).open;
const suggested = async ({ id, date }: Json): Promise<Json[]> => {
  const { data } = await world.done(`GET /bank-lines?from=${date}&to=${date}&include=suggestions`);
  return data.find((one: Json) => one.id === id).suggestions;
};

describe("a line that names an invoice", () => {
  it("is suggested exactly, and booked when the suggestion is accepted", async () => {
    const invoice = await owed(12_500);
    const { payment_codes } = await world.done(`GET /invoices/${invoice.id}/payment`);
    const [line] = await imported({ amount: "12500.00", text: "Tak", reference: payment_codes.rf });
    const [best, ...others] = await suggested(line ?? {});
    expect(best).toEqual({
      confidence: "exact",
      reasons: ["reference", "amount"],
      payment: {
        customer: customer.id,
        currency: "DKK",
        amount: 12_500,
        allocations: [{ invoice: invoice.id, amount: 12_500 }],
      },
    });
    expect(others).toEqual([]);
    const run = await book({ bank_line: line?.id, accept: true });
    const [outcome] = run.outcomes;
    expect([run.booked, outcome.state, outcome.code]).toEqual([1, "booked", null]);
    const payment = await paymentOf(outcome.payment_id);
    expect(payment).toMatchObject({ amount: 12_500, date: line?.date, bank_line_id: line?.id });
    expect(await openOf(invoice)).toBe(0);
    const again = await book({ bank_line: line?.id, accept: true });
    expect(again.outcomes).toEqual(run.outcomes);
    const other = await book({ bank_line: line?.id, ignore: "rent" });
    expect(other.outcomes[0].code).toBe("BANK_LINE_BOOKED");
  });

  it("less a credit note that it names, too, applies the credit", async () => {
    const [paid, invoice] = [await owed(1000), await owed(1000)];
    await world.done("POST /payments", {
      external_id: "paid-before",
      date: "2026-01-01",
      amount: 1000,
      allocations: [{ invoice: paid.id }],
    });
    const note = await credited(partCredit(paid, [320], { credit_date: "2026-01-01" }));
    const numbers = `faktura ${invoice.ledger_invoice_number} nr. ${note.ledger_credit_note_number}`;
    const [line] = await imported({ amount: "600.00", text: numbers });
    const [best] = await suggested(line ?? {});
    expect(best?.payment.allocations).toEqual([
      { invoice: invoice.id, credit_note: note.id, amount: 400 },
      { invoice: invoice.id, amount: 600 },
    ]);
    const { payment } = best ?? {};
    const run = await book({ bank_line: line?.id, payment: { allocations: payment.allocations } });
    expect(run.outcomes[0].state).toBe("booked");
    expect(await openOf(invoice)).toBe(0);
  });

  it("leaves an audit event of the credit that it applies, as the match of a credit with its invoice does", async () => {
    const events = () =>
      world.sql(
        `select a.id, e.action, e.payload::jsonb #>> '{after,debit,kind}' as debit, e.payload::jsonb #>> '{after,credit,kind}' as credit
         from audit_events e join allocations a on a.id::text = e.resource_id where e.resource_type = 'allocation'`,
      );
    const expected = { action: "created", debit: "invoice", credit: "credit_note" };
    expect(await events()).toMatchObject([expected]);
    await credited(partCredit(await owed(500), [320], { credit_date: "2026-01-01" }));
    expect(await events()).toMatchObject([expected, expected]);
  });

  it("is not accepted where two fit alike, or nothing does", async () => {
    const [one] = await imported({ amount: "77.77", text: "hello" });
    const run = await book({ bank_line: one?.id, accept: true });
    expect(run.outcomes[0]).toMatchObject({ state: "refused", code: "MATCH_NOT_EXACT" });
  });
});

describe("a line", () => {
  it("has its own day, and another one only where its own is locked", async () => {
    const invoice = await owed(100);
    const [line] = await imported({ amount: "100.00", text: "paid" });
    const payment = { date: "2026-01-28", allocations: [{ invoice: invoice.id }] };
    const moved = await book({ bank_line: line?.id, payment });
    expect(moved.outcomes[0]).toMatchObject({
      state: "refused",
      details: [{ field: "payment.date", code: "not_allowed" }],
    });
    expect(await openOf(invoice)).toBe(100);
  });

  it("with a fee pays more than the bank credits", async () => {
    const invoice = await owed(1000);
    const [line] = await imported({ amount: "985.00", text: "card" });
    const payment = { fee: 15, allocations: [{ invoice: invoice.id }] };
    const run = await book({ bank_line: line?.id, payment });
    expect(await paymentOf(run.outcomes[0].payment_id)).toMatchObject({
      amount: 1000,
      bank_amount: 985,
      fee: 15,
    });
  });

  it("pays a foreign invoice by the instructed amount, or by one that is named", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const [first, second] = [
      await owed(1000, { currency: "EUR" }),
      await owed(1000, { currency: "EUR" }),
    ];
    const [stated, unstated] = await imported(
      { amount: "7455.00", text: "from Berlin", instructed: "EUR 1000.00" },
      { amount: "7450.00", text: "from Munich" },
    );
    const run = await book(
      { bank_line: stated?.id, payment: { allocations: [{ invoice: first.id }] } },
      { bank_line: unstated?.id, payment: { allocations: [{ invoice: second.id }] } },
    );
    expect(run.outcomes[0].state).toBe("booked");
    expect(run.outcomes[1]).toMatchObject({
      state: "refused",
      code: "VALIDATION_FAILED",
      details: [{ field: "amount", code: "required" }],
    });
    const allocations = [{ invoice: second.id }];
    const named = await book({ bank_line: unstated?.id, payment: { amount: 1000, allocations } });
    expect(await paymentOf(named.outcomes[0].payment_id)).toMatchObject({
      currency: "EUR",
      amount: 1000,
      bank_amount: 7450,
      exchange_difference: -10,
    });
  });

  it("of money out refunds a credit, or brings a payment back with the charge of the bank", async () => {
    const kept = { customer: customer.id, remainder: "customer_credit" };
    const [money, back, charged] = await imported(
      { amount: "250.00", text: "too much" },
      { amount: "-250.00", text: "sent back" },
      { amount: "-300.00", text: "charged back" },
    );
    const paid = await book({ bank_line: money?.id, payment: kept });
    const { payment_id } = paid.outcomes[0];
    const refund = { allocations: [{ payment: payment_id }] };
    const given = await book({ bank_line: back?.id, payment: refund });
    expect(await paymentOf(given.outcomes[0].payment_id)).toMatchObject({
      kind: "refund",
      amount: 250,
    });
    await world.done(`POST /payments/${given.outcomes[0].payment_id}/reverse`, {
      reason: "mistake",
    });
    const reopened = await world.done(`GET /bank-lines/${back?.id}`);
    expect([reopened.state, reopened.payment_id]).toEqual(["open", null]);
    const run = await book({ bank_line: charged?.id, reverse: payment_id });
    expect(run.outcomes[0]).toMatchObject({ state: "booked", payment_id });
    const reversed = await paymentOf(payment_id);
    expect(reversed.status).toBe("reversed");
    const first = await world.done(`GET /bank-lines/${money?.id}`);
    expect([first.state, first.payment_id]).toEqual(["booked", payment_id]);
    const again = await book({ bank_line: charged?.id, reverse: payment_id });
    expect(again.outcomes).toEqual(run.outcomes);
  });

  it("brings back two payments in one run with a payment", async () => {
    const [first, second, third] = [await owed(61), await owed(62), await owed(63)];
    const texts = ["61.00", "62.00", "63.00"];
    const lines = await imported(...texts.map((amount) => ({ amount })));
    const line = (amount: number): Json => lines.find((one) => one.amount === amount) ?? {};
    const paying = (amount: number, { id }: Json = {}): Json => ({
      bank_line: line(amount).id,
      payment: { allocations: [{ invoice: id }] },
    });
    const paid = await book(paying(61, first), paying(62, second));
    expect(paid.booked).toBe(2);
    const back = await imported({ amount: "-61.00" }, { amount: "-62.00" });
    const returns = back.map(({ id, amount }) => {
      const at = amount === -61 ? 0 : 1;
      return { bank_line: id, reverse: paid.outcomes[at].payment_id };
    });
    const run = await book(...returns, paying(63, third));
    expect(run.outcomes.map(({ state, code }: Json) => code ?? state)).toEqual([
      ...["booked", "booked", "booked"],
    ]);
    expect(await Promise.all([first, second, third].map(openOf))).toEqual([61, 62, 0]);
  });

  it("is ignored with a reason, and restored", async () => {
    const [rent] = await imported({ amount: "-8000.00", text: "Husleje" });
    const run = await book({ bank_line: rent?.id, ignore: "rent" });
    expect([run.ignored, run.outcomes[0].state]).toEqual([1, "ignored"]);
    expect((await world.done(`GET /bank-lines/${rent?.id}`)).ignored_reason).toBe("rent");
    const blocked = await book({ bank_line: rent?.id, payment: {} });
    expect(blocked.outcomes[0].code).toBe("BANK_LINE_IGNORED");
    const restored = await world.done(`POST /bank-lines/${rent?.id}/restore`);
    expect([restored.state, restored.ignored_reason]).toEqual(["open", null]);
  });
});

describe("a call with several lines", () => {
  it("lets each line see those before it, and a refusal concern its line alone", async () => {
    const invoice = await owed(1000);
    const lines = await imported(
      { amount: "600.00", text: "first" },
      { amount: "600.00", text: "second" },
      { amount: "400.00", text: "third" },
    );
    const pays = { allocations: [{ invoice: invoice.id }] };
    const sent = { lines: lines.map(({ id }) => ({ bank_line: id, payment: pays })) };
    const preview = await world.done("POST /bank-lines/preview", sent);
    expect(preview.outcomes.map(({ state, code }: Json) => code ?? state)).toEqual([
      "booked",
      "PAYMENT_EXCEEDS_OPEN",
      "booked",
    ]);
    expect(preview.outcomes[0].entries[0].postings).toHaveLength(2);
    expect(await openOf(invoice)).toBe(1000);
    const run = await book(...sent.lines);
    expect([run.booked, run.refused, run.remaining]).toEqual([2, 1, 0]);
    expect(run.outcomes[1].details).toEqual({ remainder: 200 });
    expect(await openOf(invoice)).toBe(0);
  });

  it("is booked again after its payment was reversed, as another payment", async () => {
    const [invoice, [line]] = [await owed(60), await imported({ amount: "60.00" })];
    const sent = { bank_line: line?.id, payment: { allocations: [{ invoice: invoice.id }] } };
    const payments: string[] = [];
    for (const _round of [1, 2, 3]) {
      const [outcome] = (await book(sent)).outcomes;
      expect(outcome).toMatchObject({ state: "booked", code: null });
      payments.push(outcome.payment_id);
      await world.done(`POST /payments/${outcome.payment_id}/reverse`, { reason: "wrong" });
    }
    expect(new Set(payments).size).toBe(3);
    const named = { ...sent, payment: { ...sent.payment, external_id: `bank-line:${line?.id}` } };
    expect((await book(named)).outcomes[0].code).toBe("EXTERNAL_ID_CONFLICT");
  });

  it("is refused where a line is named twice, or has two meanings; an unknown line is its outcome", async () => {
    const bank_line = "01990000-0000-7000-8000-000000000000";
    const twice = [
      { bank_line, ignore: "a" },
      { bank_line, ignore: "b" },
    ];
    expect(refusal(await world.rest("POST /bank-lines/book", { lines: twice }))).toContain("422");
    const both = [{ bank_line, ignore: "a", accept: true }];
    expect(refusal(await world.rest("POST /bank-lines/book", { lines: both }))).toContain("422");
    const run = await book({ bank_line, accept: true });
    expect(run.outcomes[0]).toMatchObject({ state: "refused", code: "NOT_FOUND" });
  });
});

it("the books verify after all of it", async () => {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
});
