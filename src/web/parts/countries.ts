/** The countries as choices of a field. */
import { countries } from "../../domain/base/country.ts";
import { formatCountry } from "../../features/documents/printing/format.ts";
import type { Language } from "../words/words.ts";
import type { SelectOption } from "./select.tsx";

const named = new Map<Language, readonly SelectOption[]>();

/** Returns every country by its name in a language. Only the server calls it. */
export function countriesIn(language: Language): readonly SelectOption[] {
  const known = named.get(language);
  if (known !== undefined) return known;
  const order = new Intl.Collator(language).compare;
  const made = countries
    .map((key) => [key, formatCountry(key, language)] as const)
    .sort(([, a], [, b]) => order(a, b));
  named.set(language, made);
  return made;
}
