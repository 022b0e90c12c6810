/** VAT numbers and location numbers of customers: setting them, numbers with faults, and numbers stored earlier. */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const REFUSED = "422 VALIDATION_FAILED vat_number invalid_format";
const made = (fields: Json): Promise<Json> =>
  world.done("POST /customers", { name: "Acme", ...fields });

/** A customer whose number was stored before numbers were checked. */
async function earlier(vat_number: string, fields: Json = {}): Promise<Json> {
  const { id } = await made(fields);
  await world.sql(
    "update customers set vat_number = $2, document = replace(document, '\"vat_number\":null', $3) where id = $1",
    [id, vat_number, `"vat_number":${JSON.stringify(vat_number)}`],
  );
  return world.done(`GET /customers/${id}`);
}

describe("a VAT number", () => {
  it.each<[string, Json]>([
    ["n/a in Denmark", { vat_number: "n/a" }],
    ["n/a in Germany", { vat_number: "n/a", country_key: "DE" }],
    ["DE123", { vat_number: "DE123", country_key: "DE" }],
    ["eight digits without letters in Germany", { vat_number: "12345674", country_key: "DE" }],
    ["GR for Greece", { vat_number: "GR094259216", country_key: "GR" }],
  ])("that is malformed is refused: %s", async (_what, fields) => {
    expect(refusal(await world.rest("POST /customers", { name: "Acme", ...fields }))).toBe(REFUSED);
  });

  it.each<[string, Json]>([
    ["eight digits in Denmark", { vat_number: "12345674" }],
    ["with letters and spaces", { vat_number: "DK 12 34 56 74" }],
    ["EL for Greece", { vat_number: "EL094259216", country_key: "GR" }],
    ["XI for goods of Northern Ireland", { vat_number: "XI980780684", country_key: "GB" }],
    ["any text outside of the EU", { vat_number: "n/a", country_key: "US" }],
    ["nothing", { vat_number: null, country_key: "DE" }],
  ])("is stored as it is sent: %s", async (_what, fields) => {
    const customer = await made(fields);
    expect(customer.vat_number).toBe(fields.vat_number);
    expect(customer).not.toHaveProperty("warnings");
  });

  it.each<[string, string, string]>([
    ["DK12345674", "DE", "belongs to another country"],
    ["DE136695977", "DE", "has a wrong check digit"],
    ["12345675", "DK", "has a wrong check digit"],
  ])(
    "%s of %s is stored, and the customer's answers warn",
    async (vat_number, country_key, doubt) => {
      const customer = await made({ vat_number, country_key });
      const warnings = [
        {
          code: "BUYER_NUMBER_DOUBTFUL",
          message: `The customer's VAT number ${doubt}, so that domestic VAT is charged.`,
          field: "vat_number",
        },
      ];
      expect(customer).toMatchObject({ vat_number, warnings });
      expect(await world.done(`GET /customers/${customer.id}`)).toEqual(customer);
      expect((await world.done("GET /customers?limit=1")).data).toEqual([customer]);
      expect(await world.done(`PATCH /customers/${customer.id}`, customer)).toEqual(customer);
      const corrected = await world.done(`PATCH /customers/${customer.id}`, { vat_number: null });
      expect(corrected).not.toHaveProperty("warnings");
    },
  );

  it("is validated for the country that is sent with it", async () => {
    const { id } = await made({ vat_number: "12345674" });
    const german = { country_key: "DE", vat_number: "136695976" };
    expect(await world.done(`PATCH /customers/${id}`, german)).toMatchObject(german);
    const danish = { country_key: "DK", vat_number: "136695976x" };
    expect(refusal(await world.rest(`PATCH /customers/${id}`, danish))).toBe(REFUSED);
  });
});

describe("a number that was stored before validation existed", () => {
  it("remains, may be sent back, and is validated when it changes", async () => {
    const customer = await earlier("n/a", { country_key: "DE", external_id: "old" });
    const sent_back = await world.done(`PATCH /customers/${customer.id}`, {
      ...customer,
      city: "Köln",
    });
    expect(sent_back).toMatchObject({
      vat_number: "n/a",
      city: "Köln",
      warnings: [
        {
          code: "BUYER_NUMBER_DOUBTFUL",
          message:
            "The customer's VAT number does not have the format of its country, so that domestic VAT is charged.",
        },
      ],
    });
    const upsert = { external_id: "old", name: "Acme", vat_number: "n/a" };
    expect((await world.rest("POST /customers", upsert)).status).toBe(201);
    expect(refusal(await world.rest("POST /customers", { ...upsert, vat_number: "none" }))).toBe(
      REFUSED,
    );
  });

  it("leads to domestic VAT with a warning", async () => {
    const { id: customer_id } = await earlier("n/a", { country_key: "DE" });
    const product = await world.done("POST /products", { name: "Advice", default_price: 100 });
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const { id } = await world.done("POST /invoices", { customer_id, lines });

    const { vat_breakdown, warnings } = await world.done(`GET /invoices/${id}/totals`);

    expect(vat_breakdown).toEqual([{ vat_code: "DK25", rate: 25, base: 100, vat: 25 }]);
    expect(warnings).toContainEqual({
      code: "BUYER_NUMBER_DOUBTFUL",
      message:
        "The customer's VAT number does not have the format of its country, so that domestic VAT is charged.",
      field: "customer.vat_number",
    });
  });
});

describe("a location number", () => {
  const EAN = "422 VALIDATION_FAILED ean_number invalid_format";

  it.each(["n/a", "579000012345", "5790000123456"])("refuses %s", async (ean_number) => {
    expect(refusal(await world.rest("POST /customers", { name: "Acme", ean_number }))).toBe(EAN);
  });

  it("is stored when it is valid, and older invalid ones remain until they change", async () => {
    const { id } = await made({ ean_number: "5790000123452" });
    await world.sql("update customers set ean_number = 'old' where id = $1", [id]);
    const kept = await world.done(`PATCH /customers/${id}`, { ean_number: "old", city: "Ribe" });
    expect(kept.ean_number).toBe("old");
    expect(refusal(await world.rest(`PATCH /customers/${id}`, { ean_number: "new" }))).toBe(EAN);
  });
});

describe("the seller's VAT number", () => {
  const change = (body: Json) => world.rest("PATCH /configuration", body);
  const SELLER = "422 VALIDATION_FAILED seller.vat_number invalid_format";

  it("is validated for the seller's country, else for that of the account", async () => {
    expect(refusal(await change({ seller: { vat_number: "n/a" } }))).toBe(SELLER);
    expect((await change({ seller: { vat_number: "12345674" } })).status).toBe(200);
    const german = { country_key: "DE", vat_number: "136695976" };
    expect((await change({ seller: german })).status).toBe(200);
    expect((await change({ seller: null, vat: { domestic_country: "SE" } })).status).toBe(200);
    expect(refusal(await change({ seller: { vat_number: "12345674" } }))).toBe(SELLER);
    expect((await change({ seller: { vat_number: "556677889901" } })).status).toBe(200);
    const norwegian = { country_key: "NO", vat_number: "any" };
    expect((await change({ seller: norwegian })).status).toBe(200);
    // A stored number remains, and may be sent again.
    expect((await change({ seller: { ...norwegian, country_key: "SE" } })).status).toBe(200);
  });
});
