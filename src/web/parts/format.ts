/**
 * Numbers and dates in the notation of the reader's language. Amounts are decimal text with a stated number of decimals, which gets
 * the marks of the language: nothing is rounded, and a browser need not load the numbers of `Intl` before the page works.
 */
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText, type Money, round, scaledFromChecked } from "../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import type { Language } from "../words/words.ts";
import { type DayParts, dayParts } from "./day-names.ts";

const LOCALES = { en: "en-GB", da: "da-DK" } as const satisfies Record<Language, string>;

/** The marks of numbers, as in CLDR. */
const MARKS = {
  en: { thousands: ",", decimal: "." },
  da: { thousands: ".", decimal: "," },
} as const satisfies Record<Language, object>;

/** Formats an amount in minor units: `71.531,25` or `71,531.25`; a negative amount has a minus sign (U+2212). */
export function amountOf(language: Language, amount: Money, currency: string): string {
  return shown(language, decimalText(amount, currencyDigits(currency)));
}

/** Formats an amount with its currency, for a sentence: `71.531,25 kr.` or `DKK 71,531.25`. */
export function moneyOf(language: Language, amount: Money, currency: string): string {
  const text = amountOf(language, amount, currency);
  if (language === "en") return `${currency} ${text}`;
  return `${text} ${currencySign(language, currency)}`;
}

/** Like `amountOf`, for an amount as the API shows it. */
export function amountOfNumber(language: Language, amount: number, currency: string): string {
  return amountOf(language, scaledFromChecked(amount, currencyDigits(currency)), currency);
}

/** Like `moneyOf`, for an amount as the API shows it. */
export function moneyOfNumber(language: Language, amount: number, currency: string): string {
  return moneyOf(language, scaledFromChecked(amount, currencyDigits(currency)), currency);
}

/** Formats a number as a person types it: with as many decimals as it has, without thousands separators. */
export function plainNumber(language: Language, value: number): string {
  return language === "da" ? String(value).replace(".", ",") : String(value);
}

/** Returns decimal text without zeros at its end, with the reader's decimal mark: `2.500000` is `2,5` in Danish. */
export function shortDecimal(language: Language, decimal: string): string {
  const text = decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
  return language === "da" ? text.replace(".", ",") : text;
}

/** Formats a whole number: `4.812` or `4,812`. */
export function wholeNumberOf(language: Language, value: number | bigint): string {
  return shown(language, decimalText(BigInt(value), 0));
}

/** Formats hours in hundredths, as `7,50`. */
export function hoursOf(language: Language, hours: bigint | number): string {
  return shown(language, decimalText(BigInt(hours), HOURS_DECIMALS));
}

const moments = new Map<string, Intl.DateTimeFormat>();

function momentFormat(
  language: Language,
  timeZone: string,
  timeStyle: "short" | "long",
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${timeStyle}`;
  const known = moments.get(key);
  if (known !== undefined) return known;
  const dateStyle = timeStyle === "short" ? "medium" : "full";
  const made = new Intl.DateTimeFormat(LOCALES[language], { dateStyle, timeStyle, timeZone });
  moments.set(key, made);
  return made;
}

/** Formats a timestamp to the minute in the zone, or in UTC, as it states. `exact` has seconds and the zone's name. */
export function momentOf(
  language: Language,
  at: string,
  time_zone: string | null,
): { readonly text: string; readonly exact: string } {
  const moment = new Date(at);
  const written = (style: "short" | "long") =>
    momentFormat(language, time_zone ?? "UTC", style).format(moment);
  const text = written("short");
  return { text: time_zone === null ? `${text} UTC` : text, exact: written("long") };
}

/** Writes exact decimal text with the marks of the language and a minus sign (U+2212). */
function shown(language: Language, decimal: `${number}`): string {
  const { thousands, decimal: mark } = MARKS[language];
  const [whole = "", part] = decimal.replace("-", "\u2212").split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return part === undefined ? grouped : grouped + mark + part;
}

const days = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of a date for what `dayInStyle` lacks. The format is cached: creating one costs a thousand times its use. */
export function dayFormat(
  language: Language,
  style: Readonly<Intl.DateTimeFormatOptions>,
): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(style)}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(LOCALES[language], { ...style, timeZone: "UTC" });
  days.set(key, made);
  return made;
}

/** Returns a date `YYYY-MM-DD` as formats take it: the same date in every time zone. */
export function middayOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

/** Formats a date `YYYY-MM-DD`: `19. nov. 2026` or `19 Nov 2026`. */
export function dayOf(language: Language, date: string): string {
  const { day, short_month, year } = dayParts(language, date);
  return `${day} ${short_month} ${year}`;
}

/** Returns a sentence with its days `YYYY-MM-DD` in words. A name, which is in quotes, stays as it is. */
export function daysInWords(language: Language, sentence: string): string {
  return sentence.replace(/"[^"]*"|\b\d{4}-\d{2}-\d{2}\b/g, (part) =>
    part.startsWith('"') ? part : dayOf(language, part),
  );
}

/** Formats a date `YYYY-MM-DD` as a field for a day shows it: `24.12.2026` or `24/12/2026`. */
export function typedDay(language: Language, day: string): string {
  return day
    .split("-")
    .reverse()
    .join(language === "da" ? "." : "/");
}

/** Formats a month `YYYY-MM`: `november 2026` or `November 2026`. */
export function monthOf(language: Language, month: string): string {
  return dayInStyle(language, `${month}-01`, "month_year");
}

/** Formats a month `YYYY-MM` as the head of a column: `nov 25` or `Nov 25`. */
export function monthHead(language: Language, month: string): string {
  return `${dayInStyle(language, `${month}-01`, "short_month")} ${month.slice(2, 4)}`;
}

/** The parts of a date that a sentence or a heading shows. */
const DAY_STYLES = {
  weekday_date: ({ weekday, day, month }) => `${weekday} ${day} ${month}`,
  date: ({ day, month }) => `${day} ${month}`,
  date_year: ({ day, month, year }) => `${day} ${month} ${year}`,
  short_date: ({ day, short_month }) => `${day} ${short_month}`,
  weekday: ({ short_weekday, day }) => `${short_weekday} ${day}`,
  day: ({ day }) => day.replace(".", ""),
  short_month: ({ short_month }) => short_month.replace(".", "").replace("Sept", "Sep"),
  month: ({ month }) => month,
  month_year: ({ month, year }) => `${month} ${year}`,
} as const satisfies Record<string, (parts: DayParts) => string>;

/** Formats a date `YYYY-MM-DD` in a style. `begins` gives it a capital for the start of a sentence. */
export function dayInStyle(
  language: Language,
  day: string,
  style: keyof typeof DAY_STYLES,
  begins = false,
): string {
  const text = DAY_STYLES[style](dayParts(language, day));
  return begins ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Formats an amount without its decimals, for figures that give an overview. */
export function wholeAmountOf(language: Language, amount: Money, currency: string): string {
  const whole = round(amount, 10n ** BigInt(currencyDigits(currency)));
  return shown(language, decimalText(whole, 0));
}

/** Formats an amount in thousands, as a bar shows it: `685k`. */
export function thousandsOf(language: Language, amount: Money, currency: string): string {
  const whole = round(amount, 10n ** BigInt(currencyDigits(currency)));
  if (whole < 1_000n && whole > -1_000n) return shown(language, decimalText(whole, 0));
  return `${shown(language, decimalText(round(whole, 1_000n), 0))}k`;
}

/** Returns `kr.` or `DKK`, which follows a figure. */
export function currencySign(language: Language, currency: string): string {
  return language === "da" && currency === "DKK" ? "kr." : currency;
}
