/** What fields say when they are left. */
import { describe, expect, it } from "vitest";
import { type FieldCheck, noteOf } from "./field-checks.ts";
import { priceText, understoodAs } from "./price-text.ts";

describe("a field that is left says", () => {
  it.each<[FieldCheck, string, string, string | null]>([
    ["vat_number", "13585628", "DK", null],
    ["vat_number", "DK 13585628", "DK", null],
    ["vat_number", "13585629", "DK", "vat_digit"],
    ["vat_number", "1234", "DK", "vat_form"],
    ["vat_number", "DE136695976", "DK", "vat_country"],
    ["vat_number", "anything", "US", null],
    ["vat_number", " ", "DK", null],
    ["location_number", "5790000123452", "", null],
    ["location_number", "5790 000 123 454", "", "location_digit"],
    ["location_number", "57900001234", "", "location_form"],
    ["location_number", "", "", null],
    ["iban", "DK50 0040 0440 1162 43", "", null],
    ["iban", "DK51 0040 0440 1162 43", "", "iban"],
    ["iban", "DK47 0040 0440 1162 430", "", "iban"],
    ["iban", "gb29 nwbk 6016 1331 9268 19", "", null],
    ["iban", " ", "", null],
    ["fik_creditor", "8123 4567", "", null],
    ["fik_creditor", "812345678", "", "fik_creditor"],
    ["fik_creditor", "", "", null],
    ["price", "1.450,00", "", null],
    ["price", "12 kr.", "", "number"],
    ["price", "", "", null],
  ])("of the %s %j in %j: %s", (check, text, country, note) => {
    expect(noteOf(check, text, { country, language: "da" })).toBe(note);
  });
});

it.each([
  ["14500", "14.500,00", "14,500.00"],
  ["1.450,00", "1.450,00", "1.450,00"],
  ["0,0125", "0,0125", "0,0125"],
  ["12 kr.", "12 kr.", "12 kr."],
  ["", "", ""],
])("a price %j is understood as %j in Danish and as %j in English", (typed, da, en) => {
  expect(understoodAs("price", typed, "da")).toBe(da);
  expect(understoodAs("price", typed, "en")).toBe(en);
});

it("other fields keep their text, and a price keeps decimals that are refused", () => {
  expect(understoodAs("vat_number", "13 58 56 28", "da")).toBe("13 58 56 28");
  expect(priceText("da", 1.23456)).toBe("1,23456");
});
