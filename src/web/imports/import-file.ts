/** A CSV file as spreadsheets write it: its text, its heads and its rows. */
import Papa from "papaparse";

/** The page states these limits. A larger file is refused before it is read. */
const MOST_BYTES = 2_000_000;
const MOST_ROWS = 5_000;

/** `spreadsheet` is a workbook instead of text; `quotes` is a quoted cell without an end. */
export type FileFault = "too_large" | "too_many_rows" | "spreadsheet" | "quotes" | "empty";

interface FileRow {
  /** The row's number as a spreadsheet counts: the heads are in the first row. */
  readonly at: number;
  readonly cells: readonly string[];
}

export interface FileTable {
  readonly separator: string;
  readonly heads: readonly string[];
  readonly rows: readonly FileRow[];
}

/** Reads text in UTF-8 with or without a byte order mark, in UTF-16 with one, or as Excel writes it in Western Europe. */
export function textFrom(bytes: Uint8Array): string | FileFault {
  if (bytes.length > MOST_BYTES) return "too_large";
  // A workbook is a zip archive or an old compound file.
  if (beginsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    return "spreadsheet";
  }
  if (beginsWith(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** Skips rows without content and trims the text of cells. */
export function tableFrom(text: string): FileTable | FileFault {
  const [, declared = "", rest = text.replace(/^\ufeff/, "")] =
    /^\ufeff?sep=(.)\r?\n([\s\S]*)$/i.exec(text) ?? [];
  const separator = declared || separatorOf(rest);
  const { data, errors } = Papa.parse<string[]>(rest, {
    delimiter: separator,
    preview: MOST_ROWS * 2,
  });
  if (errors.some(({ type }) => type === "Quotes")) return "quotes";
  const first = declared === "" ? 1 : 2;
  const rows = data
    .map((cells, index) => ({ at: index + first, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [heads, ...others] = rows;
  if (heads === undefined || others.length === 0) return "empty";
  if (others.length > MOST_ROWS) return "too_many_rows";
  return { separator, heads: heads.cells, rows: others };
}

/** Returns the separator that occurs most often between the heads. */
function separatorOf(text: string): string {
  const heads =
    text
      .trimStart()
      .split(/\r?\n|\r/, 1)[0]
      ?.replaceAll(/"[^"]*"/g, "") ?? "";
  const count = (separator: string) => heads.split(separator).length - 1;
  const [most = ","] = [";", "\t", ","].sort((a, b) => count(b) - count(a));
  return count(most) === 0 ? "," : most;
}
