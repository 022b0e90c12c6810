/** What the page of a draft and the confirmation of its issue say of its e-invoice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { connectEinvoices } from "../../../test/support/einvoice/connect-einvoices.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { DraftStored } from "./draft-stored.ts";

const { world, draft, line } = useSales({ knows_origin: true });
const ADDRESS = "0088:5798009811578";
let admin: Browser;
let proof: string;
let dir: string;
let ministry: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
  admin = await openConsent(world).signedInAdmin();
  proof = await proofOf(admin);
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  await world.done("PATCH /configuration", {
    seller: { ...seller, vat_number: "25313763", iban: "DK5000400440116243" },
  });
  ministry = (
    await world.done("POST /customers", {
      name: "Ministeriet",
      send_method: "einvoice",
      ean_number: "5798009811578",
      att_person: "Ida",
      email: "ida@ministeriet.example",
    })
  ).id;
});
afterAll(() => rm(dir, { recursive: true }));

async function stored(id: string, language = "en"): Promise<DraftStored> {
  return (await admin.act("/app/drafts/read", { id, language }, proof)).body;
}
const aboutEinvoice = ({ warnings }: DraftStored) =>
  warnings.filter(({ text }) => /^E-(invoice|faktura): /.test(text));
const ofMinistry = (values: readonly number[] = [100], fields: object = {}) =>
  draft(values, { customer_id: ministry, auto_send: true, ...fields });
const change = (fields: object) => world.done(`PATCH /customers/${ministry}`, fields);

describe("the page of a draft", () => {
  it("says nothing of e-invoices where the customer gets a PDF", async () => {
    const { id } = await draft([100]);
    const seen = await stored(id);
    expect([seen.ready, aboutEinvoice(seen)]).toEqual([null, []]);
  });

  it("does not call it ready without a connection", async () => {
    const { id } = await ofMinistry();
    const seen = await stored(id);
    expect(seen.ready).toBe(null);
    expect(aboutEinvoice(seen).map(({ text }) => text)).toEqual([
      "E-invoice: The account has no connection for e-invoices: the operator of the service makes it.",
    ]);
  });

  it("calls a PDF with the data ready, which needs no connection", async () => {
    await change({ send_method: "email", einvoice_by_mail: true });
    const { id } = await ofMinistry();
    const { ready } = await stored(id);
    await change({ send_method: "einvoice", einvoice_by_mail: false });
    expect(ready).toBe("Ready for an e-mail with the e-invoice in its PDF (Factur-X)");
  });
});

describe("with a connection", () => {
  beforeAll(() => connectEinvoices(world, { path: dir }));

  it("names receiver and format once nothing is missing, after each save", async () => {
    const { id } = await ofMinistry([]);
    const before = await stored(id);
    expect(before.ready).toBe(null);
    expect(aboutEinvoice(before)).toEqual([
      {
        text: "E-invoice: No line has an amount.",
        cure: { href: `/invoices/${id}#lines`, name: "lines" },
      },
    ]);
    const save = { id, seen: before.version, language: "da", lines: [line(100)] };
    const { body } = await admin.act("/app/drafts/save", save, proof);
    expect([body.ready, aboutEinvoice(body)]).toEqual([`Klar til ${ADDRESS} (Peppol BIS 3)`, []]);
    expect((await admin.get(`/invoices/${id}`)).html).toContain(
      `<p class="notice">Ready for ${ADDRESS} (Peppol BIS 3)</p>`,
    );
  });

  it("says what is missing in the reader's language, each with the link to its cure", async () => {
    const { id } = await ofMinistry();
    await change({ att_person: null, ean_number: null });
    const seen = await stored(id, "da");
    await change({ att_person: "Ida", ean_number: "5798009811578" });
    const edit = `/customers/${ministry}/edit?back=%2Finvoices%2F${id}`;
    expect(aboutEinvoice(seen)).toEqual([
      {
        text: "E-faktura: Kunden har ingen elektronisk adresse: Angiv den, eller et dansk EAN- eller CVR-nummer.",
        cure: { href: `${edit}#einvoice_address`, name: "customer" },
      },
      {
        text: "E-faktura: Købers reference mangler: Angiv den, eller købers ordrenummer.",
        cure: { href: `/invoices/${id}#buyer_reference`, name: "reference" },
      },
    ]);
    expect(seen.warnings.map(({ text }) => text).join()).not.toContain("kan ikke sendes");
  });

  it("is ready once the reference is typed, which is the draft's alone and goes back to the customer's", async () => {
    await change({ att_person: null, order_reference: "PO 1", accounting_cost: "K-9" });
    const { id } = await ofMinistry();
    const before = await stored(id);
    expect(before.typed).toMatchObject({ buyer_reference: null, order_reference: null });
    expect(before.billing.references).toEqual({
      buyer_reference: "",
      order_reference: "PO 1",
      accounting_cost: "K-9",
    });
    const { html } = await admin.get(`/invoices/${id}`);
    expect(html).toMatch(/<span>Their order number<\/span><input[^>]* placeholder="PO 1"/);
    await change({ order_reference: null, accounting_cost: null });
    const save = async (seen: string, fields: object) =>
      (await admin.act("/app/drafts/save", { id, seen, language: "en", ...fields }, proof)).body;
    const lacking = await stored(id);
    expect(lacking.ready).toBe(null);
    const own = await save(lacking.version, { order_reference: "PO 7", accounting_cost: "" });
    expect(own.typed).toMatchObject({ order_reference: "PO 7", accounting_cost: "" });
    expect([own.ready, aboutEinvoice(own)]).toEqual([`Ready for ${ADDRESS} (Peppol BIS 3)`, []]);
    expect((await world.done(`GET /customers/${ministry}`)).order_reference).toBeUndefined();
    const back = await save(own.version, { order_reference: null });
    await change({ att_person: "Ida" });
    expect([back.typed.order_reference, back.ready]).toEqual([null, null]);
  });

  it("has the confirmation of an issue name receiver and format", async () => {
    const { id } = await ofMinistry();
    const { html } = await admin.get(`/invoices/${id}/issue`);
    expect(html).toContain(`An e-invoice to ${ADDRESS} (Peppol BIS 3).`);
    expect(html).toContain("Issue and send DKK 125.00</button>");
    const kept = await ofMinistry([100], { auto_send: false });
    expect((await admin.get(`/invoices/${kept.id}/issue`)).html).toContain("Nothing. You can send");
  });
});
