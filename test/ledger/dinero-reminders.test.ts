/** Reminders of invoices that Dinero booked, by what it reported as left to pay. They charge nothing. Dinero is a simulation. */
import { beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../support/browser/browser.ts";
import { refusal } from "../support/http/refusal.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import { openConsent } from "../support/mcp/consent.ts";
import type { Json } from "../support/world/world.ts";

const { world, simulation, work } = useDineroWorld({ knows_origin: true });
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });

const settings = (fields: Json) => world.done("PATCH /configuration", { reminders: fields });
const FREE = [{ days_after_due: 3 }, { days_after_due: 20 }];
beforeAll(async () => {
  await settings({ levels: FREE });
});

async function someone(name: string): Promise<Json> {
  return world.done("POST /customers", { name, email: "ap@example.com" });
}
/** An invoice of 1,250.00 of 2 November that is due on the 16th; today is the 20th. */
async function issued(customer: Json, fields: Json = {}): Promise<Json> {
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    issue_date: "2026-11-02",
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 1000 }],
    ...fields,
  });
  return world.done(`POST /invoices/${id}/issue`);
}
const pay = (invoice: Json, amount: number) =>
  simulation().control("pay", { guid: invoice.id, amount, date: "2026-11-18" });
async function aWhileLater(): Promise<void> {
  await world.sql(
    "update ledger_items set next_read_at = clock_timestamp() where next_read_at is not null",
  );
  await world.sql("update ledger_connections set next_payments_at = clock_timestamp()");
  await work();
}
const preview = ({ id }: Json): Promise<Json> =>
  world.done("POST /reminder-runs/preview", { customer: id });
const remind = ({ id }: Json, { currency, agreed }: Json): Promise<Json> =>
  world.done("POST /reminder-runs", { rows: [{ customer: id, currency, agreed }] });

describe("a reminder of what Dinero reports", () => {
  it("lists what is left to pay of late invoices, is sent, and books nothing", async () => {
    const customer = await someone("Late ApS");
    const late = await issued(customer);
    const paid = await issued(customer);
    await issued(customer, { issue_date: "2026-11-19" });
    await pay(late, 250);
    await pay(paid, 1250);
    expect((await preview(customer)).rows).toEqual([]);
    await aWhileLater();
    const { rows, bank_through, warnings } = await preview(customer);
    expect(rows).toMatchObject([
      { level: 1, fee: 0, interest: 0, compensation: 0, total: 1000, left_out: null },
    ]);
    expect(rows[0].items).toMatchObject([
      { invoice_id: late.id, due_date: "2026-11-16", open: 1000, days_overdue: 4, counts: true },
    ]);
    expect([bank_through, warnings]).toEqual(["2026-11-20", []]);
    await simulation().control("forget");
    const { outcomes } = await remind(customer, rows[0]);
    expect(outcomes).toMatchObject([{ outcome: "issued", number: null, send_error: null }]);
    const reminder = await world.done(`GET /reminders/${outcomes[0].reminder_id}`);
    expect(reminder).toMatchObject({ status: "issued", entry_no: null, number: null, total: 1000 });
    expect(await simulation().calls()).toEqual([]);
    expect((await preview(customer)).rows).toEqual([]);
  });

  it("is another one when Dinero has reported a payment meanwhile", async () => {
    const customer = await someone("Meanwhile ApS");
    const invoice = await issued(customer);
    await aWhileLater();
    const [row] = (await preview(customer)).rows;
    await pay(invoice, 1250);
    await aWhileLater();
    const { outcomes } = await remind(customer, row);
    expect(outcomes).toMatchObject([{ outcome: "refused", code: "CHANGED_MEANWHILE" }]);
  });

  it("that charges something is refused, and stores nothing", async () => {
    const customer = await someone("Charged ApS");
    await issued(customer);
    await aWhileLater();
    await settings({ levels: [{ days_after_due: 3, fee: 100 }] });
    const [row] = (await preview(customer)).rows;
    expect(row).toMatchObject({ fee: 100, total: 1350 });
    const { outcomes } = await remind(customer, row);
    expect(outcomes).toMatchObject([{ outcome: "refused", code: "PAYMENTS_IN_LEDGER" }]);
    await settings({ levels: FREE });
    expect((await world.done(`GET /reminders?customer=${customer.id}`)).data).toEqual([]);
  });

  it("is left out on hold, and where the customer has paid too much", async () => {
    const customer = await someone("Held ApS");
    const invoice = await issued(customer);
    const other = await issued(customer);
    await pay(other, 2600);
    await aWhileLater();
    expect((await preview(customer)).rows).toMatchObject([{ left_out: "COVERED_BY_CREDIT" }]);
    const hold = { until: "2026-12-01", reason: "Paid soon" };
    await world.done(`PUT /invoices/${invoice.id}/reminder-hold`, hold);
    expect((await preview(customer)).rows).toMatchObject([{ left_out: "ON_HOLD" }]);
    const { reminders } = await world.done(`GET /invoices/${invoice.id}/payment`);
    expect(reminders).toMatchObject({ hold_until: "2026-12-01" });
  });

  it("warns where the answer of Dinero is too old", async () => {
    const customer = await someone("Old ApS");
    await issued(customer);
    await aWhileLater();
    await world.sql(`update ledger_items set read_at = read_at - interval '5 days 1 hour'`);
    await world.sql(`update ledger_connections set payments_read_at = payments_read_at - interval '5 days 1 hour',
      payments_whole_at = payments_whole_at - interval '5 days 1 hour'`);
    const { bank_through, warnings } = await preview(customer);
    expect(bank_through).toBe("2026-11-15");
    const message = "Dinero was last read on 2026-11-15: what was paid since is not known.";
    expect(warnings).toEqual([{ code: "BANK_NOT_UP_TO_DATE", message }]);
    const admin = await openConsent(world).signedInAdmin();
    const page = await admin.get("/reminders");
    expect(textOf(page)).toContain("Dinero was last read on 15 Nov 2026. What was paid since");
    expect(page.html).toContain('href="/ledger/connection"');
    expect(textOf(page)).not.toContain("bank statement");
    const danish = await admin.get("/reminders", { "accept-language": "da" });
    expect(textOf(danish)).toContain("Dinero er senest læst 15. nov. 2026.");
  });

  it("lists no document of a connection that the account has left", async () => {
    const customer = await someone("Left ApS");
    await issued(customer);
    await aWhileLater();
    expect((await preview(customer)).rows).toHaveLength(1);
    await world.sql("update ledger_connections set is_current = false");
    expect((await preview(customer)).rows).toEqual([]);
    await world.sql("update ledger_connections set is_current = true");
  });

  it("has no letter for a past day that was not late then", async () => {
    const customer = await someone("Past ApS");
    await issued(customer);
    await aWhileLater();
    const body = { customer: customer.id, date: "2026-11-18" };
    expect((await world.done("POST /reminder-runs/preview", body)).rows).toEqual([]);
    const later = await world.rest("POST /reminder-runs/preview", { ...body, date: "2026-11-21" });
    expect(refusal(later)).toMatch(/^422 VALIDATION_FAILED date too_large/);
  });
});
