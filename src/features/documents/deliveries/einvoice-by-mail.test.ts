/** Mails to a customer with `einvoice_by_mail`: the attached PDF carries the data of the document (spec 14.5). */
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";

const world = useMailWorld();
const SELLER = { name: "Nordlys ApS", vat_number: "25313763", iban: "DK5000400440116243" };

async function attachedTo(message: Buffer | undefined): Promise<Buffer> {
  const { attachments } = await PostalMime.parse(message ?? "");
  expect(attachments.map(({ mimeType }) => mimeType)).toEqual(["application/pdf"]);
  return Buffer.from(attachments[0]?.content as ArrayBuffer);
}

describe("einvoice_by_mail", () => {
  it("mails the file of Factur-X in place of the PDF, which stays as it is", async () => {
    await world.done("PATCH /configuration", { seller: SELLER });
    const received = await world.useServer();
    const { id } = await world.issued("ap@acme.example", { einvoice_by_mail: true });
    const attached = await attachedTo(received[0]);
    const file = await world.rest(`GET /invoices/${id}/einvoice?format=factur-x`);
    expect(attached.equals(file.body)).toBe(true);
    expect(attached.toString("latin1")).toContain("/F (factur-x.xml)");
    const pdf = await world.rest(`GET /invoices/${id}/pdf`);
    expect(pdf.body.toString("latin1")).not.toContain("factur-x");
  });

  it("mails the plain PDF where the document cannot be expressed, and to other customers", async () => {
    await world.done("PATCH /configuration", { seller: { ...SELLER, name: null } });
    const received = await world.useServer();
    await world.issued("ap@acme.example", { einvoice_by_mail: true });
    await world.done("PATCH /configuration", { seller: SELLER });
    await world.issued("ap@acme.example");
    for (const message of received) {
      expect((await attachedTo(message)).toString("latin1")).not.toContain("factur-x");
    }
    expect(received).toHaveLength(2);
  });
});
