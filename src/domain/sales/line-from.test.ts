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
    ["the default in the books' currency", value(), "DKK", [40_000_00n, null, true]],
    ["the product's in another currency", value(), "EUR", [5_360_00n, null, true]],
    ["the product's in whole yen", value(), "JPY", [800_000n, null, true]],
    ["the one sent", value({ agreed_value: 7 }), "EUR", [7_00n, null, false]],
    ["0 that is sent", value({ agreed_value: 0 }), "USD", [0n, null, false]],
    ["an hour's default", hours(), "DKK", [null, 20_000_0000n, true]],
    ["an hour's in another currency", hours(), "EUR", [null, 2_680_0000n, true]],
    ["an hour's that is sent", hours({ hourly_rate: 9 }), "USD", [null, 9_0000n, false]],
    ["beside an estimate", hours({ agreed_value: 5 }), "EUR", [5_00n, 2_680_0000n, true]],
    ["beside an internal rate", value({ hourly_rate: 5 }), "EUR", [5_360_00n, 5_0000n, true]],
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
  ])("is asked for where the product has none in the currency: %s", (_, input, of, field, text) => {
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
      "with its number: still the product's",
      value(read),
      named(value()),
      "DKK",
      [40_000_00n, null, true],
    ],
    [
      "with another: sent",
      value({ agreed_value: 40_001 }),
      named(value()),
      "DKK",
      [40_001_00n, null, false],
    ],
    [
      "with a number that was sent: sent",
      value(read),
      named(value(read)),
      "DKK",
      [40_000_00n, null, false],
    ],
    [
      "into another currency: the price there",
      value(read),
      named(value()),
      "EUR",
      [5_360_00n, null, true],
    ],
    [
      "another number into another currency: sent",
      value({ agreed_value: 6 }),
      named(value()),
      "EUR",
      [6_00n, null, false],
    ],
    [
      "a sent one into another currency: stays",
      value(read),
      named(value(read)),
      "EUR",
      [40_000_00n, null, false],
    ],
    [
      "hours with their rate",
      hours({ hourly_rate: 20_000 }),
      named(hours()),
      "EUR",
      [null, 2_680_0000n, true],
    ],
    [
      "with another method: sent",
      hours({ hourly_rate: 20_000 }),
      named(value()),
      "DKK",
      [null, 20_000_0000n, false],
    ],
  ])("%s", (_what, input, before, currency, expected) => {
    expect(priceOf(lineOf(input, currency, before))).toEqual(expected);
  });

  it("takes nothing of another product for its own", () => {
    const line = lineOf(value({ ...read, product_id: "other" }), "EUR", named(value()), other);
    expect(priceOf(line)).toEqual([40_000_00n, null, false]);
  });

  it("keeps a price that the product has no more", () => {
    const dearer = { ...product, default_price: 1n };
    expect(priceOf(lineOf(value(read), "DKK", named(value()), dearer))).toEqual([
      40_000_00n,
      null,
      true,
    ]);
  });

  it("without a price in the other currency is told what its number was", () => {
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

  it("keeps the number that was sent in a currency with other decimals", () => {
    expect(moved(sent, "JPY")).toMatchObject({ agreed_value: 100n });
    expect(moved(sent, "KWD")).toMatchObject({ agreed_value: 100_000n });
    expect(moved(sent, "DKK")).toBe(sent);
    const rate = lineOf(hours({ hourly_rate: 9 }));
    expect(moved(rate, "USD")).toEqual(rate);
  });

  it("takes the product's price there", () => {
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
    ["a price", lineOf(value()), "USD", { field: "agreed_value", code: "required" }],
    ["a rate", lineOf(hours()), "USD", { field: "hourly_rate", code: "required" }],
    [
      "decimals",
      { ...sent, agreed_value: 100_50n },
      "JPY",
      { field: "agreed_value", code: "too_many_decimals" },
    ],
    [
      "room",
      { ...sent, agreed_value: LARGEST_LINE },
      "KWD",
      { field: "agreed_value", code: "too_large" },
    ],
  ])("is refused where that lacks %s", (_what, line, to, expected) => {
    expect(moved(line, to)).toMatchObject(expected);
  });
});
