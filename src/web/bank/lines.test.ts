/** Bank lines on pages, in both languages: what each would become, booked as shown, left out, and open again. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../test/support/bank/send-file.ts";
import { type Browser, hiddenFields, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const DANISH = { "accept-language": "da" };
const BOOK = "/bank/book";
const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

const { world, customer, issued, credited, partCredit } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

let day = 1;

/** Imports lines of a new day; returns them in their order. */
async function imported(...entries: Omit<CamtEntry, "day">[]): Promise<Json[]> {
  day += 1;
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  await sendBankFile(world, camt({ entries: entries.map((one) => ({ ...one, day: date })) }));
  const { data } = await world.done(`GET /bank-lines?from=${date}&to=${date}&limit=100`);
  return data.reverse();
}

const owed = (gross: number): Promise<Json> => issued([gross / 1.25], { issue_date: "2026-01-01" });
/** An invoice with a line that pays it exactly. */
async function paidExactly(gross: number): Promise<{ invoice: Json; line: Json }> {
  const invoice = await owed(gross);
  const text = `Faktura nr. ${invoice.ledger_invoice_number}`;
  const [line = {}] = await imported({ amount: gross.toFixed(2), text, counterparty: "Acme A/S" });
  return { invoice, line };
}
const openOf = async ({ id }: Json): Promise<number> =>
  (await world.done(`GET /invoices/${id}/payment`)).open;
const lineOf = ({ id }: Json): Promise<Json> => world.done(`GET /bank-lines/${id}`);
/** The box of a line on a page: whether it is selected, and the key of its suggestion. */
function boxOf(html: string, { id }: Json): { key: string; is_selected: boolean } | null {
  const [, tag = ""] = new RegExp(`<input([^>]*name="${id}"[^>]*)>`).exec(html) ?? [];
  const key = /value="([^"]+)"/.exec(tag)?.[1];
  return key === undefined ? null : { key, is_selected: /\schecked/.test(tag) };
}
/** The address that asks whether to book the best suggestions of lines. */
async function asking(...lines: Json[]): Promise<string> {
  const { html } = await admin.get("/bank");
  const named = lines.map((line) => `${line.id}=${boxOf(html, line)?.key}`);
  return `${BOOK}?${named.join("&")}`;
}

describe("the list of open lines", () => {
  it("shows what each would become and why, and selects what is exact", async () => {
    const { invoice, line } = await paidExactly(1_000);
    const [named = {}, out = {}, odd = {}] = await imported(
      { amount: "77.00", text: "hej", counterparty: "Acme A/S" },
      { amount: "-50.00", text: "Husleje" },
      { amount: "3.33", text: "?" },
    );
    const page = await admin.get("/bank");
    expect(boxOf(page.html, line)).toMatchObject({ is_selected: true });
    expect(boxOf(page.html, named)).toMatchObject({ is_selected: false });
    expect([boxOf(page.html, out), boxOf(page.html, odd)]).toEqual([null, null]);
    const text = textOf(page);
    const number = invoice.ledger_invoice_number;
    expect(text).toContain(`: invoice ${number} By its number and the amount.`);
    expect(text).toContain("By the name. DKK 923.00 is still owed.");
    expect(text).toContain("Money out, and no refund that you owe.");
    expect(text).toContain("Nothing fits. Open the line to choose.");
    expect(text).toContain("Book 1 payment, DKK 1,000.00");
    expect(text).toMatch(/Exact Acme A\/S : invoice/);
    const danish = textOf(await admin.get("/bank", DANISH));
    expect(danish).toContain(`: faktura ${number} Ud fra nummeret og beløbet.`);
    expect(danish).toContain("Der mangler fortsat 923,00 kr.");
    expect(danish).toContain("Bogfør 1 betaling, 1.000,00 kr.");
  });

  it("names credit notes that are taken off", async () => {
    const invoice = await owed(500);
    const note = await credited(partCredit(invoice, [80], { credit_date: "2026-01-01" }));
    const [match] = (await world.done(`GET /allocations?credit_note=${note.id}`)).data;
    await world.done(`POST /allocations/${match.id}/reverse`, { reason: "elsewhere" });
    const numbers = `faktura ${invoice.ledger_invoice_number}, kreditnota #${note.ledger_credit_note_number}`;
    const [line = {}] = await imported({ amount: "400.00", text: numbers });
    const page = textOf(await admin.get(`/bank/lines/${line.id}`));
    expect(page).toMatch(/invoice \d+ less credit note \d+/);
  });
});

describe("money out", () => {
  it("is suggested as a credit that is given back, or as a payment that came back, and booked", async () => {
    const fields = { date: "2026-01-01", amount: 333, customer: customer.id };
    const payment = await world.done("POST /payments", {
      ...{ ...fields, external_id: "out", remainder: "customer_credit" },
    });
    const [line = {}] = await imported({ amount: "-333.00", text: "Retur" });
    const page = await admin.get(`/bank/lines/${line.id}`);
    const text = textOf(page);
    expect(text).toContain(`: the credit of payment ${payment.number} is paid back`);
    expect(text).toContain(`: payment ${payment.number} came back`);
    expect(textOf(await admin.get(`/bank/lines/${line.id}`, DANISH))).toContain("kom retur");
    const { data } = await world.done("GET /bank-lines?include=suggestions&search=Retur");
    const [given, returned] = data[0].suggestions;
    const { customer: of, amount } = given.payment;
    expect([given.confidence, of, amount]).toEqual(["possible", customer.id, 333]);
    expect(given.payment.allocations).toEqual([{ payment: payment.id, amount: 333 }]);
    expect(returned).toMatchObject({ payment: null, reverse: payment.id });
    const choices = [...page.html.matchAll(/href="(\/bank\/book\?[^"]+)"/g)].map(([, at]) => at);
    const asked = await admin.get(choices[1] ?? "");
    expect(textOf(asked)).toContain("Its entry");
    expect((await admin.submit(asked, BOOK, {})).location).toBe("/bank");
    expect(await world.done(`GET /payments/${payment.id}`)).toMatchObject({ status: "reversed" });
    expect((await lineOf(line)).state).toBe("booked");
  });
});

describe("money out that names what it is", () => {
  it("is selected where it is exact, with all credits that it gives back", async () => {
    const fields = { date: "2026-01-01", amount: 401, customer: customer.id };
    const held = { ...fields, remainder: "customer_credit" };
    const first = await world.done("POST /payments", { ...held, external_id: "one of two" });
    const second = await world.done("POST /payments", { ...held, external_id: "two of two" });
    const text = `Refund nr. ${first.number} and nr. ${second.number}`;
    const [line = {}] = await imported({ amount: "-802.00", text });
    const bank = await admin.get("/bank");
    expect(bank.html).toMatch(new RegExp(`name="${line.id}" value="[^"]+"[^>]* checked`));
    const shown = textOf(await admin.get(`/bank/lines/${line.id}`));
    const given = ({ number }: Json) => `the credit of payment ${number} is paid back`;
    expect(shown).toContain(`Exact Acme A/S : ${given(first)} and ${given(second)}`);
    const asked = await admin.get(await asking(line));
    await admin.submit(asked, BOOK, {});
    expect(await world.done(`GET /payments/${second.id}`)).toMatchObject({ unallocated: 0 });
  });

  it("shows the charge of the bank for a payment that came back", async () => {
    const invoice = await owed(930);
    const [paid = {}] = await imported({ amount: "930.00", end_to_end_id: "E2E-930" });
    const allocations = [{ invoice: invoice.id }];
    await world.done("POST /bank-lines/book", {
      lines: [{ bank_line: paid.id, payment: { allocations } }],
    });
    const [line = {}] = await imported({ amount: "-980.00", end_to_end_id: "E2E-930" });
    const at = `/bank/lines/${line.id}`;
    expect(textOf(await admin.get(at))).toMatch(
      /Likely Acme A\/S : payment \d+ came back By its payment reference\. The bank takes a charge of DKK 50\.00\./,
    );
    expect(textOf(await admin.get(at, DANISH))).toContain("Banken tager 50,00 kr. i gebyr.");
    const page = await admin.get(at);
    const [, href = ""] = /href="(\/bank\/book\?[^"]+)"/.exec(page.html) ?? [];
    const asked = await admin.get(href);
    await admin.submit(asked, BOOK, {});
    expect(await openOf(invoice)).toBe(930);
  });
});

describe("booking what is selected", () => {
  it("shows the entries first, then books exactly them, once", async () => {
    const { invoice, line } = await paidExactly(2_500);
    const address = await asking(line);
    const asked = await admin.get(address);
    const text = textOf(asked);
    expect(text).toContain("Book this line?");
    expect(text).toMatch(/6480 \S.* 2,500\.00 .*6190 \S.* 2,500\.00/);
    expect(textOf(await admin.get(address, DANISH))).toContain("Bogfør denne linje?");
    expect(await openOf(invoice)).toBe(2_500);

    const done = await admin.submit(asked, BOOK, {});
    expect([done.status, done.location]).toEqual([303, "/bank"]);
    expect(await lineOf(line)).toMatchObject({ state: "booked", payment_id: expect.any(String) });
    expect(await openOf(invoice)).toBe(0);
    const again = await admin.submit(asked, BOOK, {});
    expect([again.status, again.location]).toEqual([303, "/bank"]);
    const { data } = await world.done(`GET /payments?invoice=${invoice.id}`);
    expect(data).toHaveLength(1);
    const booked = textOf(await admin.get("/bank?tab=booked"));
    expect(booked).toContain(`Acme A/S , payment ${data[0].number}`);
    expect(textOf(await admin.get(`/bank/lines/${line.id}`, DANISH))).toContain(
      `betaling ${data[0].number}`,
    );
  });

  it("keeps what is paid too much as the customer's credit, and says so", async () => {
    const invoice = await owed(600);
    const text = `Faktura ${invoice.ledger_invoice_number} #${invoice.ledger_invoice_number}`;
    const [line = {}] = await imported({ amount: "650.00", text });
    const asked = await admin.get(await asking(line));
    expect(textOf(asked)).toContain("DKK 50.00 is kept as the customer's credit.");
    await admin.submit(asked, BOOK, {});
    const { payment_id } = await lineOf(line);
    expect(await world.done(`GET /payments/${payment_id}`)).toMatchObject({ unallocated: 50 });
  });

  it("leaves a line out whose effect has changed, and books the others", async () => {
    const first = await paidExactly(710);
    const second = await paidExactly(720);
    const asked = await admin.get(await asking(first.line, second.line));
    expect(textOf(asked)).toContain("Book 2 payments, DKK 1,430.00");
    await world.done("POST /payments", {
      external_id: "meanwhile",
      date: "2026-01-15",
      amount: 10,
      allocations: [{ invoice: first.invoice.id }],
    });
    const reply = await admin.submit(asked, BOOK, {});
    expect(reply.location).toMatch(new RegExp(`^/bank/book\\?${first.line.id}=`));
    const page = textOf(await admin.get(reply.location ?? ""));
    expect(page).toContain("What is open has changed since");
    expect((await lineOf(first.line)).state).toBe("open");
    expect((await lineOf(second.line)).state).toBe("booked");
  });

  it("refuses a forged token and a forged digest, and ignores what is no line", async () => {
    const { line } = await paidExactly(730);
    const asked = await admin.get(await asking(line));
    const fields = hiddenFields(asked.html, BOOK);
    const [key] = (fields[line.id] ?? "").split(".");
    expect((await admin.post(BOOK, { ...fields, csrf: "forged" })).status).toBe(400);
    const forged = await admin.post(BOOK, { ...fields, [line.id]: `${key}.forged` });
    expect(forged.location).toContain(`/bank/book?${line.id}=`);
    expect((await lineOf(line)).state).toBe("open");
    for (const query of ["", "?x=1", `?${UNKNOWN_ID}=a`]) {
      expect((await admin.get(`${BOOK}${query}`)).location).toBe("/bank");
    }
    const stale = await admin.get(`${BOOK}?${line.id}=other`);
    expect(textOf(stale)).toContain("What is open has changed since");
  });

  it("books two that name one invoice only as far as it is open", async () => {
    const invoice = await owed(800);
    const text = `Faktura ${invoice.ledger_invoice_number}`;
    const lines = await imported({ amount: "800.00", text }, { amount: "800.00", text });
    const asked = await admin.get(await asking(...lines));
    expect(textOf(asked)).toContain("Book 1 payment, DKK 800.00");
    await admin.submit(asked, BOOK, {});
    expect(await openOf(invoice)).toBe(0);
    const states = await Promise.all(lines.map(async (line) => (await lineOf(line)).state));
    expect(states.sort()).toEqual(["booked", "open"]);
  });
});

describe("the page of a line", () => {
  it("offers each choice, and leads to its booking", async () => {
    const { line } = await paidExactly(910);
    const page = await admin.get(`/bank/lines/${line.id}`);
    expect(textOf(page)).toContain("DKK 910.00: what is it?");
    const [, address = ""] = /href="(\/bank\/book\?[^"]+)"/.exec(page.html) ?? [];
    expect(textOf(await admin.get(address))).toContain("Book 1 payment, DKK 910.00");
    expect(textOf(await admin.get(`/bank/lines/${line.id}`, DANISH))).toContain("hvad er det?");
  });

  it("leaves a line out with a reason, and opens it again", async () => {
    const [line = {}] = await imported({ amount: "-8000.00", text: "Husleje" });
    const at = `/bank/lines/${line.id}`;
    const page = await admin.get(at);
    const refused = await admin.submit(page, `${at}/leave-out`, { reason: " " });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("Say why the line is left out.");
    const done = await admin.submit(page, `${at}/leave-out`, { reason: "Rent of <b>January</b>" });
    expect([done.status, done.location]).toEqual([303, "/bank"]);
    expect(await lineOf(line)).toMatchObject({ state: "ignored" });
    const ignored = await admin.get("/bank?tab=ignored");
    expect(ignored.html).toContain("Rent of &lt;b>January&lt;/b>");
    const again = await admin.get(at);
    const restored = await admin.submit(again, `${at}/restore`, {});
    expect(restored.location).toBe("/bank");
    expect(await lineOf(line)).toMatchObject({ state: "open", ignored_reason: null });
  });

  it("refuses to leave out a line that was booked meanwhile", async () => {
    const { line } = await paidExactly(920);
    const at = `/bank/lines/${line.id}`;
    const page = await admin.get(at);
    await world.done("POST /bank-lines/book", { lines: [{ bank_line: line.id, accept: true }] });
    const refused = await admin.submit(page, `${at}/leave-out`, { reason: "no" });
    expect(refused.status).toBe(409);
  });

  it("does not exist for standard users and for unknown lines", async () => {
    const [line = {}] = await imported({ amount: "1.00", text: "x" });
    for (const path of ["/bank", `/bank/lines/${line.id}`, `${BOOK}?${line.id}=a`]) {
      expect((await standard.get(path)).status).toBe(404);
    }
    expect((await admin.get(`/bank/lines/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await admin.get("/bank/lines/x")).status).toBe(404);
  });
});
