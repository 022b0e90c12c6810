/** Changing customers, their payment terms, and making them inactive (spec 7.2). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

describe("PATCH /customers/{ref}", () => {
  it("changes only the fields sent, under either reference", async () => {
    const before = await world.done("POST /customers", {
      name: "Old",
      external_id: "p-1",
      city: "Ribe",
    });

    const renamed = await world.done("PATCH /customers/ext:p-1", { name: "New" });
    const moved = await world.done(`PATCH /customers/${before.id}`, { city: null });

    expect(renamed).toEqual({ ...before, name: "New" });
    expect(moved).toEqual({ ...before, name: "New", city: null });
    expect(await world.done(`GET /customers/${before.id}`)).toEqual(moved);
  });

  it("accepts an empty object and changes nothing", async () => {
    const before = await world.done("POST /customers", { name: "Same" });
    const stamp = () => world.sql("select updated_at from customers where id = $1", [before.id]);
    const stamped = await stamp();

    const { status, body } = await world.rest(`PATCH /customers/${before.id}`, {});

    expect([status, body]).toEqual([200, before]);
    expect(await stamp()).toEqual(stamped);
  });

  it("changes and removes the external id", async () => {
    const { id } = await world.done("POST /customers", { name: "Moving", external_id: "from" });

    expect(await world.done(`PATCH /customers/${id}`, { external_id: "to" })).toMatchObject({
      external_id: "to",
    });
    expect((await world.rest("GET /customers/ext:from")).status).toBe(404);
    await world.done(`PATCH /customers/${id}`, { external_id: null });
    expect((await world.rest("GET /customers/ext:to")).status).toBe(404);
  });

  it("refuses an external id that another customer has", async () => {
    await world.done("POST /customers", { name: "First", external_id: "taken" });
    const { id } = await world.done("POST /customers", { name: "Second" });

    const reply = await world.rest(`PATCH /customers/${id}`, { external_id: "taken" });

    expect(refusal(reply)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("validates the body before it looks for the customer", async () => {
    expect(refusal(await world.rest(`PATCH /customers/${UNKNOWN_ID}`, { name: null }))).toBe(
      `${INVALID} name invalid_type`,
    );
    const read = world.account.keys.read;
    expect(refusal(await world.rest("PATCH /customers/17", "{", read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("POST /customers/{ref}/deactivate and /activate", () => {
  it("removes a customer from the list and restores it, and the customer is always found by reference", async () => {
    const customer = await world.done("POST /customers", {
      name: "Sleeper",
      external_id: "sleeper",
    });
    const listed = async () => (await world.done("GET /customers?external_id=sleeper")).data;

    const deactivated = await world.rest("POST /customers/ext:sleeper/deactivate");

    expect([deactivated.status, deactivated.body]).toEqual([200, customer]);
    expect(await listed()).toEqual([]);
    expect(await world.done("GET /customers/ext:sleeper")).toEqual(customer);
    expect((await world.rest(`POST /customers/${customer.id}/activate`)).body).toEqual(customer);
    expect(await listed()).toEqual([customer]);
  });

  it("may be repeated", async () => {
    const { id } = await world.done("POST /customers", { name: "Twice" });

    for (const verb of ["deactivate", "deactivate", "activate", "activate"]) {
      expect((await world.rest(`POST /customers/${id}/${verb}`)).status).toBe(200);
    }
  });

  it("refuse an inactive customer in new drafts and in existing drafts of other customers", async () => {
    const { id } = await world.done("POST /customers", { name: "Gone" });
    const active = await world.done("POST /customers", { name: "Here" });
    const draft = await world.done("POST /invoices", { customer_id: active.id });
    await world.done(`POST /customers/${id}/deactivate`);

    expect(refusal(await world.rest("POST /invoices", { customer_id: id }))).toBe(
      "409 CUSTOMER_INACTIVE",
    );
    const change = await world.rest(`PATCH /invoices/${draft.id}`, { customer_id: id });
    expect(refusal(change)).toBe("409 CUSTOMER_INACTIVE");
  });

  it("leave the drafts of an inactive customer editable, but not issuable", async () => {
    const { id } = await world.done("POST /customers", { name: "Leaving" });
    const product = await world.done("POST /products", { name: "Advice", default_price: 100 });
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const draft = await world.done("POST /invoices", { customer_id: id, auto_send: false, lines });
    await world.done(`POST /customers/${id}/deactivate`);

    expect(
      (await world.rest(`PATCH /invoices/${draft.id}`, { title: "Last", customer_id: id })).status,
    ).toBe(200);
    expect(refusal(await world.rest(`POST /invoices/${draft.id}/issue`))).toBe(
      "409 CUSTOMER_INACTIVE",
    );
    await world.done(`POST /customers/${id}/activate`);
    expect((await world.rest(`POST /invoices/${draft.id}/issue`)).status).toBe(200);
  });

  it.each(["deactivate", "activate"])(
    "%s only an existing customer, with a key that may write",
    async (verb) => {
      expect(refusal(await world.rest(`POST /customers/${UNKNOWN_ID}/${verb}`))).toBe(
        "404 NOT_FOUND",
      );
      expect(refusal(await world.rest(`POST /customers/x/${verb}`))).toBe("400 MALFORMED_REQUEST");
      const read = world.account.keys.read;
      expect(
        refusal(await world.rest(`POST /customers/${UNKNOWN_ID}/${verb}`, undefined, read)),
      ).toBe("403 INSUFFICIENT_SCOPE");
    },
  );
});

describe("payment terms of a customer", () => {
  it.each<[string, Json]>([
    ["none at all", {}],
    ["NettoCash without days", { payment_condition_type: "NettoCash" }],
    [
      "NettoCash with 0 days",
      { payment_condition_type: "NettoCash", payment_condition_number_of_days: 0 },
    ],
    ["Netto with days", { payment_condition_type: "Netto", payment_condition_number_of_days: 8 }],
    [
      "CurrentMonthOut with 0 days",
      { payment_condition_type: "CurrentMonthOut", payment_condition_number_of_days: 0 },
    ],
  ])("may be %s", async (_what, terms) => {
    const created = await world.done("POST /customers", { name: "Terms", ...terms });

    expect(created).toMatchObject({
      payment_condition_type: null,
      payment_condition_number_of_days: null,
      ...terms,
    });
  });

  it("are validated together with the stored terms", async () => {
    const { id } = await world.done("POST /customers", {
      external_id: "terms-1",
      name: "Terms",
      payment_condition_type: "Netto",
      payment_condition_number_of_days: 30,
    });
    const cash = { payment_condition_type: "NettoCash" };
    const fault = `${INVALID} payment_condition_number_of_days not_allowed`;

    expect(refusal(await world.rest(`PATCH /customers/${id}`, cash))).toBe(fault);
    const upsert = { external_id: "terms-1", name: "Terms", ...cash };
    expect(refusal(await world.rest("POST /customers", upsert))).toBe(fault);
    const changed = { ...cash, payment_condition_number_of_days: null };
    expect(await world.done(`PATCH /customers/${id}`, changed)).toMatchObject(changed);
  });
});
