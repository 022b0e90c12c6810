/** Returns the reader of the page, as its root element states. Loads the texts of the reader's language. */
import type { PageReader } from "../frame/reader.ts";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";

/** Texts of a language as the build bundles them: those of screens without an island are left out. */
type Texts = Readonly<Record<string, Words>>;

export async function browserReader(): Promise<PageReader> {
  const { lang, dataset } = document.documentElement;
  const language: Language = lang === "da" ? "da" : "en";
  const { theme, zone, words: address = "" } = dataset;
  const words = ((await import(address)) as Texts)[language];
  if (words === undefined) throw new Error(`${address} has no texts in ${language}`);
  return {
    language,
    words,
    theme: theme === "dark" || theme === "light" ? theme : null,
    time_zone: zone ?? null,
  };
}
