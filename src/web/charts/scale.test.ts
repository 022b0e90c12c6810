/** The positions of the bars of a chart. */
import { expect, it } from "vitest";
import { scaleOf, ticksOf } from "./scale.ts";

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

it.each<[string, bigint[], bigint[]]>([
  ["no values", [], [0n]],
  ["only zeros", [0n], [0n]],
  ["small values", [3n], [0n, 1n, 2n, 3n]],
  ["hundreds", [685n], [0n, 200n, 400n, 600n]],
  ["values on both sides", [-150n, 420n], [0n, 200n, 400n]],
  ["mostly negative values", [-420n, 150n], [-400n, -200n, 0n]],
])("draws lines at round values for %s", (_what, values, expected) => {
  expect(ticksOf(values, 4n)).toEqual(expected);
});
