/** The pages of hours inside an e-invoice (spec 14.3): a PDF of their own, for readers who see all hours. */
import { expect, it } from "vitest";
import { textOfPdf } from "../../../../test/support/documents/pdf-text.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { findIssued } from "../issued/issued-documents.ts";
import { einvoiceReply } from "./present.ts";

const { world, customer, invoice, hours, registered } = useWork();

async function issuedWithHours(hours_specification: boolean): Promise<Json> {
  await world.done("PATCH /configuration", {
    seller: { name: "Nordlys ApS", vat_number: "25313763" },
  });
  const buyer = { ean_number: "5798009811578", att_person: "Mette Krogh" };
  await world.done(`PATCH /customers/${customer.id}`, buyer);
  const made = await invoice([hours()], { hours_specification, auto_send: false });
  await registered(made.lines[0].id, { hours: 2.5, note: "A sketch" });
  return world.done(`POST /invoices/${made.id}/issue`);
}

const ATTACHED =
  /<cbc:EmbeddedDocumentBinaryObject mimeCode="application\/pdf" filename="([^"]*)">([^<]*)</;

async function attachedTo(id: string) {
  const { status, body } = await world.rest(`GET /invoices/${id}/einvoice`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  const [, filename, content = ""] = ATTACHED.exec(body.toString()) ?? [];
  return { filename, content: Buffer.from(content, "base64") };
}

it.skipIf(lacks("pdftotext"))(
  "are attached where the document specifies hours, without the invoice (needs pdftotext)",
  async () => {
    const { id, ledger_invoice_number: number } = await issuedWithHours(true);
    const { filename, content } = await attachedTo(id);
    expect(filename).toBe(`timer-${number}.pdf`);
    const text = await textOfPdf(new Uint8Array(content));
    expect(text).toContain(`Specifikation af timer – Faktura ${number}`);
    expect(text).toContain("A sketch");
    expect(text).not.toContain("Til betaling");
  },
);

it("are the same bytes when they are asked for again, and absent without a specification", async () => {
  const { id } = await issuedWithHours(true);
  const [first, second] = [await attachedTo(id), await attachedTo(id)];
  expect(first.content.length).toBeGreaterThan(1_000);
  expect(second.content.equals(first.content)).toBe(true);
  const plain = await issuedWithHours(false);
  expect((await attachedTo(plain.id)).filename).toBeUndefined();
});

it("are left out for a reader who sees only their own hours, whose file is not stored", async () => {
  const { id } = await issuedWithHours(true);
  const cx = await operatorContext(world.services, world.account.account_id);
  const issued = await findIssued(cx, id);
  if (issued === undefined) throw new Error("not issued");
  const reply = await einvoiceReply(cx, { id, ...issued, hours_are_own: true });
  expect(Buffer.from(reply.content).toString()).not.toMatch(ATTACHED);
  expect(await world.sql("select 1 from einvoice_files where document_id = $1", [id])).toEqual([]);
  expect((await attachedTo(id)).filename).toMatch(/^timer-/);
});
