/** The retries of a delivery: when they are, what a receiver may ask for, and clocks that are set back. */
import { describe, expect, it } from "vitest";
import { isDue, waitAfter } from "./retry-plan.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

it.each([
  [1, 5 * SECOND],
  [2, MINUTE],
  [3, 5 * MINUTE],
  [4, 30 * MINUTE],
  [5, 2 * HOUR],
  [6, 5 * HOUR],
  [7, 10 * HOUR],
  [8, 10 * HOUR],
  [9, 24 * HOUR],
  [10, 24 * HOUR],
])("attempt %i is followed by the next after %i ms, 10 % more or less", (attempts, planned) => {
  expect(waitAfter(attempts, 0.5, null)).toBe(planned);
  expect(waitAfter(attempts, 0, null)).toBe(Math.round(planned * 0.9));
  expect(waitAfter(attempts, 1, null)).toBe(Math.round(planned * 1.1));
});

it("gives a delivery up after the eleventh attempt, whatever the receiver asks for", () => {
  expect(waitAfter(11, 0.5, null)).toBeNull();
  expect(waitAfter(11, 0.5, HOUR)).toBeNull();
});

it.each([
  ["longer than the plan", 1, 90 * SECOND, 90 * SECOND],
  ["shorter than the plan", 4, SECOND, 30 * MINUTE],
  ["more than a day", 1, 50 * HOUR, 24 * HOUR],
  ["nothing", 1, 0, 5 * SECOND],
])("waits as asked: %s", (_case, attempts, asked, expected) => {
  expect(waitAfter(attempts, 0.5, asked)).toBe(expected);
});

describe("an attempt planned at noon for five minutes later", () => {
  const noon = 12 * HOUR;
  it.each([
    ["at noon", noon, false],
    ["a second before it is due", noon + 5 * MINUTE - SECOND, false],
    ["at its moment", noon + 5 * MINUTE, true],
    ["after the clock was corrected by a second", noon - SECOND, false],
    ["after the clock was set back by an hour", noon - HOUR, true],
  ])("%s is due: %s", (_case, now, expected) => {
    expect(isDue(now, noon + 5 * MINUTE, noon)).toBe(expected);
  });
});
