/** Recording payments and refunds on pages: what is shown before, and that exactly this is recorded. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, customer, issued, fullCredit, credited } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const PATH = "/payments/new";
const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-03-02", ...fields });
const paid = async (id: string) => world.done(`GET /invoices/${id}/payment`);
const item = ({ id }: Json) => ({ [`item.${id}`]: "on" });

/** The rows of the entries of a page, without tags. */
const rowsOf = (html: string): string[] =>
  [
    ...html.matchAll(
      /<tr><td>(\d{4}[^<]*)<\/td><td class="num">([^<]*)<\/td><td class="num">([^<]*)/g,
    ),
  ].map(([, account, debit, credit]) => `${account?.slice(0, 4)} ${debit ? debit : `−${credit}`}`);

/** Opens the form, sends what is typed, and returns the page of the effect with the fields that record it. */
async function typed(query: string, fields: Record<string, string>, by = admin) {
  const first = await by.get(`${PATH}?${query}`);
  expect(first.status).toBe(200);
  const shown = await by.submit(first, PATH, { ...fields, step: "show" });
  const record = (more: Record<string, string> = {}) =>
    by.submit(shown, PATH, { ...fields, ...more, step: "record" });
  return { first, shown, record };
}

describe("a payment of an invoice", () => {
  it("is prefilled with what is open, and recorded once with the entry that was shown", async () => {
    const invoice = await owed(12_500);
    const page = await admin.get(`${PATH}?invoice=${invoice.id}`);
    expect(page.html).toContain("Record a payment from Acme A/S");
    expect(page.html).toContain('value="12,500.00"');
    expect(rowsOf(page.html)).toEqual(["6480 12,500.00", "6190 −12,500.00"]);
    const fields = { date: "5/3", amount: "12,500", ...item(invoice), step: "record" };
    const changed = await admin.submit(page, PATH, fields);
    // The day is another one than was shown.
    expect(changed.status).toBe(409);
    expect(changed.html).toContain("This is what is booked now.");
    const made = await admin.submit(changed, PATH, fields);
    expect([made.status, made.location]).toEqual([
      303,
      expect.stringMatching(/^\/payments\/[0-9a-f-]{36}$/),
    ]);
    expect(made.headers.get("set-cookie")).toContain("payment_recorded");
    const again = await admin.submit(changed, PATH, fields);
    expect(again.location).toBe(made.location);
    expect(await paid(invoice.id)).toMatchObject({ state: "paid", paid_on: "2026-03-05" });
    const { data } = await world.done(`GET /payments?invoice=${invoice.id}`);
    expect(data).toHaveLength(1);
    // Nothing is open: the form leads back.
    const nothing = await admin.get(`${PATH}?invoice=${invoice.id}`);
    expect([nothing.status, nothing.location]).toEqual([303, `/invoices/${invoice.id}`]);
  });

  it("says for less what the difference may be, each with its entry", async () => {
    const invoice = await owed(1000);
    const fields = { date: "5/3", amount: "999.50", ...item(invoice) };
    const { shown, record } = await typed(`invoice=${invoice.id}`, fields);
    for (const word of ["Still owed", "Rounding", "A fee", "Record DKK 999.50"]) {
      expect(shown.html).toContain(word);
    }
    expect(rowsOf(shown.html)).toEqual([
      ...["6480 999.50", "6190 −999.50"],
      ...["6480 999.50", "6190 −1,000.00", "2720 0.50"],
      ...["6480 999.50", "2390 0.50", "6190 −1,000.00"],
    ]);
    expect((await record({ difference: "fee" })).status).toBe(303);
    const { data } = await world.done(`GET /payments?invoice=${invoice.id}`);
    expect(data).toMatchObject([{ amount: 1000, bank_amount: 999.5, fee: 0.5 }]);
  });

  it.each([
    ["owed", "600", { state: "partly_paid", open: 400, rounding: 0 }],
    ["rounding", "999.50", { state: "paid", open: 0, rounding: 0.5 }],
    ["credit", "1,250", { state: "paid", open: 0, paid: 1000 }],
  ])("takes the difference as %s", async (difference, amount, expected) => {
    const invoice = await owed(1000);
    const fields = { date: "5/3", amount, ...item(invoice) };
    const { shown, record } = await typed(`invoice=${invoice.id}`, fields);
    expect(shown.html.includes("VAT on it may be due already")).toBe(difference === "credit");
    expect((await record({ difference })).status).toBe(303);
    expect(await paid(invoice.id)).toMatchObject(expected);
  });

  it("pays several items of the customer, the earliest due date first", async () => {
    const { id } = await world.done("POST /customers", { name: "Several ApS" });
    const of = { customer_id: id };
    const late = await owed(1000, of);
    const later = await owed(500, { ...of, issue_date: "2026-03-03" });
    const first = await admin.get(`${PATH}?customer=${id}`);
    expect(first.html).toContain('value="1,500.00"');
    const fields = { date: "5/3", amount: "1,200", ...item(later), ...item(late) };
    const { record } = await typed(`customer=${id}`, fields);
    expect((await record()).status).toBe(303);
    expect([(await paid(late.id)).open, (await paid(later.id)).open]).toEqual([0, 300]);
  });

  it("applies the credit notes of the customer first, and proposes what is left", async () => {
    const { id } = await world.done("POST /customers", { name: "Credited ApS" });
    const of = { customer_id: id, issue_date: "2026-03-02" };
    const own = await owed(400, of);
    await world.done("POST /payments", {
      ...{ external_id: "early", date: "2026-03-03", amount: 400 },
      allocations: [{ invoice: own.id }],
    });
    const note = await credited(fullCredit(own, { credit_date: "2026-03-04" }));
    const three = [await owed(1000, of), await owed(1000, of), await owed(1000, of)];
    const chosen = Object.assign({}, ...three.map(item));
    const credit = { [`credit.${note.id}`]: "on" };
    const first = await admin.get(`${PATH}?customer=${id}`);
    expect(first.html).toContain('value="3,000.00"');
    expect(textOf(first)).toContain(`Credit note ${note.ledger_credit_note_number}`);
    const fields = { date: "5/3", ...chosen, ...credit };
    // What was proposed is now less, which is shown before it is recorded.
    const untouched = { ...fields, amount: "3,000.00", step: "record" };
    const changed = await admin.submit(first, PATH, untouched);
    expect(changed.status).toBe(409);
    expect(changed.html).toContain('value="2,600.00"');
    expect(rowsOf(changed.html)).toEqual(["6480 2,600.00", "6190 −2,600.00"]);
    expect(textOf(changed)).toContain(
      `Credit note ${note.ledger_credit_note_number}, applied to invoice`,
    );
    expect(textOf(changed)).not.toContain("What is the difference?");
    const confirmed = { ...fields, amount: "2,600.00", step: "record" };
    const made = await admin.submit(changed, PATH, confirmed);
    expect(made.status).toBe(303);
    const again = await admin.submit(changed, PATH, confirmed);
    expect(again.location).toBe(made.location);
    expect(await paid(three[0]?.id)).toMatchObject({ state: "paid", paid: 600, credited: 400 });
    expect(await paid(three[2]?.id)).toMatchObject({ state: "paid", paid: 1000, credited: 0 });
    const { data } = await world.done(`GET /open-items?customer=${id}`);
    expect(data).toEqual([]);
  });

  it("keeps a typed amount, and says where credit notes leave nothing to pay", async () => {
    const { id } = await world.done("POST /customers", { name: "Wholly credited ApS" });
    const own = await owed(1000, { customer_id: id });
    await world.done("POST /payments", {
      ...{ external_id: "whole", date: "2026-03-03", amount: 1000 },
      allocations: [{ invoice: own.id }],
    });
    const note = await credited(fullCredit(own));
    const next = await owed(800, { customer_id: id });
    const fields = { date: "10/3", ...item(next), [`credit.${note.id}`]: "on" };
    const { shown } = await typed(`invoice=${next.id}`, { ...fields, amount: "800.00" });
    expect(shown.status).toBe(200);
    expect(shown.html).not.toMatch(/value="800.00"|-fault"/);
    expect(textOf(shown)).toContain("no payment is needed");
    expect(shown.html).toContain(`href="/allocations/new?credit_note=${note.id}"`);
    const more = await typed(`invoice=${next.id}`, { ...fields, amount: "50" });
    expect(more.shown.html).toContain('value="50"');
    expect(rowsOf(more.shown.html)).toEqual(["6480 50.00", "7410 −50.00"]);
  });

  it("pays the fee of a reminder with its invoice", async () => {
    const levels = [{ days_after_due: 3, fee: 100, compensation: false }];
    await world.done("PATCH /configuration", { reminders: { levels } });
    const { id } = await world.done("POST /customers", {
      name: "Late ApS",
      email: "l@late.example",
    });
    const late = await owed(1000, { customer_id: id, issue_date: "2026-01-05" });
    const { rows } = await world.done("POST /reminder-runs/preview", { customer: id });
    await world.done("POST /reminder-runs", {
      rows: rows.map(({ currency, agreed }: Json) => ({ customer: id, currency, agreed })),
    });
    const [reminder] = (await world.done(`GET /reminders?customer=${id}`)).data;
    const first = await admin.get(`${PATH}?customer=${id}`);
    expect(first.html).toContain(`Reminder ${reminder.number}`);
    expect(first.html).toContain('value="1,100.00"');
    const fields = { date: "10/3", amount: "1,100", ...item(late), ...item(reminder) };
    const { record } = await typed(`customer=${id}`, fields);
    expect((await record()).status).toBe(303);
    const { data } = await world.done(`GET /open-items?customer=${id}`);
    expect(data).toEqual([]);
    const own = await admin.get(`${PATH}?reminder=${reminder.id}`);
    expect([own.status, own.location]).toEqual([303, `/reminders/${reminder.id}`]);
    const [{ id: payment }] = (await world.done(`GET /payments?customer=${id}`)).data;
    const page = await admin.get(`/payments/${payment}`);
    expect(page.html).toContain(`href="/reminders/${reminder.id}"`);
  });

  it("asks for what the bank credited of a foreign invoice, and shows the exchange difference", async () => {
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.46 });
    const invoice = await owed(1000, { currency: "EUR" });
    const fields = { date: "5/3", amount: "333.33", ...item(invoice) };
    const { shown } = await typed(`invoice=${invoice.id}`, fields);
    expect(shown.status).toBe(422);
    expect(shown.html).toContain('id="bank_amount-fault"');
    const full = { ...fields, bank_amount: "2,485" };
    const { shown: then, record } = await typed(`invoice=${invoice.id}`, full);
    expect(rowsOf(then.html).toSorted()).toEqual(["3610 1.64", "6190 −2,486.64", "6480 2,485.00"]);
    expect((await record()).status).toBe(303);
    expect(await paid(invoice.id)).toMatchObject({ state: "partly_paid", open: 666.67 });
  });

  it("keeps what was typed, with the fault at its field", async () => {
    const invoice = await owed(1000);
    const fields = { date: "5/4/2027", amount: "a lot", reference: "Thanks", ...item(invoice) };
    const { shown } = await typed(`invoice=${invoice.id}`, fields);
    expect(shown.status).toBe(422);
    for (const part of [
      'value="a lot"',
      "This is not a number.",
      'value="05/04/2027"',
      'value="Thanks"',
    ]) {
      expect(shown.html).toContain(part);
    }
    const future = await typed(`invoice=${invoice.id}`, { ...fields, amount: "1,000" });
    expect(future.shown.html).toContain('id="date-fault"');
    // A day that can be read is not marked as wrong.
    const { shown: right } = await typed(`invoice=${invoice.id}`, { ...fields, date: "5/3" });
    expect(right.html).toMatch(
      /<input(?![^>]*aria-invalid)[^>]* name="date"[^>]*value="05\/03\/2026"/,
    );
  });
});

describe("a refund", () => {
  it("gives back the rest of a credit note", async () => {
    const invoice = await owed(400);
    await world.done("POST /payments", {
      ...{ external_id: "before", date: "2026-03-03", amount: 400 },
      allocations: [{ invoice: invoice.id }],
    });
    const note = await credited(fullCredit(invoice));
    const { shown, record } = await typed(`credit_note=${note.id}`, {
      date: "10/3",
      amount: "400",
    });
    expect(shown.html).toContain("Pay money back to Acme A/S");
    expect(rowsOf(shown.html).toSorted()).toEqual(["6190 400.00", "6480 −400.00"]);
    const made = await record();
    expect(made.headers.get("set-cookie")).toContain("refund_recorded");
    const { data } = await world.done("GET /payments?kind=refund");
    expect(data).toMatchObject([{ amount: 400, unallocated: 0 }]);
  });

  it("gives back credit of the customer, less than all of it, with a fee of the bank", async () => {
    const { id } = await world.done("POST /customers", { name: "On account ApS" });
    const held = await world.done("POST /payments", {
      ...{ external_id: "held", date: "2026-03-03", amount: 250, customer: id },
      remainder: "customer_credit",
    });
    const fields = { date: "10/3", amount: "200", fee: "5" };
    const { shown, record } = await typed(`payment=${held.id}`, fields);
    expect(rowsOf(shown.html).toSorted()).toEqual(["2390 5.00", "6480 −205.00", "7410 200.00"]);
    expect((await record()).status).toBe(303);
    expect(await world.done(`GET /payments/${held.id}`)).toMatchObject({ unallocated: 50 });
    const much = await typed(`payment=${held.id}`, { ...fields, amount: "100" });
    expect(much.shown.html).toContain('id="amount-fault"');
  });
});

describe("the way in", () => {
  it("asks for the customer, also by a name without scripts", async () => {
    const open = await admin.get(PATH);
    expect(open.html).toContain('name="customer"');
    const named = await admin.get(`${PATH}?customer=acme`);
    expect(named.html).toContain("Record a payment from Acme A/S");
    expect((await admin.get(`${PATH}?customer=unknown`)).html).toContain(
      "does not name one customer",
    );
  });

  it("is offered in the other currencies of the customer", async () => {
    const { html } = await admin.get(`${PATH}?customer=${customer.id}`);
    expect(html).toContain(`${PATH}?customer=${customer.id}&amp;currency=EUR`);
    const euro = await admin.get(`${PATH}?customer=${customer.id}&currency=EUR`);
    expect(euro.html).toContain("Amount in EUR");
  });

  it.each(["invoice", "credit_note", "payment", "opening"])("finds no unknown %s", async (kind) => {
    const { id } = await world.done("POST /customers", { name: "No document ApS" });
    expect((await admin.get(`${PATH}?${kind}=${id}`)).status).toBe(404);
  });

  it("does not exist for a standard user", async () => {
    expect((await standard.get(PATH)).status).toBe(404);
  });

  it("is in Danish where the reader is", async () => {
    const invoice = await owed(1000);
    const danish = openBrowser(world);
    danish.setCookie(admin.cookie());
    const { html } = await danish.get(`${PATH}?invoice=${invoice.id}`, {
      "accept-language": "da",
    });
    for (const part of ["Registrér en betaling fra Acme A/S", "Det, der bogføres", "1.000,00"]) {
      expect(html).toContain(part);
    }
  });

  it("says why nothing can be recorded before receivables are begun", async () => {
    const invoice = await owed(1000);
    await world.sql("delete from receivables_begins");
    const { status, html } = await admin.get(`${PATH}?invoice=${invoice.id}`);
    await world.sql("insert into receivables_begins select $1, '2026-03-01'", [
      world.account.account_id,
    ]);
    expect(status).toBe(409);
    expect(html).toContain("begin the receivables");
  });
});
