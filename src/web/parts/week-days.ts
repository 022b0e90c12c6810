/** The days of a week as its heads, cells and title name them. */
import type { Language } from "../words/words.ts";
import { LOCALES } from "./format.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function dayFormat(
  language: Language,
  options: Readonly<Intl.DateTimeFormatOptions>,
): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: "UTC" });
  formats.set(key, made);
  return made;
}

const moment = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** `Wed` or `ons.`; whole: `Wednesday` or `onsdag`. */
export function weekdayOf(language: Language, day: string, weekday: "short" | "long"): string {
  return dayFormat(language, { weekday }).format(moment(day));
}

/** `16–22 November 2026` or `16.–22. november 2026`. */
export function daysThrough(language: Language, from: string, to: string): string {
  const format = dayFormat(language, { day: "numeric", month: "long", year: "numeric" });
  return format.formatRange(moment(from), moment(to));
}
