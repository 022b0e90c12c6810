/** Reminders and the bank: open lines that may be payments, statements that are old, and reminders that are paid (spec 13.7). */
import { beforeAll, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useReminders } from "../../../../test/support/world/reminders.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, someone, late, at, settings, preview, remind } = useReminders();

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  await settings({ levels: [{ days_after_due: 3, fee: 100 }] });
  at("2026-03-10");
});

/** Imports a line of a day; returns it. */
async function imported(entry: CamtEntry): Promise<Json> {
  expect((await sendBankFile(world, camt({ entries: [entry] }))).status).toBe(201);
  return (await world.done(`GET /bank-lines?from=${entry.day}&to=${entry.day}`)).data[0];
}

const leftOut = async (customer: Json): Promise<string | null> =>
  (await preview(customer)).rows[0].left_out;

it("leaves out each customer to whom an open line may belong, until the line is decided", async () => {
  const [one, other, third] = [await someone(), await someone(), await someone()];
  await late(one, 1000);
  await late(other, 1000);
  await late(third, 999);
  const line = await imported({ amount: "1250.00", day: "2026-03-02", text: "Thanks" });
  expect(await Promise.all([one, other, third].map(leftOut))).toEqual([
    "UNMATCHED_PAYMENT",
    "UNMATCHED_PAYMENT",
    null,
  ]);
  await world.done("POST /bank-lines/book", { lines: [{ bank_line: line.id, ignore: "Rent" }] });
  expect(await Promise.all([one, other].map(leftOut))).toEqual([null, null]);
});

it("leaves out only the customer whose number a line names", async () => {
  const [one, other] = [await someone(), await someone()];
  const invoice = await late(one, 2000);
  await late(other, 2000);
  const text = `Faktura ${invoice.ledger_invoice_number}`;
  await imported({ amount: "2500.00", day: "2026-03-03", text });
  expect([await leftOut(one), await leftOut(other)]).toEqual(["UNMATCHED_PAYMENT", null]);
});

it("warns while the statements end too long before the day", async () => {
  const customer = await someone();
  const codes = async (date: string): Promise<Json> => {
    const { bank_through, warnings } = await preview(customer, { date });
    return [bank_through, warnings.map(({ code }: Json) => code)];
  };
  await imported({ amount: "1.00", day: "2026-03-05", text: "Interest" });
  const through = (await preview(customer)).bank_through;
  const after = (days: number): string =>
    new Date(Date.parse(`${through}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  at(after(10));
  expect(await codes(after(3))).toEqual([through, []]);
  expect(await codes(after(4))).toEqual([through, ["BANK_NOT_UP_TO_DATE"]]);
  at("2026-03-10");
});

it("warns of a missing reference rate, and charges its interest later", async () => {
  await settings({ interest: "statutory" });
  const customer = await someone();
  await late(customer, 8000);
  const before = await preview(customer);
  expect(before.warnings.map(({ code }: Json) => code)).toContain("REFERENCE_RATE_MISSING");
  expect(before.rows[0].interest).toBe(0);
  await world.done("PUT /reference-rates/2026-01-01", { rate: 2.15 });
  const after = await preview(customer);
  expect(after.warnings.map(({ code }: Json) => code)).not.toContain("REFERENCE_RATE_MISSING");
  expect(after.rows[0].interest).toBe(25.03);
  await settings({ interest: "none" });
});

it("is paid like an invoice, also by its reference on a bank line", async () => {
  const customer = await someone();
  const { id: invoice } = await late(customer, 7000);
  const reminder = await remind(customer);
  const { rf } = reminder.payment_codes;
  const line = await imported({ amount: "100.00", day: "2026-03-09", text: "Fee", reference: rf });
  const listed = await world.done("GET /bank-lines?include=suggestions&from=2026-03-09");
  expect(listed.data[0].suggestions[0]).toMatchObject({
    confidence: "exact",
    reasons: ["reference", "amount"],
    payment: { allocations: [{ reminder: reminder.id, amount: 100 }] },
  });
  at("2026-03-11");
  const run = await world.done("POST /bank-lines/book", {
    lines: [{ bank_line: line.id, accept: true }],
  });
  expect(run.outcomes).toMatchObject([{ state: "booked" }]);
  const cancelled = await world.rest(`POST /reminders/${reminder.id}/cancel`, { reason: "Paid" });
  expect(refusal(cancelled)).toBe("409 REMINDER_PAID");
  // The fee is paid before the invoice, and the invoice by another payment.
  const body = { date: "2026-03-11", amount: 8750, allocations: [{ invoice }] };
  await world.done("POST /payments", { external_id: "rest", ...body });
  const statement = await world.done(`GET /customers/${customer.id}/statement`);
  expect(statement.closing_balance).toBe(0);
  expect(statement.lines.map(({ text }: Json) => text)).toContain(`Reminder ${reminder.number}`);
  expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
});

it("is named by payments and allocations, where it charges something", async () => {
  const customer = await someone();
  const { id: invoice } = await late(customer, 3000);
  const reminder = await remind(customer);
  const body = { date: "2026-03-10", amount: 3850 };
  const parts = [{ invoice }, { reminder: reminder.id, amount: 60 }];
  const paid = { ...body, external_id: "both", allocations: parts, remainder: "customer_credit" };
  const payment = await world.done("POST /payments", paid);
  expect(payment.allocations[1]).toMatchObject({
    debit: { kind: "reminder", id: reminder.id, number: `${reminder.number}` },
    amount: 60,
  });
  const applied = { external_id: "rest-of-fee", payment: payment.id, reminder: reminder.id };
  expect(await world.done("POST /allocations", applied)).toMatchObject({ amount: 40 });
  await settings({ levels: [{ days_after_due: 3 }] });
  const other = await someone();
  await late(other, 100);
  const free = await remind(other);
  const refused = await world.rest("POST /payments", {
    ...body,
    external_id: "none",
    allocations: [{ reminder: free.id }],
  });
  expect(refusal(refused)).toMatch(/^422 VALIDATION_FAILED allocations\[0\]\.reminder unknown/);
});
