/** Who reads a page, and how: language, theme, where they are. Parts ask for it instead of being handed it. */
import type { FastifyRequest } from "fastify";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en, type Words } from "../words/en.ts";
import { type Language, languageFrom, wordsOf } from "../words/words.ts";

export interface PageReader {
  readonly language: Language;
  readonly words: Words;
  /** Null follows the system. */
  readonly theme: "dark" | "light" | null;
  /** In which moments are told: the account's; null without an account, which is UTC and said so. */
  readonly time_zone: string | null;
}

const Reading = createContext<PageReader>({
  language: "en",
  words: en,
  theme: null,
  time_zone: null,
});

export const ReaderOf = Reading.Provider;

export function useReader(): PageReader {
  return useContext(Reading);
}

/** What the person has chosen, else what their browser asks for. */
export function readerFrom(
  chosen: Pick<PageReader, "theme" | "time_zone"> & { readonly language: Language | null },
  accept_language: string | undefined,
): PageReader {
  const language = chosen.language ?? languageFrom(accept_language);
  const { theme, time_zone } = chosen;
  return { language, words: wordsOf(language), theme, time_zone };
}

const readers = new WeakMap<object, PageReader>();

/** Keeps who asked, for the answer to what goes wrong with their request. */
export function keepReader(request: object, reader: PageReader): PageReader {
  readers.set(request, reader);
  return reader;
}

/** Who asked, as far as it was known when it went wrong: before the session was read, only their browser says. */
export function readerOf(request: FastifyRequest): PageReader {
  const unknown = { language: null, theme: null, time_zone: null };
  return readers.get(request) ?? readerFrom(unknown, request.headers["accept-language"]);
}
