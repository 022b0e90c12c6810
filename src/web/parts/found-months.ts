/** Finds the month that a text names, for the palette: "close october", "luk oktober", "2026-10". */
import { addToMonth, type Month, month as monthFrom } from "../../domain/base/calendar.ts";
import type { Language } from "../words/words.ts";
import { dayInStyle } from "./format.ts";
import { wordsIn } from "./found.ts";

/** Words that may stand before the month. */
const VERBS = ["close", "month", "luk", "månedslukning"];
const FEWEST_LETTERS = 3;

/**
 * Returns the month that a text names, by at least three letters of its name in the language, or by number. Without a year it is
 * the latest month of that name through `current`. Null for every other text, and for a month after `current`.
 */
export function monthIn(typed: string, language: Language, current: Month): Month | null {
  const words = wordsIn(typed).filter((word) => !VERBS.includes(word));
  const [first = "", second] = words;
  if (words.length > 2) return null;
  const by_number = second === undefined ? undefined : monthFrom(`${first}-${second}`);
  if (by_number !== undefined) return by_number <= current ? by_number : null;
  const named = monthNamed(first, language);
  if (named === null) return null;
  const found =
    second === undefined
      ? monthFrom(`${current.slice(0, 4)}-${named}`)
      : monthFrom(`${second}-${named}`);
  if (found === undefined) return null;
  if (found <= current) return found;
  return second === undefined ? addToMonth(found, -12) : null;
}

/** Returns the number of a month, as two digits, from the beginning of its name. */
function monthNamed(word: string, language: Language): string | null {
  if (word.length < FEWEST_LETTERS) return null;
  const numbers = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, "0"));
  const named = (number: string) =>
    dayInStyle(language, `2026-${number}-01`, "month").toLowerCase().startsWith(word);
  return numbers.find(named) ?? null;
}
