/** Returns the reader of the page, as its root element states. Loads the texts of the reader's language. */
import type { PageReader } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";

const WORDS = {
  en: async () => (await import("../words/en.ts")).en,
  da: async () => (await import("../words/da.ts")).da,
} as const;

export async function browserReader(): Promise<PageReader> {
  const { lang, dataset } = document.documentElement;
  const language: Language = lang === "da" ? "da" : "en";
  const { theme, zone } = dataset;
  return {
    language,
    words: await WORDS[language](),
    theme: theme === "dark" || theme === "light" ? theme : null,
    time_zone: zone ?? null,
  };
}
