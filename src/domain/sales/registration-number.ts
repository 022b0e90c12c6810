/** The CVR number of a Danish business: eight digits, of which the last is a check digit. No register is asked. */
import { hasWrongCheckDigit } from "./vat-check-digits.ts";
import { bareVatNumber } from "./vat-prefix.ts";

/** Whether the text is a CVR number. It has no spaces and no letters. */
export function isRegistrationNumber(text: string): boolean {
  return /^\d{8}$/.test(text) && !hasWrongCheckDigit("DK", text);
}

/** Returns the eight digits of a Danish VAT number, whose check digit may be wrong; null for another country, and for another form. */
export function registrationNumberFrom(
  vat_number: string | null,
  country_key: string | null,
): string | null {
  if (country_key !== "DK") return null;
  return /^(?:DK)?(\d{8})$/.exec(bareVatNumber(vat_number) ?? "")?.[1] ?? null;
}
