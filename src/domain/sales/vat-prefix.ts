/** The spelling of VAT numbers: without separators between their digits, and with the letters of their country. */

/** Returns the number in capitals without spaces, dots, hyphens and slashes; null when nothing is left. */
export function bareVatNumber(text: string | null): string | null {
  const bare = (text ?? "").replace(/[\s./-]/g, "").toUpperCase();
  return bare === "" ? null : bare;
}

/** Returns the letters with which the numbers of a country begin. */
export function vatPrefix(country_key: string): string {
  return country_key === "GR" ? "EL" : country_key;
}

/** The VAT number with country letters for cross-border sales; null without one. Greece is EL, Northern Ireland XI. */
export function vatNumberWithCountry(
  text: string | null,
  country_key: string | null,
): string | null {
  const bare = bareVatNumber(text);
  if (bare === null || country_key === null) return bare;
  const country = country_key.toUpperCase();
  const prefix = vatPrefix(country);
  const is_whole = bare.startsWith(prefix) || isNorthernIrish(bare, country);
  return is_whole ? bare : `${prefix}${bare}`;
}

/** Whether the number of a customer in the United Kingdom is one of Northern Ireland, whose goods trade is within the Union. */
export function isNorthernIrish(text: string | null, country_key: string): boolean {
  return country_key === "GB" && (bareVatNumber(text)?.startsWith("XI") ?? false);
}
