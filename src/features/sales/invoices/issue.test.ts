/** Issuing through the built-in ledger (spec 5.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { completeSeller } from "../../../../test/support/documents/seller.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, product, line, draft: draftOf } = useSales();

/** A draft of one line of 1,250.50 unless fields say otherwise. */
const draft = (fields: object = {}) => draftOf([1250.5], fields);

describe("POST /invoices/{ref}/issue", () => {
  it("books the draft, and sets date, guid, number and time together", async () => {
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
    const { warnings, ...invoice } = body;
    expect((await world.rest(`GET /invoices/${id}`)).body).toEqual(invoice);
    expect(warnings.map(({ code }: Json) => code)).toEqual([
      "SELLER_INCOMPLETE",
      "NOBODY_ASSIGNED",
    ]);
  });

  it("answers with an empty list when there are no warnings", async () => {
    const account = await world.openAnother();
    const call = (what: string, body?: Json) => world.done(what, body, account.keys.read_write);
    await call("PATCH /configuration", { seller: completeSeller });
    const { id: customer_id } = await call("POST /customers", { name: "Acme" });
    const { id: product_id } = await call("POST /products", { name: "Work", default_price: 10 });
    const { data } = await call("GET /users");
    const assignees = [{ user_id: data[0].id }];
    const lines = [{ product_id, recognition_method: "value", assignees }];
    const { id } = await call("POST /invoices", { customer_id, auto_send: false, lines });

    expect((await call(`GET /invoices/${id}/totals`)).warnings).toEqual([]);
    expect((await call(`POST /invoices/${id}/issue`)).warnings).toEqual([]);
    expect((await call(`GET /invoices/${id}/totals`)).warnings).toEqual([]);
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

  it("writes the invoice with its PDF to the outbox when it is to be sent", async () => {
    const { id } = await draft({ auto_send: true });

    const { body } = await world.rest(`POST /invoices/${id}/issue`);

    expect(body).not.toHaveProperty("send_error");
    const mail = (await world.mails()).at(-1);
    expect(mail?.to?.[0]?.address).toBe("ap@acme.example");
    expect(mail?.attachments[0]?.mimeType).toBe("application/pdf");
    const pdf = await world.rest(`GET /invoices/${id}/pdf`);
    expect(pdf.body.equals(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer))).toBe(true);
  });

  it("finds the invoice by its external id", async () => {
    await draft({ external_id: "order-7" });

    expect(await world.rest("POST /invoices/ext:order-7/issue")).toMatchObject({ status: 200 });
  });
});

// The maximum for an account: 16 calls in progress and 32 waiting.
describe("48 parallel issues of one draft", () => {
  it("book it once, and answer the other 47 with 409", async () => {
    const { id } = await draft();

    const replies = await Promise.all(
      Array.from({ length: 48 }, () => world.rest(`POST /invoices/${id}/issue`)),
    );

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const refused = replies.filter((reply) => reply.status === 409);
    expect(refused).toHaveLength(47);
    expect(new Set(refused.map((reply) => reply.body.error.code))).toEqual(
      new Set(["INVOICE_ALREADY_ISSUED"]),
    );
    const entries = await world.sql("select number from ledger_entries where guid = $1", [id]);
    expect(entries).toHaveLength(1);
  });
});

/** A line of a product with the given revenue account; its net amount is the agreed value. */
async function lineOn(account_number: number, agreed_value: number): Promise<Json> {
  const made = await world.done("POST /products", { name: `On ${account_number}`, account_number });
  return { product_id: made.id, recognition_method: "value", agreed_value };
}

async function postingsOf(guid: string): Promise<[number, number, number][]> {
  const { data } = await world.done("GET /ledger/entries?limit=100");
  const entry = data.find((candidate: Json) => candidate.guid === guid);
  return entry.postings.map((posting: Json) => [
    posting.account_number,
    posting.debit,
    posting.credit,
  ]);
}

describe("the issue date", () => {
  it.each([
    ["given", "2026-02-28", "2026-02-28"],
    ["in the past", "2020-01-01", "2020-01-01"],
    ["in the future", "2031-12-31", "2031-12-31"],
    ["null: today", null, "2026-03-10"],
  ])("is %s", async (_what, issue_date, expected) => {
    const { id } = await draft({ issue_date });

    expect(await world.done(`POST /invoices/${id}/issue`)).toMatchObject({
      issue_date: expected,
      issued_at: "2026-03-10T09:00:00.000Z",
    });
  });

  it.each([
    ["Europe/Copenhagen", "2026-03-31T21:59:59.999Z", "2026-03-31"],
    ["Europe/Copenhagen", "2026-03-31T22:30:00.000Z", "2026-04-01"],
    ["America/New_York", "2026-03-31T22:30:00.000Z", "2026-03-31"],
    ["Pacific/Auckland", "2026-03-31T11:00:00.000Z", "2026-04-01"],
  ])("is today in %s at %s", async (time_zone, moment, expected) => {
    await world.done("PATCH /configuration", { time_zone });
    const { id } = await draft();
    world.clock.set(moment);

    const issued = await world.done(`POST /invoices/${id}/issue`);

    world.clock.set("2026-03-10T09:00:00.000Z");
    await world.done("PATCH /configuration", { time_zone: "Europe/Copenhagen" });
    expect(issued).toMatchObject({ issue_date: expected, issued_at: moment });
  });
});

describe("the postings of an issue", () => {
  it("credit each revenue account once, in the order of accounts", async () => {
    const { id } = await draft({
      lines: [await lineOn(1210, 10), line(100.1), await lineOn(1010, 5), line(200.2)],
    });
    await world.done(`POST /invoices/${id}/issue`);

    expect(await postingsOf(id)).toEqual([
      [6190, 394.13, 0],
      [1000, 0, 300.3],
      [1010, 0, 5],
      [1210, 0, 10],
      [7680, 0, 78.83],
    ]);
  });

  it("contain no VAT where none is charged", async () => {
    await world.done("PATCH /configuration", { seller: { vat_number: "12345674" } });
    const address = { street: "Kyrkogatan 1", city: "Lund", country_key: "SE" };
    const eu = { name: "Lund AB", ...address, vat_number: "SE556677889901" };
    const { id: customer_id } = await world.done("POST /customers", eu);
    const { id } = await draft({ customer_id });
    await world.done(`POST /invoices/${id}/issue`);

    expect(await postingsOf(id)).toEqual([
      [6190, 1250.5, 0],
      [1150, 0, 1250.5],
    ]);
  });

  it("leave out lines of 0, which are only text", async () => {
    const { id } = await draft({
      lines: [
        line(80),
        await lineOn(1010, 0),
        line(40, { discount: 100 }),
        { product_id: product.id, recognition_method: "hours", hourly_rate: 900 },
      ],
    });

    const issued = await world.done(`POST /invoices/${id}/issue`);

    expect(issued.lines).toHaveLength(4);
    expect(await postingsOf(id)).toEqual([
      [6190, 100, 0],
      [1000, 0, 80],
      [7680, 0, 20],
    ]);
    const totals = await world.done(`GET /invoices/${id}/totals`);
    expect(totals.lines.map((entry: Json) => entry.net)).toEqual([80, 0, 0, 0]);
  });
});

describe("an invoice in a foreign currency", () => {
  beforeAll(async () => {
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.4612 });
    await world.done("PUT /exchange-rates/EUR/2026-03-11", { rate: 9.99 });
    await world.done("PUT /exchange-rates/JPY/2026-03-10", { rate: 0.043215 });
  });

  it("is booked at the latest rate on or before its date, with VAT converted separately", async () => {
    const { id } = await draft({ currency: "EUR", lines: [line(100.01)] });
    await world.done(`POST /invoices/${id}/issue`);

    // 100.01 × 7.4612 = 746.1946…; VAT 25.00 × 7.4612 = 186.53.
    expect(await postingsOf(id)).toEqual([
      [6190, 932.72, 0],
      [1000, 0, 746.19],
      [7680, 0, 186.53],
    ]);
    const { net, vat, gross } = await world.done(`GET /invoices/${id}/totals`);
    expect([net, vat, gross]).toEqual([100.01, 25, 125.01]);
  });

  it("converts each line by itself and adds up the rounded amounts", async () => {
    const { id } = await draft({ currency: "EUR", lines: [line(0.01), line(0.01)] });
    await world.done(`POST /invoices/${id}/issue`);

    // 0.01 × 7.4612 = 0.07 twice; the VAT of 0.02 is 0.01, in kroner 0.07.
    expect(await postingsOf(id)).toEqual([
      [6190, 0.21, 0],
      [1000, 0, 0.14],
      [7680, 0, 0.07],
    ]);
  });

  it("converts between currencies with different decimals", async () => {
    const { id } = await draft({ currency: "JPY", lines: [line(12_345)] });
    await world.done(`POST /invoices/${id}/issue`);

    // 12,345 × 0.043215 = 533.489…; VAT 3,086 yen = 133.361….
    expect(await postingsOf(id)).toEqual([
      [6190, 666.85, 0],
      [1000, 0, 533.49],
      [7680, 0, 133.36],
    ]);
  });

  it("keeps its rate when the rate is replaced", async () => {
    const { id } = await draft({ currency: "EUR", lines: [line(8)] });
    await world.done(`POST /invoices/${id}/issue`);
    const before = await postingsOf(id);

    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 1 });

    expect(await postingsOf(id)).toEqual(before);
    await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.4612 });
  });

  it("is not booked without a rate on or before its date, and can be once there is one", async () => {
    const { id } = await draft({ currency: "EUR", issue_date: "2026-02-28" });
    const call = `POST /invoices/${id}/issue`;

    const reply = await world.rest(call);

    expect(refusal(reply)).toBe("409 EXCHANGE_RATE_MISSING");
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });
    await world.done("PUT /exchange-rates/EUR/2026-02-28", { rate: 7.45 });
    expect((await world.rest(call)).status).toBe(200);
  });
});
