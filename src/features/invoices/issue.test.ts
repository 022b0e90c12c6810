/** Issuing through the built-in ledger (interface section 3, domain.md 5.3). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, openWorld, type World } from "../../../test/support/world.ts";

let world: World;
let customer: Json;
let product: Json;
beforeAll(async () => {
  world = await openWorld();
  customer = await world.done("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
  product = await world.done("POST /products", { name: "Consulting", default_price: 1000 });
});
afterAll(() => world.close());

/** A draft of one line of 1,250.50 unless fields say otherwise. */
function draft(fields: object = {}): Promise<Json> {
  return world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 1250.5 }],
    ...fields,
  });
}

describe("POST /invoices/{ref}/issue", () => {
  it("books the draft: date, guid, number and time come together", async () => {
    const { id } = await draft({ title: "March" });

    const { status, body } = await world.rest(`POST /invoices/${id}/issue`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "invoice",
      status: "issued",
      issue_date: "2026-03-10",
      issued_at: "2026-03-10T09:00:00.000Z",
      ledger_invoice_guid: id,
      ledger_invoice_number: 1,
      title: "March",
    });
    expect(body).not.toHaveProperty("send_error");
    expect((await world.rest(`GET /invoices/${id}`)).body).toEqual(body);
  });

  it("debits the receivable and credits revenue and VAT", async () => {
    const { id } = await draft();
    await world.done(`POST /invoices/${id}/issue`);

    const { data } = await world.done("GET /ledger/entries?limit=100");

    expect(data.at(-1)).toMatchObject({
      guid: id,
      kind: "invoice",
      date: "2026-03-10",
      postings: [
        { account_number: 6190, debit: 1563.13, credit: 0, customer_id: customer.id },
        { account_number: 1000, debit: 0, credit: 1250.5, customer_id: null },
        { account_number: 7680, debit: 0, credit: 312.63, customer_id: null },
      ],
    });
  });

  it("writes the invoice to the outbox with its PDF when it is to be sent", async () => {
    const { id } = await draft({ auto_send: true });

    const { body } = await world.rest(`POST /invoices/${id}/issue`);

    expect(body).not.toHaveProperty("send_error");
    const mail = (await world.mails()).at(-1);
    expect(mail?.to?.[0]?.address).toBe("ap@acme.example");
    expect(mail?.attachments[0]?.mimeType).toBe("application/pdf");
    const pdf = await world.rest(`GET /invoices/${id}/pdf`);
    expect(pdf.body.equals(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer))).toBe(true);
  });

  it("finds the invoice by the caller's own id", async () => {
    await draft({ external_id: "order-7" });

    expect(await world.rest("POST /invoices/ext:order-7/issue")).toMatchObject({ status: 200 });
  });
});

describe("50 issues of one draft at once", () => {
  it("book it once and tell the other 49", async () => {
    const { id } = await draft();

    const replies = await Promise.all(
      Array.from({ length: 50 }, () => world.rest(`POST /invoices/${id}/issue`)),
    );

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const refused = replies.filter((reply) => reply.status === 409);
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map((reply) => reply.body.error.code))).toEqual(
      new Set(["INVOICE_ALREADY_ISSUED"]),
    );
    const entries = await world.sql("select number from ledger_entries where guid = $1", [id]);
    expect(entries).toHaveLength(1);
  });
});
