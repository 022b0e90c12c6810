/** Lines of CSV (RFC 4180) as they are written everywhere, and what is taken back from a cell when one is read. */

/**
 * A text that a spreadsheet would run as a formula begins with an apostrophe. Spreadsheets pass over white space before it, and
 * some take the wide forms of these characters for them.
 */
export function guarded(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** What `guarded` was given. A text that began with an apostrophe before such a character has lost it. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && RUNS.test(cell.slice(1)) ? cell.slice(1) : cell;
}

const RUNS = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** One line of cells as they shall be read, with its end. */
export function csvLine(cells: readonly string[], separator = ","): string {
  return `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
}

function quoted(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
