/** Finds out who reads a page, from what they have chosen and what their browser asks for. */
import type { FastifyRequest } from "fastify";
import { type Language, languageFrom, wordsOf } from "../words/words.ts";
import type { PageReader } from "./reader.ts";

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
