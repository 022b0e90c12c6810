/** The positions of the bars of a chart. */
import { expect, it } from "vitest";
import { scaleOf } from "./scale.ts";

it.each<[string, bigint[], bigint, number]>([
  ["the highest value at the top", [0n, 50n, 200n], 200n, 10],
  ["half of the highest value in the middle", [0n, 50n, 200n], 100n, 60],
  ["zero at the bottom", [0n, 50n, 200n], 0n, 110],
  ["zero above the bottom if a value is negative", [-100n, 100n], 0n, 60],
  ["the lowest value at the bottom", [-100n, 100n], -100n, 110],
  ["zeros at the bottom", [0n, 0n], 0n, 110],
  ["an amount above 2^53 exactly", [9_007_199_254_740_993_000n], 9_007_199_254_740_993_000n, 10],
])("places %s", (_what, values, value, expected) => {
  expect(scaleOf(values, 10, 110).at(value)).toBe(expected);
});

it("places the zero line at the value 0", () => {
  expect(scaleOf([-100n, 300n], 0, 100).zero).toBe(75);
});
