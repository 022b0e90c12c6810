/** The PDF of an invoice (spec 10.3): a preview for a draft, and permanently the same bytes for an issued one. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { thaw } from "../../../platform/runtime/json.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: "Acme A/S", city: "Ribe" });
const product = world.made("POST /products", { name: "Consulting", default_price: 1000 });

async function draft(fields: object = {}): Promise<string> {
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, auto_send: false, lines, ...fields };
  return (await world.done("POST /invoices", body)).id;
}

async function issued(fields: object = {}): Promise<Json> {
  return world.done(`POST /invoices/${await draft(fields)}/issue`);
}

const pdf = (id: string) => world.rest(`GET /invoices/${id}/pdf`);

/** Whether the file's title contains the word, in PDF encoding. */
function hasInTitle(content: Buffer, word: string): boolean {
  return content.includes(Buffer.from(word, "utf16le").swap16());
}

describe("GET /invoices/{ref}/pdf", () => {
  it("shows a draft as a marked preview of its current content", async () => {
    const id = await draft();

    const { status, body, headers } = await pdf(id);
    await world.done(`PATCH /invoices/${id}`, { title: "Changed" });
    const changed = await pdf(id);

    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe('inline; filename="faktura-udkast.pdf"');
    expect(hasInTitle(body, "UDKAST") || hasInTitle(body, "Udkast")).toBe(true);
    expect(changed.body.equals(body)).toBe(false);
    expect(await world.sql("select 1 from document_files where document_id = $1", [id])).toEqual(
      [],
    );
  });

  it("shows an issued invoice under its number, without the mark", async () => {
    const { id, ledger_invoice_number: number } = await issued();

    const { body, headers } = await pdf(id);

    expect(headers.get("content-disposition")).toBe(`inline; filename="faktura-${number}.pdf"`);
    expect(hasInTitle(body, `Faktura ${number}`)).toBe(true);
    expect(hasInTitle(body, "UDKAST") || hasInTitle(body, "Udkast")).toBe(false);
  });

  it("answers concurrent first calls with the same bytes and stores them once", async () => {
    const { id } = await issued();

    const replies = await Promise.all(Array.from({ length: 8 }, () => pdf(id)));

    const hashes = new Set(
      replies.map((reply) => createHash("sha256").update(reply.body).digest("hex")),
    );
    expect(hashes.size).toBe(1);
    const rows = await world.sql(
      "select encode(sha256, 'hex') as hash from document_files where document_id = $1",
      [id],
    );
    expect(rows).toEqual([{ hash: [...hashes][0] }]);
  });

  it("never changes, even after changes of customer, seller, product and account", async () => {
    const [seen, unseen] = [await issued(), await issued()];
    const before = (await pdf(seen.id)).body;
    const totals = await world.done(`GET /invoices/${unseen.id}/totals`);
    const preview = (await pdf(await draft())).body;

    await world.done(`PATCH /customers/${customer.id}`, { name: "Other A/S", country_key: "SE" });
    await world.done(`PATCH /products/${product.id}`, { name: "Other", default_price: 7 });
    await world.done("PATCH /configuration", { seller: { name: "Other seller" } });
    await world.done("PATCH /ledger/accounts/1000", { vat_code: "DK0" });
    const after = (await pdf(await draft())).body;

    expect((await pdf(seen.id)).body.equals(before)).toBe(true);
    // Rendered for the first time only now, from the frozen data: seller and customer are the old ones.
    const late = (await pdf(unseen.id)).body;
    expect(hasInTitle(late, "Other seller")).toBe(false);
    expect(hasInTitle(after, "Other seller")).toBe(true);
    expect(after.equals(preview)).toBe(false);
    expect(await world.done(`GET /invoices/${unseen.id}/totals`)).toEqual(totals);
  });

  it.each(["update document_files set content = ''", "delete from document_files"])(
    "cannot be changed by %s",
    async (statement) => {
      const { id } = await issued();
      await pdf(id);

      await expect(world.sql(`${statement} where document_id = $1`, [id])).rejects.toThrow(
        "append-only",
      );
    },
  );

  it("belongs to one account and needs a key", async () => {
    const { id } = await issued();
    const other = await world.openAnother();

    const call = (key: string | null) => world.rest(`GET /invoices/${id}/pdf`, undefined, key);

    expect(refusal(await call(other.keys.read_write))).toBe("404 NOT_FOUND");
    expect(refusal(await call(null))).toBe("401 UNAUTHORIZED");
    expect((await call(world.account.keys.read)).status).toBe(200);
  });
});

describe("the seller's fields of e-invoices", () => {
  it("are frozen, and absent where they were not set", async () => {
    const fields = {
      registration_number: "12345674",
      einvoice_address: "0088:5790000123452",
      contact_name: "Bogholderiet",
    };
    await world.done("PATCH /configuration", { seller: fields });
    const { id } = await issued();
    const none = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
    await world.done("PATCH /configuration", { seller: none });
    expect((await frozenOf(id)).seller).toMatchObject(fields);
    const { seller } = await frozenOf((await issued()).id);
    for (const field of Object.keys(fields)) expect(seller).not.toHaveProperty(field);
  });
});

async function frozenOf(id: string): Promise<DocumentSnapshot> {
  const rows = await world.sql("select snapshot from issued_documents where document_id = $1", [
    id,
  ]);
  return thaw<DocumentSnapshot>(rows[0].snapshot);
}

describe("payment codes", () => {
  const seller = { name: "Nordlys ApS", fik_creditor_number: "81234567" };

  it("are frozen with the number, as the seller is then, and not on a credit note", async () => {
    await world.done("PATCH /configuration", { seller });
    const invoice = await issued();
    await world.done("PATCH /configuration", { seller: { fik_creditor_number: null } });
    const { ledger_invoice_number: number, id } = invoice;
    const rf = expect.stringMatching(new RegExp(`^RF\\d\\d${number}$`));
    const { payment_codes } = await frozenOf(id);
    expect(payment_codes).toMatchObject({
      rf,
      reference: expect.stringMatching(new RegExp(`^0+${number}\\d$`)),
    });
    expect(payment_codes?.fik_line).toBe(`+71<${payment_codes?.reference}+81234567<`);
    expect((await frozenOf((await issued()).id)).payment_codes).toMatchObject({ fik_line: null });

    const body = { external_id: "codes", invoice: id, kind: "full", credit_date: "2026-03-10" };
    const credit = await world.done("POST /credit-notes", body);
    expect((await frozenOf(credit.id)).payment_codes).toBeUndefined();
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it.skipIf(lacks("pdftotext"))("are printed (needs pdftotext)", async () => {
    await world.done("PATCH /configuration", { seller });
    for (const [language, label] of [
      ["da", "Betalings-id"],
      ["en", "Payment reference"],
    ] as const) {
      const { id } = await world.done("POST /customers", {
        name: "Acme",
        preferred_invoice_language_key: language === "da" ? "da-DK" : "en-GB",
      });
      const invoice = await issued({ customer_id: id });
      const { payment_codes: codes } = await frozenOf(invoice.id);
      const text = await textOfPdf((await pdf(invoice.id)).body);
      expect(text).toContain(label);
      expect(text).toContain(`${codes?.reference}\n`);
      expect(text).toContain(codes?.fik_line);
      const preview = await textOfPdf((await pdf(await draft({ customer_id: id }))).body);
      expect(preview).not.toMatch(/RF\d|\+71</);
    }
  });
});
