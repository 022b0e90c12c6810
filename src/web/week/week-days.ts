/** Formats the days of a week for its heads, cells and title. */

import { dayParts } from "../parts/day-names.ts";
import { dayFormat, middayOf } from "../parts/format.ts";
import type { Language } from "../words/words.ts";

/** Returns `Wed` or `ons.`; with `long`, `Wednesday` or `onsdag`. */
export function weekdayOf(language: Language, day: string, weekday: "short" | "long"): string {
  const parts = dayParts(language, day);
  return weekday === "long" ? parts.weekday : parts.short_weekday;
}

/** Returns `16–22 November 2026` or `16.–22. november 2026`. */
export function daysThrough(language: Language, from: string, to: string): string {
  const format = dayFormat(language, { day: "numeric", month: "long", year: "numeric" });
  return format.formatRange(middayOf(from), middayOf(to));
}
