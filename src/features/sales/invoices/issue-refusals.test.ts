/** The refusals of issuing, the numbering, and the permanence of issued invoices (spec 5.3). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, product, line, draft: draftOf } = useSales();

/** A draft of one line of 1,250.50 unless fields say otherwise. */
const draft = (fields: object = {}) => draftOf([1250.5], fields);

describe("POST /invoices/{ref}/issue refuses", () => {
  it.each<[string, () => Json]>([
    ["no lines", () => ({ lines: [] })],
    ["only lines of 0", () => ({ lines: [line(100, { discount: 100 }), line(0)] })],
    [
      "only a line by hours, without hours",
      () => ({
        lines: [{ product_id: product.id, recognition_method: "hours", hourly_rate: 900 }],
      }),
    ],
  ])("%s as empty", async (_what, fields) => {
    const { id } = await draft(fields());

    expect(refusal(await world.rest(`POST /invoices/${id}/issue`))).toBe("409 INVOICE_EMPTY");
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });
  });

  it("an issued invoice, even if its customer is inactive now", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Gone" });
    const { id } = await draft({ customer_id });
    await world.done(`POST /invoices/${id}/issue`);
    await world.done(`POST /customers/${customer_id}/deactivate`);

    const reply = await world.rest(`POST /invoices/${id}/issue`);

    expect(refusal(reply)).toBe("409 INVOICE_ALREADY_ISSUED");
  });

  it("dates through the lock date, and the draft can be given another date", async () => {
    const late = await draft({ issue_date: "2026-01-31" });
    const today = await draft();
    const { id } = await draft({ issue_date: "2026-02-01" });
    await world.done("PATCH /configuration", { period_lock_date: "2026-01-31" });
    expect(refusal(await world.rest(`POST /invoices/${late.id}/issue`))).toBe("409 PERIOD_LOCKED");
    expect((await world.rest(`POST /invoices/${id}/issue`)).status).toBe(200);

    await world.done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    expect(refusal(await world.rest(`POST /invoices/${today.id}/issue`))).toBe("409 PERIOD_LOCKED");
    await world.done(`PATCH /invoices/${late.id}`, { issue_date: "2026-03-11" });
    const { status } = await world.rest(`POST /invoices/${late.id}/issue`);

    await world.done("PATCH /configuration", { period_lock_date: null });
    expect(status).toBe(200);
  });

  it("for one reason at a time, in the order of spec 5.3", async () => {
    const { account_id, keys } = await world.openAnother();
    const done = (call: string, body?: unknown) => world.done(call, body, keys.read_write);
    const { id: customer_id } = await done("POST /customers", { name: "Acme" });
    const { id: product_id } = await done("POST /products", { name: "P", default_price: 1 });
    const { id } = await done("POST /invoices", { customer_id, currency: "EUR", auto_send: false });
    const issue = async () =>
      refusal(await world.rest(`POST /invoices/${id}/issue`, undefined, keys.read_write));
    await done(`POST /customers/${customer_id}/deactivate`);
    await done("PATCH /configuration", { period_lock_date: "2026-03-10" });
    await world.sql("update accounts set ledger_kind = 'elsewhere' where id = $1", [account_id]);

    expect(await issue()).toBe("409 INVOICE_EMPTY");
    const line = { product_id, recognition_method: "value", agreed_value: 1 };
    await done(`PATCH /invoices/${id}`, { lines: [line] });
    expect(await issue()).toBe("409 CUSTOMER_INACTIVE");
    await done(`POST /customers/${customer_id}/activate`);
    expect(await issue()).toBe("409 PERIOD_LOCKED");
    await done("PATCH /configuration", { period_lock_date: null });
    expect(await issue()).toBe("409 LEDGER_NOT_CONNECTED");
    await world.sql("update accounts set ledger_kind = 'builtin' where id = $1", [account_id]);
    expect(await issue()).toBe("409 EXCHANGE_RATE_MISSING");
    await done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.45 });
    const german = { country_key: "DE", vat_number: "DE136695976" };
    await done(`PATCH /customers/${customer_id}`, german);
    expect(await issue()).toBe("409 INVOICE_INCOMPLETE");
    await done(`PATCH /customers/${customer_id}`, { street: "Hafenstr. 7", city: "Hamburg" });
    await done("PATCH /configuration", { seller: { vat_number: "12345674" } });
    expect(await issue()).toBe("200");
  });

  it("reverse charge without the seller's number or the buyer's address, and names what is missing", async () => {
    const { keys } = await world.openAnother();
    const done = (call: string, body?: unknown) => world.done(call, body, keys.read_write);
    const german = { name: "Bergmann GmbH", country_key: "DE", vat_number: "136695976" };
    const { id: customer_id } = await done("POST /customers", german);
    const { id: product_id } = await done("POST /products", { name: "P", default_price: 1 });
    const lines = [{ product_id, recognition_method: "value" }];
    const { id } = await done("POST /invoices", { customer_id, auto_send: false, lines });
    const issue = () => world.rest(`POST /invoices/${id}/issue`, undefined, keys.read_write);
    const missing = async () => (await issue()).body.error.details.missing;

    expect(await missing()).toEqual(["seller.vat_number", "customer.street", "customer.city"]);
    await done(`PATCH /customers/${customer_id}`, { street: "Hafenstr. 7", city: "Hamburg" });
    expect(await missing()).toEqual(["seller.vat_number"]);
    await done("PATCH /configuration", { seller: { vat_number: "12345674" } });
    const { status, body } = await issue();
    expect([status, body.ledger_invoice_number]).toEqual([200, 1]);
  });

  it.each([
    ["0190a000-0000-7000-8000-000000000000", "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
  ])("%s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`POST /invoices/${ref}/issue`))).toBe(expected);
  });

  it("calls without a key, with a key that only reads, and of other accounts", async () => {
    const { keys } = await world.openAnother();
    const { id } = await draft();
    const issueWith = async (key: string | null) =>
      refusal(await world.rest(`POST /invoices/${id}/issue`, undefined, key));

    expect(await issueWith(null)).toBe("401 UNAUTHORIZED");
    expect(await issueWith(world.account.keys.read)).toBe("403 INSUFFICIENT_SCOPE");
    expect(await issueWith(keys.read_write)).toBe("404 NOT_FOUND");
  });
});

describe("the numbers of invoices", () => {
  it("begin where the configuration says and have no gaps, despite refusals and parallel calls", async () => {
    const { keys } = await world.openAnother();
    const done = (call: string, body?: unknown) => world.done(call, body, keys.read_write);
    const { id: customer_id } = await done("POST /customers", { name: "Acme" });
    const { id: product_id } = await done("POST /products", {
      name: "P",
      default_price: 1,
      prices: [{ currency: "USD", amount: 1 }],
    });
    const lines = [{ product_id, recognition_method: "value" }];
    await done("PATCH /configuration", { numbering: { next_invoice_number: 1001 } });
    const ids: string[] = [];
    for (let index = 0; index < 24; index += 1) {
      const fields = index % 4 === 3 ? { currency: "USD" } : {};
      ids.push(
        (await done("POST /invoices", { customer_id, auto_send: false, lines, ...fields })).id,
      );
    }

    const replies = await Promise.all(
      ids.map((id) => world.rest(`POST /invoices/${id}/issue`, undefined, keys.read_write)),
    );

    const booked = replies.filter((reply) => reply.status === 200);
    const numbers = booked.map((reply) => reply.body.ledger_invoice_number).sort();
    expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => 1001 + index));
    expect((await done("GET /configuration")).numbering.next_invoice_number).toBe(1019);
  });
});

describe("an issued invoice", () => {
  it("is not changed by changes of customer, product, seller and account", async () => {
    const fields = { name: "Then A/S", external_id: "then", email: "then@x.example" };
    const { id: customer_id } = await world.done("POST /customers", fields);
    const made = await world.done("POST /products", { name: "Then", default_price: 10 });
    const lines = [{ product_id: made.id, recognition_method: "value" }];
    const { id } = await draft({ customer_id, lines });
    const { warnings: _, ...issued } = await world.done(`POST /invoices/${id}/issue`);
    const read = () =>
      Promise.all(
        ["", "/totals", "/pdf"].map(
          async (part) => (await world.rest(`GET /invoices/${id}${part}`)).body,
        ),
      );
    const before = await read();

    await world.done(`PATCH /customers/${customer_id}`, { name: "Now A/S", country_key: "US" });
    await world.done(`PATCH /products/${made.id}`, { name: "Now", default_price: 99 });
    await world.done("PATCH /configuration", {
      seller: { name: "New seller" },
      vat: { domestic_rate: 10 },
    });
    await world.done("PATCH /ledger/accounts/1000", { vat_code: "DK0" });

    const after = await read();
    await world.done("PATCH /configuration", { seller: null, vat: { domestic_rate: 25 } });
    await world.done("PATCH /ledger/accounts/1000", { vat_code: "DK25" });
    expect(after).toEqual(before);
    expect(after[0]).toEqual(issued);
  });

  it("reports once that it could not be sent, and remains booked", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "No address" });
    const { id } = await draft({ customer_id, auto_send: true });

    const { status, body } = await world.rest(`POST /invoices/${id}/issue`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "issued", send_error: expect.stringMatching(/./) });
    const { send_error: _, warnings: __, ...stored } = body;
    expect(await world.done(`GET /invoices/${id}`)).toEqual(stored);
    expect(refusal(await world.rest(`POST /invoices/${id}/issue`))).toBe(
      "409 INVOICE_ALREADY_ISSUED",
    );
  });

  it("may be issued with an empty JSON body too", async () => {
    const { id } = await draft();

    expect((await world.rest(`POST /invoices/${id}/issue`, {})).status).toBe(200);
  });
});
