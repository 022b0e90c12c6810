/** What a field says when it is left: why its number is wrong. Pure; the commands decide again. Browsers load it when needed. */
import { ibanFrom } from "../../domain/base/iban.ts";
import { locationNumberFault } from "../../domain/base/location-number.ts";
import { FIK_CREDITOR } from "../../domain/sales/fik.ts";
import { vatNumberFault } from "../../domain/sales/vat-number.ts";
import type { Language } from "../words/words.ts";
import type { enEntries } from "./entry-words.ts";
import { numberFrom } from "./number.ts";

export type FieldCheck = "vat_number" | "location_number" | "iban" | "fik_creditor" | "price";

export type CheckNote = keyof typeof enEntries.notes;

const VAT_NOTES = { form: "vat_form", country: "vat_country", check_digit: "vat_digit" } as const;
const LOCATION_NOTES = { form: "location_form", check_digit: "location_digit" } as const;

/** Returns what is wrong with a text; null for a right one and for an empty one. `country` is that of a VAT number. */
export function noteOf(
  check: FieldCheck,
  text: string,
  { country, language }: { readonly country: string; readonly language: Language },
): CheckNote | null {
  switch (check) {
    case "vat_number": {
      const fault = vatNumberFault(text, country);
      return fault === null || fault === "absent" ? null : VAT_NOTES[fault];
    }
    case "location_number": {
      const fault = locationNumberFault(text);
      return fault && LOCATION_NOTES[fault];
    }
    case "iban":
      return text.trim() === "" || ibanFrom(text) !== undefined ? null : "iban";
    case "fik_creditor": {
      const digits = text.replaceAll(/\s/g, "");
      return digits === "" || FIK_CREDITOR.test(digits) ? null : "fik_creditor";
    }
    case "price":
      return Number.isNaN(numberFrom(language, text)) ? "number" : null;
  }
}
