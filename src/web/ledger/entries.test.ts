/** The journal and its entries as pages: filters, older entries, documents with the way back, and what reverses what. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { bookEntries, journalBooking, paid } from "../../../test/support/ledger/journal-entries.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const ENTRIES = "/ledger/entries";
let admin: Browser;
let standard: Browser;
let studio: Studio;
let invoice: Json;
let note: Json;
let voucher: string;
let reversal: string;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  studio = await openStudio(world, world.account);
  invoice = await studio.issued([studio.value(1000)], { issue_date: "2026-01-10" });
  note = await world.done("POST /credit-notes", {
    external_id: "credit",
    invoice: invoice.id,
    kind: "full",
    credit_date: "2026-01-20",
  });
  const yearly = studio.service(1200, "2026-02-01", "2027-01-31");
  await studio.issued([yearly], { issue_date: "2026-02-10" });
  studio.at("2026-03-10");
  const { id } = await studio.booked("2026-02");
  voucher = (await studio.detail("2026-02")).ledger_voucher_guid;
  await studio.reopen(id);
  const entries = await world.done("GET /ledger/entries?limit=100");
  reversal = entries.data.at(-1).guid;
});

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
/** The documents in a list, in its order. */
const listed = async (query: string): Promise<string[]> => {
  const { html } = await admin.get(`${ENTRIES}${query}`);
  return [...html.matchAll(/<a href="\/ledger\/entries\/[^"]+">([^<]+)<\/a>/g)].map(
    ([, text = ""]) => text,
  );
};

describe("the journal", () => {
  const ALL = ["Voucher 2", "Voucher 1", "Invoice 2", "Credit note 1", "Invoice 1"];

  it.each([
    ["the newest first", "", ALL],
    ["of a month", "?from=2026-01&to=2026-01", ["Credit note 1", "Invoice 1"]],
    ["from a day", "?from=2026-02-11", ["Voucher 2", "Voucher 1"]],
    ["from a day as people type it", "?from=11.2.2026", ["Voucher 2", "Voucher 1"]],
    ["of an account", "?account=7680", ["Invoice 2", "Credit note 1", "Invoice 1"]],
    ["of a kind", "?kind=credit_note", ["Credit note 1"]],
    ["with a text", "?q=reversal", ["Voucher 2"]],
    ["with an amount in either notation", "?amount=1.250,00", ["Credit note 1", "Invoice 1"]],
    ["with an amount of any posting", "?amount=250", ["Credit note 1", "Invoice 1"]],
    ["with an amount that cannot be read", "?amount=x", []],
    ["with several filters", "?amount=1250&kind=invoice&account=6190", ["Invoice 1"]],
    ["with filters that cannot be read", "?account=x&from=x&kind=x", ALL],
  ])("is listed %s", async (_case, query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  it("shows the amount of the entry, and of an account what moved on it", async () => {
    const text = textOf(await admin.get(`${ENTRIES}?kind=invoice&to=2026-01`));
    expect(text).toMatch(/Invoice 1 Entry 1 Date 10 Jan 2026 Customer Acme A\/S/);
    expect(text).toContain("Amount 1,250.00");
    const on_account = await admin.get(`${ENTRIES}?kind=invoice&to=2026-01&account=1010`);
    expect(textOf(on_account)).toContain("Amount \u22121,000.00");
  });

  it("leads to older entries with the same filters, and ends", async () => {
    for (let count = 0; count < 50; count += 1) {
      await studio.issued([studio.value(1)], { issue_date: "2026-03-01" });
    }
    expect((await listed("?kind=invoice")).length).toBe(50);
    const { html } = await admin.get(`${ENTRIES}?kind=invoice`);
    const next = /href="\/ledger\/entries(\?kind=invoice[^"]*)" rel="next"/.exec(html)?.[1] ?? "";
    expect(await listed(next.replaceAll("&amp;", "&"))).toEqual(["Invoice 2", "Invoice 1"]);
  });

  it("of nothing says what to do", async () => {
    const text = textOf(await admin.get(`${ENTRIES}?q=nothing+like+this`));
    expect(text).toContain("No entry matches the filters.");
  });
});

describe("an entry", () => {
  it("shows its postings and leads to its document, which leads back", async () => {
    const page = await admin.get(`${ENTRIES}/${invoice.id}`);
    const text = textOf(page);
    expect(text).toMatch(/6190 Tilgodehavender.*? Debit 1,250\.00 Credit Account 1010/);
    expect(text).toMatch(/VAT of sales Danish VAT Debit Credit 1,000\.00/);
    expect(text).toContain("Booked by API key First read_write key");
    expect(page.html).toContain(`href="/invoices/${invoice.id}"`);
    const back = `href="${ENTRIES}/${invoice.id}"`;
    expect((await admin.get(`/invoices/${invoice.id}`)).html).toContain(back);
    expect((await admin.get(`/credit-notes/${note.id}`)).html).toContain(`${ENTRIES}/${note.id}`);
  });

  it("of a credit note leads to the invoice's, and back", async () => {
    const of_note = await admin.get(`${ENTRIES}/${note.id}`);
    expect(textOf(of_note)).toContain("Credits Invoice 1");
    const of_invoice = await admin.get(`${ENTRIES}/${invoice.id}`);
    expect(textOf(of_invoice)).toContain("Credited by Credit note 1");
    expect(of_invoice.html).toContain(`href="${ENTRIES}/${note.id}"`);
  });

  it("of a voucher leads to its month, and to its reversal and back", async () => {
    const of_voucher = await admin.get(`${ENTRIES}/${voucher}`);
    expect(textOf(of_voucher)).toContain("Revenue of February 2026");
    expect(of_voucher.html).toContain('href="/close/2026-02"');
    expect(textOf(of_voucher)).toContain("Reversed by Voucher 2");
    expect(of_voucher.html).toContain(`href="${ENTRIES}/${reversal}"`);
    const of_reversal = await admin.get(`${ENTRIES}/${reversal}`);
    expect(textOf(of_reversal)).toContain("Reverses Voucher 1");
    expect(textOf(of_reversal)).toContain("Text Reversal: Accrual of February 2026, Acme A/S");
    expect(textOf(of_reversal)).toContain("Revenue of February 2026");
  });

  it("of a payment is listed by its kind, and leads to what reverses it and back", async () => {
    const { id } = await world.done("POST /customers", { name: "Betaler A/S" });
    const payment = journalBooking("payment", id, paid(5_00n));
    const back = journalBooking("payment", id, paid(-5_00n), { reverses_guid: payment.guid });
    await bookEntries(world, payment, back, journalBooking("opening", id, paid(-1n)));
    expect(await listed("?kind=payment")).toEqual(["Payment 2", "Payment 1"]);
    expect(await listed("?kind=opening")).toEqual(["Opening entry 1"]);
    expect(await listed("?kind=reminder")).toEqual([]);
    const of_payment = textOf(await admin.get(`${ENTRIES}/${payment.guid}`));
    expect(of_payment).toContain("Customer Betaler A/S");
    expect(of_payment).toContain("Reversed by Payment 2");
    const of_reversal = await admin.get(`${ENTRIES}/${back.guid}`);
    expect(textOf(of_reversal)).toContain("Reverses Payment 1");
    const danish = await admin.get(`${ENTRIES}/${back.guid}`, { "accept-language": "da" });
    expect(textOf(danish)).toContain("Tilbagefører Betaling 1");
  });

  it("is for admins of its own account alone", async () => {
    expect((await standard.get(`${ENTRIES}/${invoice.id}`)).status).toBe(404);
    expect((await standard.get(ENTRIES)).status).toBe(404);
    const other = await world.openAnother();
    const [key, customer] = [other.keys.read_write, { name: "Other" }];
    const { id: customer_id } = await world.done("POST /customers", customer, key);
    const { id: product_id } = await world.done("POST /products", { name: "Other" }, key);
    const line = { product_id, recognition_method: "value", agreed_value: 1 };
    const sent = { customer_id, auto_send: false, lines: [line] };
    const foreign = await world.done("POST /invoices", sent, key);
    await world.done(`POST /invoices/${foreign.id}/issue`, undefined, key);
    expect((await admin.get(`${ENTRIES}/${foreign.id}`)).status).toBe(404);
    expect((await admin.get(`${ENTRIES}/nothing`)).status).toBe(404);
  });
});

it("takes at most 12 statements a page", async () => {
  for (const path of [ENTRIES, `${ENTRIES}/${invoice.id}`]) {
    expect(await statementsOf(() => admin.get(path))).toBeLessThanOrEqual(13);
  }
});
