/** Customers over REST (interface 2.2 and 4.1, domain.md 7.2). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "../../../test/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const NOBODY = "0190a000-0000-7000-8000-000000000000";

describe("POST /customers", () => {
  it("creates a customer with the defaults, every field present", async () => {
    const { status, body } = await world.rest("POST /customers", { name: "Acme A/S" });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "customer",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_id: null,
      name: "Acme A/S",
      country_key: "DK",
      is_person: false,
      send_method: "email",
      street: null,
      zip_code: null,
      city: null,
      phone: null,
      email: null,
      webpage: null,
      att_person: null,
      vat_number: null,
      se_number: null,
      p_number: null,
      ean_number: null,
      use_cvr: false,
      company_type_key: null,
      preferred_invoice_language_key: null,
      preferred_invoice_currency_key: null,
      external_reference: null,
      payment_condition_type: null,
      payment_condition_number_of_days: null,
      invoice_mail_out_option_key: null,
      payment_mean: null,
    });
  });
});

describe("GET /customers/{ref}", () => {
  it("answers 404 for a customer that does not exist", async () => {
    expect(await world.rest(`GET /customers/${NOBODY}`)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
  });
});
