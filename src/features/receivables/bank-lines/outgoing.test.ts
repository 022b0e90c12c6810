/** Bank lines of money out (spec 13.5): refunds of credits and returned payments, as they are suggested and accepted. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, issued, partCredit, credited } = useSales();
/** The account from which the customer pays. */
const ACME = "DE89370400440532013000";
const OTHER = "GB82WEST12345698765432";

let bank: Json;
beforeAll(async () => {
  [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

let day = 1;

/** Imports a line of a new day; returns it with its suggestions. */
async function imported(entry: Omit<CamtEntry, "day">): Promise<Json> {
  day += 1;
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  await sendBankFile(world, camt({ entries: [{ counterparty: "Payer", ...entry, day: date }] }));
  return again({ date });
}

const again = async ({ date }: Json): Promise<Json> =>
  (await world.done(`GET /bank-lines?from=${date}&to=${date}&include=suggestions`)).data[0];

const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-01-01", ...fields });
const book = (...lines: Json[]): Promise<Json> => world.done("POST /bank-lines/book", { lines });
const openOf = async ({ id }: Json): Promise<number> =>
  (await world.done(`GET /invoices/${id}/payment`)).open;

/** A payment of a new invoice that came by a line. */
async function paid(amount: number, entry: Omit<CamtEntry, "day" | "amount"> = {}) {
  const invoice = await owed(amount);
  const line = await imported({ amount: amount.toFixed(2), counterparty_iban: ACME, ...entry });
  const run = await book({
    bank_line: line.id,
    payment: { allocations: [{ invoice: invoice.id }] },
  });
  return { invoice, line, payment_id: run.outcomes[0].payment_id };
}

/** An open credit note of a paid invoice, with its number. */
async function held(gross: number, fields: Json = {}) {
  const { invoice } = await paid(gross * 2);
  const credit_date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  const note = await credited(partCredit(invoice, [gross / 1.25], { credit_date, ...fields }));
  const { ledger_credit_note_number: number } = await world.done(`GET /credit-notes/${note.id}`);
  return { id: note.id, number };
}

describe("a refund", () => {
  it("is exact by the number of a credit note and what is open of it, and is booked when accepted", async () => {
    const note = await held(400);
    const line = await imported({ amount: "-400.00", text: `Kreditnota nr. ${note.number}` });
    const allocations = [{ credit_note: note.id, amount: 400 }];
    expect(line.suggestions[0]).toEqual({
      confidence: "exact",
      reasons: ["number", "amount"],
      payment: { customer: customer.id, currency: "DKK", amount: 400, allocations },
    });
    const sent = { bank_line: line.id, accept: true };
    const { outcomes } = await world.done("POST /bank-lines/preview", { lines: [sent] });
    const [{ entries }] = outcomes;
    expect(
      entries[0].postings.map(({ account_number, amount }: Json) => [account_number, amount]),
    ).toEqual([
      [6480, -400],
      [6190, 400],
    ]);
    const run = await book(sent);
    const { payment_id } = run.outcomes[0];
    expect(await world.done(`GET /payments/${payment_id}`)).toMatchObject({
      ...{ kind: "refund", amount: 400, date: line.date, bank_line_id: line.id },
      allocations: [{ credit: { kind: "credit_note", id: note.id } }],
    });
    expect((await book(sent)).outcomes).toEqual(run.outcomes);
  });

  it("of two credits is exact by both numbers, and their sum", async () => {
    const [one, two] = [await held(110), await held(115)];
    const text = `nr. ${one.number} og nr. ${two.number}`;
    const line = await imported({ amount: "-225.00", text });
    expect(line.suggestions[0].confidence).toBe("exact");
    const run = await book({ bank_line: line.id, accept: true });
    const refund = await world.done(`GET /payments/${run.outcomes[0].payment_id}`);
    expect(refund.allocations.map(({ amount }: Json) => amount).sort()).toEqual([110, 115]);
  });

  it("of a payment's rest is exact by the payment's number", async () => {
    const payment = await world.done("POST /payments", {
      ...{ external_id: "rest", date: "2026-01-02", amount: 77, customer: customer.id },
      remainder: "customer_credit",
    });
    const line = await imported({ amount: "-77.00", text: `Refund, nr. ${payment.number}` });
    expect(line.suggestions[0]).toMatchObject({
      confidence: "exact",
      payment: { allocations: [{ payment: payment.id, amount: 77 }] },
    });
    const run = await book({ bank_line: line.id, accept: true });
    expect(run.booked).toBe(1);
    expect((await world.done(`GET /payments/${payment.id}`)).unallocated).toBe(0);
    // What is refunded does not come back a second time.
    const later = await imported({ amount: "-77.00" });
    expect(later.suggestions).toEqual([]);
  });

  it("of a foreign credit is exact by what was instructed", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    const opening = await world.done("POST /opening-items", {
      ...{ external_id: "euro", number: "OLD-9001", customer: customer.id, amount: 90 },
      ...{ currency: "EUR", date: "2026-01-01", due_date: "2026-01-01", counter_account: 6950 },
      is_credit: true,
    });
    const line = await imported({ amount: "-672.00", text: "Rest", instructed: "EUR 90.00" });
    expect(line.suggestions[0]).toMatchObject({
      confidence: "possible",
      payment: { currency: "EUR", amount: 90, allocations: [{ opening: opening.id, amount: 90 }] },
    });
    const { payment } = line.suggestions[0];
    const run = await book({ bank_line: line.id, payment });
    const { payment_id } = run.outcomes[0];
    expect(await world.done(`GET /payments/${payment_id}`)).toMatchObject({
      ...{ currency: "EUR", amount: 90, bank_amount: 672, exchange_difference: -0.6 },
    });
  });

  it("is refused where a line before it has given the credit back", async () => {
    const note = await held(120);
    const text = `nr. ${note.number}`;
    const lines = [
      await imported({ amount: "-120.00", text }),
      await imported({ amount: "-120.00", text }),
    ];
    const run = await book(...lines.map(({ id }) => ({ bank_line: id, accept: true })));
    expect(run.outcomes.map(({ state, code }: Json) => code ?? state)).toEqual([
      "booked",
      "CREDIT_EXCEEDS_OPEN",
    ]);
    const later = await book({ bank_line: lines[1]?.id, accept: true });
    expect(later.outcomes[0].code).toBe("MATCH_NOT_EXACT");
  });
});

describe("a payment that came back", () => {
  it("is exact by its own id, its account and its amount, and is reversed when accepted", async () => {
    const { invoice, payment_id } = await paid(630, { end_to_end_id: "E2E-630" });
    const back = { end_to_end_id: "E2E-630", counterparty_iban: ACME };
    const line = await imported({ amount: "-630.00", text: "Returned", ...back });
    expect(line.suggestions).toEqual([
      {
        confidence: "exact",
        reasons: ["reference", "counterparty", "amount"],
        ...{ payment: null, reverse: payment_id, fee: 0 },
      },
    ]);
    const sent = { bank_line: line.id, accept: true };
    const { outcomes } = await world.done("POST /bank-lines/preview", { lines: [sent] });
    expect(outcomes[0].entries[0].postings).toHaveLength(2);
    expect(await openOf(invoice)).toBe(0);
    const run = await book(sent);
    expect(run.outcomes[0]).toMatchObject({ state: "booked", payment_id });
    expect(await world.done(`GET /payments/${payment_id}`)).toMatchObject({
      ...{ status: "reversed", reversed_on: line.date, reversal_reason: "Returned" },
    });
    expect(await openOf(invoice)).toBe(630);
    expect((await book(sent)).outcomes).toEqual(run.outcomes);
    expect((await imported({ amount: "-630.00", ...back })).suggestions).toEqual([]);
  });

  it("is exact by the reference with which it was paid", async () => {
    const { payment_id } = await paid(640, { reference: "RF18539007547034" });
    const reference = "RF18 5390 0754 7034";
    const line = await imported({ amount: "-640.00", text: reference, counterparty_iban: ACME });
    expect(line.suggestions[0]).toMatchObject({ confidence: "exact", reverse: payment_id });
  });

  it("is refused on a line of another bank account, where the reversal is not posted", async () => {
    const { invoice, payment_id } = await paid(645);
    const savings = { external_id: "savings", name: "Savings", ledger_account: 6490, iban: OTHER };
    await world.done("POST /bank-accounts", savings);
    const entry = { amount: "-645.00", text: "Returned", counterparty: "Payer" };
    day += 1;
    const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
    await sendBankFile(world, camt({ iban: OTHER, entries: [{ ...entry, day: date }] }));
    const line = await again({ date });
    const { outcomes } = await book({ bank_line: line.id, reverse: payment_id });
    expect(outcomes[0]).toMatchObject({
      ...{ state: "refused", code: "VALIDATION_FAILED" },
      details: [{ field: "reverse", code: "invalid_value" }],
    });
    expect(await openOf(invoice)).toBe(0);
  });

  it("is likely with a charge of the bank, which is its fee", async () => {
    const { invoice, payment_id } = await paid(650, { end_to_end_id: "E2E-650" });
    const line = await imported({ amount: "-700.00", end_to_end_id: "E2E-650" });
    expect(line.suggestions).toEqual([
      {
        ...{ confidence: "likely", reasons: ["reference"] },
        ...{ payment: null, reverse: payment_id, fee: 50 },
      },
    ]);
    const accepted = await book({ bank_line: line.id, accept: true });
    expect(accepted.outcomes[0].code).toBe("MATCH_NOT_EXACT");
    const { reverse } = line.suggestions[0];
    expect((await book({ bank_line: line.id, reverse })).booked).toBe(1);
    const reversed = await world.done(`GET /payments/${payment_id}`);
    const charged = await world.sql(
      "select amount from ledger_postings where account_id = $1 and entry_no = $2 and account_number = 2390",
      [world.account.account_id, reversed.entry_nos.at(-1)],
    );
    expect(charged.map(({ amount }) => Number(amount))).toEqual([50_00]);
    expect(await openOf(invoice)).toBe(650);
  });

  it("is not exact where two payments have one id and amount", async () => {
    const entry = { end_to_end_id: "MONTHLY" };
    const both = [await paid(660, entry), await paid(660, entry)];
    const line = await imported({ amount: "-660.00", counterparty_iban: ACME, ...entry });
    expect(line.suggestions.map(({ confidence, reverse }: Json) => [confidence, reverse])).toEqual(
      both.reverse().map(({ payment_id }) => ["likely", payment_id]),
    );
    const run = await book({ bank_line: line.id, accept: true });
    expect(run.outcomes[0].code).toBe("MATCH_NOT_EXACT");
  });

  it("is no line to another account, of another bank account, or of a day before", async () => {
    await paid(670, { end_to_end_id: "E2E-670" });
    const entry = { amount: "-670.00", end_to_end_id: "E2E-670" };
    const elsewhere = await imported({ ...entry, counterparty_iban: OTHER });
    expect(elsewhere.suggestions[0].confidence).toBe("possible");
    const charged = await imported({ ...entry, amount: "-680.00", counterparty_iban: OTHER });
    expect(charged.suggestions).toEqual([]);
    await world.done("POST /bank-accounts", {
      ...{ name: "Second", ledger_account: 6481, iban: OTHER, currency: "DKK" },
    });
    const second = { entries: [{ ...entry, day: "2026-02-27" }], iban: OTHER };
    await sendBankFile(world, camt(second));
    expect((await again({ date: "2026-02-27" })).suggestions).toEqual([]);
  });
});

it("the books verify after all of it", async () => {
  const found = await world.done("GET /ledger/verification?fresh=true");
  expect(found.checks.filter(({ ok }: Json) => !ok)).toEqual([]);
});
