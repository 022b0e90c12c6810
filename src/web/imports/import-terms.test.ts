/** Payment terms as other programs write them. */
import { describe, expect, it } from "vitest";
import { readTerms } from "./import-terms.ts";

describe("payment terms", () => {
  it.each([
    ["Netto 30 dage", "Netto", 30],
    ["netto 8", "Netto", 8],
    ["14 dage", "Netto", 14],
    ["30", "Netto", 30],
    ["30 days net", "Netto", 30],
    ["Net 14 days", "Netto", 14],
    ["Netto", "Netto", undefined],
    ["Lb. md. + 15 dage", "CurrentMonthOut", 15],
    ["Løbende måned + 30 dage", "CurrentMonthOut", 30],
    ["løbende md. 20", "CurrentMonthOut", 20],
    ["Løbende måned", "CurrentMonthOut", undefined],
    ["Current month + 10 days", "CurrentMonthOut", 10],
    ["CurrentMonthOut", "CurrentMonthOut", undefined],
    ["Netto kontant", "NettoCash", undefined],
    ["Kontant", "NettoCash", undefined],
    ["NettoCash", "NettoCash", undefined],
  ])("%j are %s with %s days", (cell, type, days) => {
    expect(readTerms(cell)).toEqual({
      payment_condition_type: type,
      ...(days === undefined ? {} : { payment_condition_number_of_days: days }),
    });
  });

  it.each(["", "efter aftale", "30/60", "-5 dage", "netto 1000 dage"])("%j are none", (cell) => {
    expect(readTerms(cell)).toBeUndefined();
  });
});
