/** Cleans typed text for print: non-printing characters show as boxes, and direction marks can disguise the text. */

/** Returns the text composed (NFC), with line breaks as \n and without control and format characters. */
export function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/\p{Cf}/gu, "")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .trim();
}

/** Returns the cleaned text, or null when nothing printable remains. */
export function cleanOrNull(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const cleaned = clean(text);
  return cleaned === "" ? null : cleaned;
}
