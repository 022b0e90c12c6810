/** Requests that POST /recurring-series accepts and refuses, and the resulting series (spec 4.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, hours, body, draft, show, change } = useSeries();
const INVALID = "422 VALIDATION_FAILED";

const post = (fields: Json = {}) => world.rest("POST /recurring-series", body(fields));

describe("POST /recurring-series", () => {
  it("creates a draft with every field of the interface", async () => {
    const { status, body: made } = await world.rest("POST /recurring-series", {
      customer_id: customer.id.toUpperCase(),
      frequency: "monthly",
      start_date: "2027-01-31",
    });

    expect(status).toBe(201);
    expect(made).toEqual({
      object: "recurring_series",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_id: null,
      customer_id: customer.id,
      currency: "DKK",
      frequency: "monthly",
      start_date: "2027-01-31",
      end_date: null,
      issue_timing: { mode: "start-of-period" },
      status: "draft",
      cancelled_at: null,
      lines: [],
    });
    expect(await show(made.id)).toEqual(made);
  });

  it("accepts every field, and shows the optional ones when they have a value", async () => {
    const { id: user_id } = await world.done("POST /users", {
      name: "Bo",
      email: "bo@studio.example",
    });
    const fields = {
      external_id: "all fields",
      currency: "EUR",
      frequency: "half_yearly",
      start_date: "2027-02-15",
      end_date: "2028-02-14",
      issue_timing: { mode: "end-of-period", offset_days: 60 },
      alignment: "calendar",
      auto_send: true,
    };
    const assignees = [{ user_id, distribution_percentage: 100, hourly_rate_override: 950.5 }];
    const lines = [
      line({ position: 7, discount: 12.5, description_override: "Care", assignees }),
      hours({ position: 3, assignees }),
      line({ position: 5, recognition_method: "progress", budget_hours: 40.25 }),
      line({ position: 6, recognition_method: "on_issue" }),
    ];

    const { status, body: made } = await post({ ...fields, lines });

    expect([status, made]).toEqual([201, expect.objectContaining(fields)]);
    const shown = { description_override: null, discount: 0, hourly_rate: null, assignees: [] };
    expect(made.lines).toEqual([
      { ...shown, ...lines[1], agreed_value: null },
      { ...shown, ...lines[2] },
      { ...shown, ...lines[3] },
      { ...shown, ...lines[0] },
    ]);
  });

  it("gives a line the price of its product, and its place as position", async () => {
    const priced = await world.done("POST /products", { name: "P", default_price: 12.5 });
    const priceless = { product_id: priced.id, recognition_method: "value" };

    const { lines } = await draft({ lines: [priceless, line()] });

    expect(lines.map((one: Json) => [one.position, one.agreed_value, "id" in one])).toEqual([
      [1, 12.5, false],
      [2, 3100, false],
    ]);
  });

  it("uses the customer's preferred currency before the functional one", async () => {
    const { id } = await world.done("POST /customers", {
      name: "Kaisha",
      preferred_invoice_currency_key: "JPY",
    });

    expect((await draft({ customer_id: id, lines: [] })).currency).toBe("JPY");
    expect((await draft({ customer_id: id, lines: [], currency: null })).currency).toBe("JPY");
    expect((await draft({ customer_id: id, currency: "SEK" })).currency).toBe("SEK");
  });

  it.each(["weekly", "monthly", "quarterly", "half_yearly", "yearly"])(
    "accepts %s",
    async (one) => {
      expect(await draft({ frequency: one })).toMatchObject({ frequency: one, status: "draft" });
    },
  );

  it.each<[Json, Json]>([
    [{ mode: "start-of-period", offset_days: -60 }, undefined],
    [{ mode: "start-of-period", offset_days: 60 }, undefined],
    [{ mode: "start-of-period", offset_days: 0 }, { mode: "start-of-period" }],
    [{ mode: "end-of-period" }, undefined],
    [{ mode: "manual", offset_days: 0 }, { mode: "manual" }],
  ])("accepts the timing %j", async (sent, shown) => {
    expect((await draft({ issue_timing: sent })).issue_timing).toEqual(shown ?? sent);
  });

  it("accepts a series of one day, and ignores fields that only answers have", async () => {
    const made = await draft({
      end_date: "2027-01-01",
      status: "active",
      cancelled_at: "2027-01-01T00:00:00Z",
      id: UNKNOWN_ID,
    });

    expect(made).toMatchObject({ end_date: "2027-01-01", status: "draft", cancelled_at: null });
    expect(made.id).not.toBe(UNKNOWN_ID);
  });

  it("keeps the data of the series when the product changes later", async () => {
    const other = await world.done("POST /products", { name: "Old", default_price: 10 });
    const sent = { product_id: other.id, recognition_method: "value" };
    const { id } = await draft({ lines: [sent] });
    await world.done(`PATCH /products/${other.id}`, { name: "New", default_price: 99 });

    const { occurrences } = await world.done(
      `GET /recurring-series/${id}/preview?until=2027-01-31`,
    );

    expect(occurrences[0].lines).toMatchObject([{ description: "Old", amount: 10 }]);
  });

  it("warns in its preview of data that the first invoice will lack", async () => {
    const { id } = await draft();
    const warningsUntil = async (day: string) =>
      (await world.done(`GET /recurring-series/${id}/preview?until=${day}`)).warnings;

    expect(await warningsUntil("2027-03-31")).toEqual([
      expect.objectContaining({ code: "SELLER_INCOMPLETE", field: "seller" }),
      {
        code: "NOBODY_ASSIGNED",
        message: "Line 1 has no assignee: its revenue will be unassigned.",
        field: "occurrences[0].lines[0].assignees",
      },
    ]);
    expect(await warningsUntil("2020-01-01")).toEqual([]);
  });
});

describe("POST /recurring-series refuses", () => {
  it.each<[string, Json, string]>([
    ["no customer", { customer_id: undefined }, "customer_id required"],
    ["a customer that is not a UUID", { customer_id: "ext:acme" }, "customer_id invalid_format"],
    ["an unknown customer", { customer_id: UNKNOWN_ID }, "customer_id unknown_reference"],
    ["no frequency", { frequency: undefined }, "frequency required"],
    ["another frequency", { frequency: "daily" }, "frequency invalid_value"],
    ["no start", { start_date: undefined }, "start_date required"],
    ["a start that is not a day", { start_date: "2027-02-29" }, "start_date invalid_format"],
    ["an end before the start", { end_date: "2026-12-31" }, "end_date too_small"],
    ["an unknown currency", { currency: "dkk" }, "currency invalid_value"],
    ["another timing", { issue_timing: { mode: "monthly" } }, "issue_timing.mode invalid_value"],
    ["a timing without mode", { issue_timing: {} }, "issue_timing.mode required"],
    ["another alignment", { alignment: "fiscal" }, "alignment invalid_value"],
    ["an empty external id", { external_id: "" }, "external_id too_short"],
    ["a long external id", { external_id: "x".repeat(129) }, "external_id too_long"],
    ["lines that are not an array", { lines: {} }, "lines invalid_type"],
    ["auto_send as text", { auto_send: "yes" }, "auto_send invalid_type"],
  ])("%s", async (_what, fields, fault) => {
    expect(refusal(await post(fields))).toBe(`${INVALID} ${fault}`);
  });

  it.each<[string, number, string]>([
    ["start-of-period", -61, "too_small"],
    ["start-of-period", 61, "too_large"],
    ["start-of-period", 1.5, "invalid_type"],
    ["end-of-period", -1, "too_small"],
    ["end-of-period", 61, "too_large"],
    ["manual", 1, "not_allowed"],
  ])("%s with an offset of %d", async (mode, offset_days, code) => {
    const reply = await post({ issue_timing: { mode, offset_days } });

    expect(refusal(reply)).toBe(`${INVALID} issue_timing.offset_days ${code}`);
  });

  it.each<[string, Json, string]>([
    ["a milestone", { recognition_method: "milestone" }, "recognition_method not_allowed"],
    [
      "a service period (17)",
      { service_from: "2027-01-01", service_to: "2027-01-31" },
      "service_from not_allowed, lines[0].service_to not_allowed",
    ],
    ["an absent product", { product_id: UNKNOWN_ID }, "product_id unknown_reference"],
    ["too many decimals", { agreed_value: 1.005 }, "agreed_value too_many_decimals"],
    ["a product without price", { agreed_value: null }, "agreed_value required"],
    ["progress without budget", { recognition_method: "progress" }, "budget_hours required"],
    [
      "an unknown user",
      { assignees: [{ user_id: UNKNOWN_ID }] },
      "assignees[0].user_id unknown_reference",
    ],
  ])("a line with %s", async (_what, fields, fault) => {
    const reply = await post({ issue_timing: { mode: "manual" }, lines: [line(fields)] });

    expect(refusal(reply)).toBe(`${INVALID} lines[0].${fault}`);
  });

  it("two lines at one position, and more than 500", async () => {
    const twice = [line({ position: 2 }), line()];
    expect(refusal(await post({ lines: twice }))).toBe(`${INVALID} lines[1].position duplicate`);
    const many = Array.from({ length: 501 }, () => line());
    expect(refusal(await post({ lines: many }))).toBe(`${INVALID} lines too_long`);
  });

  it("work that is measured under start-of-period: SERIES_TIMING_CONFLICT", async () => {
    const progress = line({ recognition_method: "progress", budget_hours: 10 });

    for (const one of [hours(), progress]) {
      expect(refusal(await post({ lines: [line(), one] }))).toBe("409 SERIES_TIMING_CONFLICT");
      const late = { lines: [one], issue_timing: { mode: "end-of-period" } };
      expect((await post(late)).status).toBe(201);
    }
  });

  it("an inactive customer, after all other faults of the request", async () => {
    const { id } = await world.done("POST /customers", { name: "Gone" });
    await world.done(`POST /customers/${id}/deactivate`);

    expect(refusal(await post({ customer_id: id }))).toBe("409 CUSTOMER_INACTIVE");
    const wrong = { customer_id: id, lines: [line({ product_id: UNKNOWN_ID })] };
    expect((await post(wrong)).status).toBe(422);
  });

  it("customers and products of another account as if they were unknown", async () => {
    const { keys } = await world.openAnother();
    const reply = await world.rest("POST /recurring-series", body(), keys.read_write);
    expect(refusal(reply)).toBe(`${INVALID} customer_id unknown_reference`);
  });

  it("a key that only reads, and no key", async () => {
    const { read } = world.account.keys;
    const call = "POST /recurring-series";
    expect(refusal(await world.rest(call, body(), read))).toBe("403 INSUFFICIENT_SCOPE");
    expect(refusal(await world.rest(call, body(), null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest(call, []))).toBe("400 MALFORMED_REQUEST");
  });
});

describe("POST /recurring-series with an external id that was used before", () => {
  let first: Json;
  beforeAll(async () => {
    first = await draft({ external_id: "twice" });
  });

  it("answers 200 with the present series when the content is the same", async () => {
    await change(first.id, { end_date: "2027-12-31" });

    const { status, body: again } = await post({ external_id: "twice" });

    expect([status, again]).toEqual([200, { ...first, end_date: "2027-12-31" }]);
  });

  it.each<[string, () => Json]>([
    ["an explicit default timing", () => ({ issue_timing: { mode: "start-of-period" } })],
    ["an offset of 0", () => ({ issue_timing: { mode: "start-of-period", offset_days: 0 } })],
    ["the default alignment", () => ({ alignment: "anniversary" })],
    ["a discount of 0 and the position", () => ({ lines: [line({ discount: 0, position: 1 })] })],
    ["nulls", () => ({ end_date: null, auto_send: null, lines: [line({ hourly_rate: null })] })],
    ["fields that only answers have", () => ({ cancelled_at: "x", id: UNKNOWN_ID })],
  ])("treats %s as the same content", async (_what, fields) => {
    expect((await post({ external_id: "twice", ...fields() })).status).toBe(200);
  });

  it.each<[string, () => Json]>([
    ["another frequency", () => ({ frequency: "yearly" })],
    ["another start", () => ({ start_date: "2027-01-02" })],
    ["an end", () => ({ end_date: "2027-12-31" })],
    ["another timing", () => ({ issue_timing: { mode: "manual" } })],
    ["an explicit functional currency", () => ({ currency: "DKK" })],
    ["another price", () => ({ lines: [line({ agreed_value: 3100.01 })] })],
    ["no lines", () => ({ lines: [] })],
  ])("refuses %s with 409 EXTERNAL_ID_CONFLICT", async (_what, fields) => {
    const reply = await post({ external_id: "twice", ...fields() });

    expect(refusal(reply)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("creates one series for 12 parallel requests", async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => post({ external_id: "at once" })),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(replies.map(({ body: made }) => made.id)).size).toBe(1);
  });
});
