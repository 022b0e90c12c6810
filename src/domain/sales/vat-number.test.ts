/** VAT numbers country by country: which texts may be set, and which faults prevent zero VAT. */
import { describe, expect, it } from "vitest";
import { type VatNumberFault, vatNumberFault, vatNumberFaults } from "./vat-number.ts";

/** Correct numbers with the letters of their country; each of a real form, several for countries with several forms. */
const RIGHT = (
  "ATU13585627 BE0428759497 BE428759497 BE1000000120 BG175074752 BG7523169263 CY10259033P CZ25123891 " +
  "CZ7103192745 CZ640903926 DE136695976 DK13585628 DK12345674 EE100931558 EL094259216 EL023456780 ESB58378431 " +
  "ES54362315K ESX2482300W ESX5253868R ESJ99216582 FI20774740 FR40303265045 FR23334175221 FRK7399859412 " +
  "FR4Z123456782 HR33392005961 HU12892312 IE6433435F IE6433435OA IE8D79739I IT00743110157 LT119511515 " +
  "LT100001919017 LU15027442 LV40003521600 MT11679112 NL004495445B01 NL002455799B11 NL123456789B13 PL8567346215 " +
  "PT501964843 RO18547290 SE123456789701 SE123456789702 SI50223054 SK2022749619"
).split(" ");

/** The same numbers with a digit changed. */
const WRONG = (
  "ATU13585626 BE0428759498 BG175074751 CY10259033Z CZ25123890 DE136695978 DE123456789 DK13585627 " +
  "EE100594103 EL123456781 ESJ99216583 FI20774741 FR84323140390 HR33392005962 HU12892313 IE6433435E IT00743110158 " +
  "LT100001919018 LU15027443 LV40003521601 MT11679113 NL123456789B90 PL8567346216 PT501964842 RO18547291 " +
  "SE123456789101 SI50223055 SK2022749618"
).split(" ");

const countryOf = (number: string): string => (number.startsWith("EL") ? "GR" : number.slice(0, 2));

describe("vatNumberFault", () => {
  it.each(RIGHT)("accepts %s, with its letters or without", (number) => {
    expect(vatNumberFault(number, countryOf(number))).toBeNull();
    expect(vatNumberFault(number.slice(2), countryOf(number))).toBeNull();
  });

  it.each(WRONG)("finds the wrong check digit of %s", (number) => {
    expect(vatNumberFault(number, countryOf(number))).toBe("check_digit");
    expect(vatNumberFault(number.slice(2), countryOf(number))).toBe("check_digit");
  });

  it.each<[string | null, string, VatNumberFault | null]>([
    [null, "DE", "absent"],
    ["", "DE", "absent"],
    [" . ", "DE", "absent"],
    ["n/a", "DE", "form"],
    ["none", "SE", "form"],
    ["DE123", "DE", "form"],
    ["DE12345678", "DE", "form"],
    ["DE1234567890", "DE", "form"],
    ["12345678", "DE", "form"],
    ["SE5566778899", "SE", "form"],
    ["SE556677889900", "SE", "form"],
    ["GR094259216", "GR", "form"],
    ["NL123456789", "NL", "form"],
    ["n/a", "DK", "form"],
    ["1234567", "DK", "form"],
    ["12 34 56 74", "DK", null],
    ["dk-12.34.56.74", "DK", null],
    ["DK12345674", "DE", "country"],
    ["DE136695976", "DK", "country"],
    ["GB980780684", "DE", "country"],
    ["XI980780684", "IE", "country"],
    ["CHE123456789MWST", "DE", "country"],
    ["NO123456785MVA", "SE", "country"],
    // A number of another country, whatever its digits: one fault is enough.
    ["DK12345675", "DE", "country"],
    // Outside of the Union.
    ["n/a", "US", null],
    ["DE123", "NO", null],
    ["980780684", "GB", null],
    ["GB1", "GB", null],
    [null, "US", "absent"],
    // Northern Ireland.
    ["XI980780684", "GB", null],
    ["XI 980 780 684", "GB", null],
    ["XIGD001", "GB", null],
    ["XI980780685", "GB", "check_digit"],
    ["XI1", "GB", "form"],
  ])("gives for %s in %s: %s", (text, country_key, fault) => {
    expect(vatNumberFault(text, country_key)).toBe(fault);
  });
});

describe("vatNumberFaults of a number that is set", () => {
  it.each<[string | null, string]>([
    [null, "DE"],
    [" ", "DE"],
    ["DE136695976", "DE"],
    ["136695976", "DE"],
    ["DE123456789", "DE"],
    ["DK12345674", "DE"],
    ["n/a", "US"],
    ["XI1", "GB"],
  ])("accepts %s in %s", (text, country_key) => {
    expect(vatNumberFaults(text, country_key, "vat_number")).toEqual([]);
  });

  it.each([
    ["n/a", "DE"],
    ["DE123", "DE"],
    ["12345678", "DE"],
    ["n/a", "DK"],
  ])("refuses %s in %s", (text, country_key) => {
    expect(vatNumberFaults(text, country_key, "vat_number")).toMatchObject([
      { field: "vat_number", code: "invalid_format" },
    ]);
  });

  it("names the letters that may be left out", () => {
    const [fault] = vatNumberFaults("1", "GR", "seller.vat_number");
    expect(fault?.message).toContain("the letters EL may be left out of one of GR");
  });
});
