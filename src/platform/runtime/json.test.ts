/** JSON stored as text: frozen payloads are restored exactly, and digests depend on content alone. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentHash, freeze, thaw } from "./json.ts";

/** Texts that resemble a frozen bigint or an escaped one. */
const trap = fc
  .tuple(fc.nat(3), fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 20n }))
  .map(([slashes, sign, digits]) => `${"\\".repeat(slashes)}${sign}${digits}n`);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: "binary" }),
    trap,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), trap), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe("freeze and thaw", () => {
  it("restore any value, including texts that resemble bigints", () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(thaw(freeze(original))).toEqual(original);
      }),
    );
  });

  it.each([12n, -12n, "12n", "-12n", "\\12n", "\\\\12n", "n", "12", "1_2n", "", "12n "])(
    "restore %o, which resembles a bigint",
    (original) => {
      expect(thaw(freeze({ original }))).toStrictEqual({ original });
    },
  );

  it("restore amounts above the precision of a JSON number", () => {
    expect(thaw(freeze([9_007_199_254_740_993n]))).toEqual([9_007_199_254_740_993n]);
  });

  it("produce the same text for the same value, on which its hash relies", () => {
    fc.assert(
      fc.property(value, (original) => {
        const text = freeze(original);
        expect(freeze(thaw(text))).toBe(text);
      }),
    );
  });
});

describe("contentHash", () => {
  const same = (a: unknown, b: unknown) => contentHash(a).equals(contentHash(b));

  it("ignores the order of keys at any depth and fields of null", () => {
    expect(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(same({ a: 1, b: null, c: undefined }, { a: 1 })).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: "1" }],
    [{ a: 1 }, { a: 2 }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [] }, {}],
    [{ a: "" }, {}],
    [{ a: false }, {}],
    [{ a: 0 }, {}],
    [{ a: [null, 1] }, { a: [1] }],
    [{ a: 1n }, { a: 1 }],
    [{ ab: 1 }, { a: { b: 1 } }],
  ])("differs for %o and %o", (a, b) => {
    expect(same(a, b)).toBe(false);
  });
});
