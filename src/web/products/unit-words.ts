/** The units of products in the reader's language. Known ones are stored as the API names them; any other is stored as typed. */
import type { Words } from "../words/en.ts";

type UnitWords = Words["product_form"]["units"];

/** Returns the known units as the reader chooses them. */
export function unitsListed(words: UnitWords): readonly string[] {
  return Object.values(words);
}

/** Returns a stored unit in the reader's language; a unit of one's own as it is. */
export function unitShown(words: UnitWords, unit: string): string {
  return (words as Readonly<Record<string, string>>)[unit] ?? unit;
}

/** Returns the unit to store for a typed one; undefined if empty. */
export function unitFrom(words: UnitWords, typed: string | undefined): string | undefined {
  const text = (typed ?? "").trim();
  const wanted = text.toLowerCase();
  const known = Object.entries(words).find(([unit, word]) => [unit, word].includes(wanted));
  return known?.[0] ?? (text || undefined);
}
