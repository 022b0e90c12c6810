/** The page that sends a document again, for admins: by e-mail, or as an e-invoice with other references. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, hiddenFields, textOf } from "../../../test/support/browser/browser.ts";
import { connectEinvoices } from "../../../test/support/einvoice/connect-einvoices.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const oauth = openConsent(world);
const customer = world.made("POST /customers", {
  name: "Ringkøbing-Skjern Kommune",
  ean_number: "5798009811578",
  email: "ap@kommune.example",
  send_method: "einvoice",
});
const product = world.made("POST /products", { name: "Rådgivning", default_price: 1000 });
let admin: Browser;
let dir: string;

beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  dir = await mkdtemp(join(tmpdir(), "matchbook-send-again-"));
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  await world.done("PATCH /configuration", { seller: { ...seller, vat_number: "25313763" } });
  await connectEinvoices(world, { path: dir });
});
afterAll(() => rm(dir, { recursive: true }));

/** Issues an invoice that leaves as an e-invoice; returns its path. */
async function issued(auto_send = true): Promise<string> {
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, order_reference: "PO-1", auto_send, lines };
  const { id } = await world.done("POST /invoices", body);
  await world.done(`POST /invoices/${id}/issue`);
  return `/invoices/${id}`;
}

const deliveriesOf = async (path: string): Promise<Json[]> =>
  (await world.done(`GET ${path}/deliveries`)).data;
const file = (delivery: Json) => readFile(join(dir, "out", `${delivery.id}.xml`), "utf8");
const typed = {
  channel: "einvoice",
  receiver: "0088:5798009811639",
  buyer_reference: "4711",
  order_reference: "PO-2",
  accounting_cost: "",
};

describe("the page that sends an invoice again", () => {
  it("has what would be sent, then what was sent, and the invoice leads to it", async () => {
    const path = await issued(false);
    expect((await admin.get(path)).html).toContain(`href="${path}/send"`);
    const unsent = (await admin.get(`${path}/send`)).html;
    expect(unsent).toMatch(/name="receiver"[^>]* value="0088:5798009811578"/);
    expect(unsent).toMatch(/name="order_reference"[^>]* value="PO-1"/);
    const sent = await admin.submit(await admin.get(`${path}/send`), `${path}/send`, typed);
    expect([sent.status, sent.location]).toEqual([303, path]);
    const [delivery] = await deliveriesOf(path);
    expect(delivery).toMatchObject({ channel: "einvoice", address: "0088:5798009811639" });
    expect(await file(delivery)).toContain("<cbc:BuyerReference>4711</cbc:BuyerReference>");
    expect(textOf(await admin.get(`/deliveries/${delivery.id}`))).toContain("Format Peppol BIS 3");
    const { html } = await admin.get(`${path}/send`);
    expect(html).toMatch(/name="receiver"[^>]* value="0088:5798009811639"/);
    expect(html).toMatch(/name="order_reference"[^>]* value="PO-2"/);
    expect(html).toMatch(/name="buyer_reference"[^>]* value="4711"/);
    expect((await admin.get(`${path}/einvoice`)).html).toContain("PO-2");
  });

  it("asks before it sends a second e-invoice, and sends one for a form that is posted twice", async () => {
    const path = await issued();
    const page = await admin.get(`${path}/send`);
    const asked = await admin.submit(page, `${path}/send`, typed);
    expect(asked.status).toBe(409);
    const text = textOf(asked);
    expect(text).toContain("An e-invoice of this document is in progress, or has arrived.");
    expect(text).toContain("Send another e-invoice");
    expect(asked.html).toMatch(/name="order_reference"[^>]* value="PO-2"/);
    expect(await deliveriesOf(path)).toHaveLength(1);
    const confirm = () => admin.submit(asked, `${path}/send`, typed);
    const replies = await Promise.all([confirm(), confirm()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await deliveriesOf(path)).toHaveLength(2);
    const danish = await admin.submit(page, `${path}/send`, { ...typed, receiver: "1" });
    expect(danish.status).toBe(422);
  });

  it("lists in Danish what the e-invoice lacks with these references, and keeps them", async () => {
    const path = await issued(false);
    const page = await admin.get(`${path}/send`, { "accept-language": "da" });
    const without = { ...typed, buyer_reference: "", order_reference: "", accounting_cost: "7" };
    const fields = { ...hiddenFields(page.html, `${path}/send`), ...without };
    const danish = { "accept-language": "da", "sec-fetch-site": "same-origin" };
    const refused = await admin.post(`${path}/send`, fields, danish);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("Købers reference mangler");
    expect(textOf(refused)).not.toContain("The buyer");
    expect(refused.html).toMatch(/name="accounting_cost"[^>]* value="7"/);
    expect(await deliveriesOf(path)).toEqual([]);
  });

  it("sends the PDF by e-mail, without a word of the references", async () => {
    const path = await issued();
    const page = await admin.get(`${path}/send`);
    const fields = { ...typed, channel: "email", address: "boss@kommune.example" };
    expect((await admin.submit(page, `${path}/send`, fields)).status).toBe(303);
    const [delivery] = await deliveriesOf(path);
    expect(delivery).toMatchObject({ channel: "email", address: "boss@kommune.example" });
  });

  it("offers the PDF after a refusal by the receiver, and leads to the history of the sending", async () => {
    const path = await issued();
    const [delivery] = await deliveriesOf(path);
    const reason = "The receiver's side refused the document: BV: no order";
    await world.sql("update deliveries set state = 'rejected', send_error = $2 where id = $1", [
      delivery?.id,
      reason,
    ]);
    const { html } = await admin.get(path, { "accept-language": "da" });
    expect(html).toContain("Send som PDF til ap@kommune.example");
    expect(html).toContain("Modtagerens side afviste dokumentet: BV: no order");
    expect(html).toContain(`href="/deliveries/${delivery?.id}"`);
    await world.sql("update deliveries set state = 'unknown' where id = $1", [delivery?.id]);
    const history = await admin.get(`/deliveries/${delivery?.id}`);
    expect(textOf(history)).toContain("Do you know what became of it?");
  });

  it("has no fields of an e-invoice without a connection", async () => {
    const path = await issued(false);
    await world.sql("update einvoice_connections set is_current = false");
    const { html } = await admin.get(`${path}/send`);
    await world.sql("update einvoice_connections set is_current = true");
    expect(html).not.toContain('name="receiver"');
    expect(html).toContain('name="address"');
  });
});
