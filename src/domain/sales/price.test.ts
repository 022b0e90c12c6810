/** Prices of products: one for each currency, and none converted (spec 7.2). */
import { describe, expect, it } from "vitest";
import { type Price, priceFaults, priceIn, pricesInBooksOf } from "./price.ts";

const eur: Price = { currency: "EUR", amount: 2_680_0000n };
const usd: Price = { currency: "USD", amount: 3_000_5000n };

describe("priceIn", () => {
  const prices = { default_price: 20_000_0000n, prices: [eur] };

  it.each([
    ["DKK", "DKK", 20_000_0000n],
    ["DKK", "EUR", 2_680_0000n],
    ["DKK", "USD", null],
    ["USD", "USD", 20_000_0000n],
    ["USD", "DKK", null],
  ])("with books in %s gives the price in %s as %s", (books, currency, expected) => {
    expect(priceIn(prices, books, currency)).toBe(expected);
  });

  it("treats a default price of 0 as no price", () => {
    expect(priceIn({ default_price: 0n, prices: [] }, "DKK", "DKK")).toBeNull();
  });
});

describe("priceFaults", () => {
  it.each<[string, [string, number][], string[]]>([
    [
      "sound prices",
      [
        ["EUR", 10.25],
        ["JPY", 100],
        ["KWD", 1.234],
      ],
      [],
    ],
    ["none", [], []],
    ["the books' currency", [["DKK", 10]], ["prices[0].currency not_allowed"]],
    [
      "a currency twice",
      [
        ["EUR", 10],
        ["USD", 1],
        ["EUR", 11],
      ],
      ["prices[2].currency duplicate"],
    ],
    [
      "too many decimals",
      [
        ["JPY", 1.5],
        ["EUR", 1.005],
      ],
      ["prices[0].amount too_many_decimals", "prices[1].amount too_many_decimals"],
    ],
  ])("reports the faults of %s", (_what, sent, expected) => {
    const faults = priceFaults(
      sent.map(([currency, amount]) => ({ currency, amount })),
      "DKK",
      [],
    );
    expect(faults.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  });

  it("accepts an entry that is sent back unchanged, whatever its decimals", () => {
    const odd: Price = { currency: "EUR", amount: 1_2345n };
    expect(priceFaults([{ currency: "EUR", amount: 1.2345 }], "DKK", [odd])).toEqual([]);
    expect(priceFaults([{ currency: "EUR", amount: 1.2346 }], "DKK", [odd])).toHaveLength(1);
  });
});

describe("pricesInBooksOf", () => {
  it("keeps the currency of every number", () => {
    const before = { default_price: 20_000_0000n, prices: [eur, usd] };
    const after = pricesInBooksOf(before, "DKK", "EUR");
    expect(after).toEqual({
      default_price: 2_680_0000n,
      prices: [usd, { currency: "DKK", amount: 20_000_0000n }],
    });
    for (const currency of ["DKK", "EUR", "USD", "SEK"]) {
      expect(priceIn(after, "EUR", currency)).toBe(priceIn(before, "DKK", currency));
    }
  });

  it("leaves a product without a default price where it has none in the new currency", () => {
    expect(pricesInBooksOf({ default_price: 5n, prices: [] }, "DKK", "EUR")).toEqual({
      default_price: 0n,
      prices: [{ currency: "DKK", amount: 5n }],
    });
    expect(pricesInBooksOf({ default_price: 0n, prices: [] }, "DKK", "EUR")).toEqual({
      default_price: 0n,
      prices: [],
    });
  });
});
