/**
 * Numbers and dates in a document's language. Integers go through a
 * decimal text into Intl, which formats such a text exactly; a JavaScript number would round above
 * 2^53 and at half cents. The number of digits is always given: Intl's own currency digits are not
 * those of ISO 4217.
 */

import { decimalText } from "../../../domain/base/money.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { type PrintLanguage, texts, type UnitKey } from "./texts.ts";

/** The BCP 47 tag of each language: it decides the formats here and is the `lang` of the PDF. */
export const languageTag: Readonly<Record<PrintLanguage, "da-DK" | "en-GB">> = {
  da: "da-DK",
  en: "en-GB",
};

/** The space that keeps a number and its unit on one line. */
const noBreakSpace = "\u00a0";

/** Formats minor units without the currency: 123450n with 2 digits is `1.234,50` in Danish, `1,234.50` in English. */
export function formatMoney(minor: bigint, digits: number, language: PrintLanguage): string {
  return numberFormat(language, digits, digits).format(decimalText(minor, digits));
}

/** An amount in a document's own currency and language. */
export function formatAmount(
  document: Pick<DocumentSnapshot, "currency_digits" | "language">,
  minor: bigint,
): string {
  return formatMoney(minor, document.currency_digits, document.language);
}

/** A unit price in 1/10000 with at least the currency's digits and up to four: `1.200,00`, `0,0125`. */
export function formatUnitPrice(scaled: bigint, digits: number, language: PrintLanguage): string {
  const fewest = Math.min(digits, 4);
  return numberFormat(language, fewest, 4).format(decimalText(scaled, 4));
}

/** A quantity in hundredths with the given decimals (two, or none when all quantities of a document are integers). */
export function formatQuantity(
  hundredths: number,
  decimals: 0 | 2,
  language: PrintLanguage,
): string {
  return numberFormat(language, decimals, 2).format(decimalText(BigInt(hundredths), 2));
}

/** A percentage in hundredths of a percent, in its shortest exact form: `25 %`, `12,5 %`, `12.5%`. */
export function formatPercent(hundredths: number, language: PrintLanguage): string {
  const text = numberFormat(language, 0, 2).format(decimalText(BigInt(hundredths), 2));
  return language === "da" ? `${text}${noBreakSpace}%` : `${text}%`;
}

/** An exchange rate in millionths with two to six decimals: 7460000n is `7,46`. */
export function formatRate(micro: bigint, language: PrintLanguage): string {
  return numberFormat(language, 2, 6).format(decimalText(micro, 6));
}

/** A date YYYY-MM-DD in words: `20. november 2026`, `20 November 2026`. */
export function formatDay(day: string, language: PrintLanguage): string {
  return dayFormat(language).format(utc(day));
}

/** A date with a short month, for narrow columns: `20. nov. 2026`, `20 Nov 2026`. */
export function formatShortDay(day: string, language: PrintLanguage): string {
  return dayFormat(language, "short").format(utc(day));
}

/** Two dates as a period, as short as it is clear: `1.–30. november 2026`. */
export function formatPeriod(from: string, to: string, language: PrintLanguage): string {
  const text = dayFormat(language).formatRange(utc(from), utc(to));
  // Intl uses thin spaces or none around the dash, which looks like a printing error between months.
  const dash = from.slice(0, 7) === to.slice(0, 7) ? "–" : " – ";
  return text.replace(/\s*–\s*/, dash);
}

/** A product's unit in the document's language when the unit is a known one, otherwise as entered. */
export function formatUnit(unit: string, quantity: number, language: PrintLanguage): string {
  const known = texts[language].units[unitKeys.get(unit.trim().toLowerCase()) ?? "none"];
  if (known === null) return unit;
  return quantity === 100 ? known.one : known.many;
}

/** The name of a country in the language; the key itself when Intl does not know it. */
export function formatCountry(countryKey: string, language: PrintLanguage): string {
  if (!/^[A-Za-z]{2}$/.test(countryKey)) return countryKey;
  return cached(countryNames, language, () => {
    return new Intl.DisplayNames(languageTag[language], { type: "region" });
  }).of(countryKey.toUpperCase()) as string;
}

/** Spellings of units in which products are written, lower case. */
const unitKeys: ReadonlyMap<string, UnitKey> = new Map([
  ...spellings("hour", ["hour", "hours", "h", "hr", "hrs", "time", "timer"]),
  ...spellings("day", ["day", "days", "dag", "dage"]),
  ...spellings("week", ["week", "weeks", "uge", "uger"]),
  ...spellings("month", ["month", "months", "måned", "måneder", "md", "md.", "mdr", "mdr."]),
  ...spellings("year", ["year", "years", "år"]),
  ...spellings("piece", ["piece", "pieces", "pcs", "pcs.", "parts", "stk", "stk."]),
  ...spellings("kilometre", ["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
]);

function spellings(key: UnitKey, words: readonly string[]): [string, UnitKey][] {
  return words.map((word) => [word, key]);
}

const numberFormats = new Map<string, Intl.NumberFormat>();
const dayFormats = new Map<string, Intl.DateTimeFormat>();
const countryNames = new Map<PrintLanguage, Intl.DisplayNames>();

function numberFormat(language: PrintLanguage, fewest: number, most: number): Intl.NumberFormat {
  return cached(numberFormats, `${language}${fewest}-${most}`, () => {
    const digits = { minimumFractionDigits: fewest, maximumFractionDigits: most };
    return new Intl.NumberFormat(languageTag[language], digits);
  });
}

function dayFormat(language: PrintLanguage, month: "long" | "short" = "long"): Intl.DateTimeFormat {
  return cached(dayFormats, `${language}${month}`, () => {
    const parts = { day: "numeric", month, year: "numeric", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(languageTag[language], parts);
  });
}

/** Creating a formatter costs fifty times as much as using it. */
function cached<Key, Value>(cache: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make();
  cache.set(key, made);
  return made;
}

function utc(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
