/** The pace at which a budget of hours is used up. */
import { expect, it } from "vitest";
import { type BudgetPace, filledOf, paceOf } from "./budget-pace.ts";

it.each<[used: bigint, part: bigint, whole: bigint, BudgetPace, filled: number]>([
  [0n, 16500n, 1n, "calm", 0],
  [10725n, 16500n, 1n, "calm", 65],
  [10726n, 16500n, 1n, "warn", 65],
  [11600n, 16500n, 1n, "warn", 70],
  [14850n, 16500n, 1n, "warn", 90],
  [14851n, 16500n, 1n, "hot", 90],
  [20000n, 16500n, 1n, "hot", 100],
  // A third of 100 hours: 21.66… is 65 % of it.
  [2166n, 10000n, 3n, "calm", 64],
  [2167n, 10000n, 3n, "warn", 65],
  [0n, 0n, 1n, "calm", 0],
  [1n, 0n, 1n, "hot", 100],
])("%s of %s/%s is %s", (used, part, whole, pace, filled) => {
  expect(paceOf(used, { part, whole })).toBe(pace);
  expect(filledOf(used, { part, whole })).toBe(filled);
});
