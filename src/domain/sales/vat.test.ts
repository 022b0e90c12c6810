/** The whole table of spec 9.2, row by row, and properties that hold for every customer. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInEuropeanUnion } from "../base/country.ts";
import { determineVat, type VatCustomer, type VatSettings, vatRate } from "./vat.ts";
import { type VatCode, vatCodes, vatReasonOf } from "./vat-code.ts";

const danish: VatSettings = { domestic_rate: 25_00, domestic_country: "DK" };

/** Correct numbers of the countries to which sales are then free of VAT. */
const NUMBERS: Readonly<Record<string, string>> = {
  DK: "DK12345674",
  DE: "DE136695976",
  SE: "SE556677889901",
  FR: "FR40303265045",
  PL: "PL8567346215",
};
const company = (
  country_key: string,
  vat_number: string | null = NUMBERS[country_key] ?? "17",
) => ({
  country_key,
  is_person: false,
  vat_number,
});
const person = (country_key: string, vat_number: string | null = null) => ({
  country_key,
  is_person: true,
  vat_number,
});

describe("determineVat for a Danish seller", () => {
  it.each<[string, VatCode | null, VatCustomer, VatCode]>([
    ["a Danish company", "DK25", company("DK"), "DK25"],
    ["a Danish company without a VAT number", "DK25", company("DK", null), "DK25"],
    ["a Danish person", "DK25", person("DK"), "DK25"],
    ["a Danish company on an account without a code", null, company("DK"), "DK25"],
    ["a Danish company on an account for EU services", "EU_SERVICES_RC", company("DK"), "DK25"],
    ["a Danish company on an account for EU goods", "EU_GOODS_RC", company("DK"), "DK25"],
    [
      "a Danish company on an account for exported services",
      "EXPORT_SERVICES",
      company("DK"),
      "DK25",
    ],
    ["a Danish company on an account for exported goods", "EXPORT_GOODS", company("DK"), "DK25"],
    ["exempt sales to a Danish company", "DK0", company("DK"), "DK0"],
    ["exempt sales to a Danish person", "DK0", person("DK"), "DK0"],
    ["exempt sales to an EU company", "DK0", company("DE"), "DK0"],
    ["exempt sales to an EU person", "DK0", person("DE"), "DK0"],
    ["exempt sales outside the EU", "DK0", company("US"), "DK0"],
    ["goods under domestic reverse charge", "DK_RC", company("DK"), "DK_RC"],
    ["the same to a company without a VAT number", "DK_RC", company("DK", null), "DK25"],
    [
      "the same to a company whose number has a wrong check digit",
      "DK_RC",
      company("DK", "12345675"),
      "DK25",
    ],
    ["the same to a company with a German number", "DK_RC", company("DK", "DE136695976"), "DK25"],
    ["the same to a person", "DK_RC", person("DK", "12345674"), "DK25"],
    ["services to an EU company", "DK25", company("DE"), "EU_SERVICES_RC"],
    ["services to an EU company, account without a code", null, company("SE"), "EU_SERVICES_RC"],
    [
      "services to an EU company, account for exports",
      "EXPORT_SERVICES",
      company("FR"),
      "EU_SERVICES_RC",
    ],
    ["goods to an EU company", "EU_GOODS_RC", company("DE"), "EU_GOODS_RC"],
    ["goods to an EU company, account for exports", "EXPORT_GOODS", company("PL"), "EU_GOODS_RC"],
    ["goods under domestic reverse charge to an EU company", "DK_RC", company("DE"), "EU_GOODS_RC"],
    ["an EU company without a VAT number", "EU_SERVICES_RC", company("DE", null), "DK25"],
    ["an EU company with a blank VAT number", "EU_SERVICES_RC", company("DE", " \t "), "DK25"],
    ["an EU company with an empty VAT number", "EU_GOODS_RC", company("DE", ""), "DK25"],
    ["an EU company whose number is no number", "DK25", company("DE", "n/a"), "DK25"],
    ["an EU company whose number is too short", "DK25", company("DE", "DE123"), "DK25"],
    [
      "an EU company whose number has a wrong check digit",
      "DK25",
      company("DE", "DE136695977"),
      "DK25",
    ],
    ["an EU company with a number of another country", "DK25", company("DE", "DK12345674"), "DK25"],
    [
      "an EU company with its number without letters",
      "DK25",
      company("DE", "136 695 976"),
      "EU_SERVICES_RC",
    ],
    ["a Greek company", "DK25", company("GR", "EL094259216"), "EU_SERVICES_RC"],
    ["a Greek company that writes GR", "DK25", company("GR", "GR094259216"), "DK25"],
    ["an EU person", "EU_SERVICES_RC", person("DE"), "DK25"],
    ["goods to an EU person", "EU_GOODS_RC", person("SE"), "DK25"],
    ["an EU person with a VAT number", "EU_SERVICES_RC", person("DE", "DE123456789"), "DK25"],
    ["services outside the EU", "DK25", company("US"), "EXPORT_SERVICES"],
    ["services to a person outside the EU", "DK25", person("US"), "EXPORT_SERVICES"],
    [
      "services outside the EU without a VAT number",
      "EU_SERVICES_RC",
      company("CH", null),
      "EXPORT_SERVICES",
    ],
    ["goods outside the EU", "EXPORT_GOODS", company("US"), "EXPORT_GOODS"],
    ["goods outside the EU, account for EU goods", "EU_GOODS_RC", company("NO"), "EXPORT_GOODS"],
    ["goods under domestic reverse charge outside the EU", "DK_RC", company("NO"), "EXPORT_GOODS"],
    ["Greenland", "DK25", company("GL"), "EXPORT_SERVICES"],
    ["the Faroe Islands", "DK25", person("FO"), "EXPORT_SERVICES"],
    ["goods to the Faroe Islands", "EU_GOODS_RC", company("FO"), "EXPORT_GOODS"],
    ["Norway", "EU_SERVICES_RC", company("NO"), "EXPORT_SERVICES"],
    ["Great Britain", "EU_SERVICES_RC", company("GB"), "EXPORT_SERVICES"],
    ["goods to Great Britain", "EU_GOODS_RC", company("GB", "GB980780684"), "EXPORT_GOODS"],
    ["services to Northern Ireland", "DK25", company("GB", "XI980780684"), "EXPORT_SERVICES"],
    ["goods to Northern Ireland", "EXPORT_GOODS", company("GB", "XI980780684"), "EU_GOODS_RC"],
    [
      "goods to Northern Ireland, the number being wrong",
      "EXPORT_GOODS",
      company("GB", "XI980780685"),
      "DK25",
    ],
    ["goods to a person in Northern Ireland", "EXPORT_GOODS", person("GB", "XI980780684"), "DK25"],
  ])("%s", (_, account_code, customer, expected) => {
    expect(determineVat(account_code, customer, danish)).toBe(expected);
  });
});

describe("determineVat for a seller elsewhere", () => {
  const swedish: VatSettings = { domestic_rate: 25_00, domestic_country: "SE" };
  const norwegian: VatSettings = { domestic_rate: 25_00, domestic_country: "NO" };

  it("charges VAT at home, and treats Denmark as abroad", () => {
    expect(determineVat("DK25", company("SE"), swedish)).toBe("DK25");
    expect(determineVat("DK25", company("DK"), swedish)).toBe("EU_SERVICES_RC");
    expect(determineVat("DK25", person("DK"), swedish)).toBe("DK25");
    expect(determineVat("DK25", company("DK", "n/a"), swedish)).toBe("DK25");
  });

  it("charges VAT at home outside the EU too", () => {
    expect(determineVat("DK25", company("NO"), norwegian)).toBe("DK25");
    expect(determineVat("DK25", company("US"), norwegian)).toBe("EXPORT_SERVICES");
  });
});

const anyCode = fc.constantFrom<VatCode | null>(...vatCodes, null);
const anyCustomer = fc.record({
  country_key: fc.constantFrom("DK", "DE", "SE", "US", "GL", "FO", "NO", "GB"),
  is_person: fc.boolean(),
  vat_number: fc.constantFrom(null, "", "  ", "n/a", "DE136695976", "DE136695977", "DK12345674"),
});

it("a domestic sale is free of VAT only where its account says so", () => {
  fc.assert(
    fc.property(anyCode, anyCustomer, (code, customer) => {
      const domestic = determineVat(code, { ...customer, country_key: "DK" }, danish);
      const is_business = !customer.is_person && customer.vat_number === "DK12345674";
      if (code === "DK0" || (code === "DK_RC" && is_business)) expect(domestic).toBe(code);
      else expect(vatRate(domestic, danish)).toBe(25_00);
    }),
  );
});

it("reverse charge needs a company in the EU with a VAT number", () => {
  fc.assert(
    fc.property(anyCode, anyCustomer, (code, customer) => {
      const found = determineVat(code, customer, danish);
      if (found !== "EU_SERVICES_RC" && found !== "EU_GOODS_RC") return;
      expect(isInEuropeanUnion(customer.country_key) && !customer.is_person).toBe(true);
      expect(customer.vat_number?.slice(0, 2)).toBe(customer.country_key);
      expect(customer.vat_number).not.toBe("DE136695977");
    }),
  );
});

it("only DK25 has a rate, that of the configuration, and every other code has a reason", () => {
  for (const code of vatCodes) {
    expect(vatRate(code, { ...danish, domestic_rate: 22_50 })).toBe(code === "DK25" ? 22_50 : 0);
    expect(vatReasonOf[code] === null).toBe(code === "DK25");
  }
});
