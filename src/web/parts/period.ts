/** Names of the periods of retainers by their keys: months, weeks, quarters, half-years and years. */
import { firstDayOf, type Month } from "../../domain/base/calendar.ts";
import type { Language } from "../words/words.ts";
import { dayInStyle, monthOf } from "./format.ts";

const UNITS = {
  en: {
    W: (number: number, year: string) => `Week ${number}, ${year}`,
    Q: (number: number, year: string) => `Quarter ${number}, ${year}`,
    H: (number: number, year: string) => `${number === 1 ? "First" : "Second"} half of ${year}`,
  },
  da: {
    W: (number: number, year: string) => `Uge ${number}, ${year}`,
    Q: (number: number, year: string) => `${number}. kvartal ${year}`,
    H: (number: number, year: string) => `${number}. halvår ${year}`,
  },
} as const;

const SHORT_UNITS = {
  en: {
    W: (number: number) => `W${number}`,
    Q: (number: number) => `Q${number}`,
    H: (number: number) => `H${number}`,
  },
  da: {
    W: (number: number) => `Uge ${number}`,
    Q: (number: number) => `${number}. kv.`,
    H: (number: number) => `${number}. halvår`,
  },
} as const;

type Unit = keyof (typeof UNITS)["en"];

function partsOf(
  key: string,
): { readonly year: string; readonly unit: Unit; readonly number: number } | null {
  const match = /^(\d{4})-([WQH])(\d{1,2})$/.exec(key);
  if (match === null) return null;
  const [, year = "", unit = "W", number = "1"] = match;
  return { year, unit: unit as Unit, number: Number(number) };
}

const isMonth = (key: string): boolean => /^\d{4}-\d\d$/.test(key);

/** Returns the name of a period: `March 2026`, `Week 12, 2026`, `Quarter 1, 2026`, `First half of 2026`, `2026`. */
export function periodName(language: Language, key: string, begins = false): string {
  const parts = partsOf(key);
  if (parts !== null) return UNITS[language][parts.unit](parts.number, parts.year);
  if (!isMonth(key)) return key;
  if (!begins) return monthOf(language, key);
  return dayInStyle(language, firstDayOf(key as Month), "month_year", true);
}

/** Returns the short name of a period and its year, for a strip of periods: `Mar` and `2026`. A year has only its name. */
export function shortPeriod(
  language: Language,
  key: string,
): { readonly name: string; readonly year: string | null } {
  const parts = partsOf(key);
  if (parts !== null) {
    return { name: SHORT_UNITS[language][parts.unit](parts.number), year: parts.year };
  }
  if (!isMonth(key)) return { name: key, year: null };
  const name = dayInStyle(language, firstDayOf(key as Month), "short_month");
  return { name, year: key.slice(0, 4) };
}
