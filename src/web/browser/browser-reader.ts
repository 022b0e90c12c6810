/** Returns the reader of the page, as its root element states. Loads the texts of the reader's language. */
import type { PageReader } from "../frame/reader.ts";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";

/** Texts of a language as the build bundles them: those of screens without an island are left out. */
type Texts = Readonly<Record<string, Words>>;

/** Where the script of the texts leaves them, see `bin/build-assets.mjs`. */
const PLACE = Symbol.for("matchbook.texts");

/** Returns the reader; undefined as long as the script of the texts has not run. */
export function readyReader(): PageReader | undefined {
  const texts = (globalThis as { readonly [PLACE]?: Texts })[PLACE];
  const { lang, dataset } = document.documentElement;
  const language: Language = lang === "da" ? "da" : "en";
  const words = texts?.[language];
  if (words === undefined) return undefined;
  const { theme, zone } = dataset;
  return {
    language,
    words,
    theme: theme === "dark" || theme === "light" ? theme : null,
    time_zone: zone ?? null,
  };
}

/** Loads the texts if the page has not named their script. Throws where they lack the language of the page. */
export async function browserReader(): Promise<PageReader> {
  const { words: address = "" } = document.documentElement.dataset;
  if (readyReader() === undefined) await import(address);
  const reader = readyReader();
  if (reader === undefined) throw new Error(`${address} has no texts of the page's language`);
  return reader;
}
