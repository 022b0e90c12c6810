/** The pages of reminders: the letters of the day, sending them as shown, and a reminder with its cancellation. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useReminders } from "../../../test/support/world/reminders.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, someone, late, at, settings, remind } = useReminders({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  at("2026-03-10");
  await settings({ levels: [{ days_after_due: 3, fee: 100 }] });
});

/** A customer with one overdue invoice of 1,250.00. */
async function owing(name: string, fields: Json = {}): Promise<Json> {
  const customer = await someone({ name, ...fields });
  return { customer, invoice: await late(customer, 1000) };
}

const remindersOf = async ({ id }: Json): Promise<Json[]> =>
  (await world.done(`GET /reminders?customer=${id}`)).data;

describe("the page of reminders", () => {
  it("lists the letters with what they add, and who is left out and why", async () => {
    const { customer } = await owing("Aarup Vin");
    const { customer: held, invoice } = await owing("Birkely");
    await world.done(`PUT /invoices/${invoice.id}/reminder-hold`, {
      until: "2026-03-31",
      reason: "They complain",
    });
    const page = await admin.get("/reminders");
    const text = textOf(page);
    for (const part of [
      "1 reminder is due today, with DKK 100.00 in fees.",
      "Aarup Vin",
      "No. 1",
      "1 invoice, 9 days late",
      "1,350.00",
      "Send 1 reminder, DKK 100.00 in fees",
      "The invoices are on hold.",
      "No bank statement was brought in.",
    ]) {
      expect(text).toContain(part);
    }
    expect(page.html).toContain(`href="/reminders/send?customer=${customer.id}"`);
    expect(page.html).toContain(`href="/customers/${held.id}"`);
    expect(page.html).toContain('href="/settings/reminders"');
    await remind(customer);
  });

  it("is in Danish for a person who reads Danish", async () => {
    const { customer } = await owing("Cykelhuset");
    const text = textOf(await admin.get("/reminders", { "accept-language": "da" }));
    expect(text).toContain("1 rykker skal sendes i dag, med 100,00 kr. i gebyrer.");
    await remind(customer);
  });

  it("does not exist for a standard user", async () => {
    for (const path of ["/reminders", "/reminders/send"]) {
      expect((await standard.get(path)).status).toBe(404);
    }
  });
});

describe("sending reminders", () => {
  it("shows the letter with its invoices, and sends it once", async () => {
    const { customer, invoice } = await owing("Dahl Byg");
    const path = `/reminders/send?customer=${customer.id}`;
    const page = await admin.get(path);
    expect(page.html).toContain(`href="/invoices/${invoice.id}"`);
    expect(textOf(page)).toContain(customer.email);
    expect(textOf(page)).toContain(`Invoice ${invoice.ledger_invoice_number}`);
    expect(textOf(page)).toContain("Fees, interest and compensation are booked today.");
    expect(textOf(page)).toContain("letters are written to files and reach no customer.");
    const done = await admin.submit(page, "/reminders/send", {});
    expect([done.status, done.location]).toEqual([303, "/reminders"]);
    expect((await admin.submit(page, "/reminders/send", {})).status).toBe(303);
    expect(await remindersOf(customer)).toMatchObject([{ fee: 100, total: 1350 }]);
    expect((await admin.get(path)).location).toBe("/reminders");
  });

  it("sends no other letter than was shown, and shows the new one", async () => {
    const { customer } = await owing("Egeskov");
    const page = await admin.get(`/reminders/send?customer=${customer.id}`);
    await late(customer, 100);
    const refused = await admin.submit(page, "/reminders/send", {});
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Something has changed since the letters were shown.");
    expect(textOf(refused)).toContain("1,475.00");
    expect(await remindersOf(customer)).toEqual([]);
    await admin.submit(refused, "/reminders/send", {});
    expect(await remindersOf(customer)).toMatchObject([{ total: 1475 }]);
  });

  it("says why a letter cannot be booked", async () => {
    const { customer } = await owing("Fjordens Fisk");
    const page = await admin.get(`/reminders/send?customer=${customer.id}`);
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    const refused = await admin.submit(page, "/reminders/send", {});
    await world.done("PATCH /configuration", { period_lock_date: null });
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Fjordens Fisk: ");
    expect(await remindersOf(customer)).toEqual([]);
    await remind(customer);
  });
});

describe("the hold of an invoice", () => {
  it("is set and ended on its page, which says how it was reminded of", async () => {
    const { invoice } = await owing("Jernbanens Kiosk");
    const path = `/invoices/${invoice.id}/reminder-hold`;
    const shown = async () => textOf(await admin.get(`/invoices/${invoice.id}`));
    expect(await shown()).toContain("No reminder was sent.");
    const page = await admin.get(path);
    const past = await admin.submit(page, path, { until: "2026-03-09", reason: "They complain" });
    expect(past.status).toBe(422);
    expect(past.html).toContain("They complain");
    const held = await admin.submit(page, path, { until: "2026-03-31", reason: "They complain" });
    expect(held.location).toBe(`/invoices/${invoice.id}`);
    expect(await shown()).toContain("On hold through 31 Mar 2026");
    expect(textOf(await admin.get("/reminders"))).toContain("Jernbanens Kiosk");
    const again = await admin.get(`/invoices/${invoice.id}`);
    await admin.submit(again, `${path}/end`, {});
    expect(await shown()).not.toContain("On hold");
    await remind({ id: invoice.customer_id });
    expect(await shown()).toContain("Reminder no. 1 on 10 Mar 2026");
    expect((await standard.get(path)).status).toBe(404);
  });
});

describe("the page of a reminder", () => {
  it("shows what it lists and charged, its PDF and its delivery", async () => {
    const { customer, invoice } = await owing("Grøn Energi");
    const reminder = await remind(customer);
    const page = await admin.get(`/reminders/${reminder.id}`);
    const text = textOf(page);
    for (const part of [
      `Reminder ${reminder.number}`,
      "Grøn Energi",
      invoice.ledger_invoice_number,
      "Fee 100.00",
      reminder.payment_codes.reference,
      customer.email,
    ]) {
      expect(text).toContain(String(part));
    }
    expect(page.html).toContain(`href="/ledger/entries/${reminder.id}"`);
    expect(page.html).toContain(`href="/payments/new?reminder=${reminder.id}"`);
    const pdf = await admin.get(`/reminders/${reminder.id}/pdf`);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect((await standard.get(`/reminders/${reminder.id}`)).status).toBe(404);
    expect((await admin.get(`/reminders/${customer.id}`)).status).toBe(404);
  });

  it("is sent again to another address", async () => {
    const { customer } = await owing("Havnens Café");
    const { id } = await remind(customer);
    const page = await admin.get(`/reminders/${id}`);
    const sent = await admin.submit(page, `/reminders/${id}/send`, { address: "bo@other.example" });
    expect(sent.location).toBe(`/reminders/${id}`);
    expect(textOf(await admin.get(`/reminders/${id}`))).toContain("bo@other.example");
  });

  it("is cancelled after its entry was shown, and then says so", async () => {
    const { customer } = await owing("Ildsted");
    const { id } = await remind(customer);
    const path = `/reminders/${id}/cancel`;
    const page = await admin.get(path);
    expect(textOf(page)).toMatch(/6190 .* 100\.00/);
    const empty = await admin.submit(page, path, { reason: " " });
    expect(empty.status).toBe(422);
    const done = await admin.submit(page, path, { reason: "A mistake" });
    expect(done.location).toBe(`/reminders/${id}`);
    expect(textOf(await admin.get(`/reminders/${id}`))).toContain("A mistake");
    expect(await remindersOf(customer)).toMatchObject([{ status: "cancelled" }]);
    expect((await admin.get(path)).location).toBe(`/reminders/${id}`);
  });
});
