/** A person's own choice for a bank line: a payment of items, credit, a refund, the return of a payment; in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../test/support/bank/send-file.ts";
import { type Browser, hiddenFields, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const DANISH = { "accept-language": "da" };

const { world, customer, issued } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
});

let day = 1;

/** Imports a line of a new day, and returns the address of its page of choices. */
async function lineOf(fields: Omit<CamtEntry, "day">): Promise<{ id: string; at: string }> {
  day += 1;
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  await sendBankFile(world, camt({ entries: [{ ...fields, day: date }] }));
  const { data } = await world.done(`GET /bank-lines?from=${date}&to=${date}`);
  return { id: data[0].id, at: `/bank/lines/${data[0].id}/other` };
}

const owed = (gross: number, fields: Json = {}): Promise<Json> =>
  issued([gross / 1.25], { issue_date: "2026-01-01", ...fields });
const invoiceState = ({ id }: Json): Promise<Json> => world.done(`GET /invoices/${id}/payment`);
const paymentOf = async (line_id: string): Promise<Json> => {
  const { payment_id } = await world.done(`GET /bank-lines/${line_id}`);
  return world.done(`GET /payments/${payment_id}`);
};
/** The address that shows what a choice books. */
const shown = (at: string, fields: Json): string =>
  `${at}?${new URLSearchParams({ customer: customer.id, step: "show", ...fields })}`;
/** Shows a choice and books it. */
async function chosen(at: string, fields: Json) {
  const page = await admin.get(shown(at, fields));
  expect(page.status).toBe(200);
  const done = await admin.submit(page, at, {});
  expect([done.status, done.location]).toEqual([303, "/bank"]);
  return textOf(page);
}

describe("money in", () => {
  it("asks for the customer first, by name or id", async () => {
    const { at } = await lineOf({ amount: "10.00", text: "?" });
    expect(textOf(await admin.get(at))).toContain("Who paid?");
    expect(textOf(await admin.get(at, DANISH))).toContain("Hvem har betalt?");
    expect(textOf(await admin.get(`${at}?customer=no-such-name`))).toContain("no-such-name");
    const { ledger_invoice_number: number } = await owed(55);
    expect(textOf(await admin.get(`${at}?customer=acme`))).toContain(`Invoice ${number}`);
  });

  it("pays what is selected, after a page with the entries", async () => {
    const invoice = await owed(1_000);
    const { id, at } = await lineOf({ amount: "1000.00", text: "?" });
    const text = await chosen(at, { [`item.${invoice.id}`]: "on" });
    expect(text).toMatch(/6480 \S.* 1,000\.00 .*6190 \S.* 1,000\.00/);
    expect(await invoiceState(invoice)).toMatchObject({ state: "paid", open: 0 });
    expect(await paymentOf(id)).toMatchObject({ amount: 1_000, unallocated: 0 });
  });

  it("pays in full less a fee that the bank kept, or less a rounding", async () => {
    const first = await owed(1_000);
    const with_fee = await lineOf({ amount: "985.00", text: "?" });
    const text = await chosen(with_fee.at, { [`item.${first.id}`]: "on", missing: "fee" });
    expect(text).toMatch(/2390 \S.* 15\.00/);
    expect(await invoiceState(first)).toMatchObject({ state: "paid", paid: 1_000 });
    const second = await owed(1_000);
    const rounded = await lineOf({ amount: "999.50", text: "?" });
    await chosen(rounded.at, { [`item.${second.id}`]: "on", missing: "rounding" });
    expect(await invoiceState(second)).toMatchObject({ state: "paid", rounding: 0.5 });
  });

  it("refuses a rounding beyond the limit, in words, and books nothing", async () => {
    const invoice = await owed(1_000);
    const { id, at } = await lineOf({ amount: "900.00", text: "?" });
    const page = await admin.get(shown(at, { [`item.${invoice.id}`]: "on", missing: "rounding" }));
    expect(page.status).toBe(422);
    expect(page.html).toContain('role="alert"');
    expect(page.html).not.toContain('name="token"');
    expect((await world.done(`GET /bank-lines/${id}`)).state).toBe("open");
  });

  it("is credit of the customer where nothing is selected", async () => {
    const { id, at } = await lineOf({ amount: "70.00", text: "?" });
    await chosen(at, {});
    expect(await paymentOf(id)).toMatchObject({ unallocated: 70, customer_id: customer.id });
  });

  it("pays an invoice in another currency by the amount that the person names", async () => {
    const invoice = await owed(1_000, { currency: "EUR" });
    const { id, at } = await lineOf({ amount: "7475.00", text: "?" });
    expect((await admin.get(shown(at, {}))).html).toContain("currency=EUR");
    const fields = { currency: "EUR", [`item.${invoice.id}`]: "on" };
    const asked = await admin.get(shown(at, fields));
    expect([asked.status, textOf(asked).includes("What the customer paid, in EUR")]).toEqual([
      422,
      true,
    ]);
    const wrong = await admin.get(shown(at, { ...fields, amount: "x" }));
    expect(wrong.status).toBe(422);
    await chosen(at, { ...fields, amount: "1,000.00" });
    expect(await paymentOf(id)).toMatchObject({ amount: 1_000, currency: "EUR" });
    expect(await invoiceState(invoice)).toMatchObject({ state: "paid" });
  });

  it("is shown again where something has changed since", async () => {
    const invoice = await owed(300);
    const { id, at } = await lineOf({ amount: "300.00", text: "?" });
    const page = await admin.get(shown(at, { [`item.${invoice.id}`]: "on" }));
    const fields = { external_id: "other", date: "2026-01-15", amount: 100 };
    await world.done("POST /payments", { ...fields, allocations: [{ invoice: invoice.id }] });
    const again = await admin.submit(page, at, {});
    expect(again.status).toBe(409);
    expect(textOf(again)).toContain("Something has changed since this was shown.");
    expect((await world.done(`GET /bank-lines/${id}`)).state).toBe("open");
  });
});

describe("money out", () => {
  it("gives back a credit, and what the bank takes besides is its fee", async () => {
    const credit = await world.done("POST /payments", {
      external_id: "credit",
      date: "2026-01-01",
      amount: 250,
      customer: customer.id,
      remainder: "customer_credit",
    });
    const { id, at } = await lineOf({ amount: "-255.00", text: "?" });
    expect(textOf(await admin.get(at))).toContain("Who got the money?");
    await chosen(at, { [`item.${credit.id}`]: "on", missing: "fee" });
    expect(await paymentOf(id)).toMatchObject({ kind: "refund", amount: 250, fee: 5 });
  });

  it("asks what it gives back where nothing is selected", async () => {
    const { at } = await lineOf({ amount: "-5.00", text: "?" });
    const page = await admin.get(shown(at, {}));
    expect([page.status, textOf(page).includes("Select what is given back")]).toEqual([422, true]);
    expect(textOf(await admin.get(shown(at, {}), DANISH))).toContain("Vælg det, der betales");
  });

  it("takes back a payment that came back, with the charge of the bank", async () => {
    const invoice = await owed(400);
    const payment = await world.done("POST /payments", {
      external_id: "returned",
      date: "2026-01-01",
      amount: 400,
      allocations: [{ invoice: invoice.id }],
    });
    const { id, at } = await lineOf({ amount: "-450.00", text: "Returned" });
    const text = await chosen(at, { return: payment.id });
    expect(text).toMatch(/2390 \S.* 50\.00/);
    expect(await invoiceState(invoice)).toMatchObject({ state: "open", open: 400 });
    expect(await paymentOf(id)).toMatchObject({ id: payment.id, status: "reversed" });
  });
});

it("needs an admin, a token and an open line of the account", async () => {
  const { id, at } = await lineOf({ amount: "5.00", text: "?" });
  expect((await standard.get(at)).status).toBe(404);
  const page = await admin.get(shown(at, {}));
  const fields = hiddenFields(page.html, at);
  expect((await admin.post(at, { ...fields, csrf: "forged" })).status).toBe(400);
  const forged = await admin.post(at, { ...fields, token: "forged" });
  expect(forged.status).toBe(409);
  await admin.post(at, fields);
  expect((await admin.get(at)).location).toBe(`/bank/lines/${id}`);
  expect((await admin.get("/bank/lines/x/other")).status).toBe(404);
});
