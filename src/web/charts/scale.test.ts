/** Where the bars of a chart begin and end. */
import { expect, it } from "vitest";
import { scaleOf } from "./scale.ts";

it.each<[string, bigint[], bigint, number]>([
  ["the highest at the top", [0n, 50n, 200n], 200n, 10],
  ["half of it in the middle", [0n, 50n, 200n], 100n, 60],
  ["nothing at the bottom", [0n, 50n, 200n], 0n, 110],
  ["nothing above the bottom where something is below 0", [-100n, 100n], 0n, 60],
  ["the lowest at the bottom", [-100n, 100n], -100n, 110],
  ["all at the bottom where all are nothing", [0n, 0n], 0n, 110],
  [
    "amounts that no number holds exactly",
    [9_007_199_254_740_993_000n],
    9_007_199_254_740_993_000n,
    10,
  ],
])("stands %s", (_what, values, value, expected) => {
  expect(scaleOf(values, 10, 110).at(value)).toBe(expected);
});

it("has its zero line where nothing stands", () => {
  expect(scaleOf([-100n, 300n], 0, 100).zero).toBe(75);
});
