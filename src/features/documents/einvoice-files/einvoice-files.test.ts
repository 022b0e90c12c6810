/** The file of an e-invoice (spec 14.3 and 14.6): stored when it is first asked for, and the same bytes from then on. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { thaw } from "../../../platform/runtime/json.ts";
import { readBack } from "./read-back.ts";

const world = useWorld();
const customer = world.made("POST /customers", {
  name: "Ringkøbing-Skjern Kommune",
  ean_number: "5798009811578",
  att_person: "Mette Krogh",
});
const product = world.made("POST /products", { name: "Rådgivning", default_price: 1000 });
const SELLER = {
  name: "Nordlys ApS",
  street: "Vestergade 12",
  city: "Aarhus",
  vat_number: "25313763",
  iban: "DK5000400440116243",
};

async function issued(fields: object = {}): Promise<Json> {
  await world.done("PATCH /configuration", { seller: SELLER });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, auto_send: false, lines, ...fields };
  const { id } = await world.done("POST /invoices", body);
  return world.done(`POST /invoices/${id}/issue`);
}

const file = (id: string, query = "") => world.rest(`GET /invoices/${id}/einvoice${query}`);

describe("GET /invoices/{ref}/einvoice", () => {
  it("answers the XML with its hash, under the number of the invoice", async () => {
    const { id, ledger_invoice_number: number } = await issued();
    const { status, body, headers } = await file(id);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/xml");
    expect(headers.get("content-disposition")).toBe(`inline; filename="faktura-${number}.xml"`);
    const hash = createHash("sha256").update(body).digest("hex");
    expect(headers.get("etag")).toBe(`"${hash}"`);
    const xml = body.toString();
    expect(xml).toContain(`<cbc:ID>${number}</cbc:ID>`);
    expect(xml).toContain('<cbc:EndpointID schemeID="0088">5798009811578</cbc:EndpointID>');
    expect(xml).toContain('<cbc:EndpointID schemeID="0184">25313763</cbc:EndpointID>');
    expect(xml).toContain("<cbc:BuyerReference>Mette Krogh</cbc:BuyerReference>");
    expect(xml).toContain('<cbc:PayableAmount currencyID="DKK">1250.00</cbc:PayableAmount>');
  });

  it("is stored once, and does not change with the seller and the name of the customer", async () => {
    const { id } = await issued();
    const [first, second] = await Promise.all([file(id), file(id)]);
    await world.done("PATCH /configuration", { seller: { ...SELLER, name: "Sydlys ApS" } });
    await world.done(`PATCH /customers/${customer.id}`, { name: "Another" });
    const later = await file(id, "?format=peppol-bis-3");
    await world.done(`PATCH /customers/${customer.id}`, { name: "Ringkøbing-Skjern Kommune" });
    expect(second.body.equals(first.body)).toBe(true);
    expect(later.body.equals(first.body)).toBe(true);
    const rows = await world.sql("select receiver from einvoice_files where document_id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ receiver: "0088:5798009811578" }]);
  });

  it("goes to where the customer's e-invoices go now: another address is another file", async () => {
    const { id } = await issued();
    const before = (await file(id)).body.toString();
    await world.done(`PATCH /customers/${customer.id}`, { ean_number: "5798009811639" });
    const after = (await file(id)).body.toString();
    await world.done(`PATCH /customers/${customer.id}`, { ean_number: "5798009811578" });
    const endpoint = 'EndpointID schemeID="0088">';
    expect(after).toBe(before.replace(`${endpoint}5798009811578`, `${endpoint}5798009811639`));
  });

  it("is refused for a draft", async () => {
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const { id } = await world.done("POST /invoices", { customer_id: customer.id, lines });
    expect(refusal(await file(id))).toBe("409 INVOICE_NOT_ISSUED");
  });

  it("is refused with the missing fields and the rules that want them", async () => {
    const abroad = await world.done("POST /customers", { name: "GmbH", country_key: "DE" });
    const { id } = await issued({ customer_id: abroad.id });
    const { status, body } = await file(id);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: "EINVOICE_INCOMPLETE",
      details: {
        missing: ["customer.einvoice_address", "buyer_reference"],
        rules: [
          { field: "customer.einvoice_address", rule: "PEPPOL-EN16931-R010" },
          { field: "buyer_reference", rule: "PEPPOL-EN16931-R003" },
        ],
      },
    });
  });
});

describe("GET /invoices/{ref}/einvoice in other formats", () => {
  it("is OIOUBL with the letters of Danish numbers", async () => {
    const { id } = await issued();
    const { status, body } = await file(id, "?format=oioubl-2.1");
    expect(status).toBe(200);
    expect(body.toString()).toContain("<cbc:CustomizationID>OIOUBL-2.1</cbc:CustomizationID>");
    expect(body.toString()).toContain('<cbc:CompanyID schemeID="DK:SE">DK25313763<');
  });

  it("is a PDF with the data attached, for a customer without an electronic address", async () => {
    const abroad = await world.done("POST /customers", { name: "GmbH", country_key: "DE" });
    const { id, ledger_invoice_number: number } = await issued({ customer_id: abroad.id });
    const { status, body, headers } = await file(id, "?format=factur-x");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe(`inline; filename="faktura-${number}.pdf"`);
    expect(body.toString("latin1")).toContain("/F (factur-x.xml)");
    expect((await file(id, "?format=factur-x")).body.equals(body)).toBe(true);
    const pdf = await world.rest(`GET /invoices/${id}/pdf`);
    expect(pdf.body.toString("latin1")).not.toContain("factur-x");
    const [row] = await world.sql("select snapshot from issued_documents where document_id = $1", [
      id,
    ]);
    const back = await readBack(body, thaw(row?.snapshot), new AbortController().signal);
    expect([back?.read.syntax, back?.faults]).toEqual(["cii", []]);
  });
});

describe("GET /credit-notes/{ref}/einvoice", () => {
  it("names the credited invoice with its date, and has no terms of payment", async () => {
    const invoice = await issued();
    const credit = { external_id: "cn-1", invoice: invoice.id, kind: "full" };
    const note = await world.done("POST /credit-notes", { ...credit, credit_date: "2026-03-10" });
    const { status, body, headers } = await world.rest(`GET /credit-notes/${note.id}/einvoice`);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toMatch(/kreditnota-\d+\.xml"$/);
    const xml = body.toString();
    expect(xml).toContain(
      `<cac:InvoiceDocumentReference>\n<cbc:ID>${invoice.ledger_invoice_number}</cbc:ID>\n<cbc:IssueDate>${invoice.issue_date}</cbc:IssueDate>`,
    );
    expect(xml).not.toMatch(/DueDate|PaymentTerms|PaymentMeans/);
  });
});
