/**
 * VAT numbers of the European Union: their forms by country, and the faults of a customer's or seller's number. Outside of the
 * Union, any text is accepted as a number. No register is asked: a number that is correct here may not exist.
 */
import { isInEuropeanUnion } from "../base/country.ts";
import type { FieldError } from "../base/problem.ts";
import { hasWrongCheckDigit } from "./vat-check-digits.ts";
import { bareVatNumber, isNorthernIrish, vatPrefix } from "./vat-prefix.ts";

/**
 * The form after the letters of the country, as the Commission's VIES lists it. Neighbours outside of the Union are included, so
 * that their numbers are recognised as numbers. Greece is EL, and XI is Northern Ireland, for goods.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]?\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^[1-9]\d{1,9}$/,
  SE: /^\d{10}(0[1-9]|[1-8]\d|9[0-4])$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  CH: /^E\d{9}(MWST|TVA|IVA)?$/,
  NO: /^\d{9}(MVA)?$/,
};

/** The fault of a number: it is absent, has no known form, is of another country, or has contradictory digits. */
export type VatNumberFault = "absent" | "form" | "country" | "check_digit";

/** Returns the fault of a number for a country; null when there is none, and for every number outside of the Union. */
export function vatNumberFault(text: string | null, country_key: string): VatNumberFault | null {
  const bare = bareVatNumber(text);
  if (bare === null) return "absent";
  if (isNorthernIrish(text, country_key)) return faultWithin(bare, "XI");
  return isInEuropeanUnion(country_key) ? faultWithin(bare, vatPrefix(country_key)) : null;
}

/** Returns the faults of a number to set. A wrong check digit is accepted: it may be the customer's own mistake. */
export function vatNumberFaults(
  text: string | null,
  country_key: string,
  field: string,
): FieldError[] {
  if (!isInEuropeanUnion(country_key) || vatNumberFault(text, country_key) !== "form") return [];
  const prefix = vatPrefix(country_key);
  const message = `Not a VAT number of a known country; the letters ${prefix} may be left out of one of ${country_key}.`;
  return [{ field, code: "invalid_format", message }];
}

function faultWithin(bare: string, home: string): VatNumberFault | null {
  const prefix = bare.slice(0, 2);
  const is_prefixed = FORMS[prefix]?.test(bare.slice(2)) ?? false;
  if (is_prefixed && prefix !== home) return "country";
  const number = is_prefixed ? bare.slice(2) : bare;
  if (!is_prefixed && !FORMS[home]?.test(number)) return "form";
  return hasWrongCheckDigit(home, number) ? "check_digit" : null;
}
