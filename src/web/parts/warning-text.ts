/** The sentence of a warning about a document as pages show it: in the reader's language, with its days in words. */
import type { PageReader } from "../frame/reader.ts";
import { daysInWords } from "./format.ts";

/** Returns the sentence of a warning, such as `The invoice is dated 9 Mar 2026, …`. */
export function warningText(
  { words, language }: Pick<PageReader, "words" | "language">,
  { code, message }: { readonly code: string; readonly message: string },
): string {
  return daysInWords(language, words.invoice.warning(code, message));
}
