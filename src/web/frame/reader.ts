/** The language, theme and time zone of a page's reader. Components read them from a context, not from props. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";

export interface PageReader {
  readonly language: Language;
  readonly words: Words;
  /** The chosen theme; null follows the system. */
  readonly theme: "dark" | "light" | null;
  /** The account's time zone, in which times are shown. Null without an account: times are then shown in UTC, with that name. */
  readonly time_zone: string | null;
}

const Reading = createContext<PageReader | null>(null);

export const ReaderOf = Reading.Provider;

export function useReader(): PageReader {
  const reader = useContext(Reading);
  if (reader === null) throw new Error("this page has no reader");
  return reader;
}
