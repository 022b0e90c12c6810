/** The rules for text: no NUL and no lone surrogates, lengths in code points (spec 0.5). */

/** The number of code points, which is what PostgreSQL and JSON Schema count too. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether PostgreSQL can store the text and return it unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** One line for message headers, with spaces for control characters and no format characters, which can hide text. */
export function visibleLine(text: string): string {
  return text
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}
