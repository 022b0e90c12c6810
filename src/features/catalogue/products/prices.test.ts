/** Prices of products in currencies other than the functional one (spec 7.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const INVALID = "422 VALIDATION_FAILED";
const prices = [
  { currency: "EUR", amount: 2680.5 },
  { currency: "JPY", amount: 400000 },
];

describe("prices of a product", () => {
  it("are stored, shown when there are any, replaced and removed", async () => {
    const sent = { name: "Advice", default_price: 20000, prices };
    const made = await world.done("POST /products", sent);
    expect(made).toMatchObject(sent);
    const read = `GET /products/${made.id}`;
    expect(await world.done(read)).toEqual(made);
    const patch = (changes: Json) => world.done(`PATCH /products/${made.id}`, changes);
    expect(await patch(made)).toEqual(made);
    expect(await patch({ name: "Counsel" })).toMatchObject({ prices });
    const [eur] = prices;
    expect(await patch({ prices: [eur] })).toMatchObject({ prices: [eur] });
    const { prices: _, ...bare } = { ...made, name: "Counsel" };
    expect(await patch({ prices: [] })).toEqual(bare);
    expect(await patch({ prices })).toMatchObject({ prices });
    expect(await patch({ prices: null })).toEqual(bare);
    expect(await world.done(read)).toEqual(bare);
  });

  it("count in the comparison of a repeated request", async () => {
    const sent = { name: "Repeat", external_id: "repeat", prices };
    const made = await world.done("POST /products", sent);
    const again = await world.rest("POST /products", sent);
    expect([again.status, again.body]).toEqual([200, made]);
    const other = { ...sent, prices: [{ currency: "EUR", amount: 1 }] };
    expect(refusal(await world.rest("POST /products", other))).toBe("409 EXTERNAL_ID_CONFLICT");
    const bare = { name: "Bare", external_id: "bare" };
    await world.done("POST /products", bare);
    expect((await world.rest("POST /products", { ...bare, prices: [] })).status).toBe(200);
  });

  it.each<[string, Json[], string]>([
    [
      "two of one currency",
      [
        { currency: "EUR", amount: 1 },
        { currency: "EUR", amount: 2 },
      ],
      "prices[1].currency duplicate",
    ],
    [
      "the currency of the books",
      [{ currency: "DKK", amount: 1 }],
      "prices[0].currency not_allowed",
    ],
    ["no currency", [{ amount: 1 }], "prices[0].currency required"],
    ["an unknown currency", [{ currency: "XYZ", amount: 1 }], "prices[0].currency invalid_value"],
    ["no amount", [{ currency: "EUR" }], "prices[0].amount required"],
    ["an amount of 0", [{ currency: "EUR", amount: 0 }], "prices[0].amount too_small"],
    ["half a yen", [{ currency: "JPY", amount: 0.5 }], "prices[0].amount too_many_decimals"],
    [
      "a tenth of a cent",
      [{ currency: "EUR", amount: 1.001 }],
      "prices[0].amount too_many_decimals",
    ],
    [
      "more than a line allows",
      [{ currency: "EUR", amount: 10_000_000_001 }],
      "prices[0].amount too_large",
    ],
  ])("are refused with %s", async (_what, sent, fault) => {
    const { id } = await world.done("POST /products", { name: "A" });
    const body = { name: "A", prices: sent };
    expect(refusal(await world.rest("POST /products", body))).toBe(`${INVALID} ${fault}`);
    expect(refusal(await world.rest(`PATCH /products/${id}`, { prices: sent }))).toBe(
      `${INVALID} ${fault}`,
    );
  });
});

describe("another functional currency", () => {
  async function books() {
    const { keys } = await world.openAnother();
    const call = (address: string, body?: Json) => world.done(address, body, keys.read_write);
    return { call, rest: (at: string, body?: Json) => world.rest(at, body, keys.read_write) };
  }

  it("leaves every price in the currency in which it was given", async () => {
    const { call, rest } = await books();
    const both = await call("POST /products", { name: "Both", default_price: 20000, prices });
    const one = await call("POST /products", { name: "One", default_price: 1234.5678 });
    const none = await call("POST /products", { name: "None" });

    await call("PATCH /configuration", { functional_currency: "EUR" });
    expect(await call(`GET /products/${both.id}`)).toEqual({
      ...both,
      default_price: 2680.5,
      prices: [
        { currency: "JPY", amount: 400000 },
        { currency: "DKK", amount: 20000 },
      ],
    });
    const moved = await call(`GET /products/${one.id}`);
    expect(moved).toEqual({
      ...one,
      default_price: 0,
      prices: [{ currency: "DKK", amount: 1234.5678 }],
    });
    expect(await call(`GET /products/${none.id}`)).toEqual(none);
    // An hourly price has more decimals than the krone, and is valid unchanged.
    expect(await call(`PATCH /products/${one.id}`, moved)).toEqual(moved);

    const { id: customer_id } = await call("POST /customers", { name: "Acme" });
    const lines = [{ product_id: one.id, recognition_method: "value" }];
    const reply = await rest("POST /invoices", { customer_id, currency: "EUR", lines });
    expect(refusal(reply)).toBe(`${INVALID} lines[0].agreed_value required`);
    const draft = await call("POST /invoices", { customer_id, currency: "DKK", lines });
    expect(draft.lines[0].agreed_value).toBe(1234.57);

    await call("PATCH /configuration", { functional_currency: "DKK" });
    expect(await call(`GET /products/${one.id}`)).toEqual(one);
    expect((await call(`GET /products/${both.id}`)).default_price).toBe(20000);
  });

  it("records each product that it changes", async () => {
    const { call } = await books();
    const { id } = await call("POST /products", { name: "One", default_price: 10 });
    await call("PATCH /configuration", { functional_currency: "USD" });
    const { data } = await call("GET /audit-events?limit=3");
    expect(data.map((event: Json) => [event.resource_type, event.action])).toEqual([
      ["configuration", "updated"],
      ["bank_account", "updated"],
      ["product", "updated"],
    ]);
    expect(data[2]).toMatchObject({
      resource_id: id,
      before: { default_price: 10 },
      after: { default_price: 0, prices: [{ currency: "DKK", amount: 10 }] },
    });
  });
});
