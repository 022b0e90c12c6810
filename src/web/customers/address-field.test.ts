/** Where invoices to a customer go: the head of the customer's page, the field of the form, and what it asks while it is typed. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const ACTION = "/app/customers/address";
const customer = (fields: Json) => world.done("POST /customers", { name: "Customer", ...fields });

describe("the head of a customer", () => {
  it.each<[string, Json, string, string]>([
    [
      "an e-mail address",
      { email: "ap@acme.example" },
      "Invoices go to ap@acme.example by e-mail.",
      "Fakturaer sendes til ap@acme.example med e-mail.",
    ],
    [
      "an e-mail address that gets the data too",
      { email: "ap@acme.example", einvoice_by_mail: true },
      "by e-mail, as PDFs that programs can read too.",
      "med e-mail, som PDF, der også kan læses af programmer.",
    ],
    [
      "no e-mail address",
      {},
      "There is no e-mail address for invoices yet.",
      "Der er endnu ingen mailadresse til fakturaer.",
    ],
    [
      "an EAN number",
      { send_method: "einvoice", ean_number: "5798009811578" },
      "Invoices go to 0088:5798009811578, an EAN number (GLN), as e-invoices (Peppol BIS 3).",
      "Fakturaer sendes til 0088:5798009811578, et EAN-nummer (GLN), som e-fakturaer (Peppol BIS 3).",
    ],
    [
      "a CVR number for OIOUBL",
      { send_method: "einvoice", vat_number: "25313763", einvoice_format: "oioubl-2.1" },
      "Invoices go to 0184:25313763, a Danish CVR number, as e-invoices (OIOUBL 2.1).",
      "et dansk CVR-nummer, som e-fakturaer (OIOUBL 2.1).",
    ],
    [
      "an entered address",
      { send_method: "einvoice", country_key: "NO", einvoice_address: "0192:123456785" },
      "Invoices go to 0192:123456785, a Norwegian organisation number,",
      "Fakturaer sendes til 0192:123456785, et norsk organisationsnummer,",
    ],
    [
      "a number of another country",
      { send_method: "einvoice", country_key: "SE", vat_number: "SE556703748501" },
      "There is no address for e-invoices yet.",
      "Der er endnu ingen adresse til e-fakturaer.",
    ],
  ])("says where invoices go with %s", async (_what, fields, english, danish) => {
    const { id } = await customer(fields);
    expect((await admin.get(`/customers/${id}`)).html).toContain(english);
    const in_danish = await admin.get(`/customers/${id}`, { "accept-language": "da" });
    expect(in_danish.html).toContain(danish);
  });
});

describe("what is missing for e-invoices to a customer", () => {
  it("is said with the link to its cure, and only of those who get e-invoices", async () => {
    const { id } = await customer({ send_method: "einvoice", ean_number: "5798009811578" });
    const { html } = await admin.get(`/customers/${id}`, { "accept-language": "da" });
    expect(html).toContain("E-faktura: Sælgers CVR-nummer mangler: Angiv det under indstillinger.");
    expect(html).toMatch(/<a class="link" href="\/settings\/company"/);
    const by_mail = await customer({ email: "ap@acme.example" });
    expect((await admin.get(`/customers/${by_mail.id}`)).html).not.toContain("note-warn");
  });

  it("is nothing once the seller is known", async () => {
    await world.done("PATCH /configuration", {
      seller: { name: "Nordlys ApS", vat_number: "25313763" },
    });
    const { id } = await customer({ send_method: "einvoice", ean_number: "5798009811578" });
    expect((await admin.get(`/customers/${id}`)).html).not.toContain("note-warn");
  });
});

describe("the form of a customer", () => {
  it("says what a stored address is, and proposes addresses of another country without a script", async () => {
    const typed = await customer({ einvoice_address: "0192:123456785" });
    expect((await admin.get(`/customers/${typed.id}/edit`)).html).toContain(
      "This is a Norwegian organisation number. The check digit is right.",
    );
    const belgian = await customer({ country_key: "BE", vat_number: "BE0403019261" });
    const { html } = await admin.get(`/customers/${belgian.id}/edit`);
    expect(html).toContain("<code>0208:0403019261</code>");
    expect(html).toContain("<code>9925:BE0403019261</code>");
    expect(await world.done(`GET /customers/${belgian.id}`)).not.toHaveProperty("einvoice_address");
  });

  it("knows the numbers that it does not show", async () => {
    const { id } = await customer({ p_number: "1012345678", invoice_mail_out_option_key: "P" });
    const path = `/customers/${id}/edit`;
    const shown = await admin.get(path);
    expect(shown.html).toContain("The address of e-invoices follows: 0096:1012345678.");
    const refused = await admin.submit(shown, path, { name: "" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("The address of e-invoices follows: 0096:1012345678.");
  });

  it("asks while it is typed, in the reader's language", async () => {
    const proof = await proofOf(admin);
    const typed = { einvoice_address: "5798009811578", country_key: "DK" };
    const asked = await admin.act(ACTION, { language: "da", typed }, proof);
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        text: "Det er et EAN-nummer (GLN). Kontrolcifferet passer. Adressen som modtager af e-fakturaer:",
        is_fault: false,
        address: null,
        proposals: ["0088:5798009811578"],
      },
    ]);
    const unknown = await admin.act(ACTION, { language: "da", typed: { name: "x" } }, proof);
    expect(unknown.status).toBe(422);
  });

  it("answers only people who may change customers", async () => {
    const { browser } = await oauth.person();
    const answer = await browser.act(ACTION, { language: "en", typed: {} }, await proofOf(browser));
    expect(answer.status).toBe(404);
  });
});
