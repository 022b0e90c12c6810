/** The source of a line's price, and the effect of another currency on it (spec 7.2). */
import { describe, expect, it } from "vitest";
import type { LineId, ProductId } from "../base/brand.ts";
import { LARGEST_LINE } from "../base/money.ts";
import type { FieldError } from "../base/problem.ts";
import type { Line, LineInput } from "./line.ts";
import { lineFrom, lineInCurrency, type NamedLine, type PricedProduct } from "./line-from.ts";

const product: PricedProduct = {
  id: "product" as ProductId,
  name: "Advice",
  product_number: null,
  account_number: 1000,
  names_account: true,
  unit: "hours",
  default_price: 20_000_0000n,
  prices: [
    { currency: "EUR", amount: 2_680_0000n },
    { currency: "JPY", amount: 400_000_0000n },
  ],
  functional_currency: "DKK",
  quantity: 2_00n,
};
const other: PricedProduct = { ...product, id: "other" as ProductId };

const value = (fields: Partial<LineInput> = {}): LineInput => ({
  product_id: "product",
  recognition_method: "value",
  ...fields,
});
const hours = (fields: Partial<LineInput> = {}): LineInput =>
  value({ recognition_method: "hours", ...fields });

const decided = (
  input: LineInput,
  currency: string,
  named?: NamedLine,
  of: PricedProduct = product,
) => lineFrom(input, "line" as LineId, 0, of, currency, named);

function lineOf(input: LineInput, currency = "DKK", named?: NamedLine, of = product): Line {
  const line = decided(input, currency, named, of);
  if (Array.isArray(line)) throw new Error(JSON.stringify(line));
  return line as Line;
}

const priceOf = ({ agreed_value, hourly_rate, price_from_product }: Line) => [
  agreed_value,
  hourly_rate,
  price_from_product === true,
];

describe("the price of a new line", () => {
  it.each<[string, LineInput, string, (bigint | null | boolean)[]]>([
    ["the default price in the books' currency", value(), "DKK", [40_000_00n, null, true]],
    ["the product's price in another currency", value(), "EUR", [5_360_00n, null, true]],
    ["the product's price in whole yen", value(), "JPY", [800_000n, null, true]],
    ["the price that is sent", value({ agreed_value: 7 }), "EUR", [7_00n, null, false]],
    ["0 when 0 is sent", value({ agreed_value: 0 }), "USD", [0n, null, false]],
    ["the default hourly rate", hours(), "DKK", [null, 20_000_0000n, true]],
    ["the product's hourly rate in another currency", hours(), "EUR", [null, 2_680_0000n, true]],
    ["the hourly rate that is sent", hours({ hourly_rate: 9 }), "USD", [null, 9_0000n, false]],
    [
      "the product's rate when an estimate is sent",
      hours({ agreed_value: 5 }),
      "EUR",
      [5_00n, 2_680_0000n, true],
    ],
    [
      "the product's price when an internal rate is sent",
      value({ hourly_rate: 5 }),
      "EUR",
      [5_360_00n, 5_0000n, true],
    ],
  ])("is %s", (_what, input, currency, expected) => {
    expect(priceOf(lineOf(input, currency))).toEqual(expected);
  });

  it.each<[string, LineInput, PricedProduct, string, string]>([
    [
      "a value",
      value(),
      product,
      "lines[0].agreed_value",
      "The product has no price in USD, only one in DKK; give the agreed value.",
    ],
    [
      "hours",
      hours({ hourly_rate: null }),
      product,
      "lines[0].hourly_rate",
      "The product has no price in USD, only one in DKK; give the hourly rate.",
    ],
    [
      "a product without a default",
      value(),
      { ...product, default_price: 0n },
      "lines[0].agreed_value",
      "The product has no price in USD; give the agreed value.",
    ],
  ])("is required where the product has none in the currency: %s", (_, input, of, field, text) => {
    expect(decided(input, "USD", undefined, of)).toEqual([
      { field, code: "required", message: text },
    ]);
  });
});

describe("a line that is sent back", () => {
  const named = (input: LineInput, currency = "DKK"): NamedLine => ({
    line: lineOf(input, currency),
    currency,
  });
  const read = { agreed_value: 40_000 };

  it.each<[string, LineInput, NamedLine, string, (bigint | null | boolean)[]]>([
    [
      "with the same number keeps the product's price",
      value(read),
      named(value()),
      "DKK",
      [40_000_00n, null, true],
    ],
    [
      "with another number has a sent price",
      value({ agreed_value: 40_001 }),
      named(value()),
      "DKK",
      [40_001_00n, null, false],
    ],
    [
      "with a number that was sent has a sent price",
      value(read),
      named(value(read)),
      "DKK",
      [40_000_00n, null, false],
    ],
    [
      "in another currency takes the product's price there",
      value(read),
      named(value()),
      "EUR",
      [5_360_00n, null, true],
    ],
    [
      "with another number in another currency has a sent price",
      value({ agreed_value: 6 }),
      named(value()),
      "EUR",
      [6_00n, null, false],
    ],
    [
      "with a sent price in another currency keeps the number",
      value(read),
      named(value(read)),
      "EUR",
      [40_000_00n, null, false],
    ],
    [
      "by hours keeps the product's rate",
      hours({ hourly_rate: 20_000 }),
      named(hours()),
      "EUR",
      [null, 2_680_0000n, true],
    ],
    [
      "with another method has a sent price",
      hours({ hourly_rate: 20_000 }),
      named(value()),
      "DKK",
      [null, 20_000_0000n, false],
    ],
  ])("%s", (_what, input, before, currency, expected) => {
    expect(priceOf(lineOf(input, currency, before))).toEqual(expected);
  });

  it("has a sent price when it names another product", () => {
    const line = lineOf(value({ ...read, product_id: "other" }), "EUR", named(value()), other);
    expect(priceOf(line)).toEqual([40_000_00n, null, false]);
  });

  it("keeps a price that the product no longer has", () => {
    const dearer = { ...product, default_price: 1n };
    expect(priceOf(lineOf(value(read), "DKK", named(value()), dearer))).toEqual([
      40_000_00n,
      null,
      true,
    ]);
  });

  it("is refused without a price in the other currency, and the message explains its old number", () => {
    expect(decided(value(read), "USD", named(value()))).toEqual([
      {
        field: "lines[0].agreed_value",
        code: "required",
        message:
          "The product has no price in USD, only one in DKK; give the agreed value. 40000 was its price in DKK; leave the line's id out to mean it in USD.",
      },
    ]);
  });
});

describe("a line in another currency", () => {
  const moved = (line: Line, to: string) => lineInCurrency(line, product, "DKK", to);
  const sent = lineOf(value({ agreed_value: 100 }));

  it("keeps the sent number in a currency with other decimals", () => {
    expect(moved(sent, "JPY")).toMatchObject({ agreed_value: 100n });
    expect(moved(sent, "KWD")).toMatchObject({ agreed_value: 100_000n });
    expect(moved(sent, "DKK")).toBe(sent);
    const rate = lineOf(hours({ hourly_rate: 9 }));
    expect(moved(rate, "USD")).toEqual(rate);
  });

  it("takes the product's price in that currency", () => {
    expect(moved(lineOf(value()), "JPY")).toMatchObject({
      agreed_value: 800_000n,
      price_from_product: true,
    });
    expect(moved(lineOf(hours({ agreed_value: 100 })), "JPY")).toMatchObject({
      agreed_value: 100n,
      hourly_rate: 400_000_0000n,
    });
  });

  it.each<[string, Line, string, Partial<FieldError>]>([
    [
      "no price of the product",
      lineOf(value()),
      "USD",
      { field: "agreed_value", code: "required" },
    ],
    ["no rate of the product", lineOf(hours()), "USD", { field: "hourly_rate", code: "required" }],
    [
      "too few decimals",
      { ...sent, agreed_value: 100_50n },
      "JPY",
      { field: "agreed_value", code: "too_many_decimals" },
    ],
    [
      "too little room",
      { ...sent, agreed_value: LARGEST_LINE },
      "KWD",
      { field: "agreed_value", code: "too_large" },
    ],
  ])("is refused in a currency with %s", (_what, line, to, expected) => {
    expect(moved(line, to)).toMatchObject(expected);
  });
});
