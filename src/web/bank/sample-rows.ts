/** The first rows of a CSV file of a bank, as a person sees them while they say what its columns are. Runs in browsers, too. */
import Papa from "papaparse";
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";

/** How a file is written, apart from its columns. */
export type CsvForm = Omit<CsvProfile, "columns">;

export interface SampleRows {
  /** Null in a file without heads. */
  readonly heads: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  /** The number of columns. */
  readonly width: number;
}

const BYTES = 32_768;
const MOST_ROWS = 6;
const MOST_COLUMNS = 40;
const LONGEST = 60;

/** The form of a file of which nothing is known: as most banks in Denmark write it. */
export function formOf(bytes: Uint8Array): CsvForm {
  const is_utf8 = decoded(startOf(bytes), "utf-8") !== null;
  return {
    encoding: is_utf8 ? "utf-8" : "windows-1252",
    delimiter: ";",
    skip_lines: 0,
    has_header: true,
    decimal: ",",
    date_format: "dd-MM-yyyy",
  };
}

/** Returns the first rows of a file that is written in the form; cells are cut. */
export function sampleOf(bytes: Uint8Array, form: CsvForm): SampleRows {
  const start = startOf(bytes);
  const text = decoded(start, form.encoding) ?? new TextDecoder("windows-1252").decode(start);
  const { data } = Papa.parse<string[]>(withoutLines(text, form.skip_lines), {
    delimiter: form.delimiter,
    preview: MOST_ROWS * 4,
  });
  const filled = data
    .map((cells) => cells.slice(0, MOST_COLUMNS).map((cell) => shown(cell)))
    .filter((cells) => cells.some((cell) => cell !== ""));
  const heads = form.has_header ? (filled[0] ?? []) : null;
  const rows = (form.has_header ? filled.slice(1) : filled).slice(0, MOST_ROWS);
  const width = Math.max(heads?.length ?? 0, ...rows.map((cells) => cells.length), 0);
  return { heads, rows, width };
}

/** A character may be cut at the end, so the last line is left out. */
function startOf(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, BYTES);
  return start.length < bytes.length ? start.subarray(0, start.lastIndexOf(0x0a) + 1) : start;
}

function decoded(bytes: Uint8Array, encoding: CsvForm["encoding"]): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function withoutLines(text: string, count: number): string {
  return text
    .split(/\r\n|\n|\r/)
    .slice(count)
    .join("\n");
}

function shown(cell: string): string {
  const text = cell.replaceAll("\0", "").trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
