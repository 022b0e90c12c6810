/** Inactive products (spec 7.2, for products): not listed, not available for new lines, kept on existing ones. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme" })).id;
});

let product: Json;
beforeEach(async () => {
  product = await world.done("POST /products", { name: "Old", default_price: 100 });
});

const line = (): Json => ({ product_id: product.id, recognition_method: "value" });
const deactivate = (ref: string = product.id) => world.rest(`POST /products/${ref}/deactivate`);
const listed = async (): Promise<string[]> =>
  (await world.done("GET /products?limit=100")).data.map(({ id }: Json) => id);

describe("POST /products/{ref}/deactivate", () => {
  it("removes the product from the list but leaves it readable, and activate undoes it", async () => {
    expect(await listed()).toContain(product.id);

    expect(await deactivate()).toMatchObject({ status: 200, body: product });

    expect(await listed()).not.toContain(product.id);
    expect(await world.done(`GET /products/${product.id}`)).toEqual(product);
    expect(await world.done(`POST /products/${product.id}/activate`)).toEqual(product);
    expect(await listed()).toContain(product.id);
  });

  it("may be repeated, and is recorded once", async () => {
    await deactivate();
    expect((await deactivate()).status).toBe(200);

    const { data } = await world.done(`GET /audit-events?resource_id=${product.id}`);
    expect(data.map(({ action }: Json) => action)).toEqual(["deactivated", "created"]);
  });

  it.each([
    ["ext:unknown", "404 NOT_FOUND"],
    ["nonsense", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await deactivate(ref))).toBe(expected);
    expect(refusal(await world.rest(`POST /products/${ref}/activate`))).toBe(expected);
  });

  it("needs a key that may write", async () => {
    const call = `POST /products/${product.id}/deactivate`;
    const reply = await world.rest(call, undefined, world.account.keys.read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});

describe("an inactive product", () => {
  const series = (lines: readonly Json[]): Json => ({
    customer_id,
    frequency: "monthly",
    start_date: "2026-03-01",
    lines,
  });
  const other = async (): Promise<Json> => {
    const { id } = await world.done("POST /products", { name: "New", default_price: 1 });
    return { product_id: id, recognition_method: "value" };
  };

  it("is refused with PRODUCT_INACTIVE in a new invoice, and in a new line of one", async () => {
    const draft = await world.done("POST /invoices", { customer_id });
    await deactivate();

    const created = await world.rest("POST /invoices", { customer_id, lines: [line()] });
    const changed = await world.rest(`PATCH /invoices/${draft.id}`, { lines: [line()] });

    expect([created, changed].map(refusal)).toEqual(Array(2).fill("409 PRODUCT_INACTIVE"));
    expect(created.body.error.details).toEqual({
      field: "lines[0].product_id",
      product_id: product.id,
    });
  });

  it("is refused with PRODUCT_INACTIVE in a new series, and in a new line of one", async () => {
    const { id } = await world.done("POST /recurring-series", series([await other()]));
    await deactivate();

    const created = await world.rest("POST /recurring-series", series([line()]));
    const edit = { scope: "all", line: line() };
    const added = await world.rest(`POST /recurring-series/${id}/lines`, edit);

    expect([created, added].map(refusal)).toEqual(Array(2).fill("409 PRODUCT_INACTIVE"));
  });

  it("is accepted in lines that have it already, also when they are issued", async () => {
    const draft = await world.done("POST /invoices", {
      customer_id,
      auto_send: false,
      lines: [line()],
    });
    const { id } = await world.done("POST /recurring-series", series([line()]));
    await deactivate();

    const changed = await world.done(`PATCH /invoices/${draft.id}`, draft);
    const { data } = await world.done(`GET /recurring-series/${id}/lines`);
    const edit = { scope: "all", line: { agreed_value: 7 } };
    await world.done(`PATCH /recurring-series/${id}/lines/${data[0].line_id}`, edit);

    expect(changed.lines).toEqual(draft.lines);
    expect((await world.done(`POST /invoices/${draft.id}/issue`)).status).toBe("issued");
  });
});
