/** The words for changed fields and their values, in both languages. */
import { describe, expect, it } from "vitest";
import { daFields } from "../words/da-fields.ts";
import { enFields } from "../words/en-fields.ts";
import { wordsOf } from "../words/words.ts";
import { fieldName, idsOfValues, textOfValue } from "./changes.tsx";

const ID = "0190a000-0000-7000-8000-000000000000";
const readerOf = (language: "en" | "da") => ({
  language,
  words: wordsOf(language),
  theme: null,
  time_zone: "Europe/Copenhagen",
});

describe("the name of a field", () => {
  it.each([
    ["name", "Name", "Navn"],
    ["period_lock_date", "Books locked until", "Bogføring låst til og med"],
    ["lines[0].agreed_value", "Line 1, agreed price", "Linje 1, aftalt pris"],
    ["seller.iban", "Seller, IBAN", "Sælger, IBAN-nummer"],
    ["some_new_field", "Some new field", "Some new field"],
    ["constructor", "Constructor", "Constructor"],
  ])("%s is %s and %s", (field, english, danish) => {
    expect(fieldName(enFields, field)).toBe(english);
    expect(fieldName(daFields, field)).toBe(danish);
  });
});

describe("a value", () => {
  it.each<[string, unknown, string, string]>([
    ["active", true, "yes", "ja"],
    ["active", null, "–", "–"],
    ["default_price", 1450.5, "1,450.5", "1.450,5"],
    ["issue_date", "2026-11-01", "1 Nov 2026", "1. nov. 2026"],
    ["month", "2026-11", "November 2026", "november 2026"],
    ["status", "issued", "issued", "udstedt"],
    ["name", "issued", "issued", "issued"],
    ["note", "2026-11-01", "2026-11-01", "2026-11-01"],
    ["customer_id", ID, "Acme", "Acme"],
    ["user_id", "0190a000-0000-7000-8000-000000000001", "–", "–"],
    ["assignees", [{ user_id: ID }], "Person: Acme", "Person: Acme"],
    [
      "vat",
      { domestic_rate: 25, domestic_country: null },
      "Domestic VAT, %: 25",
      "Indenlandsk moms, %: 25",
    ],
  ])("of %s is in words", (field, value, english, danish) => {
    const names = new Map([[ID, "Acme"]]);
    expect(textOfValue(readerOf("en"), field, value, names)).toBe(english);
    expect(textOfValue(readerOf("da"), field, value, names)).toBe(danish);
  });

  it("names the ids to look up, at any depth", () => {
    const change = { field: "lines", before: null, after: [{ product_id: ID, text: "x" }] };
    expect(idsOfValues([change])).toEqual([ID]);
  });
});
