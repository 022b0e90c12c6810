/** The lines of a draft: methods, defaults, shares, and refusals (spec 2.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
let hour_id: string;
let free_id: string;
let users: string[];
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
  const create = async (fields: Json) => (await world.done("POST /products", fields)).id;
  const prices = [
    { currency: "JPY", amount: 10 },
    { currency: "KWD", amount: 10.005 },
  ];
  product_id = await create({ name: "Report", default_price: 10.005, quantity: 3, prices });
  hour_id = await create({ name: "Hour", unit: "hours", default_price: 950.25 });
  free_id = await create({ name: "Free" });
  users = [];
  for (const name of ["Ida", "Bo", "Kim"]) {
    users.push((await world.done("POST /users", { name, email: `${name}@x.example` })).id);
  }
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

/** A line by value of the product, whose price gives 30.02, unless fields say otherwise. */
const line = (fields: Json = {}): Json => ({ product_id, recognition_method: "value", ...fields });

const create = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id, ...fields });

const createWith = async (fields: Json): Promise<Json> =>
  (await create({ lines: [line(fields)] })).lines[0];

/** Assignees with these shares; undefined leaves the share out. */
const shared = (...shares: (number | undefined)[]): Json[] =>
  shares.map((distribution_percentage, index) => ({
    user_id: users[index],
    ...(distribution_percentage === undefined ? {} : { distribution_percentage }),
  }));

describe("a line of a draft", () => {
  it("has every field of the interface, and optional ones only when they have a value", async () => {
    expect(await createWith({})).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      product_id,
      recognition_method: "value",
      agreed_value: 30.02,
      hourly_rate: null,
      discount: 0,
      description_override: null,
      position: 1,
      assignees: [],
    });
  });

  it.each<[string, () => Json]>([
    [
      "value",
      () => ({ agreed_value: 1200.5, service_from: "2026-01-01", service_to: "2035-12-31" }),
    ],
    ["value", () => ({ agreed_value: 0, discount: 100, hourly_rate: 800 })],
    ["hours", () => ({ hourly_rate: 1200.1234, discount: 12.5 })],
    ["hours", () => ({ hourly_rate: 0.0001, agreed_value: 5000 })],
    ["progress", () => ({ agreed_value: 90000, budget_hours: 112.25, hourly_rate: 801.5 })],
    ["milestone", () => ({ agreed_value: 25000, description_override: "Go-live", position: 7 })],
    ["on_issue", () => ({ agreed_value: 0.01, discount: 0.01 })],
  ])("by %s keeps the sent content", async (recognition_method, fields) => {
    const sent = { recognition_method, ...fields() };

    expect(await createWith(sent)).toEqual({
      id: expect.any(String),
      product_id,
      agreed_value: null,
      hourly_rate: null,
      discount: 0,
      description_override: null,
      position: 1,
      assignees: [],
      ...sent,
    });
  });

  it("by hours takes its rate from a product in hours", async () => {
    const lines = [{ product_id: hour_id, recognition_method: "hours" }];

    expect((await create({ lines })).lines[0]).toMatchObject({
      hourly_rate: 950.25,
      agreed_value: null,
    });
  });

  it("rounds its default value to the currency", async () => {
    const valueIn = async (currency: string) =>
      (await create({ currency, lines: [line()] })).lines[0].agreed_value;

    expect([await valueIn("DKK"), await valueIn("JPY"), await valueIn("KWD")]).toEqual([
      30.02, 30, 30.015,
    ]);
  });

  it.each<[string, number]>([
    ["DKK", 9_999_999_999.99],
    ["DKK", 10_000_000_000],
    ["JPY", 1_000_000_000_000],
    ["KWD", 1.005],
  ])("in %s may be worth %d", async (currency, agreed_value) => {
    const { lines } = await create({ currency, lines: [line({ agreed_value })] });

    expect(lines[0].agreed_value).toBe(agreed_value);
  });

  it("keeps its position: the one that is sent, or the place in the array", async () => {
    const lines = [line({ position: 9 }), line(), line({ position: 1 })];

    const draft = await create({ lines });

    expect(draft.lines.map((entry: Json) => entry.position)).toEqual([1, 2, 9]);
  });

  it("shares a fixed value among assignees, of whom all have a percentage or none", async () => {
    const equal = await createWith({ assignees: shared(undefined, undefined, undefined) });
    const exact = await createWith({ assignees: shared(33.34, 33.33, 33.33) });

    expect(equal.assignees).toEqual(
      users.map((user_id) => ({
        user_id,
        distribution_percentage: null,
        hourly_rate_override: null,
      })),
    );
    expect(exact.assignees.map((entry: Json) => entry.distribution_percentage)).toEqual([
      33.34, 33.33, 33.33,
    ]);
  });

  it("by hours accepts any percentages, and rates of assignees", async () => {
    const assignees = [
      { user_id: users[0], distribution_percentage: 10, hourly_rate_override: 1500.5 },
      { user_id: users[1], distribution_percentage: null, hourly_rate_override: null },
    ];

    const created = await createWith({ recognition_method: "hours", hourly_rate: 900, assignees });

    expect(created.assignees).toEqual(assignees);
  });

  it.each<[string, () => Json, string]>([
    ["no product", () => ({ product_id: undefined }), "product_id required"],
    ["an unknown product", () => ({ product_id: UNKNOWN_ID }), "product_id unknown_reference"],
    ["a product that is not a UUID", () => ({ product_id: "P-1" }), "product_id invalid_format"],
    ["no method", () => ({ recognition_method: undefined }), "recognition_method required"],
    [
      "an unknown method",
      () => ({ recognition_method: "magic" }),
      "recognition_method invalid_value",
    ],
    ["a product without a price", () => ({ product_id: free_id }), "agreed_value required"],
    ["a negative value", () => ({ agreed_value: -0.01 }), "agreed_value too_small"],
    ["a value as text", () => ({ agreed_value: "12.50" }), "agreed_value invalid_type"],
    [
      "a value with too many decimals",
      () => ({ agreed_value: 10.005 }),
      "agreed_value too_many_decimals",
    ],
    [
      "a value above 10^12 minor units",
      () => ({ agreed_value: 10_000_000_000.01 }),
      "agreed_value too_large",
    ],
    ["a discount above 100", () => ({ discount: 100.01 }), "discount too_large"],
    ["a negative discount", () => ({ discount: -1 }), "discount too_small"],
    [
      "a discount with too many decimals",
      () => ({ discount: 33.333 }),
      "discount too_many_decimals",
    ],
    ["hours without a rate", () => ({ recognition_method: "hours" }), "hourly_rate required"],
    [
      "an hourly rate of 0",
      () => ({ recognition_method: "hours", hourly_rate: 0 }),
      "hourly_rate too_small",
    ],
    ["a negative rate", () => ({ hourly_rate: -1 }), "hourly_rate too_small"],
    [
      "a rate with too many decimals",
      () => ({ hourly_rate: 1.00001 }),
      "hourly_rate too_many_decimals",
    ],
    [
      "a long text",
      () => ({ description_override: "x".repeat(1001) }),
      "description_override too_long",
    ],
    ["position 0", () => ({ position: 0 }), "position too_small"],
    ["half a position", () => ({ position: 1.5 }), "position invalid_type"],
    [
      "progress without a budget",
      () => ({ recognition_method: "progress" }),
      "budget_hours required",
    ],
    [
      "a budget of 0",
      () => ({ recognition_method: "progress", budget_hours: 0 }),
      "budget_hours too_small",
    ],
    [
      "a budget with too many decimals",
      () => ({ recognition_method: "progress", budget_hours: 1.005 }),
      "budget_hours too_many_decimals",
    ],
    ["a period without an end", () => ({ service_from: "2026-01-01" }), "service_to required"],
    ["a period without a start", () => ({ service_to: "2026-01-01" }), "service_from required"],
    [
      "a period that ends before it starts",
      () => ({ service_from: "2026-01-02", service_to: "2026-01-01" }),
      "service_to too_small",
    ],
    [
      "a period above 10 years",
      () => ({ service_from: "2026-01-01", service_to: "2036-01-01" }),
      "service_to too_large",
    ],
    [
      "a period on another method",
      () => ({
        recognition_method: "on_issue",
        service_from: "2026-01-01",
        service_to: "2026-01-31",
      }),
      "service_from not_allowed",
    ],
    [
      "an unknown user",
      () => ({ assignees: [{ user_id: UNKNOWN_ID }] }),
      "assignees[0].user_id unknown_reference",
    ],
    [
      "a user twice",
      () => ({ assignees: [{ user_id: users[0] }, { user_id: users[0] }] }),
      "assignees[1].user_id duplicate",
    ],
    [
      "shares that total 99.99",
      () => ({ assignees: shared(33.33, 33.33, 33.33) }),
      "assignees sum_not_100",
    ],
    [
      "shares of only some assignees",
      () => ({ assignees: shared(100, undefined) }),
      "assignees sum_not_100",
    ],
    [
      "a share above 100",
      () => ({ assignees: shared(100.01) }),
      "assignees[0].distribution_percentage too_large",
    ],
    [
      "a share with too many decimals",
      () => ({ assignees: shared(33.333) }),
      "assignees[0].distribution_percentage too_many_decimals",
    ],
    [
      "a rate of 0 for a user",
      () => ({ assignees: [{ user_id: users[0], hourly_rate_override: 0 }] }),
      "assignees[0].hourly_rate_override too_small",
    ],
  ])("refuses %s", async (_what, fields, fault) => {
    const reply = await world.rest("POST /invoices", { customer_id, lines: [line(fields())] });

    // A single invalid share also makes the sum wrong.
    expect(refusal(reply).split(", ")[0]).toBe(`${INVALID} lines[0].${fault}`);
  });

  it.each<[string, Json[], string]>([
    ["a position sent twice", [{ position: 3 }, { position: 3 }], "lines[1].position duplicate"],
    ["the implicit position of another line", [{ position: 2 }, {}], "lines[1].position duplicate"],
    [
      "a value of half a yen",
      [{ agreed_value: 100 }, { agreed_value: 100.5 }],
      "lines[1].agreed_value too_many_decimals",
    ],
  ])("refuses, among several lines, %s", async (_what, fields, fault) => {
    const lines = fields.map((entry) => line(entry));

    const reply = await world.rest("POST /invoices", { customer_id, currency: "JPY", lines });

    expect(refusal(reply)).toBe(`${INVALID} ${fault}`);
  });
});
