/** Typed numbers in both languages. */
import { expect, it } from "vitest";
import { numberFrom } from "./number.ts";

it.each([
  ["1.500", 1500, 1.5],
  ["1,500", 1.5, 1500],
  ["71.531,25", 71531.25, Number.NaN],
  ["71,531.25", Number.NaN, 71531.25],
  ["7 500", 7500, 7500],
  ["−12", -12, -12],
  ["12", 12, 12],
  ["", undefined, undefined],
  [undefined, undefined, undefined],
  ["12 kr.", Number.NaN, Number.NaN],
  ["1.50.0", Number.NaN, Number.NaN],
  ["1e3", Number.NaN, Number.NaN],
])("reads %j as %s in Danish and as %s in English", (typed, da, en) => {
  expect(numberFrom("da", typed)).toBe(da);
  expect(numberFrom("en", typed)).toBe(en);
});
