/** Files of what a page shows, in the notation of the reader: a Danish spreadsheet expects semicolons and decimal commas. */
import { csvLine, guarded } from "../../domain/base/csv-text.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import type { Language } from "../words/words.ts";

/** A cell: text that people typed, or a decimal such as `-1234.50`. */
type SheetCell = string | { readonly decimal: `${number}` };

/**
 * Returns rows as CSV. In Danish the separator is a semicolon, decimals have a comma, and the file begins with a byte order mark.
 * `name` has no extension.
 */
export function readerFile(
  language: Language,
  name: string,
  heads: readonly string[],
  rows: readonly (readonly SheetCell[])[],
): ReplyFile {
  const is_danish = language === "da";
  const cellOf = (cell: SheetCell): string => {
    if (typeof cell === "string") return guarded(cell);
    return is_danish ? cell.decimal.replace(".", ",") : cell.decimal;
  };
  const lines = [heads, ...rows].map((row) => csvLine(row.map(cellOf), is_danish ? ";" : ","));
  const content = Buffer.from(`${is_danish ? "\u{feff}" : ""}${lines.join("")}`);
  return { content_type: "text/csv; charset=utf-8", filename: `${name}.csv`, content };
}
