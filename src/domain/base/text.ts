/** What text may be: no NUL and no lone surrogates, lengths in code points (spec 0.5). */

/** Number of code points, which is what PostgreSQL and JSON Schema count too. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether PostgreSQL can store the text and give it back unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * One visible line, for the headers of a message: without format characters, which hide or turn the direction of
 * writing, and with a space for control characters and line breaks.
 */
export function visibleLine(text: string): string {
  return text
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
