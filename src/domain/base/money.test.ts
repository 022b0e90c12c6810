/** Numbers and rounding (spec 0.3), in tables and as laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allocate,
  convert,
  decimalText,
  lessDiscount,
  percentOf,
  round,
  scaledFromNumber,
  scaledToNumber,
  sumOfNumbers,
} from "./money.ts";

describe("scaledFromNumber", () => {
  it.each<[number, number, bigint]>([
    [0, 2, 0n],
    [-0, 2, 0n],
    [12.5, 2, 1250n],
    [-12.5, 2, -1250n],
    [0.1, 2, 10n],
    [0.1, 1, 1n],
    [0.29, 2, 29n],
    [1.005, 3, 1005n],
    [100, 0, 100n],
    [1e21, 2, 10n ** 23n],
    [1.5e21, 0, 15n * 10n ** 20n],
    [1e-7, 7, 1n],
    [1.5e-7, 8, 15n],
    [999_999_999_999.999, 3, 999_999_999_999_999n],
    [123_456_789_012_345, 0, 123_456_789_012_345n],
    [100_000_000_000_000_000_000, 2, 10n ** 22n],
  ])("reads %d with %i decimals as %s", (value, decimals, expected) => {
    expect(scaledFromNumber(value, decimals)).toBe(expected);
  });

  it.each<[string, number, number, string]>([
    ["a third decimal", 12.345, 2, "too_many_decimals"],
    ["a decimal of a currency without any", 100.5, 0, "too_many_decimals"],
    ["a discount of 33.333", 33.333, 2, "too_many_decimals"],
    ["0.1 + 0.2 as a double", 0.1 + 0.2, 2, "too_many_decimals"],
    ["1e-7 as money", 1e-7, 2, "too_many_decimals"],
    ["the smallest double", Number.MIN_VALUE, 6, "too_many_decimals"],
    ["16 significant digits with decimals", 1_234_567_890_123.456, 3, "too_many_decimals"],
    ["16 significant digits without decimals", 1_234_567_890_123_456, 0, "too_large"],
    ["the largest safe integer", Number.MAX_SAFE_INTEGER, 2, "too_large"],
    ["the largest double", Number.MAX_VALUE, 2, "too_large"],
    ["infinity", Number.POSITIVE_INFINITY, 2, "too_large"],
    ["no number", Number.NaN, 2, "too_large"],
  ])("refuses %s", (_, value, decimals, refusal) => {
    expect(scaledFromNumber(value, decimals)).toBe(refusal);
  });

  it("is the inverse of scaledToNumber up to 15 significant digits", () => {
    const largest = 10n ** 15n - 1n;
    fc.assert(
      fc.property(
        fc.bigInt({ min: -largest, max: largest }),
        fc.integer({ min: 0, max: 6 }),
        (value, decimals) => {
          expect(scaledFromNumber(scaledToNumber(value, decimals), decimals)).toBe(value);
        },
      ),
    );
  });

  it("reads a number from JSON as it was written", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 99 }), (whole, cents) => {
        const text = `${whole}.${String(cents).padStart(2, "0")}`;
        expect(scaledFromNumber(JSON.parse(text), 2)).toBe(BigInt(whole) * 100n + BigInt(cents));
      }),
    );
  });
});

describe("sumOfNumbers", () => {
  it.each([
    [[], 2, 0],
    [[0.1, 0.2], 2, 0.3],
    [[1.005, -0.005], 3, 1],
    [Array<number>(1000).fill(0.01), 2, 10],
    [[99_999_999_999.99, 0.01], 2, 100_000_000_000],
  ])("%j with %i decimals is %d", (values, decimals, sum) => {
    expect(sumOfNumbers(values, decimals)).toBe(sum);
  });

  it.each([0.001, Number.NaN])(
    "refuses a number with too many decimals, or not a number: %d",
    (value) => {
      expect(() => sumOfNumbers([1, value], 2)).toThrow(RangeError);
    },
  );
});

describe("decimalText", () => {
  it.each<[bigint, number, string]>([
    [0n, 0, "0"],
    [0n, 2, "0.00"],
    [-5n, 2, "-0.05"],
    [-1250n, 2, "-12.50"],
    [7n, 0, "7"],
    [-7n, 0, "-7"],
    [1n, 4, "0.0001"],
    [10n ** 20n + 1n, 2, "1000000000000000000.01"],
  ])("writes %s with %i decimals as %s", (value, decimals, expected) => {
    expect(decimalText(value, decimals)).toBe(expected);
  });
});

describe("round", () => {
  it.each<[bigint, bigint, bigint]>([
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [3n, 2n, 2n],
    [-3n, 2n, -2n],
    [5n, 2n, 3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [0n, 7n, 0n],
  ])("rounds %s / %s to %s", (numerator, denominator, expected) => {
    expect(round(numerator, denominator)).toBe(expected);
  });

  it("gives the nearest integer, and rounds halves away from 0", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 1000n }), (numerator, denominator) => {
        const distance = size(round(numerator, denominator) * denominator - numerator) * 2n;
        expect(distance).toBeLessThanOrEqual(denominator);
        if (distance === denominator) {
          expect(size(round(numerator, denominator) * denominator)).toBeGreaterThan(
            size(numerator),
          );
        }
        expect(round(-numerator, denominator)).toBe(-round(numerator, denominator));
      }),
    );
  });

  it("refuses a denominator that is not positive", () => {
    expect(() => round(1n, 0n)).toThrow(RangeError);
    expect(() => round(1n, -1n)).toThrow(RangeError);
  });
});

describe("allocate", () => {
  it.each<[string, bigint, bigint[], bigint[]]>([
    ["100.01 by 33.34, 33.33, 33.33", 10001n, [3334n, 3333n, 3333n], [3335n, 3333n, 3333n]],
    ["-0.05 in three", -5n, [1n, 1n, 1n], [-2n, -2n, -1n]],
    ["equal shares, the first gets the odd unit", 10000n, [1n, 1n, 1n], [3334n, 3333n, 3333n]],
    ["nothing to a weight of 0", 100n, [0n, 1n, 0n, 2n], [0n, 33n, 0n, 67n]],
    ["0", 0n, [1n, 2n], [0n, 0n]],
    ["whole yen", 100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    ["fewer units than shares", 2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    ["a unit to the largest fraction", 10n, [1n, 5n], [2n, 8n]],
  ])("splits %s", (_, amount, weights, expected) => {
    expect(allocate(amount, weights)).toEqual(expected);
  });

  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 12 })
    .filter((list) => list.some((weight) => weight > 0n));

  it("always adds up, keeps the sign and is less than one unit off in every share", () => {
    fc.assert(
      fc.property(fc.bigInt(), weights, (amount, list) => {
        const parts = allocate(amount, list);
        expect(sum(parts)).toBe(amount);
        const total = sum(list);
        for (const [index, part] of parts.entries()) {
          expect(size(part * total - amount * (list[index] ?? 0n))).toBeLessThan(total);
          expect(part * amount).toBeGreaterThanOrEqual(0n);
        }
      }),
    );
  });

  it("never gives a larger weight a smaller share", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n }), weights, (amount, list) => {
        const parts = allocate(amount, list);
        for (const [a, weight] of list.entries()) {
          for (const [b, other] of list.entries()) {
            if (weight > other) expect(parts[a]).toBeGreaterThanOrEqual(parts[b] ?? 0n);
          }
        }
      }),
    );
  });

  it("refuses weights that add up to 0", () => {
    expect(() => allocate(1n, [])).toThrow(RangeError);
    expect(() => allocate(1n, [0n, 0n])).toThrow(RangeError);
  });
});

describe("edge cases of numbers and rounding", () => {
  it("1: a discount of 100 % leaves 0", () => {
    expect(lessDiscount(123_45n, 100_00)).toBe(0n);
  });

  it("2: 12.5 % off 0.03 is 0.02625 and becomes 0.03", () => {
    expect(lessDiscount(3n, 12_50)).toBe(3n);
  });

  it("4: 0.1 and 0.2 add up to 0.30 exactly", () => {
    const [a, b] = [scaledFromNumber(0.1, 2), scaledFromNumber(0.2, 2)];
    if (typeof a === "string" || typeof b === "string") throw new Error("both are numbers");
    expect(scaledToNumber(a + b, 2)).toBe(0.3);
  });

  it("6: users without percentages share equally, and the first gets the odd unit", () => {
    expect(allocate(100_00n, [1n, 1n, 1n])).toEqual([33_34n, 33_33n, 33_33n]);
  });

  it("8: 0.01 over three months is earned in the second", () => {
    const totals = [1n, 2n, 3n].map((months) => round(1n * months, 3n));
    expect(totals).toEqual([0n, 1n, 1n]);
  });

  it("9: a negative month splits among users with one sign and an exact sum", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), (amount) => {
        const parts = allocate(-amount, [33_34n, 33_33n, 33_33n]);
        expect(sum(parts)).toBe(-amount);
        expect(parts.every((part) => part <= 0n)).toBe(true);
      }),
    );
  });

  it("10: half a yen is refused, and yen split in whole yen", () => {
    expect(scaledFromNumber(100.5, 0)).toBe("too_many_decimals");
    expect(allocate(101n, [1n, 1n])).toEqual([51n, 50n]);
  });
});

describe("percentOf", () => {
  it.each<[bigint, bigint]>([
    [99n, 25n],
    [10n, 3n],
    [50n, 13n],
    [58n, 15n],
    [6n, 2n],
    [-10n, -3n],
    [0n, 0n],
  ])(
    "gives 25 %% of %s øre as %s: halves round away from zero, never to even",
    (base, expected) => {
      expect(percentOf(base, 25_00)).toBe(expected);
    },
  );

  it("adds up with the rest after a discount of the same percentage to the whole, give or take one unit", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 100_00 }), (amount, percent) => {
        const rest = lessDiscount(amount, percent) + percentOf(amount, percent) - amount;
        expect(size(rest)).toBeLessThanOrEqual(1n);
      }),
    );
  });
});

describe("convert", () => {
  it.each<[string, bigint, bigint, number, number, bigint]>([
    ["EUR 1,000 at 7.46", 1_000_00n, 7_460_000n, 2, 2, 7_460_00n],
    ["USD 500 at 6.4025", 500_00n, 6_402_500n, 2, 2, 3_201_25n],
    ["JPY 1,000 at 0.045123", 1_000n, 45_123n, 0, 2, 45_12n],
    ["KWD 1.234 at 22.5, a half", 1_234n, 22_500_000n, 3, 2, 27_77n],
    ["the same amount as a credit", -1_234n, 22_500_000n, 3, 2, -27_77n],
    ["DKK 7.50 at 21.5 into yen", 7_50n, 21_500_000n, 2, 0, 161n],
    ["0", 0n, 7_460_000n, 2, 2, 0n],
  ])("converts %s", (_, amount, rate, from_digits, to_digits, expected) => {
    expect(convert(amount, rate, from_digits, to_digits)).toBe(expected);
  });

  it("changes nothing at a rate of 1 between currencies with equal decimals", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 4 }), (amount, digits) => {
        expect(convert(amount, 1_000_000n, digits, digits)).toBe(amount);
      }),
    );
  });
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
