/** Accepted requests of POST /credit-notes (spec 5.5). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, issued, fullCredit, partCredit, post, credited } = useSales();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

const amountsOf = (note: Json): [string, number, number][] =>
  note.lines.map((entry: Json) => [entry.invoice_line_id, entry.amount, entry.position]);

describe("POST /credit-notes", () => {
  it("credits an invoice in full, books it and answers 201", async () => {
    const invoice = await issued([2000, 500]);

    const { status, body } = await post(fullCredit(invoice, { external_id: "cn-1" }));

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
      credit_date: "2026-03-10",
    });
    expect(await world.done(`GET /credit-notes/${body.id}`)).toEqual(body);
    expect(await world.done("GET /credit-notes/ext:cn-1")).toEqual(body);
    expect(await world.done(`GET /invoices/${invoice.id}`)).toEqual(invoice);
  });

  it("credits part of the named lines, in the order in which they are named", async () => {
    const invoice = await issued([300, 200, 100]);
    const lines = [
      { invoice_line_id: invoice.lines[2].id.toUpperCase(), amount: 99.99 },
      { invoice_line_id: invoice.lines[0].id, amount: 0.01 },
    ];

    const note = await credited(fullCredit(invoice, { kind: "partial", lines }));

    expect(note.kind).toBe("partial");
    expect(amountsOf(note)).toEqual([
      [invoice.lines[2].id, 99.99, 1],
      [invoice.lines[0].id, 0.01, 2],
    ]);
  });

  it("accepts lines of amount 0 and leaves them out", async () => {
    const invoice = await issued([300, 200]);

    const note = await credited(partCredit(invoice, [0, 50]));

    expect(amountsOf(note)).toEqual([[invoice.lines[1].id, 50, 1]]);
  });

  it("credits with full, after partial credits, the remainder of every line", async () => {
    const invoice = await issued([300, 200, 0.05]);
    await credited(partCredit(invoice, [100.5, 200]));
    await credited(partCredit(invoice, [0.25]));

    const note = await credited(fullCredit(invoice));

    expect(note.kind).toBe("full");
    expect(amountsOf(note)).toEqual([
      [invoice.lines[0].id, 199.25, 1],
      [invoice.lines[2].id, 0.05, 2],
    ]);
    const again = await post(fullCredit(invoice));
    expect(refusal(again)).toBe("409 INVOICE_FULLY_CREDITED");
  });

  it("keeps the kind partial for a note that happens to credit everything", async () => {
    const invoice = await issued([300, 200]);

    const note = await credited(partCredit(invoice, [300, 200]));

    expect(note.kind).toBe("partial");
    expect(refusal(await post(partCredit(invoice, [0.01])))).toBe("409 INVOICE_FULLY_CREDITED");
  });

  it("lists the lines of a full credit by their position, without free ones", async () => {
    const lines = [
      line(7, { position: 20 }),
      line(5, { position: 10 }),
      line(9, { position: 30, discount: 100 }),
    ];
    const invoice = await issued([], { lines });

    const note = await credited(fullCredit(invoice));

    expect(note.lines.map((entry: Json) => [entry.amount, entry.position])).toEqual([
      [5, 1],
      [7, 2],
    ]);
  });

  it("credits the invoiced amounts: after discounts, and hours at their rate", async () => {
    const invoice = await issued([], { lines: [line(1000, { discount: 12.5 }), line(80)] });

    const note = await credited(fullCredit(invoice));

    expect(note.lines.map((entry: Json) => entry.amount)).toEqual([875, 80]);
  });

  it.each<[string, (invoice: Json) => object]>([
    ["its UUID", (invoice) => ({ invoice: invoice.id })],
    ["its UUID in capitals", (invoice) => ({ invoice: invoice.id.toUpperCase() })],
    ["its external id", (invoice) => ({ invoice: `ext:${invoice.external_id}` })],
    ["a credit date before the issue date (94)", () => ({ credit_date: "2025-12-31" })],
    ["a credit date in the future", () => ({ credit_date: "2027-01-01" })],
    ["an empty list of lines with full", () => ({ lines: [] })],
    ["an external id of 128 characters", () => ({ external_id: "ø".repeat(128) })],
    ["fields that only answers have", () => ({ status: "draft", send_error: "x", id: UNKNOWN_ID })],
  ])("accepts %s", async (what, fields) => {
    const invoice = await issued([100], { external_id: `accepted: ${what}` });

    const reply = await post(fullCredit(invoice, fields(invoice)));

    expect([reply.status, reply.body.invoice_id]).toEqual([201, invoice.id]);
    expect(reply.body).toMatchObject({ status: "issued", send_error: null });
  });

  it("credits the invoice of an inactive customer, and of one that has moved abroad", async () => {
    const other = await world.done("POST /customers", { name: "Gone", country_key: "DK" });
    const invoice = await issued([100], { customer_id: other.id });
    await world.done(`PATCH /customers/${other.id}`, { country_key: "US", name: "Renamed" });
    await world.done(`POST /customers/${other.id}/deactivate`);

    const note = await credited(fullCredit(invoice));

    expect(note.customer_id).toBe(other.id);
    expect(await world.done(`GET /credit-notes/${note.id}/totals`)).toMatchObject({
      net: 100,
      vat: 25,
    });
  });
});
