/** Reads numbers as people type them. */
import type { Language } from "../words/words.ts";

/**
 * Returns a text's number in the reader's language: `1.500` is fifteen hundred in Danish, one and a half in English.
 * Thousands may be separated in groups of three; spaces are ignored. NaN if unreadable, undefined if empty.
 */
export function numberFrom(language: Language, typed: string | undefined): number | undefined {
  const text = (typed ?? "").replaceAll(/[\s\u00a0\u202f]/gu, "").replace("\u2212", "-");
  if (text === "") return undefined;
  const [thousands, point] = language === "da" ? [".", ","] : [",", "."];
  const form = new RegExp(`^-?(\\d+|\\d{1,3}(\\${thousands}\\d{3})+)(\\${point}\\d+)?$`);
  if (!form.test(text)) return Number.NaN;
  return Number(text.replaceAll(thousands, "").replace(point, "."));
}
