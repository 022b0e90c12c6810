/** A price as a field shows it when it is left. */
import type { Language } from "../words/words.ts";
import type { FieldCheck } from "./field-checks.ts";
import { numberFrom } from "./number.ts";

/** Returns the text as it was understood: a readable price as `1.450,00`, any other text as it was typed. */
export function understoodAs(check: FieldCheck, text: string, language: Language): string {
  const value = check === "price" ? numberFrom(language, text) : undefined;
  return value === undefined || Number.isNaN(value) ? text : priceText(language, value);
}

/** The most decimals of a price. A text with more stays as it was typed, because it is refused. */
const MOST_DECIMALS = 4;

/** Formats a price with at least two and at most four decimals; one with more decimals is shown whole. */
export function priceText(language: Language, value: number): string {
  const decimals = String(value).split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat(language === "da" ? "da-DK" : "en-GB", {
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(MOST_DECIMALS, decimals),
  })
    .format(value)
    .replace("-", "\u2212");
}
