/** Lines of CSV (RFC 4180) for all exports, and the reverse of the guard for imports. */

/** Puts an apostrophe before text that a spreadsheet would run as a formula, even after white space or in wide form. */
export function guarded(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** The text that `guarded` received. It also removes an apostrophe that a text itself had before such a character. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && RUNS.test(cell.slice(1)) ? cell.slice(1) : cell;
}

const RUNS = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** One line of cells, which are already guarded, with its line end. */
export function csvLine(cells: readonly string[], separator = ","): string {
  return `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;
}

function quoted(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
