/** Creating drafts (spec 5.1 and 11.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
  const fields = { name: "Report", default_price: 10.005, quantity: 3 };
  product_id = (await world.done("POST /products", fields)).id;
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

/** A line by value of the product, whose price gives 30.02, unless fields say otherwise. */
const line = (fields: Json = {}): Json => ({ product_id, recognition_method: "value", ...fields });

const create = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id, ...fields });

describe("POST /invoices", () => {
  it("creates an empty draft from only a customer, with every field", async () => {
    const { status, body } = await world.rest("POST /invoices", { customer_id });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "invoice",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_id: null,
      customer_id,
      currency: "DKK",
      issue_date: null,
      title: null,
      auto_send: true,
      status: "draft",
      ledger_invoice_guid: null,
      ledger_invoice_number: null,
      issued_at: null,
      lines: [],
    });
    expect(await world.done(`GET /invoices/${body.id}`)).toEqual(body);
  });

  it("keeps every sent header field", async () => {
    const sent = {
      customer_id,
      currency: "EUR",
      issue_date: "2026-02-28",
      title: "February",
      auto_send: false,
      external_id: "order 1",
    };

    expect(await create(sent)).toMatchObject(sent);
    expect(await world.done("GET /invoices/ext:order%201")).toMatchObject(sent);
  });

  it("uses the customer's preferred currency, else the functional one", async () => {
    const other = await world.openAnother({ currency: "SEK" });
    const key = other.keys.read_write;
    const plain = await world.done("POST /customers", { name: "A" }, key);
    const fields = { name: "B", preferred_invoice_currency_key: "USD" };
    const dollar = await world.done("POST /customers", fields, key);
    const currencyFor = async (body: Json) =>
      (await world.done("POST /invoices", body, key)).currency;

    expect(await currencyFor({ customer_id: plain.id })).toBe("SEK");
    expect(await currencyFor({ customer_id: dollar.id })).toBe("USD");
    expect(await currencyFor({ customer_id: dollar.id, currency: "NOK" })).toBe("NOK");
  });

  it("uses auto_send of the configuration", async () => {
    await world.done("PATCH /configuration", { default_auto_send: false });

    const draft = await create();

    await world.done("PATCH /configuration", { default_auto_send: true });
    expect(draft.auto_send).toBe(false);
  });

  it("ignores fields that only responses have", async () => {
    const draft = await create({ id: UNKNOWN_ID, status: "issued", issued_at: "2026-01-01" });

    expect(draft.id).not.toBe(UNKNOWN_ID);
    expect(draft).toMatchObject({ status: "draft", issued_at: null });
  });

  it.each<[string, () => Json, string]>([
    ["no customer", () => ({ customer_id: undefined }), "customer_id required"],
    [
      "a customer that is not a UUID",
      () => ({ customer_id: "ext:acme" }),
      "customer_id invalid_format",
    ],
    ["an unknown customer", () => ({ customer_id: UNKNOWN_ID }), "customer_id unknown_reference"],
    ["a currency in lower case", () => ({ currency: "dkk" }), "currency invalid_value"],
    ["an unknown currency", () => ({ currency: "XXX" }), "currency invalid_value"],
    [
      "a day that does not exist",
      () => ({ issue_date: "2026-02-30" }),
      "issue_date invalid_format",
    ],
    [
      "a day with a time",
      () => ({ issue_date: "2026-02-01T00:00:00Z" }),
      "issue_date invalid_format",
    ],
    ["a long title", () => ({ title: "x".repeat(201) }), "title too_long"],
    ["auto_send as text", () => ({ auto_send: "yes" }), "auto_send invalid_type"],
    ["an empty external id", () => ({ external_id: "" }), "external_id too_short"],
    ["lines that are not an array", () => ({ lines: {} }), "lines invalid_type"],
    ["a line that is not an object", () => ({ lines: ["x"] }), "lines[0] invalid_type"],
    ["501 lines", () => ({ lines: Array.from({ length: 501 }, () => line()) }), "lines too_long"],
  ])("refuses %s", async (_what, fields, fault) => {
    const reply = await world.rest("POST /invoices", { customer_id, ...fields() });

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });

  it("refuses customers, products and users of another account like unknown ones", async () => {
    const { admin, keys } = await world.openAnother();
    const customer = await world.done("POST /customers", { name: "Other" }, keys.read_write);
    const product = await world.done("POST /products", { name: "Other" }, keys.read_write);
    const lines = [line({ product_id: product.id, assignees: [{ user_id: admin.user_id }] })];

    const foreign = await world.rest("POST /invoices", { customer_id: customer.id });
    expect(refusal(foreign)).toBe(`${INVALID} customer_id unknown_reference`);
    const reply = await world.rest("POST /invoices", { customer_id, lines });
    expect(refusal(reply)).toBe(
      `${INVALID} lines[0].assignees[0].user_id unknown_reference, lines[0].product_id unknown_reference`,
    );
  });

  it("needs a key that may write", async () => {
    expect(refusal(await world.rest("POST /invoices", {}, null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest("POST /invoices", {}, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("POST /invoices with an external id in use", () => {
  it("answers 200 with the invoice, whatever has happened to its customer and products", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    const customer = await world.done("POST /customers", { name: "Acme" }, key);
    const product = await world.done("POST /products", { name: "Work", default_price: 10 }, key);
    const user = await world.done("POST /users", { name: "Ida", email: "i@x.example" }, key);
    const sent = {
      customer_id: customer.id,
      external_id: "replay",
      lines: [
        { product_id: product.id, recognition_method: "value", assignees: [{ user_id: user.id }] },
      ],
    };
    const made = await world.done("POST /invoices", sent, key);
    await world.done(`PATCH /products/${product.id}`, { default_price: 99, name: "New" }, key);
    await world.done(`PATCH /users/${user.id}`, { active: false }, key);
    await world.done("PATCH /configuration", { default_auto_send: false }, key);
    const euro = { preferred_invoice_currency_key: "EUR" };
    await world.done(`PATCH /customers/${customer.id}`, euro, key);
    await world.done(`POST /customers/${customer.id}/deactivate`, undefined, key);

    const again = await world.rest("POST /invoices", sent, key);

    expect([again.status, again.body]).toEqual([200, made]);
  });

  it("compares with the first body, not with later changes of the invoice", async () => {
    const sent = { customer_id, external_id: "replay-2", title: "First", lines: [line()] };
    const { id } = await create(sent);
    const changed = await world.done(`PATCH /invoices/${id}`, { title: "Later", lines: [] });

    const again = await world.rest("POST /invoices", sent);

    expect([again.status, again.body]).toEqual([200, changed]);
    const issue = { ...sent, title: "Later" };
    expect(refusal(await world.rest("POST /invoices", issue))).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("answers 200 when defaults are explicit, or a line has an id", async () => {
    const sent = { customer_id, external_id: "replay-3", lines: [line()] };
    const made = await create(sent);

    const again = await world.rest("POST /invoices", {
      ...sent,
      title: null,
      issue_date: null,
      lines: [line({ id: UNKNOWN_ID, discount: 0, position: 1, assignees: [], hourly_rate: null })],
    });

    expect([again.status, again.body]).toEqual([200, made]);
  });

  it.each<[string, () => Json]>([
    ["other lines", () => ({ lines: [line({ discount: 1 })] })],
    ["an additional line", () => ({ lines: [line(), line()] })],
    ["no lines", () => ({ lines: [] })],
    ["an issue date", () => ({ issue_date: "2026-03-01" })],
    ["another currency", () => ({ currency: "EUR" })],
  ])("refuses %s", async (what, fields) => {
    const sent = { customer_id, external_id: `conflict ${what}`, lines: [line()] };
    await create(sent);

    const reply = await world.rest("POST /invoices", { ...sent, ...fields() });

    expect(refusal(reply)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("creates one invoice for many parallel requests", async () => {
    const sent = { customer_id, external_id: "race", lines: [line(), line()] };

    const replies = await Promise.all(
      Array.from({ length: 12 }, () => world.rest("POST /invoices", sent)),
    );

    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  });
});
