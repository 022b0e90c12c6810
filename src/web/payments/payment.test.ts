/** The pages of payments: one payment, taking it or a part of it back, and the list with its file. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, customer, issued } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

let count = 0;
const owed = (gross: number): Promise<Json> => issued([gross / 1.25], { issue_date: "2026-03-02" });
const pay = (amount: number, fields: Json = {}): Promise<Json> => {
  count += 1;
  const sent = { external_id: `page-${count}`, date: "2026-03-05", amount, ...fields };
  return world.done("POST /payments", sent);
};
const paying = async (gross: number, amount = gross, fields: Json = {}) => {
  const invoice = await owed(gross);
  return {
    invoice,
    payment: await pay(amount, { allocations: [{ invoice: invoice.id }], ...fields }),
  };
};

describe("the page of a payment", () => {
  it("says what it paid, with the bank account, the fee and the entry", async () => {
    const { invoice, payment } = await paying(1000, 1000, { fee: 15, reference: "Card 4711" });
    const page = await admin.get(`/payments/${payment.id}`);
    const text = textOf(page);
    for (const part of [
      `Payment ${payment.number}`,
      `Invoice ${invoice.ledger_invoice_number} 5 Mar 2026 · Entry ${payment.entry_nos[0]}`,
      "Acme A/S",
      "The bank credited, in DKK 985.00",
      "A fee 15.00",
      "Card 4711",
    ]) {
      expect(text).toContain(part);
    }
    expect(page.html).toContain(`href="/ledger/entries/${payment.id}"`);
    expect(page.html).toContain(`href="/payments/${payment.id}/take-back"`);
    const entry = await admin.get(`/ledger/entries/${payment.id}`);
    expect(entry.html).toContain(`href="/payments/${payment.id}"`);
  });

  it("offers to pay back what is left of it", async () => {
    const { payment } = await paying(1000, 1250, { remainder: "customer_credit" });
    const { html } = await admin.get(`/payments/${payment.id}`);
    expect(html).toContain(`href="/payments/new?payment=${payment.id}"`);
    expect(html).toContain(`href="/allocations/new?payment=${payment.id}"`);
    expect(html).toContain("Credit of the customer");
  });

  it("does not exist for a standard user, or under an unknown id", async () => {
    const { payment } = await paying(1000);
    expect((await standard.get(`/payments/${payment.id}`)).status).toBe(404);
    expect((await standard.get("/payments")).status).toBe(404);
    expect((await admin.get(`/payments/${customer.id}`)).status).toBe(404);
  });
});

describe("taking a payment back", () => {
  it("shows the entry first, and takes back exactly that with its reason", async () => {
    const { invoice, payment } = await paying(1000);
    const path = `/payments/${payment.id}/take-back`;
    const page = await admin.get(path);
    expect(page.html).toContain(`Take back payment ${payment.number}?`);
    expect(textOf(page)).toMatch(/6190 .* 1,000.00 .*6480 .* 1,000.00/);
    const unsaid = await admin.submit(page, path, { reason: " ", date: "10/3" });
    expect([unsaid.status, unsaid.html.includes('id="reason-fault"')]).toEqual([422, true]);
    const fields = { reason: "Came back", date: "10/3", fee: "50" };
    const changed = await admin.submit(page, path, fields);
    // The fee of the bank is booked, too: it was not shown before.
    expect(changed.status).toBe(409);
    expect(changed.html).toContain("This is what is booked now.");
    expect(textOf(changed)).toMatch(/2390 .* 50.00/);
    const done = await admin.submit(changed, path, fields);
    expect([done.status, done.location]).toEqual([303, `/payments/${payment.id}`]);
    const after = textOf(await admin.get(`/payments/${payment.id}`));
    for (const part of ["Reversed 10 Mar 2026", "Reason Came back", "Reversed on 10 Mar 2026"]) {
      expect(after).toContain(part);
    }
    expect(await world.done(`GET /invoices/${invoice.id}/payment`)).toMatchObject({
      state: "open",
    });
    const again = await admin.get(path);
    expect([again.status, again.location]).toEqual([303, `/payments/${payment.id}`]);
  });

  it("says why a payment that was refunded cannot be reversed", async () => {
    const held = await pay(250, { customer: customer.id, remainder: "customer_credit" });
    await pay(100, { kind: "refund", date: "2026-03-06", allocations: [{ payment: held.id }] });
    const { status, html } = await admin.get(`/payments/${held.id}/take-back`);
    expect(status).toBe(200);
    expect(html).toContain("reverse the refund first");
  });

  it("takes one allocation back, which leads to the invoice", async () => {
    const { invoice, payment } = await paying(1000);
    const path = `/allocations/${payment.allocations[0].id}/take-back`;
    const page = await admin.get(path);
    expect(textOf(page)).toMatch(/7410 .* 1,000.00 6190 .* 1,000.00/);
    const done = await admin.submit(page, path, { reason: "Another invoice", date: "10/3" });
    expect([done.status, done.location]).toEqual([303, `/invoices/${invoice.id}`]);
    expect(await world.done(`GET /payments/${payment.id}`)).toMatchObject({ unallocated: 1000 });
    expect((await standard.get(path)).status).toBe(404);
  });
});

describe("the list of payments", () => {
  it("shows the newest first, and filters", async () => {
    const { id } = await world.done("POST /customers", { name: "Listed ApS" });
    const credit = { customer: id, remainder: "customer_credit" };
    const first = await pay(100, { ...credit, date: "2026-02-03" });
    const second = await pay(200, credit);
    await world.done(`POST /payments/${second.id}/reverse`, { reason: "Mistake" });
    const listed = async (query: string) =>
      [
        ...(await admin.get(`/payments?${query}`)).html.matchAll(
          /<td class="fold-lead">.*?<a href="\/payments\/([^"]+)"/g,
        ),
      ].map(([, found]) => found);
    expect(await listed(`customer=${id}`)).toEqual([second.id, first.id]);
    expect(await listed("customer=listed")).toEqual([second.id, first.id]);
    expect(await listed(`customer=${id}&status=booked`)).toEqual([first.id]);
    expect(await listed(`customer=${id}&to=28/2/2026`)).toEqual([first.id]);
    expect(await listed(`customer=${id}&kind=refund`)).toEqual([]);
  });

  it("is a file with the same rows, in the language of the reader", async () => {
    const danish = openBrowser(world);
    danish.setCookie(admin.cookie());
    const page = await danish.get("/payments", { "accept-language": "da" });
    expect(page.html).toContain("Registrér en betaling …");
    const { status, html } = await danish.get("/payments/export?to=2026-02-28", {
      "accept-language": "da",
    });
    expect(status).toBe(200);
    const [head, ...rows] = html.trim().split(/\r?\n/);
    expect(head).toContain(
      "Nummer;Kunde;Status;Dato;Bankkonto;Reference;Beløb;Ikke udlignet;Valuta",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/Listed ApS;Betaling;03-02-2026;.*;100,00;100,00;DKK/);
    expect((await standard.get("/payments/export")).status).toBe(404);
  });
});
