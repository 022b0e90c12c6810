/** Bank account numbers by ISO 13616: the length of the country and two check digits. */

import { isValidIBAN } from "ibantools";

/** Returns an IBAN without blanks and in upper case; undefined where its length or its check digits are wrong. */
export function ibanFrom(text: string): string | undefined {
  const iban = text.replace(/\s/g, "").toUpperCase();
  return isValidIBAN(iban) ? iban : undefined;
}
