/** The reason for the VAT that a customer is charged. */
import { expect, it } from "vitest";
import type { VatCode } from "./vat-code.ts";
import { explainVat } from "./vat-reasoning.ts";

const SETTINGS = { domestic_rate: 2500, domestic_country: "DK" };

it.each<[string, VatCode | null, string, boolean, string | null, VatCode, number, string]>([
  ["a business at home", null, "DK", false, "12345674", "DK25", 2500, "at_home"],
  ["a person at home", null, "DK", true, null, "DK25", 2500, "at_home"],
  ["an exempt sale", "DK0", "DK", false, null, "DK0", 0, "DK0"],
  ["reverse charge at home", "DK_RC", "DK", false, "13585628", "DK_RC", 0, "DK_RC"],
  ["reverse charge without a number", "DK_RC", "DK", false, null, "DK25", 2500, "absent"],
  ["reverse charge to a person", "DK_RC", "DK", true, null, "DK25", 2500, "private_person"],
  ["a business in the EU", null, "DE", false, "DE136695976", "EU_SERVICES_RC", 0, "EU_SERVICES_RC"],
  [
    "goods to a business in the EU",
    "EU_GOODS_RC",
    "DE",
    false,
    "DE136695976",
    "EU_GOODS_RC",
    0,
    "EU_GOODS_RC",
  ],
  ["a business in the EU without a number", null, "DE", false, null, "DK25", 2500, "absent"],
  [
    "a business in the EU with a malformed number",
    null,
    "DE",
    false,
    "hello",
    "DK25",
    2500,
    "form",
  ],
  [
    "a business in the EU with a wrong check digit",
    null,
    "DE",
    false,
    "DE136695977",
    "DK25",
    2500,
    "check_digit",
  ],
  [
    "a business in the EU with a number of another country",
    null,
    "DE",
    false,
    "SE556012579001",
    "DK25",
    2500,
    "country",
  ],
  ["a person in the EU", null, "DE", true, "DE136695976", "DK25", 2500, "private_person"],
  ["a person outside the EU", null, "NO", true, null, "EXPORT_SERVICES", 0, "EXPORT_SERVICES"],
  ["goods outside the EU", "EU_GOODS_RC", "NO", false, null, "EXPORT_GOODS", 0, "EXPORT_GOODS"],
  ["goods to Northern Ireland", "EU_GOODS_RC", "GB", false, "XI1", "DK25", 2500, "form"],
])("%s", (_, account_code, country_key, is_person, vat_number, vat_code, rate, ground) => {
  const customer = { country_key, is_person, vat_number };
  expect(explainVat(account_code, customer, SETTINGS)).toEqual({ vat_code, rate, ground });
});
