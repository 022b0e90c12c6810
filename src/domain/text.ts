/** What text may be: no NUL and no lone surrogates, lengths in code points (decisions.md 9). */

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
