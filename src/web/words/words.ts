/** Determines the language of a reader. */
import { da } from "./da.ts";
import { en, type Words } from "./en.ts";

const languages = ["en", "da"] as const;
export type Language = (typeof languages)[number];

export function wordsOf(language: Language): Words {
  return language === "da" ? da : en;
}

/** Returns the first available language that a browser requests; English otherwise (RFC 9110, 12.5.4). */
export function languageFrom(accept_language: string | undefined): Language {
  const wanted = (accept_language ?? "")
    .split(",")
    .map((part) => {
      const [range = "", ...rest] = part.trim().toLowerCase().split(";");
      const weight = /^\s*q=([\d.]+)/.exec(rest.join(";"))?.[1];
      return { language: range.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const found = languages.find((one) => one === language);
    if (found !== undefined) return found;
  }
  return "en";
}
