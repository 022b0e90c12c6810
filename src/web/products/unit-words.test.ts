/** Units as typed, stored and shown. */
import { expect, it } from "vitest";
import { da } from "../words/da.ts";
import { en } from "../words/en.ts";
import { unitFrom, unitShown, unitsListed } from "./unit-words.ts";

const DANISH = da.product_form.units;
const ENGLISH = en.product_form.units;

it.each([
  ["timer", "hours"],
  ["Timer", "hours"],
  ["hours", "hours"],
  ["stk.", "parts"],
  ["parts", "parts"],
  ["licens", "licens"],
  [" Licens ", "Licens"],
  ["", undefined],
  [undefined, undefined],
])("stores %j of a Danish reader as %j", (typed, stored) => {
  expect(unitFrom(DANISH, typed)).toBe(stored);
});

it.each([DANISH, ENGLISH])("lists each known unit once, and reads it as it is shown", (words) => {
  const units = Object.keys(words);
  expect(units.map((unit) => unitFrom(words, unitShown(words, unit)))).toEqual(units);
  expect(new Set(unitsListed(words)).size).toBe(units.length);
  expect(unitShown(words, "licens")).toBe("licens");
});
