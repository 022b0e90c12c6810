/** The source of the price of a series' line, and the effect of a change of currency on it (spec 7.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme" })).id;
  const prices = [{ currency: "EUR", amount: 2680 }];
  const product = { name: "Retainer", default_price: 20000, prices };
  product_id = (await world.done("POST /products", product)).id;
});

const INVALID = "422 VALIDATION_FAILED";
const fixed = (fields: Json = {}): Json => ({ product_id, recognition_method: "value", ...fields });
const bodyOf = (currency: string, ...lines: Json[]): Json => ({
  customer_id,
  currency,
  frequency: "monthly",
  start_date: "2026-01-01",
  lines,
});
const seriesOf = (currency: string, ...lines: Json[]) =>
  world.done("POST /recurring-series", bodyOf(currency, ...lines));
const patch = (series: Json, changes: Json) =>
  world.rest(`PATCH /recurring-series/${series.id}`, changes);
const pricesOf = ({ lines }: Json) => lines.map((line: Json) => line.agreed_value);
const linesOf = async (series: Json, period = "") =>
  (await world.done(`GET /recurring-series/${series.id}/lines${period}`)).data;

describe("a line of a series without a price", () => {
  it("takes the product's price in the currency of the series, or is refused", async () => {
    expect(pricesOf(await seriesOf("EUR", fixed()))).toEqual([2680]);
    const reply = await world.rest("POST /recurring-series", bodyOf("USD", fixed()));
    expect(refusal(reply)).toBe(`${INVALID} lines[0].agreed_value required`);
  });

  it("is refused when it is added, and when an edit removes its price", async () => {
    const series = await seriesOf("USD", fixed({ agreed_value: 5 }));
    const at = `/recurring-series/${series.id}/lines`;
    const added = await world.rest(`POST ${at}`, { scope: "all", line: fixed() });
    expect(refusal(added)).toBe(`${INVALID} line.agreed_value required`);
    expect(added.body.error.field_errors[0].message).toContain("no price in USD");
    const [{ line_id }] = await linesOf(series);
    const edit = { scope: "all", line: { agreed_value: null } };
    expect(refusal(await world.rest(`PATCH ${at}/${line_id}`, edit))).toBe(
      `${INVALID} line.agreed_value required`,
    );
    await world.done(`PATCH ${at}/${line_id}`, { scope: "all", line: { discount: 10 } });
  });
});

describe("another currency of a series", () => {
  it("takes the products' prices in it in every version, and keeps those that were sent", async () => {
    const series = await seriesOf("DKK", fixed(), fixed({ agreed_value: 20000 }));
    const [first] = await linesOf(series);
    const at = `PATCH /recurring-series/${series.id}/lines/${first.line_id}`;
    await world.done(at, { scope: "this_only", period: "2026-03", line: { discount: 10 } });
    await world.done(at, {
      scope: "this_and_following",
      period: "2026-05",
      line: { agreed_value: 21000 },
    });
    const { status, body } = await patch(series, { currency: "EUR" });
    expect([status, pricesOf(body)]).toEqual([200, [2680, 20000]]);
    const pricesAt = async (period: string) =>
      pricesOf({ lines: await linesOf(series, `?period=${period}`) });
    expect(await pricesAt("2026-03")).toEqual([2680, 20000]);
    expect(await pricesAt("2026-05")).toEqual([21000, 20000]);
  });

  it("is refused where a product has no price in it, and changes nothing", async () => {
    const series = await seriesOf("DKK", fixed({ agreed_value: 5 }), fixed());
    const reply = await patch(series, { currency: "USD" });
    expect(refusal(reply)).toBe(`${INVALID} lines[1].agreed_value required`);
    expect(await world.done(`GET /recurring-series/${series.id}`)).toEqual(series);
  });

  it("names the currency in the refusal of a line that is not shown", async () => {
    const series = await seriesOf("DKK", fixed({ agreed_value: 5 }));
    await world.done(`POST /recurring-series/${series.id}/lines`, {
      scope: "this_only",
      period: "2026-04",
      line: fixed(),
    });
    expect(refusal(await patch(series, { currency: "USD" }))).toBe(`${INVALID} currency required`);
  });

  it("accepts a line whose price was set by an edit, or stored before the source of prices was known", async () => {
    const series = await seriesOf("DKK", fixed());
    const [{ line_id, object: _, ...line }] = await linesOf(series);
    const at = `PATCH /recurring-series/${series.id}/lines/${line_id}`;
    await world.done(at, { scope: "all", line });
    expect(refusal(await patch(series, { currency: "USD" }))).toBe(
      `${INVALID} lines[0].agreed_value required`,
    );
    await world.done(at, { scope: "all", line: { agreed_value: 19000 } });
    expect(pricesOf((await patch(series, { currency: "USD" })).body)).toEqual([19000]);

    const old = await seriesOf("DKK", fixed());
    await world.sql(
      `update series_line_versions set content = replace(content, ',"price_from_product":true', '')
       where line_id in (select line_id from series_lines where series_id = $1)`,
      [old.id],
    );
    expect(pricesOf((await patch(old, { currency: "USD" })).body)).toEqual([20000]);
  });
});

it("the invoice of a period has the price in the currency of its series", async () => {
  const series = await seriesOf("EUR", fixed());
  await world.done("PUT /exchange-rates/EUR/2025-12-31", { rate: 7.46 });
  const issued = await world.done(`POST /recurring-series/${series.id}/occurrences/2026-01/issue`);
  expect([issued.currency, ...pricesOf(issued)]).toEqual(["EUR", 2680]);
});
