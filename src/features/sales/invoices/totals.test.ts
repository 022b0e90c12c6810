/** Totals of drafts and issued invoices (spec 9.2 to 9.4 and 10.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
  product_id = (await world.done("POST /products", { name: "Advice" })).id;
});

const line = (agreed_value: number, fields: Json = {}): Json => ({
  product_id,
  recognition_method: "value",
  agreed_value,
  ...fields,
});

const create = (lines: Json[], fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id, auto_send: false, lines, ...fields });

const totalsOf = ({ id }: Json): Promise<Json> => world.done(`GET /invoices/${id}/totals`);

const totals = async (lines: Json[], fields: Json = {}): Promise<Json> =>
  totalsOf(await create(lines, fields));

describe("GET /invoices/{ref}/totals", () => {
  it("of an empty draft are all 0", async () => {
    expect(await totals([])).toEqual({
      object: "totals",
      currency: "DKK",
      net: 0,
      vat: 0,
      gross: 0,
      lines: [],
      vat_breakdown: [],
      warnings: [
        {
          code: "SELLER_INCOMPLETE",
          message:
            "The invoice will show no name, no address, no VAT number and no bank account of the seller: set them in the configuration.",
          field: "seller",
        },
      ],
    });
  });

  it("show the rows of each line and the VAT by code, in the order of positions", async () => {
    const draft = await create([
      line(1000, { discount: 12.5, position: 2 }),
      line(250.5, { recognition_method: "on_issue", position: 1 }),
      { product_id, recognition_method: "hours", hourly_rate: 900 },
    ]);

    expect(await totalsOf(draft)).toEqual({
      object: "totals",
      currency: "DKK",
      net: 1125.5,
      vat: 281.38,
      gross: 1406.88,
      lines: [
        {
          line_id: draft.lines[0].id,
          net: 250.5,
          rows: [{ quantity: 1, unit_price: 250.5, discount: 0, net: 250.5 }],
        },
        {
          line_id: draft.lines[1].id,
          net: 875,
          rows: [{ quantity: 1, unit_price: 1000, discount: 12.5, net: 875 }],
        },
        { line_id: draft.lines[2].id, net: 0, rows: [] },
      ],
      vat_breakdown: [{ vat_code: "DK25", rate: 25, base: 1125.5, vat: 281.38 }],
      warnings: [
        expect.objectContaining({ code: "SELLER_INCOMPLETE" }),
        {
          code: "LINE_WITHOUT_HOURS",
          message: "Line 3 has no hours and is not printed.",
          field: "lines[2]",
        },
        {
          code: "NOBODY_ASSIGNED",
          message: "Lines 1 and 2 have no assignee: their revenue will be unassigned.",
          field: "lines[0].assignees",
        },
      ],
    });
  });

  it.each<[string, () => Json[], [number, number, number]]>([
    ["0.1 and 0.2", () => [line(0.1), line(0.2)], [0.3, 0.08, 0.38]],
    ["12.5 % off 0.03", () => [line(0.03, { discount: 12.5 })], [0.03, 0.01, 0.04]],
    ["half an øre off", () => [line(0.01, { discount: 50 })], [0.01, 0, 0.01]],
    ["three lines of 0.33", () => [line(0.33), line(0.33), line(0.33)], [0.99, 0.25, 1.24]],
    ["an exact half øre of VAT", () => [line(0.1)], [0.1, 0.03, 0.13]],
    ["another", () => [line(0.58)], [0.58, 0.15, 0.73]],
    ["100 % off", () => [line(500, { discount: 100 })], [0, 0, 0]],
    [
      "the largest line",
      () => [line(10_000_000_000)],
      [10_000_000_000, 2_500_000_000, 12_500_000_000],
    ],
  ])("are exact for %s", async (_what, lines, [net, vat, gross]) => {
    expect(await totals(lines())).toMatchObject({ net, vat, gross });
  });

  it("use the currency's own decimals", async () => {
    const yen = await totals([line(101), line(1)], { currency: "JPY" });
    const dinar = await totals([line(1.005)], { currency: "KWD" });

    expect(yen).toMatchObject({ currency: "JPY", net: 102, vat: 26, gross: 128 });
    expect(dinar).toMatchObject({ currency: "KWD", net: 1.005, vat: 0.251, gross: 1.256 });
  });

  it("need no exchange rate for a draft in a foreign currency", async () => {
    expect(await totals([line(80)], { currency: "USD" })).toMatchObject({
      currency: "USD",
      net: 80,
      vat: 20,
      gross: 100,
    });
  });

  it("stay the same when the invoice is issued", async () => {
    const draft = await create([line(12.34, { discount: 3.21 }), line(0, { position: 9 })]);
    const { warnings, ...before } = await totalsOf(draft);

    await world.done(`POST /invoices/${draft.id}/issue`);

    const { warnings: are, ...after } = await totalsOf(draft);
    expect(after).toEqual(before);
    const codesOf = (some: Json[]) => some.map(({ code }) => code);
    expect(codesOf(are)).toEqual(codesOf(warnings));
    expect(are[0].message).toMatch(/^The invoice shows no name, .* of the seller\.$/);
  });

  it("need an existing reference and a key", async () => {
    const unknown_one = "GET /invoices/0190a000-0000-7000-8000-000000000000/totals";

    expect(refusal(await world.rest(unknown_one))).toBe("404 NOT_FOUND");
    expect(refusal(await world.rest("GET /invoices/x/totals"))).toBe("400 MALFORMED_REQUEST");
    expect(refusal(await world.rest(unknown_one, undefined, null))).toBe("401 UNAUTHORIZED");
    const other = await world.openAnother();
    const { id } = await create([]);
    const others = await world.rest(`GET /invoices/${id}/totals`, undefined, other.keys.read);
    expect(refusal(others)).toBe("404 NOT_FOUND");
  });
});

describe("the VAT code of a line", () => {
  const accounts: Readonly<Record<string, number>> = {
    "an ordinary account": 1000,
    "goods to the EU": 1050,
    "services to the EU": 1150,
    "goods for export": 1100,
    "exempt sales": 1410,
    "domestic reverse charge": 1420,
    "an account without a code": 1430,
  };
  beforeAll(async () => {
    for (const account_number of [1410, 1420, 1430]) {
      await world.done("POST /products", { name: "for its account", account_number });
    }
    await world.done("PATCH /ledger/accounts/1410", { vat_code: "DK0" });
    await world.done("PATCH /ledger/accounts/1420", { vat_code: "DK_RC" });
    await world.done("PATCH /ledger/accounts/1430", { vat_code: null });
  });

  it.each<[string, string, Json, string, number]>([
    ["an ordinary account", "a Dane", {}, "DK25", 25],
    ["an ordinary account", "a Danish company", { vat_number: "DK12345674" }, "DK25", 25],
    ["services to the EU", "a Danish company", { vat_number: "DK12345674" }, "DK25", 25],
    ["an account without a code", "a Dane", {}, "DK25", 25],
    ["exempt sales", "a Dane", {}, "DK0", 0],
    ["domestic reverse charge", "a Danish company", { vat_number: "DK12345674" }, "DK_RC", 0],
    [
      "an ordinary account",
      "a Swedish company",
      { country_key: "SE", vat_number: "SE556677889901" },
      "EU_SERVICES_RC",
      0,
    ],
    [
      "goods to the EU",
      "a Swedish company",
      { country_key: "SE", vat_number: "SE556677889901" },
      "EU_GOODS_RC",
      0,
    ],
    [
      "an ordinary account",
      "a Swedish company without VAT number",
      { country_key: "SE" },
      "DK25",
      25,
    ],
    [
      "an ordinary account",
      "a Swedish company with a blank VAT number",
      { country_key: "SE", vat_number: " " },
      "DK25",
      25,
    ],
    [
      "an ordinary account",
      "a Swedish person",
      { country_key: "SE", is_person: true, vat_number: "SE556677889901" },
      "DK25",
      25,
    ],
    ["an ordinary account", "an American company", { country_key: "US" }, "EXPORT_SERVICES", 0],
    [
      "an ordinary account",
      "an American person",
      { country_key: "US", is_person: true },
      "EXPORT_SERVICES",
      0,
    ],
    [
      "goods for export",
      "a Norwegian company",
      { country_key: "NO", vat_number: "NO1" },
      "EXPORT_GOODS",
      0,
    ],
    ["an ordinary account", "a company in Greenland", { country_key: "GL" }, "EXPORT_SERVICES", 0],
    [
      "an ordinary account",
      "a company in Northern Ireland",
      { country_key: "GB", vat_number: "XI1" },
      "EXPORT_SERVICES",
      0,
    ],
  ])("on %s for %s", async (account, _who, customer, vat_code, rate) => {
    const { id } = await world.done("POST /customers", { name: "Buyer", ...customer });
    const product = await world.done("POST /products", {
      name: account,
      account_number: accounts[account],
      default_price: 200,
    });
    const lines = [{ product_id: product.id, recognition_method: "value" }];

    const { vat, vat_breakdown } = await totals(lines, { customer_id: id });

    expect(vat_breakdown).toEqual([{ vat_code, rate, base: 200, vat: 2 * rate }]);
    expect(vat).toBe(2 * rate);
  });

  it("groups the lines, and VAT is computed once for each group", async () => {
    const exempt = await world.done("POST /products", { name: "Exempt", account_number: 1410 });

    const { net, vat, gross, vat_breakdown } = await totals([
      line(0.33),
      line(100, { product_id: exempt.id }),
      line(0.33),
      line(0.33),
    ]);

    expect([net, vat, gross]).toEqual([100.99, 0.25, 101.24]);
    expect(vat_breakdown).toEqual([
      { vat_code: "DK25", rate: 25, base: 0.99, vat: 0.25 },
      { vat_code: "DK0", rate: 0, base: 100, vat: 0 },
    ]);
  });

  it("follows the draft's customer, the configured rate and the country until the issue", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    const buyer = await world.done("POST /customers", { name: "B", country_key: "SE" }, key);
    const product = await world.done("POST /products", { name: "P", default_price: 80 }, key);
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const draft = await world.done(
      "POST /invoices",
      { customer_id: buyer.id, auto_send: false, lines },
      key,
    );
    const vatNow = async () =>
      (await world.done(`GET /invoices/${draft.id}/totals`, undefined, key)).vat;
    expect(await vatNow()).toBe(20);

    await world.done("PATCH /configuration", { vat: { domestic_rate: 12.75 } }, key);
    expect(await vatNow()).toBe(10.2);
    await world.done(`PATCH /customers/${buyer.id}`, { vat_number: "SE556677889901" }, key);
    expect(await vatNow()).toBe(0);
    await world.done("PATCH /configuration", { vat: { domestic_country: "SE" } }, key);
    expect(await vatNow()).toBe(10.2);

    await world.done(`POST /invoices/${draft.id}/issue`, undefined, key);
    await world.done("PATCH /configuration", { vat: { domestic_rate: 25 } }, key);
    await world.done(`PATCH /customers/${buyer.id}`, { country_key: "US" }, key);
    expect(await vatNow()).toBe(10.2);
  });
});
