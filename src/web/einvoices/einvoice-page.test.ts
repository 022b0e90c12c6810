/** The page of an e-invoice: what the bytes of its file say, for admins, in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld();
const oauth = openConsent(world);
let admin: Browser;
let invoice: Json;
let note: Json;

beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  await world.done("PATCH /configuration", {
    seller: { name: "Nordlys ApS", street: "Vestergade 12", vat_number: "25313763" },
  });
  const customer = await world.done("POST /customers", {
    name: "Ringkøbing-Skjern Kommune",
    ean_number: "5798009811578",
    att_person: "Mette Krogh",
  });
  invoice = await issuedTo(customer.id);
  note = await world.done("POST /credit-notes", {
    external_id: "back",
    invoice: invoice.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
});

async function issuedTo(customer_id: string): Promise<Json> {
  const product = await world.done("POST /products", {
    name: "Rådgivning <b>",
    default_price: 80.5,
  });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const { id } = await world.done("POST /invoices", { customer_id, lines, auto_send: false });
  return world.done(`POST /invoices/${id}/issue`);
}

describe("the page of an e-invoice", () => {
  it("shows the values of the file with the numbers of their terms", async () => {
    const page = await admin.get(`/invoices/${invoice.id}/einvoice`);
    const text = textOf(page);
    expect(text).toContain(`E-invoice ${invoice.ledger_invoice_number}`);
    expect(text).toContain("Electronic address 5798009811578 0088 BT-49");
    expect(text).toContain("Name Rådgivning &lt;b> BT-153");
    expect(text).toContain("To pay 100.63 DKK BT-115");
    expect(text).toContain("All amounts agree with the books.");
    const { headers } = await world.rest(`GET /invoices/${invoice.id}/einvoice`);
    expect(text).toContain(headers.get("etag")?.slice(1, -1));
  });

  it("offers the file, and the document leads to the page", async () => {
    const { html } = await admin.get(`/invoices/${invoice.id}`);
    expect(html).toContain(`href="/invoices/${invoice.id}/einvoice"`);
    const { html: page } = await admin.get(`/invoices/${invoice.id}/einvoice`);
    expect(page).toContain(`href="/invoices/${invoice.id}/einvoice.xml"`);
    const file = await admin.get(`/invoices/${invoice.id}/einvoice.xml`);
    const { body } = await world.rest(`GET /invoices/${invoice.id}/einvoice`);
    expect(file.html).toBe(body.toString());
  });

  it("is that of a credit note, too", async () => {
    const text = textOf(await admin.get(`/credit-notes/${note.id}/einvoice`));
    expect(text).toContain("Type of document 381 BT-3");
    expect(text).toContain(`Credited invoice ${invoice.ledger_invoice_number} BT-25`);
  });

  it("says what is missing where the document cannot be an e-invoice", async () => {
    const { id } = await world.done("POST /customers", { name: "Acme" });
    const text = textOf(await admin.get(`/invoices/${(await issuedTo(id)).id}/einvoice`));
    expect(text).toContain("No e-invoice");
    expect(text).toContain("PEPPOL-EN16931-R010");
  });

  it("is for admins alone, and of the account alone", async () => {
    const { browser } = await oauth.person();
    expect((await browser.get(`/invoices/${invoice.id}/einvoice`)).status).toBe(404);
    expect((await browser.get(`/invoices/${invoice.id}/einvoice.xml`)).status).toBe(404);
    const unknown = "0190b6a0-0000-7000-8000-000000000000";
    expect((await admin.get(`/invoices/${unknown}/einvoice`)).status).toBe(404);
    const draft = await world.done("POST /invoices", {
      customer_id: invoice.customer_id,
      lines: [],
    });
    expect((await admin.get(`/invoices/${draft.id}/einvoice`)).status).toBe(409);
  });
});
