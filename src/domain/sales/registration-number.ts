/** The CVR number of a Danish business: eight digits, of which the last is a check digit. No register is asked. */
import { hasWrongCheckDigit } from "./vat-check-digits.ts";

/** Whether the text is a CVR number. It has no spaces and no letters. */
export function isRegistrationNumber(text: string): boolean {
  return /^\d{8}$/.test(text) && !hasWrongCheckDigit("DK", text);
}
