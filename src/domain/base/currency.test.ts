/** Minor units by ISO 4217, especially where other tables differ from it. */
import { describe, expect, it } from "vitest";
import { currencyDigits, isCurrency } from "./currency.ts";

describe("currencyDigits", () => {
  it.each<[string, number]>([
    ["DKK", 2],
    ["EUR", 2],
    ["USD", 2],
    ["HUF", 2],
    ["IDR", 2],
    ["TWD", 2],
    ["JPY", 0],
    ["ISK", 0],
    ["KRW", 0],
    ["VND", 0],
    ["UYI", 0],
    ["KWD", 3],
    ["TND", 3],
    ["IQD", 3],
    ["CLF", 4],
    ["UYW", 4],
    ["MGA", 2],
    ["MRU", 2],
  ])("of %s are %i", (code, digits) => {
    expect(currencyDigits(code)).toBe(digits);
    expect(isCurrency(code)).toBe(true);
  });

  it.each(["dkk", "DEM", "XXX", "XAU", "", "DK", "DKKK", "DKK ", "toString"])(
    "refuse %j",
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => currencyDigits(code)).toThrow(RangeError);
    },
  );
});
