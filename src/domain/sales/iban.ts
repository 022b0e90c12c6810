/** IBANs that are typed and kept as text: a wrong one is pointed out, and not refused. */
import { ibanFrom } from "../base/iban.ts";

/** Whether a text is no IBAN: its length or its check digits are wrong. Spaces and case are ignored; an empty text is none. */
export function isWrongIban(text: string | null): boolean {
  return (text ?? "").trim() !== "" && ibanFrom(text ?? "") === undefined;
}
