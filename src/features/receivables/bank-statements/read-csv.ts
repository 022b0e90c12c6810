/** Reads CSV files of banks by the profile of their bank account, or suggests one (spec 13.5). */

import Papa from "papaparse";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type FieldError, Problem } from "../../../domain/base/problem.ts";
import type { BankAccount } from "../../../domain/receivables/bank-account.ts";
import type { CsvProfile } from "../../../domain/receivables/csv-profile.ts";
import {
  balancesOf,
  type CsvLine,
  lineFromCells,
  oldestFirst,
  placesOf,
} from "../../../domain/receivables/csv-statement.ts";
import { guessCsvProfile } from "../../../domain/receivables/guess-csv-profile.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { unreadableFile } from "./read-xml.ts";
import { MOST_LINES, type ReadStatement, tooManyLines } from "./statement-file.ts";

const LONGEST_CELL = 10_000;

/**
 * Returns the statement of a file. Throws VALIDATION_FAILED: `required` on `csv_profile` while the bank account has none, with
 * `details.suggested_profile`, and each cell that cannot be read with its row.
 */
export async function readCsv(
  bytes: Uint8Array,
  account: BankAccount,
  signal: AbortSignal,
): Promise<ReadStatement> {
  const { csv_profile: profile, currency } = account;
  if (profile === null) throw profileRequired(bytes);
  const rows = rowsOf(textFrom(bytes, profile.encoding), profile);
  const read = await linesOf(rows, profile, currency, signal);
  const lines = oldestFirst(read);
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) throw unreadableFile("The file has no rows.");
  return {
    format: "csv",
    iban: null,
    other_id: null,
    currency,
    first_day: first.line.date,
    last_day: last.line.date,
    ...balancesOf(lines),
    lines: lines.map(({ line }) => line),
  };
}

interface NumberedRow {
  /** The line of the file as an editor counts it, unless a cell has several lines. */
  readonly at: number;
  readonly cells: readonly string[];
}

async function linesOf(
  rows: readonly NumberedRow[],
  profile: CsvProfile,
  currency: string,
  signal: AbortSignal,
): Promise<CsvLine[]> {
  const [heads] = rows;
  const places = placesOf(profile.columns, profile.has_header ? (heads?.cells ?? []) : null);
  if ("column" in places) {
    const field_errors = [
      {
        field: `csv_profile.columns.${places.column}`,
        code: "invalid_value",
        message: places.message,
      },
    ] as const;
    throw new Problem("VALIDATION_FAILED", { field_errors });
  }
  const money = { currency, digits: currencyDigits(currency) };
  const slices = new Slices(signal);
  const lines: CsvLine[] = [];
  const faults: FieldError[] = [];
  for (const { at, cells } of profile.has_header ? rows.slice(1) : rows) {
    const found = lineFromCells(cells, places, profile, money);
    if ("column" in found) {
      const field = `rows[${at}].${found.column}`;
      faults.push({ field, code: "invalid_value", message: `Line ${at}: ${found.message}` });
    } else lines.push(found);
    if (slices.isOver) await slices.next();
  }
  if (faults.length > 0) throw new Problem("VALIDATION_FAILED", { field_errors: faults });
  return lines;
}

/** Splits a text into the rows that the profile reads; empty ones are left out. */
function rowsOf(text: string, { delimiter, skip_lines, has_header }: CsvProfile): NumberedRow[] {
  const { data, errors } = Papa.parse<string[]>(withoutLines(text, skip_lines), {
    delimiter,
    preview: MOST_LINES + 1_000,
  });
  if (errors.some(({ type }) => type === "Quotes")) {
    throw unreadableFile("The file has a quoted cell without an end.");
  }
  const rows = data
    .map((cells, index) => ({ at: index + skip_lines + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (rows.length > MOST_LINES + (has_header ? 1 : 0)) throw tooManyLines();
  for (const { at, cells } of rows) {
    if (cells.some((cell) => cell.length > LONGEST_CELL)) {
      throw unreadableFile(`Line ${at} has a cell of more than ${LONGEST_CELL} characters.`);
    }
  }
  return rows;
}

function withoutLines(text: string, count: number): string {
  let rest = text;
  for (let line = 0; line < count; line += 1) {
    const end = /\r\n|\n|\r/.exec(rest);
    if (end === null) return "";
    rest = rest.slice(end.index + end[0].length);
  }
  return rest;
}

function textFrom(bytes: Uint8Array, encoding: CsvProfile["encoding"]): string {
  const text = decoded(bytes, encoding);
  if (text === undefined || text.includes("\0")) {
    throw unreadableFile(`The file is no text in ${encoding}.`);
  }
  return text.replace(/^\ufeff/, "");
}

function decoded(bytes: Uint8Array, encoding: CsvProfile["encoding"]): string | undefined {
  // The decoder of that name would read Windows-1252.
  if (encoding === "iso-8859-1") return Buffer.from(bytes).toString("latin1");
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of a file from which a profile is guessed. */
const GUESSED_BYTES = 32_768;

/** Returns the profile by which a file can be read, guessed from its first rows; null where nothing fits. */
export function guessedProfile(bytes: Uint8Array): CsvProfile | null {
  // A character may be cut at the end, so the last line is left out.
  const start = bytes.subarray(0, GUESSED_BYTES);
  const whole = start.subarray(0, start.lastIndexOf(0x0a) + 1 || start.length);
  const encoding = decoded(whole, "utf-8") === undefined ? "windows-1252" : "utf-8";
  const text = textFrom(whole, encoding);
  return guessCsvProfile(text, encoding, (part, delimiter) => {
    return Papa.parse<string[]>(part, { delimiter }).data;
  });
}

function profileRequired(bytes: Uint8Array): Problem {
  const message = "Say how CSV files of this bank account are read.";
  return new Problem("VALIDATION_FAILED", {
    field_errors: [{ field: "csv_profile", code: "required", message }],
    details: { suggested_profile: guessedProfile(bytes) },
  });
}
