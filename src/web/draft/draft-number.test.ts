/** The numbers of a draft: what a typed text means, and what its field shows once it is left. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  draftNumber,
  hasTwoMeanings,
  hoursUnderstood,
  percentUnderstood,
  priceText,
  priceUnderstood,
} from "./draft-number.ts";

it.each([
  ["14500", 14_500, 14_500],
  ["3*18500", 55_500, 55_500],
  ["3 x 18.500", 55_500, 55.5],
  ["3 × 18.500,10", 55_500.3, Number.NaN],
  ["1,5*1,5", 2.25, Number.NaN],
  ["0,1*3", 0.3, Number.NaN],
  ["2*3*4", 24, 24],
  ["-2*3", -6, -6],
  ["3*", Number.NaN, Number.NaN],
  ["*", Number.NaN, Number.NaN],
  ["12x", Number.NaN, Number.NaN],
  ["999999999*999999999", Number.NaN, Number.NaN],
  ["much", Number.NaN, Number.NaN],
  ["", undefined, undefined],
])("reads %j as %s in Danish and as %s in English", (typed, da, en) => {
  expect(draftNumber("da", typed)).toBe(da);
  expect(draftNumber("en", typed)).toBe(en);
});

it.each([
  ["1.500", true],
  ["1,500", true],
  ["−12.345", true],
  ["3*1.500", true],
  ["1.500,00", false],
  ["1.5", false],
  ["1500", false],
  ["0*1.500", false],
  ["much", false],
  ["", false],
])("says of %j that it could be read two ways: %s", (typed, is_so) => {
  expect(hasTwoMeanings(typed)).toBe(is_so);
});

it.each([
  ["14500", "14.500,00", "14,500.00"],
  ["3*18500", "55.500,00", "55,500.00"],
  ["1.500", "1.500,00", "1.50"],
  ["950,5", "950,50", "950,5"],
  ["987,6543", "987,6543", "987,6543"],
  ["3*0,3333", "0,9999", "3*0,3333"],
  ["-1", "−1,00", "−1.00"],
  ["12 kr.", "12 kr.", "12 kr."],
  ["12,345.6", "12,345.6", "12,345.60"],
  ["3*", "3*", "3*"],
  ["", "", ""],
  ["999999999999999999999", "999999999999999999999", "999999999999999999999"],
  ["123456789012345678", "123456789012345678", "123456789012345678"],
])("shows the price %j as %j in Danish and as %j in English", (typed, da, en) => {
  expect(priceUnderstood("da", typed, "DKK")).toBe(da);
  expect(priceUnderstood("en", typed, "DKK")).toBe(en);
});

it("shows a price with the decimals of its currency", () => {
  expect(priceUnderstood("da", "14500", "JPY")).toBe("14.500");
  expect(priceUnderstood("da", "14500,5", "JPY")).toBe("14500,5");
});

it.each([
  ["7,5", "7,50"],
  ["3*7,5", "22,50"],
  ["7,125", "7,125"],
  ["seven", "seven"],
])("shows the hours %j as %j", (typed, shown) => {
  expect(hoursUnderstood("da", typed)).toBe(shown);
});

it("shows a percentage without useless decimals", () => {
  expect(percentUnderstood("da", "12,50")).toBe("12,5");
  expect(percentUnderstood("da", "1O")).toBe("1O");
});

it("shows the price that a product gives", () => {
  expect(priceText("da", 1_450_000n, "on_issue", "DKK")).toBe("14.500,00");
  expect(priceText("da", 9_500_000n, "hours", "DKK")).toBe("950,00");
  expect(priceText("da", 9_876_543n, "hours", "DKK")).toBe("987,6543");
});

it("never changes the meaning of a text, and loses no text that it cannot read", () => {
  const part = fc.oneof(
    fc.constantFrom(".", ",", "-", "*", "x", " ", "0", "000"),
    fc.nat(99_999).map(String),
  );
  const typed = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
  const language = fc.constantFrom("da" as const, "en" as const);
  fc.assert(
    fc.property(typed, language, (text, spoken) => {
      for (const shown of [
        priceUnderstood(spoken, text, "DKK"),
        hoursUnderstood(spoken, text),
        percentUnderstood(spoken, text),
      ]) {
        const value = draftNumber(spoken, text);
        expect(Object.is(draftNumber(spoken, shown), value) || value === 0).toBe(true);
        if (Number.isNaN(value)) expect(shown).toBe(text);
      }
    }),
  );
});
