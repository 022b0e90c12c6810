/** Determines the reader of a page, from the person's choices and from the headers of their browser. */
import type { FastifyRequest } from "fastify";
import { type Language, languageFrom, wordsOf } from "../words/words.ts";
import type { PageReader } from "./reader.ts";

/** Returns the reader: the person's choices, or the browser's language where the person has chosen none. */
export function readerFrom(
  chosen: Pick<PageReader, "theme" | "time_zone"> & { readonly language: Language | null },
  accept_language: string | undefined,
): PageReader {
  const language = chosen.language ?? languageFrom(accept_language);
  const { theme, time_zone } = chosen;
  return { language, words: wordsOf(language), theme, time_zone };
}

const readers = new WeakMap<object, PageReader>();

/** Stores the reader of a request, for the page about a failure of the request. */
export function keepReader(request: object, reader: PageReader): PageReader {
  readers.set(request, reader);
  return reader;
}

/** Returns the reader of a request, as far as known. Before the session is read, only the browser's headers count. */
export function readerOf(request: FastifyRequest): PageReader {
  const unknown = { language: null, theme: null, time_zone: null };
  return readers.get(request) ?? readerFrom(unknown, request.headers["accept-language"]);
}
