/** Reading a search text as a number and as an amount. */
import { describe, expect, it } from "vitest";
import { readNumber, TypedAmounts } from "./read-number.ts";

describe("a number", () => {
  it.each<[string, bigint | null]>([
    ["47", 47n],
    [" #1001 ", 1001n],
    ["007", 7n],
    ["999999999999999", 999999999999999n],
    ["9999999999999999", null],
    ["-47", null],
    ["47,0", null],
    ["4 7", null],
    ["", null],
    ["forty-seven", null],
  ])("%j is %s", (text, number) => {
    expect(readNumber(text)).toBe(number);
  });
});

describe("an amount", () => {
  it.each([
    "71531,25",
    "71531.25",
    "71.531,25",
    "71,531.25",
    "71 531,25",
    "71\u00a0531,25",
    "71'531.25",
    "kr. 71.531,25",
    "DKK 71531.25",
    "71.531,25 kr.",
    "71531.250",
  ])("%s is 71531.25 in either spelling", (text) => {
    const amounts = new TypedAmounts(text);
    expect(amounts.means(7_153_125n, "DKK")).toBe(true);
    expect(amounts.means(71_531_250n, "KWD")).toBe(true);
    expect(amounts.means(71_531n, "JPY")).toBe(false);
    expect(amounts.means(7_153_124n, "DKK")).toBe(false);
    expect(amounts.means(null, "DKK")).toBe(false);
  });

  it("is 1500 where it could also be 1.5, except in currencies with three decimals", () => {
    for (const text of ["1.500", "1,500"]) {
      const amounts = new TypedAmounts(text);
      expect(amounts.means(150_000n, "DKK")).toBe(true);
      expect(amounts.means(1_500n, "JPY")).toBe(true);
      expect(amounts.means(1_500n, "KWD")).toBe(true);
      expect(amounts.means(150n, "DKK")).toBe(true);
    }
  });

  it.each(["", "abc", "1.23.45", "1,2345,67", "12.34.567", "1e9", "71531.2512345", "--1", "-5"])(
    "%j is not one",
    (text) => {
      expect(new TypedAmounts(text).minor).toEqual([]);
    },
  );
});
