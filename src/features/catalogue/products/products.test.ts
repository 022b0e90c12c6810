/** Products over REST (spec 7.2, 7.3 and 11.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

async function account(number: number): Promise<Json> {
  const { data } = await world.done("GET /ledger/accounts?limit=100");
  return data.find((entry: Json) => entry.number === number);
}

describe("POST /products", () => {
  it("creates a product with the defaults and every field", async () => {
    const { status, body } = await world.rest("POST /products", { name: "Consulting" });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "product",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      product_number: null,
      name: "Consulting",
      account_number: 1000,
      unit: "parts",
      default_price: 0,
      quantity: 1,
      comments: null,
      external_id: null,
      external_reference: null,
    });
  });

  it("keeps every field that is sent", async () => {
    const sent = {
      product_number: "P-100",
      name: "Senior hour",
      account_number: 1010,
      unit: "hours",
      default_price: 1234.5678,
      quantity: 7.25,
      comments: "per started quarter",
      external_id: "shop-1",
      external_reference: "SKU 1",
    };

    const created = await world.done("POST /products", sent);

    expect(created).toEqual({ object: "product", id: created.id, ...sent });
    expect(await world.done("GET /products/ext:shop-1")).toEqual(created);
  });

  it("uses the default revenue account of the configuration, and requires an account when there is none", async () => {
    const { keys } = await world.openAnother();
    await world.done("PATCH /configuration", { default_revenue_account: 1150 }, keys.read_write);
    expect(await world.done("POST /products", { name: "A" }, keys.read_write)).toMatchObject({
      account_number: 1150,
    });
    await world.done("PATCH /configuration", { default_revenue_account: null }, keys.read_write);

    const reply = await world.rest("POST /products", { name: "B" }, keys.read_write);

    expect(refusal(reply)).toBe(`${INVALID} account_number required`);
  });

  it("creates an account that is not in the chart, as an income account", async () => {
    expect(await account(1077)).toBeUndefined();

    await world.done("POST /products", { name: "New ground", account_number: 1077 });

    expect(await account(1077)).toMatchObject({ type: "income", vat_code: "DK25", balance: 0 });
  });

  it.each([6190, 7680, 2720, 6950])(
    "refuses account %i, which is not a revenue account",
    async (number) => {
      const reply = await world.rest("POST /products", { name: "A", account_number: number });

      expect(refusal(reply)).toBe(`${INVALID} account_number unknown_account`);
    },
  );

  it.each<[string, Json, string]>([
    ["no name", {}, "name required"],
    ["an empty name", { name: "" }, "name too_short"],
    ["a long name", { name: "x".repeat(256) }, "name too_long"],
    ["a price as text", { name: "A", default_price: "10" }, "default_price invalid_type"],
    ["a negative price", { name: "A", default_price: -1 }, "default_price too_small"],
    [
      "a price with 5 decimals",
      { name: "A", default_price: 1.00001 },
      "default_price too_many_decimals",
    ],
    [
      "a price with 16 digits",
      { name: "A", default_price: 123456789.1234567 },
      "default_price too_many_decimals",
    ],
    [
      "a price that is far too large",
      { name: "A", default_price: 1e300 },
      "default_price too_large",
    ],
    ["a quantity of 0", { name: "A", quantity: 0 }, "quantity too_small"],
    ["a quantity with 3 decimals", { name: "A", quantity: 1.005 }, "quantity too_many_decimals"],
    ["an account as text", { name: "A", account_number: "1000" }, "account_number invalid_type"],
    ["half an account", { name: "A", account_number: 1000.5 }, "account_number invalid_type"],
    ["account 0", { name: "A", account_number: 0 }, "account_number too_small"],
    ["an empty unit", { name: "A", unit: "" }, "unit too_short"],
    ["an empty product number", { name: "A", product_number: "" }, "product_number too_short"],
    ["a long external id", { name: "A", external_id: "x".repeat(129) }, "external_id too_long"],
  ])("refuses %s", async (_what, body, fault) => {
    expect(refusal(await world.rest("POST /products", body))).toBe(`${INVALID} ${fault}`);
  });

  it("refuses a product number that another product of the account has", async () => {
    const { keys } = await world.openAnother();
    await world.done("POST /products", { name: "First", product_number: "N-1" });

    const again = { name: "Second", product_number: "N-1" };

    expect(refusal(await world.rest("POST /products", again))).toBe("409 PRODUCT_NUMBER_TAKEN");
    expect((await world.rest("POST /products", again, keys.read_write)).status).toBe(201);
  });

  it("stores nothing when it refuses", async () => {
    const taken = { name: "X", product_number: "N-1", account_number: 1088, external_id: "left" };

    expect(refusal(await world.rest("POST /products", taken))).toBe("409 PRODUCT_NUMBER_TAKEN");

    expect(await account(1088)).toBeUndefined();
    expect((await world.rest("GET /products/ext:left")).status).toBe(404);
  });

  it("needs a key that may write", async () => {
    expect(refusal(await world.rest("POST /products", {}, null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest("POST /products", {}, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("POST /products with an external id in use", () => {
  const sent = { name: "Hour", unit: "hours", default_price: 950.5, external_id: "replay-1" };
  let made: Json;
  beforeAll(async () => {
    made = await world.done("POST /products", sent);
  });

  it.each<[string, Json]>([
    ["the same content", sent],
    [
      "another order of fields, and fields of the answer",
      { id: "x", external_id: "replay-1", default_price: 950.5, unit: "hours", name: "Hour" },
    ],
    ["explicit default values", { ...sent, quantity: 1, comments: null, product_number: null }],
  ])("answers 200 with that product for %s", async (_what, body) => {
    const reply = await world.rest("POST /products", body);

    expect([reply.status, reply.body]).toEqual([200, made]);
  });

  it.each<[string, Json]>([
    ["another name", { ...sent, name: "Day" }],
    ["another price", { ...sent, default_price: 950.51 }],
    ["an additional field", { ...sent, comments: "new" }],
    ["a missing field", { name: "Hour", default_price: 950.5, external_id: "replay-1" }],
  ])("refuses %s", async (_what, body) => {
    expect(refusal(await world.rest("POST /products", body))).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("compares with the body of the first creation, not with later changes", async () => {
    const changed = await world.done("PATCH /products/ext:replay-1", { name: "Changed" });
    await world.done("PATCH /configuration", { default_revenue_account: 1010 });

    const reply = await world.rest("POST /products", sent);

    await world.done("PATCH /configuration", { default_revenue_account: 1000 });
    expect([reply.status, reply.body]).toEqual([200, changed]);
  });

  it("creates one product for many parallel requests", async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        world.rest("POST /products", { name: "Race", external_id: "race", product_number: "R-1" }),
      ),
    );

    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  });
});

describe("GET /products/{ref}", () => {
  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["P-100", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`GET /products/${ref}`))).toBe(expected);
    expect(refusal(await world.rest(`PATCH /products/${ref}`, {}))).toBe(expected);
  });
});

describe("what a product proposes", () => {
  const proposing = { default_recognition_method: "value", default_months: 12 };

  it("is stored with the product, and removed by null", async () => {
    const created = await world.done("POST /products", { name: "Licence", ...proposing });
    expect(created).toMatchObject(proposing);
    expect(await world.done(`GET /products/${created.id}`)).toEqual(created);
    const none = { default_recognition_method: null, default_months: null };
    const changed = await world.done(`PATCH /products/${created.id}`, none);
    expect(changed).not.toHaveProperty("default_recognition_method");
    expect(changed).not.toHaveProperty("default_months");
  });

  it("changes no line that states no method", async () => {
    const { id: product_id } = await world.done("POST /products", { name: "L", ...proposing });
    const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
    const lines = [{ product_id, agreed_value: 5 }];
    const reply = await world.rest("POST /invoices", { customer_id, lines });
    expect(refusal(reply)).toBe(`${INVALID} lines[0].recognition_method required`);
  });

  it.each<[string, Json, string]>([
    [
      "an unknown method",
      { default_recognition_method: "x" },
      "default_recognition_method invalid_value",
    ],
    ["no months", { ...proposing, default_months: 0 }, "default_months too_small"],
    ["too many months", { ...proposing, default_months: 121 }, "default_months too_large"],
    ["months alone", { default_months: 12 }, "default_months not_allowed"],
    [
      "months of another method",
      { ...proposing, default_recognition_method: "hours" },
      "default_months not_allowed",
    ],
  ])("is refused with %s", async (_what, fields, fault) => {
    const reply = await world.rest("POST /products", { name: "A", ...fields });
    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });

  it("is refused when a change leaves months without a method that has a period", async () => {
    const { id } = await world.done("POST /products", { name: "Licence", ...proposing });
    const reply = await world.rest(`PATCH /products/${id}`, { default_recognition_method: null });
    expect(refusal(reply)).toBe(`${INVALID} default_months not_allowed`);
  });
});

describe("PATCH /products/{ref}", () => {
  let product: Json;
  beforeAll(async () => {
    product = await world.done("POST /products", {
      name: "Base",
      external_id: "patch-1",
      comments: "c",
    });
  });

  it("accepts an empty object and changes nothing", async () => {
    const { status, body } = await world.rest(`PATCH /products/${product.id}`, {});

    expect([status, body]).toEqual([200, product]);
  });

  it("changes only the fields sent", async () => {
    const changes = { default_price: 12.3456, quantity: 2.5, comments: null, account_number: 1066 };

    const changed = await world.done("PATCH /products/ext:patch-1", changes);

    expect(changed).toEqual({ ...product, ...changes });
    expect(await world.done(`GET /products/${product.id}`)).toEqual(changed);
    expect(await account(1066)).toMatchObject({ type: "income" });
  });

  it("changes no existing line", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
    const { id } = await world.done("POST /products", { name: "Was", default_price: 10 });
    const lines = [{ product_id: id, recognition_method: "value" }];
    const draft = await world.done("POST /invoices", { customer_id, auto_send: false, lines });
    await world.done(`PATCH /products/${id}`, {
      name: "Is",
      default_price: 99,
      account_number: 1010,
    });

    const issued = await world.done(`POST /invoices/${draft.id}/issue`);

    expect(issued.lines).toEqual(draft.lines);
    const { data } = await world.done("GET /ledger/entries?limit=100");
    const postings = data
      .at(-1)
      .postings.map((posting: Json) => [posting.account_number, posting.credit]);
    expect(postings).toContainEqual([1000, 10]);
  });

  it.each<[string, Json, string]>([
    ["a name of null", { name: null }, `${INVALID} name invalid_type`],
    ["a unit of null", { unit: null }, `${INVALID} unit invalid_type`],
    [
      "an account of another type",
      { account_number: 6190 },
      `${INVALID} account_number unknown_account`,
    ],
    ["a product number in use", { product_number: "P-100" }, "409 PRODUCT_NUMBER_TAKEN"],
    ["an external id in use", { external_id: "shop-1" }, "409 EXTERNAL_ID_CONFLICT"],
  ])("refuses %s", async (_what, changes, expected) => {
    expect(refusal(await world.rest(`PATCH /products/${product.id}`, changes))).toBe(expected);
  });

  it("does not reach another account's product", async () => {
    const { keys } = await world.openAnother();

    const reply = await world.rest(`PATCH /products/${product.id}`, { name: "X" }, keys.read_write);

    expect(refusal(reply)).toBe("404 NOT_FOUND");
  });
});

describe("GET /products", () => {
  it("lists from the newest to the oldest, filtered by external id and change", async () => {
    const { keys } = await world.openAnother();
    const create = (fields: Json) => world.done("POST /products", fields, keys.read_write);
    const list = async (parameters: string) =>
      (await world.done(`GET /products?${parameters}`, undefined, keys.read)).data;
    const one = await create({ name: "One", external_id: "one" });
    const [{ now }] = await world.sql("select clock_timestamp() as now");
    const two = await create({ name: "Two" });

    expect(await list("")).toEqual([two, one]);
    expect(await list("external_id=one")).toEqual([one]);
    expect(await list(`updated_since=${now}`)).toEqual([two]);
    expect(await list("external_id=none")).toEqual([]);
  });
});
