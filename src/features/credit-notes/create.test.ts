/** Credit notes through the built-in ledger (interface 4.2, domain.md 5.5). */
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

async function issued(values: readonly number[], fields: object = {}): Promise<Json> {
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    lines: values.map((agreed_value) => ({
      product_id: product.id,
      recognition_method: "value",
      agreed_value,
    })),
    ...fields,
  });
  return world.done(`POST /invoices/${id}/issue`);
}

describe("POST /credit-notes", () => {
  it("credits an invoice in full, books it and answers 201", async () => {
    const invoice = await issued([2000, 500]);
    const { status, body } = await world.rest("POST /credit-notes", {
      external_id: "cn-1",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: "credit_note",
      id: expect.any(String),
      external_id: "cn-1",
      invoice_id: invoice.id,
      customer_id: customer.id,
      kind: "full",
      status: "issued",
      ledger_credit_note_guid: body.id,
      ledger_credit_note_number: 1,
      issued_at: "2026-03-10T09:00:00.000Z",
      send_error: null,
      lines: [
        { id: expect.any(String), invoice_line_id: invoice.lines[0].id, amount: 2000, position: 1 },
        { id: expect.any(String), invoice_line_id: invoice.lines[1].id, amount: 500, position: 2 },
      ],
    });
    const { data } = await world.done("GET /ledger/entries?limit=100");
    expect(data.at(-1)).toMatchObject({
      kind: "credit_note",
      postings: [
        { account_number: 6190, debit: 0, credit: 3125 },
        { account_number: 1000, debit: 2500, credit: 0 },
        { account_number: 7680, debit: 625, credit: 0 },
      ],
    });
    expect((await world.rest(`GET /credit-notes/${body.id}`)).body).toEqual(body);
    const totals = await world.done(`GET /credit-notes/${body.id}/totals`);
    expect(totals).toMatchObject({ net: 2500, vat: 625, gross: 3125 });
    expect(
      (await world.rest(`GET /credit-notes/${body.id}/pdf`)).body.subarray(0, 5).toString(),
    ).toBe("%PDF-");
  });

  it("is sent, and tells when it could not be", async () => {
    const invoice = await issued([100], { auto_send: true });
    const sent = await world.rest("POST /credit-notes", {
      external_id: "cn-sent",
      invoice: invoice.id,
      kind: "partial",
      credit_date: "2026-03-10",
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 40 }],
    });
    expect(sent).toMatchObject({ status: 201, body: { send_error: null } });
    await world.done(`PATCH /customers/${customer.id}`, { email: null });
    const unsent = await world.rest("POST /credit-notes", {
      external_id: "cn-unsent",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
    });
    expect(unsent).toMatchObject({
      status: 200,
      body: {
        status: "issued",
        send_error: "the customer has no e-mail address",
        lines: [{ amount: 60 }],
      },
    });
    expect((await world.rest("GET /credit-notes/ext:cn-unsent")).body).toEqual(unsent.body);
    await world.done(`PATCH /customers/${customer.id}`, { email: "ap@acme.example" });
    await world.done("POST /credit-notes/ext:cn-unsent/send");
    expect((await world.done("GET /credit-notes/ext:cn-unsent")).send_error).toBeNull();
  });
});

describe("20 partial credits of one line at once", () => {
  it("never credit more than the line", async () => {
    const invoice = await issued([100]);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.rest("POST /credit-notes", {
          external_id: `race-${index}`,
          invoice: invoice.id,
          kind: "partial",
          credit_date: "2026-03-10",
          lines: [{ invoice_line_id: invoice.lines[0].id, amount: 15 }],
        }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(6);
    const refused = replies.filter((reply) => reply.status === 409);
    expect(new Set(refused.map((reply) => reply.body.error.code))).toEqual(
      new Set(["CREDIT_EXCEEDS_LINE"]),
    );
  });
});

describe("30 requests with one external id at once", () => {
  it("make one credit note, and every answer is that one", async () => {
    const invoice = await issued([100]);
    const body = {
      external_id: "same",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2026-03-10",
    };
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => world.rest("POST /credit-notes", body)),
    );
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(29);
  });
});
