/** International bank account numbers (ISO 13616) as they are typed: browsers check without the lengths of all countries. */

/** Whether a text is no IBAN: its form or its check digits are wrong. Spaces and case are ignored; an empty text is none. */
export function isWrongIban(text: string | null): boolean {
  const iban = (text ?? "").replaceAll(/\s/g, "").toUpperCase();
  if (iban === "") return false;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return true;
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n !== 1n;
}
