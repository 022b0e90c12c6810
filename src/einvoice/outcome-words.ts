/** What adapters make of the other side's own words and moments, which are never trusted as they are. */

const TEXT_AT_MOST = 500;

/** Returns a sentence of ours with the other side's words after it: one line, at most 500 characters. */
export function sentenceWith(sentence: string, detail: unknown): string {
  const words = typeof detail === "string" ? detail.replace(/[\p{Cc}\s]+/gu, " ").trim() : "";
  if (words === "") return `${sentence}.`;
  return [...`${sentence}: ${words}`].slice(0, TEXT_AT_MOST).join("");
}

/** Returns a moment that has an offset as RFC 3339 in UTC; null for any other value. */
export function momentFrom(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value)) {
    return null;
  }
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
