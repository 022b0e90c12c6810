/** Lines as spec 2.1 and 2.2 describe them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineId, ProductId, UserId } from "../base/brand.ts";
import type { CalendarDate } from "../base/calendar.ts";
import { LARGEST_LINE, lessDiscount } from "../base/money.ts";
import { hoursAmount, type Line, type LineInput, lineFaults, rowsOf } from "./line.ts";
import { lineFrom, type PricedProduct } from "./line-from.ts";

const [anna, bo, cia, dan] = ["anna", "bo", "cia", "dan"] as [UserId, UserId, UserId, UserId];
const product: PricedProduct = {
  id: "product" as ProductId,
  name: "Advice",
  product_number: "A-1",
  account_number: 1000,
  names_account: true,
  unit: "parts",
  default_price: 0n,
  prices: [],
  functional_currency: "DKK",
  quantity: 1_00n,
};
const hourly: PricedProduct = { ...product, unit: "hours", default_price: 1_200_0000n };

const value = (fields: Partial<LineInput> = {}): LineInput => ({
  product_id: product.id,
  recognition_method: "value",
  agreed_value: 100,
  ...fields,
});
const hours = (fields: Partial<LineInput> = {}): LineInput => ({
  product_id: product.id,
  recognition_method: "hours",
  hourly_rate: 1200,
  ...fields,
});
const shares = (...percentages: (number | null)[]) =>
  percentages.map((distribution_percentage, index) => ({
    user_id: `user-${index}`,
    distribution_percentage,
  }));
const day = (text: string) => text as CalendarDate;

function lineOf(input: LineInput, of: PricedProduct = product, currency = "DKK"): Line {
  const line = lineFrom(input, "line" as LineId, 0, of, currency);
  if (Array.isArray(line)) throw new Error(JSON.stringify(line));
  return line as Line;
}

const faultsOf = (input: LineInput, of: PricedProduct = product, currency = "DKK") =>
  lineFrom(input, "line" as LineId, 0, of, currency);

describe("lineFaults", () => {
  it("finds no fault in valid lines", () => {
    expect(lineFaults([])).toEqual([]);
    expect(lineFaults([value(), hours(), value({ position: 7 })])).toEqual([]);
  });

  it("refuses two lines at one position, also where one is given by its place", () => {
    const faults = lineFaults([value({ position: 2 }), value()]);
    expect(faults).toMatchObject([{ field: "lines[1].position", code: "duplicate" }]);
  });

  it("33.33 three times is not 100, 33.34 with two of 33.33 is", () => {
    const faults = lineFaults([value({ assignees: shares(33.33, 33.33, 33.33) })]);
    expect(faults).toMatchObject([{ field: "lines[0].assignees", code: "sum_not_100" }]);
    expect(lineFaults([value({ assignees: shares(33.34, 33.33, 33.33) })])).toEqual([]);
    expect(lineFaults([value({ assignees: shares(100.01) })])).toHaveLength(1);
  });

  it("no assignee needs a percentage", () => {
    expect(lineFaults([value({ assignees: shares(null, null, null) })])).toEqual([]);
  });

  it("percentages of only some assignees are refused, and so is the same user twice", () => {
    const some = lineFaults([value(), value({ assignees: shares(100, null) })]);
    expect(some).toMatchObject([{ field: "lines[1].assignees", code: "sum_not_100" }]);
    const twice = lineFaults([value({ assignees: [{ user_id: bo }, { user_id: bo }] })]);
    expect(twice).toMatchObject([{ field: "lines[0].assignees[1].user_id", code: "duplicate" }]);
  });

  it("accepts any percentages on a line by hours", () => {
    expect(lineFaults([hours({ assignees: shares(20, null, 20) })])).toEqual([]);
  });

  it("a service period needs both ends, in order", () => {
    const start = value({ service_from: day("2025-01-01") });
    expect(lineFaults([start])).toMatchObject([{ field: "lines[0].service_to", code: "required" }]);
    const end = value({ service_to: day("2025-01-01") });
    expect(lineFaults([end])).toMatchObject([{ field: "lines[0].service_from", code: "required" }]);
    const reversed = value({ service_from: day("2025-01-02"), service_to: day("2025-01-01") });
    expect(lineFaults([reversed])).toMatchObject([
      { field: "lines[0].service_to", code: "too_small" },
    ]);
    const one_day = value({ service_from: day("2025-01-02"), service_to: day("2025-01-02") });
    expect(lineFaults([one_day])).toEqual([]);
  });

  it.each([
    ["2025-01-01", "2034-12-31", []],
    ["2025-01-01", "2035-01-01", ["too_large"]],
    ["2024-02-29", "2034-02-27", []],
    ["2024-02-29", "2034-02-28", ["too_large"]],
  ])("allows ten years and no day more: %s to %s", (from, to, codes) => {
    const faults = lineFaults([value({ service_from: day(from), service_to: day(to) })]);
    expect(faults.map((fault) => fault.code)).toEqual(codes);
  });

  it.each(["hours", "progress", "milestone", "on_issue"] as const)(
    "allows no service period with %s",
    (recognition_method) => {
      const line: LineInput = {
        product_id: product.id,
        recognition_method,
        budget_hours: recognition_method === "progress" ? 10 : null,
        service_from: day("2025-01-01"),
        service_to: day("2025-01-31"),
      };
      expect(lineFaults([line])).toMatchObject([
        { field: "lines[0].service_from", code: "not_allowed" },
      ]);
    },
  );

  it("refuses an hourly rate of 0 on a line by hours only", () => {
    const faults = lineFaults([hours({ hourly_rate: 0 }), value({ hourly_rate: 0 })]);
    expect(faults).toMatchObject([{ field: "lines[0].hourly_rate", code: "too_small" }]);
  });

  it("requires a budget with progress, and refuses it elsewhere", () => {
    const progress = { product_id: product.id, recognition_method: "progress" as const };
    expect(lineFaults([progress])).toMatchObject([
      { field: "lines[0].budget_hours", code: "required" },
    ]);
    expect(lineFaults([{ ...progress, budget_hours: 200 }])).toEqual([]);
    expect(lineFaults([value({ budget_hours: 200 })])).toMatchObject([
      { field: "lines[0].budget_hours", code: "not_allowed" },
    ]);
  });
});

describe("lineFrom", () => {
  it("takes the fields that are sent, and name, number, account and unit from the product", () => {
    const line = lineOf(
      value({
        agreed_value: 1234.5,
        hourly_rate: 900.5,
        discount: 12.5,
        assignees: [{ user_id: bo, distribution_percentage: 100, hourly_rate_override: 950.25 }],
      }),
    );
    expect(line).toMatchObject({
      agreed_value: 1_234_50n,
      hourly_rate: 900_5000n,
      discount: 12_50,
      position: 1,
      assignees: [
        { user_id: bo, distribution_percentage: 100_00, hourly_rate_override: 950_2500n },
      ],
      service_from: null,
      budget_hours: null,
      product_name: "Advice",
      product_number: "A-1",
      account_number: 1000,
      unit: "parts",
    });
  });

  it("a discount of 100 % leaves a row of 0", () => {
    expect(rowsOf(lineOf(value({ discount: 100 })), 2)).toMatchObject([{ net: 0n }]);
  });

  it("12.5 % off 0.03 leaves 0.03", () => {
    const line = lineOf(value({ agreed_value: 0.03, discount: 12.5 }));
    expect(rowsOf(line, 2)).toMatchObject([{ net: 3n, unit_price_scaled: 300n, discount: 12_50 }]);
  });

  it("lines of 0.1 and 0.2 make 0.30", () => {
    const nets = [0.1, 0.2].flatMap((agreed_value) => rowsOf(lineOf(value({ agreed_value })), 2));
    expect(nets.map((row) => row.net)).toEqual([10n, 20n]);
  });

  it("yen have no decimals", () => {
    expect(faultsOf(value({ agreed_value: 100.5 }), product, "JPY")).toMatchObject([
      { field: "lines[0].agreed_value", code: "too_many_decimals" },
    ]);
    const line = lineOf(value({ agreed_value: 100 }), product, "JPY");
    expect(line.agreed_value).toBe(100n);
    expect(rowsOf(line, 0)).toMatchObject([{ unit_price_scaled: 100_0000n, net: 100n }]);
  });

  it("reads three decimals of a dinar", () => {
    const line = lineOf(value({ agreed_value: 1.234 }), product, "KWD");
    expect(rowsOf(line, 3)).toMatchObject([{ unit_price_scaled: 1_2340n, net: 1_234n }]);
  });

  it("an agreed value of 0 is accepted, also of a product with a price", () => {
    expect(
      lineOf(value({ agreed_value: 0 }), { ...product, default_price: 5_0000n }),
    ).toMatchObject({ agreed_value: 0n });
  });

  it.each<[string, bigint, bigint, string, bigint]>([
    ["times its quantity", 99_9900n, 2_50n, "DKK", 249_98n],
    ["at a quantity of 1", 1_234_5000n, 1_00n, "DKK", 1_234_50n],
    ["rounded half up", 1_0050n, 1_00n, "DKK", 1_01n],
    ["in whole yen", 99_5000n, 1_00n, "JPY", 100n],
  ])(
    "takes the product's price without an agreed value, %s",
    (_, price, quantity, currency, expected) => {
      const priced = { ...product, functional_currency: currency, default_price: price, quantity };
      for (const agreed_value of [undefined, null]) {
        expect(lineOf(value({ agreed_value }), priced, currency).agreed_value).toBe(expected);
      }
    },
  );

  it("refuses a line without an agreed value and a price", () => {
    expect(faultsOf(value({ agreed_value: null }))).toMatchObject([
      { field: "lines[0].agreed_value", code: "required" },
    ]);
  });

  it("accepts 10^12 minor units and not one more, sent or priced", () => {
    expect(lineOf(value({ agreed_value: 10 ** 10 })).agreed_value).toBe(LARGEST_LINE);
    const above = [{ field: "lines[0].agreed_value", code: "too_large" }];
    expect(faultsOf(value({ agreed_value: 10 ** 10 + 0.01 }))).toMatchObject(above);
    const dear = { ...product, default_price: 10n ** 14n, quantity: 2_00n };
    expect(faultsOf(value({ agreed_value: null }), dear)).toMatchObject(above);
  });

  it("hours without a rate need a product in hours", () => {
    expect(faultsOf(hours({ hourly_rate: null }))).toMatchObject([
      { field: "lines[0].hourly_rate", code: "required" },
    ]);
    expect(lineOf(hours({ hourly_rate: null }), hourly).hourly_rate).toBe(1_200_0000n);
    expect(faultsOf(hours({ hourly_rate: null }), { ...hourly, default_price: 0n })).toMatchObject([
      { code: "required" },
    ]);
  });

  it("keeps an estimate of a line by hours, and invents none", () => {
    expect(lineOf(hours(), hourly).agreed_value).toBeNull();
    expect(lineOf(hours({ agreed_value: 5000 })).agreed_value).toBe(5_000_00n);
  });

  it("a changed product changes no line made before", () => {
    const before = lineOf(value());
    const after = lineOf(value(), { ...product, account_number: 1010, name: "Other" });
    expect([before.account_number, before.product_name]).toEqual([1000, "Advice"]);
    expect([after.account_number, after.product_name]).toEqual([1010, "Other"]);
  });
});

describe("rowsOf a line by hours", () => {
  const line = lineOf(
    hours({
      discount: 5,
      assignees: [{ user_id: bo }, { user_id: cia, hourly_rate_override: 950 }],
    }),
  );

  it("is the worked example: 27.50 × 1,200 and 22.50 × 950, both less 5 %", () => {
    const registered = [
      { user_id: bo, hours: 27_50n },
      { user_id: cia, hours: 22_50n },
    ];
    expect(rowsOf(line, 2, registered)).toEqual([
      { quantity: 27_50, unit_price_scaled: 1_200_0000n, discount: 5_00, net: 31_350_00n },
      { quantity: 22_50, unit_price_scaled: 950_0000n, discount: 5_00, net: 20_306_25n },
    ]);
  });

  it("has no rows without hours", () => {
    expect(rowsOf(line, 2)).toEqual([]);
    expect(rowsOf(line, 2, [{ user_id: bo, hours: 0n }])).toEqual([]);
  });

  it("has one row for one rate, also when an override equals the line's rate", () => {
    const same = lineOf(
      hours({ assignees: [{ user_id: anna }, { user_id: bo, hourly_rate_override: 1200 }] }),
    );
    const registered = [anna, bo, dan].map((user_id) => ({ user_id, hours: 1_25n }));
    expect(rowsOf(same, 2, registered)).toMatchObject([{ quantity: 3_75, net: 4_500_00n }]);
  });

  it("lists rates by the first assignee who has them, then the others from the highest", () => {
    const mixed = lineOf(
      hours({
        hourly_rate: 500,
        assignees: [
          { user_id: cia, hourly_rate_override: 300 },
          { user_id: bo, hourly_rate_override: 900 },
        ],
      }),
    );
    const registered = [dan, bo, cia].map((user_id) => ({ user_id, hours: 1_00n }));
    const prices = rowsOf(mixed, 2, registered).map((row) => row.unit_price_scaled);
    expect(prices).toEqual([300_0000n, 900_0000n, 500_0000n]);
  });

  it("ignores the estimate", () => {
    const estimated = lineOf(hours({ agreed_value: 99_999 }));
    expect(rowsOf(estimated, 2, [{ user_id: bo, hours: 1_00n }])).toMatchObject([
      { net: 1_200_00n },
    ]);
  });

  it("prices all hours at a raised rate, including those registered before", () => {
    const raised = { ...line, hourly_rate: 1_300_0000n };
    expect(rowsOf(raised, 2, [{ user_id: bo, hours: 27_50n }])).toMatchObject([
      { net: 33_962_50n },
    ]);
  });

  it("rounds each row once", () => {
    expect(hoursAmount(33n, 333_3333n, 33_33, 2)).toBe(73_34n);
    expect(hoursAmount(1_50n, 1_0000n, 0, 0)).toBe(2n);
    expect(hoursAmount(1_00n, 1_2345n, 0, 3)).toBe(1_235n);
  });

  it("bills every hour once, whatever rates the users have", () => {
    const registration = fc.record({
      user_id: fc.constantFrom(anna, bo, cia, dan),
      hours: fc.bigInt({ min: 1n, max: 24_00n }),
    });
    fc.assert(
      fc.property(fc.array(registration, { maxLength: 20 }), (registered) => {
        const rows = rowsOf(line, 2, registered);
        const billed = rows.reduce((sum, row) => sum + row.quantity, 0);
        expect(billed).toBe(registered.reduce((sum, entry) => sum + Number(entry.hours), 0));
        expect(new Set(rows.map((row) => row.unit_price_scaled)).size).toBe(rows.length);
      }),
    );
  });
});

describe("rowsOf a line with a fixed price", () => {
  it.each(["value", "progress", "milestone", "on_issue"] as const)(
    "is one row of the agreed value with %s, whatever the hours",
    (recognition_method) => {
      const line = lineOf(value({ recognition_method, agreed_value: 50_000, discount: 10 }));
      expect(rowsOf(line, 2, [{ user_id: bo, hours: 5_00n }])).toEqual([
        { quantity: 1_00, unit_price_scaled: 50_000_0000n, discount: 10_00, net: 45_000_00n },
      ]);
    },
  );

  it("is never below 0 or above the agreed value", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: LARGEST_LINE }),
        fc.integer({ min: 0, max: 100_00 }),
        (agreed_value, discount) => {
          const [row] = rowsOf({ ...lineOf(value()), agreed_value, discount }, 2);
          expect(row?.net).toBe(lessDiscount(agreed_value, discount));
          expect(row?.net).toBeGreaterThanOrEqual(0n);
          expect(row?.net).toBeLessThanOrEqual(agreed_value);
        },
      ),
    );
  });
});
