/** The periods that a change of a line touches. */
import { describe, expect, it } from "vitest";
import { differenceOf, isTouched, usualOf } from "./touched.ts";

const STATES = ["issued", "scheduled", "skipped", "scheduled", "failed", "scheduled"] as const;

describe("a change of a line", () => {
  it.each([
    ["this_only", 3, [3]],
    ["this_and_following", 3, [3, 5]],
    ["all", 3, [1, 3, 4, 5]],
    ["this_and_following", 4, [5]],
  ] as const)("%s from period %i touches %j", (scope, start, touched) => {
    const range = { scope, start, first_open: 1, overridden: new Set([4]) };
    const found = STATES.flatMap((state, index) =>
      isTouched(range, { index, state }) ? [index] : [],
    );
    expect(found).toEqual(touched);
  });

  it("adds up what the periods invoice more", () => {
    const period = { index: 1, key: "2026-01", state: "scheduled" } as const;
    const periods = [
      { ...period, before: 100n, after: 150n },
      { ...period, before: 100n, after: 20n },
    ];
    expect(differenceOf(periods)).toBe(-30n);
  });
});

it.each([
  [[], undefined],
  [["5"], "5"],
  [["1", "2", "2", "3"], "2"],
  [["1", "2"], "2"],
  [["1", "1", "2", "2"], "2"],
])("the usual amount of %j is %j", (amounts: readonly string[], usual) => {
  expect(usualOf(amounts)).toBe(usual);
});
