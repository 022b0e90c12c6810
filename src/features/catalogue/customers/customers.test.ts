/** Customers over REST (spec 7.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

const fullCustomer = {
  external_id: "crm-17",
  name: "Søren & Sønner ApS",
  country_key: "SE",
  is_person: true,
  send_method: "einvoice",
  street: "Nørregade 1",
  zip_code: "1165",
  city: "København K",
  phone: "+45 33 12 34 56",
  email: "ap@soren.example",
  webpage: "https://soren.example",
  att_person: "Søren",
  vat_number: "SE556677889901",
  se_number: "12345678",
  p_number: "1012345678",
  ean_number: "5790000123452",
  use_cvr: true,
  company_type_key: "ApS",
  preferred_invoice_language_key: "en-GB",
  preferred_invoice_currency_key: "EUR",
  external_reference: "PO 7",
  payment_condition_type: "CurrentMonthOut",
  payment_condition_number_of_days: 30,
  invoice_mail_out_option_key: "VAT",
  payment_mean: "bank",
  reminders: false,
  einvoice_address: "0192:123456785",
  einvoice_format: "oioubl-2.1",
  einvoice_by_mail: true,
  accounting_cost: "4711",
};

describe("POST /customers", () => {
  it("creates a customer with the defaults and every field", async () => {
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

  it("keeps every field that is sent", async () => {
    const created = await world.done("POST /customers", fullCustomer);

    expect(created).toEqual({ object: "customer", id: created.id, ...fullCustomer });
    expect(await world.done(`GET /customers/${created.id}`)).toEqual(created);
    expect(await world.done(`PATCH /customers/${created.id}`, created)).toEqual(created);
  });

  it("does not show how e-invoices are sent any more after null", async () => {
    const { id } = await world.done("POST /customers", { ...fullCustomer, external_id: "nulled" });
    const changed = await world.done(`PATCH /customers/${id}`, {
      einvoice_address: null,
      einvoice_format: null,
      einvoice_by_mail: false,
      accounting_cost: null,
    });

    for (const field of Object.keys(changed)) expect(field).not.toMatch(/einvoice|accounting/);
  });

  it("does not check a stored address again until it is changed", async () => {
    const { id } = await world.done("POST /customers", { name: "A", einvoice_address: "0060:1" });
    await world.sql(
      `update customers set einvoice_address = '9955:SE1', document = replace(document, '0060:1', '9955:SE1') where id = $1`,
      [id],
    );
    const stored = await world.done(`GET /customers/${id}`);

    expect(await world.done(`PATCH /customers/${id}`, { ...stored, city: "Aarhus" })).toEqual({
      ...stored,
      city: "Aarhus",
    });
  });

  it("keeps white space as sent, and counts code points instead of UTF-16 units", async () => {
    const name = ` ${"𝒳".repeat(253)} `;

    expect(await world.done("POST /customers", { name })).toMatchObject({ name });
  });

  it("ignores fields that only responses have", async () => {
    const created = await world.done("POST /customers", { name: "A", id: UNKNOWN_ID, object: "x" });

    expect(created.id).not.toBe(UNKNOWN_ID);
    expect(created.object).toBe("customer");
    expect((await world.done("GET /customers")).data[0]).toEqual(created);
  });

  it("refuses unknown fields, and names the similar one", async () => {
    const reply = await world.rest("POST /customers", { name: "A", colour: "red", eMail: "a@b.c" });

    expect(refusal(reply)).toBe("422 VALIDATION_FAILED colour unknown_field, eMail unknown_field");
    expect(reply.body.error.field_errors.map(({ message }: Json) => message)).toEqual([
      "There is no such field.",
      "There is no such field. Did you mean email?",
    ]);
  });

  it("changes only the sent fields of the customer with the external id, and answers 201 again", async () => {
    const first = await world.done("POST /customers", {
      external_id: "upsert-1",
      name: "Before",
      city: "Aarhus",
      email: "one@before.example",
    });

    const { status, body } = await world.rest("POST /customers", {
      external_id: "upsert-1",
      name: "After",
      email: null,
    });

    expect(status).toBe(201);
    expect(body).toEqual({ ...first, name: "After", email: null });
    expect((await world.done("GET /customers?external_id=upsert-1")).data).toEqual([body]);
  });

  it("finds an inactive customer by its external id and leaves it inactive", async () => {
    const { id } = await world.done("POST /customers", { external_id: "upsert-2", name: "Asleep" });
    await world.done(`POST /customers/${id}/deactivate`);

    const again = await world.done("POST /customers", {
      external_id: "upsert-2",
      name: "Dreaming",
    });

    expect(again).toMatchObject({ id, name: "Dreaming" });
    expect((await world.done("GET /customers?external_id=upsert-2")).data).toEqual([]);
  });

  it.each([[null], [undefined]])(
    "always creates a new customer with external_id %s",
    async (external_id) => {
      const [one, two] = [
        await world.done("POST /customers", { name: "Twin", external_id }),
        await world.done("POST /customers", { name: "Twin", external_id }),
      ];

      expect(one.id).not.toBe(two.id);
    },
  );

  it("creates one customer for many parallel requests with one external id", async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        world.rest("POST /customers", { external_id: "race", name: `Racer ${index}` }),
      ),
    );

    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  });

  it("keeps the external ids of two accounts apart", async () => {
    const other = await world.openAnother();
    const mine = await world.done("POST /customers", { external_id: "shared", name: "Mine" });

    const others = await world.done(
      "POST /customers",
      { external_id: "shared", name: "Other" },
      other.keys.read_write,
    );

    expect(others.id).not.toBe(mine.id);
    expect(await world.done("GET /customers/ext:shared")).toEqual(mine);
  });

  it.each<[string, Json, string]>([
    ["no name", {}, "name required"],
    ["an empty name", { name: "" }, "name too_short"],
    ["a name that is too long", { name: "x".repeat(256) }, "name too_long"],
    ["a name that is a number", { name: 7 }, "name invalid_type"],
    ["NUL in a text", { name: "a\0b" }, "name invalid_value"],
    ["a lone surrogate", { name: "a\ud800b" }, "name invalid_value"],
    ["an empty external id", { name: "A", external_id: "" }, "external_id too_short"],
    ["a long external id", { name: "A", external_id: "x".repeat(129) }, "external_id too_long"],
    ["a country in lower case", { name: "A", country_key: "dk" }, "country_key invalid_value"],
    ["an unknown country", { name: "A", country_key: "ZZ" }, "country_key invalid_value"],
    ["a country of null", { name: "A", country_key: null }, "country_key invalid_type"],
    ["an unknown send method", { name: "A", send_method: "fax" }, "send_method invalid_value"],
    ["is_person as text", { name: "A", is_person: "yes" }, "is_person invalid_type"],
    [
      "an unknown currency",
      { name: "A", preferred_invoice_currency_key: "EU" },
      "preferred_invoice_currency_key invalid_value",
    ],
    [
      "a malformed language",
      { name: "A", preferred_invoice_language_key: "?" },
      "preferred_invoice_language_key invalid_format",
    ],
    [
      "unknown terms",
      { name: "A", payment_condition_type: "Brutto" },
      "payment_condition_type invalid_value",
    ],
    ["an unknown format", { name: "A", einvoice_format: "ubl" }, "einvoice_format invalid_value"],
    ["factur-x", { name: "A", einvoice_format: "factur-x" }, "einvoice_format invalid_value"],
    [
      "a long accounting cost",
      { name: "A", accounting_cost: "x".repeat(256) },
      "accounting_cost too_long",
    ],
    [
      "negative days",
      { name: "A", payment_condition_number_of_days: -1 },
      "payment_condition_number_of_days too_small",
    ],
    [
      "half a day",
      { name: "A", payment_condition_number_of_days: 1.5 },
      "payment_condition_number_of_days invalid_type",
    ],
    [
      "days of NettoCash",
      { name: "A", payment_condition_type: "NettoCash", payment_condition_number_of_days: 8 },
      "payment_condition_number_of_days not_allowed",
    ],
  ])("refuses %s", async (_what, body, fault) => {
    expect(refusal(await world.rest("POST /customers", body))).toBe(`${INVALID} ${fault}`);
  });

  it.each([
    "none",
    "a@b@c.example",
    "a@x.example,b@x.example",
    "A <a@x.example>",
    "a@x.example\r\nBcc: b@x.example",
    " a@x.example",
    "@x.example",
    "a@example..com",
  ])("refuses %j as an e-mail address", async (email) => {
    const reply = await world.rest("POST /customers", { name: "A", email });

    expect(refusal(reply)).toBe(`${INVALID} email invalid_format`);
  });

  it.each([
    "",
    "5798009811578",
    "0088: 5798009811578",
    "0088:5798009811579",
    "9916:DK25313763",
    "0184:DK25313763",
    "EM:ap@acme.example",
    `0060:${"1".repeat(126)}`,
  ])("refuses %j as an e-invoice address", async (einvoice_address) => {
    const reply = await world.rest("POST /customers", { name: "A", einvoice_address });

    expect(refusal(reply)).toBe(`${INVALID} einvoice_address invalid_format`);
  });

  it("names every invalid field in one refusal", async () => {
    const reply = await world.rest("POST /customers", {
      name: "",
      country_key: "ZZ",
      email: "none",
    });

    expect(reply.body.error.field_errors.map((fault: Json) => fault.field)).toEqual([
      "name",
      "country_key",
      "email",
    ]);
  });

  it.each<[string, unknown]>([
    ["no body", undefined],
    ["an array", []],
    ["text", '"Acme"'],
    ["null", "null"],
    ["broken JSON", '{"name":'],
  ])("cannot read %s", async (_what, body) => {
    expect(refusal(await world.rest("POST /customers", body))).toBe("400 MALFORMED_REQUEST");
  });

  it("needs a key, and one that may write", async () => {
    const body = { name: "" };

    expect(refusal(await world.rest("POST /customers", body, null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest("POST /customers", body, "mbk_unknown"))).toBe(
      "401 UNAUTHORIZED",
    );
    expect(refusal(await world.rest("POST /customers", body, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("GET /customers/{ref}", () => {
  it("finds customers by id in any case and by external id with characters that need encoding", async () => {
    const external_id = "a/b ?ø:%&+";
    const created = await world.done("POST /customers", { name: "Encoded", external_id });

    const byExternalId = `GET /customers/ext:${encodeURIComponent(external_id)}`;
    expect(await world.done(byExternalId)).toEqual(created);
    expect(await world.done(`GET /customers/${created.id.toUpperCase()}`)).toEqual(created);
  });

  it("answers a key that only reads", async () => {
    const { id } = await world.done("POST /customers", { name: "Readable" });

    expect(
      (await world.rest(`GET /customers/${id}`, undefined, world.account.keys.read)).status,
    ).toBe(200);
  });

  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
    ["ext:", "400 MALFORMED_REQUEST"],
    ["ext:%00", "400 MALFORMED_REQUEST"],
    ["%E0%A4%A", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`GET /customers/${ref}`))).toBe(expected);
    if (ref !== "%E0%A4%A") {
      expect(refusal(await world.rest(`PATCH /customers/${ref}`, {}))).toBe(expected);
    }
  });

  it("does not show another account's customer", async () => {
    const other = await world.openAnother();
    const { id } = await world.done("POST /customers", { name: "Mine" });

    for (const call of [`GET /customers/${id}`, `PATCH /customers/${id}`]) {
      const body = call.startsWith("PATCH") ? {} : undefined;
      expect(refusal(await world.rest(call, body, other.keys.read_write))).toBe("404 NOT_FOUND");
    }
  });
});

describe("GET /customers", () => {
  it("lists from the newest to the oldest in pages of 25 by default", async () => {
    const { keys } = await world.openAnother();
    const made: Json[] = [];
    for (let index = 0; index < 27; index += 1) {
      made.unshift(await world.done("POST /customers", { name: `C${index}` }, keys.read_write));
    }

    const first = await world.done("GET /customers", undefined, keys.read);
    const rest = await world.done(
      `GET /customers?cursor=${first.next_cursor}`,
      undefined,
      keys.read,
    );

    expect(first).toEqual({
      object: "list",
      data: made.slice(0, 25),
      has_more: true,
      next_cursor: expect.any(String),
    });
    expect(rest).toEqual({
      object: "list",
      data: made.slice(25),
      has_more: false,
      next_cursor: null,
    });
  });

  it("is an empty list for a filter that matches nothing", async () => {
    expect(await world.done("GET /customers?external_id=unknown")).toEqual({
      object: "list",
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it("lists customers that changed after a moment", async () => {
    const quiet = await world.done("POST /customers", { name: "Quiet" });
    const [{ now }] = await world.sql("select clock_timestamp() as now");
    const loud = await world.done("POST /customers", { name: "Loud" });
    const since = async (moment: string) => {
      const { data } = await world.done(
        `GET /customers?updated_since=${encodeURIComponent(moment)}`,
      );
      return data.map((customer: Json) => customer.id);
    };

    expect(await since(now)).toEqual([loud.id]);
    await world.done(`PATCH /customers/${quiet.id}`, { city: "Nibe" });
    expect(await since(now)).toEqual([loud.id, quiet.id]);
    expect(await since("2190-01-01T00:00:00+02:00")).toEqual([]);
  });
});
