/** The letters that stand for a person in a small circle. */

/** Returns the first letters of the first and the last word of a name: `AH` for Anna Marie Holm. */
export function initials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
