/** Who reads a page, and how: language, theme, where they are. Parts ask for it instead of being handed it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en, type Words } from "../words/en.ts";
import { type Language, languageFrom, wordsOf } from "../words/words.ts";

export interface PageReader {
  readonly language: Language;
  readonly words: Words;
  /** Null follows the system. */
  readonly theme: "dark" | "light" | null;
}

const Reading = createContext<PageReader>({ language: "en", words: en, theme: null });

export const ReaderOf = Reading.Provider;

export function useReader(): PageReader {
  return useContext(Reading);
}

/** What the person has chosen, else what their browser asks for. */
export function readerFrom(
  chosen: Pick<PageReader, "theme"> & { readonly language: Language | null },
  accept_language: string | undefined,
): PageReader {
  const language = chosen.language ?? languageFrom(accept_language);
  return { language, words: wordsOf(language), theme: chosen.theme };
}
