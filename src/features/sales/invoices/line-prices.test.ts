/** The source of the price of a draft's line, and the effect of a change of currency on it (spec 7.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
let hour_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme" })).id;
  const prices = [{ currency: "EUR", amount: 2680 }];
  const create = async (fields: Json) => (await world.done("POST /products", fields)).id;
  product_id = await create({ name: "Audit", default_price: 20000, prices });
  hour_id = await create({ name: "Hour", unit: "hours", default_price: 1200, prices });
});

const INVALID = "422 VALIDATION_FAILED";
const fixed = (fields: Json = {}): Json => ({ product_id, recognition_method: "value", ...fields });
const hourly = (fields: Json = {}): Json => ({
  product_id: hour_id,
  recognition_method: "hours",
  ...fields,
});
const create = (currency: string | undefined, ...lines: Json[]) =>
  world.rest("POST /invoices", { customer_id, ...(currency ? { currency } : {}), lines });
const draftOf = (currency: string, ...lines: Json[]) =>
  world.done("POST /invoices", { customer_id, currency, lines });
const patch = (draft: Json, changes: Json) => world.rest(`PATCH /invoices/${draft.id}`, changes);
const pricesOf = ({ lines }: Json) =>
  lines.map((line: Json) => line.hourly_rate ?? line.agreed_value);

describe("a line without a price", () => {
  it("takes the product's price in the currency of the invoice", async () => {
    expect(pricesOf(await draftOf("DKK", fixed(), hourly()))).toEqual([20000, 1200]);
    expect(pricesOf(await draftOf("EUR", fixed(), hourly()))).toEqual([2680, 2680]);
  });

  it("is refused with an explanation where the product has no price in it", async () => {
    const reply = await create("USD", fixed(), fixed({ agreed_value: 5 }), hourly());
    expect(refusal(reply)).toBe(
      `${INVALID} lines[0].agreed_value required, lines[2].hourly_rate required`,
    );
    expect(reply.body.error.field_errors[0].message).toBe(
      "The product has no price in USD, only one in DKK; give the agreed value.",
    );
  });

  it("is refused in the customer's preferred currency as well", async () => {
    const { id } = await world.done("POST /customers", {
      name: "Abroad",
      preferred_invoice_currency_key: "USD",
    });
    const reply = await world.rest("POST /invoices", { customer_id: id, lines: [fixed()] });
    expect(refusal(reply)).toBe(`${INVALID} lines[0].agreed_value required`);
  });
});

describe("another currency of a draft", () => {
  it("takes the products' prices in it, and keeps those that were sent", async () => {
    const draft = await draftOf("DKK", fixed(), fixed({ agreed_value: 20000 }), hourly());
    const { status, body } = await patch(draft, { currency: "EUR" });
    expect([status, pricesOf(body)]).toEqual([200, [2680, 20000, 2680]]);
    expect(pricesOf((await patch(draft, { currency: "DKK" })).body)).toEqual([20000, 20000, 1200]);
  });

  it("is refused where a product has no price in it, and changes nothing", async () => {
    const draft = await draftOf("DKK", fixed({ agreed_value: 5 }), fixed(), hourly());
    const reply = await patch(draft, { currency: "USD" });
    expect(refusal(reply)).toBe(
      `${INVALID} lines[1].agreed_value required, lines[2].hourly_rate required`,
    );
    expect(await world.done(`GET /invoices/${draft.id}`)).toEqual(draft);
  });

  it("requires no price for lines whose prices were sent", async () => {
    const draft = await draftOf("DKK", fixed({ agreed_value: 5 }), hourly({ hourly_rate: 7 }));
    const { body } = await patch(draft, { currency: "USD" });
    expect([body.currency, ...pricesOf(body)]).toEqual(["USD", 5, 7]);
  });

  it("requires no price for lines from before the source of prices was known", async () => {
    const draft = await draftOf("DKK", fixed());
    await world.sql("update invoice_lines set price_from_product = false where invoice_id = $1", [
      draft.id,
    ]);
    expect(pricesOf((await patch(draft, { currency: "USD" })).body)).toEqual([20000]);
  });
});

describe("a draft that is sent back", () => {
  it("keeps the prices of its products as theirs", async () => {
    const draft = await draftOf("DKK", fixed());
    const back = await patch(draft, draft);
    expect([back.status, back.body]).toEqual([200, draft]);
    expect(pricesOf((await patch(draft, { currency: "EUR" })).body)).toEqual([2680]);
  });

  it("in another currency takes the products' prices in it, or is refused", async () => {
    const draft = await draftOf("DKK", fixed());
    const reply = await patch(draft, { ...draft, currency: "USD" });
    expect(refusal(reply)).toBe(`${INVALID} lines[0].agreed_value required`);
    expect(reply.body.error.field_errors[0].message).toContain("20000 was its price in DKK");
    expect(pricesOf((await patch(draft, { ...draft, currency: "EUR" })).body)).toEqual([2680]);
  });

  it("with another number has a sent price, also without the id", async () => {
    const draft = await draftOf("DKK", fixed());
    const [line] = draft.lines;
    const dearer = { ...line, agreed_value: 21000 };
    await patch(draft, { lines: [dearer] });
    expect(pricesOf((await patch(draft, { currency: "USD" })).body)).toEqual([21000]);
    const other = await draftOf("DKK", fixed());
    const { id: _, ...named } = other.lines[0];
    const sent = await patch(other, { currency: "USD", lines: [named] });
    expect(sent.body.lines).toEqual([{ ...other.lines[0] }]);
  });
});
