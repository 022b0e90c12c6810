/** Who reads a page, and how: language, theme, where they are. Parts ask for it instead of being handed it, on the server and in the browser. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";

export interface PageReader {
  readonly language: Language;
  readonly words: Words;
  /** Null follows the system. */
  readonly theme: "dark" | "light" | null;
  /** In which moments are told: the account's; null without an account, which is UTC and said so. */
  readonly time_zone: string | null;
}

const Reading = createContext<PageReader | null>(null);

export const ReaderOf = Reading.Provider;

export function useReader(): PageReader {
  const reader = useContext(Reading);
  if (reader === null) throw new Error("nobody reads this page");
  return reader;
}
