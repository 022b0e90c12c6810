/** Guesses the profile of a bank's CSV file from its first lines: which columns have days, amounts and texts (spec 13.5). */

import {
  type CsvColumns,
  type CsvProfile,
  csvProfileFaults,
  DATE_FORMATS,
  DELIMITERS,
} from "./csv-profile.ts";
import { dayFrom, signedFrom } from "./csv-statement.ts";

/** Splits a text into rows of cells by a delimiter. */
type SplitRows = (text: string, delimiter: string) => readonly (readonly string[])[];

/** The heads by which banks name a column, without case; the earlier name counts. */
const HEADS: Readonly<Record<Exclude<keyof CsvColumns, never>, readonly string[]>> = {
  date: [
    "bogføringsdato",
    "bogført dato",
    "bogført",
    "dato",
    "posteringsdato",
    "booking date",
    "buchungstag",
    "bokföringsdag",
    "datum",
    "date",
  ],
  value_date: ["rentedato", "valørdato", "valør", "value date", "valutadatum", "wertstellung"],
  amount: ["beløb", "beløb i dkk", "amount", "betrag", "belopp"],
  credit: ["indbetaling", "ind", "kredit", "credit", "money in", "paid in"],
  debit: ["udbetaling", "ud", "debet", "debit", "money out", "paid out"],
  text: [
    "tekst",
    "posteringstekst",
    "beskrivelse",
    "besked",
    "meddelelse",
    "text",
    "description",
    "message",
    "verwendungszweck",
    "details",
  ],
  balance: ["saldo", "bogført saldo", "balance", "kontostand"],
  reference: ["betalingsreference", "kreditorreference", "reference", "ref.", "ref"],
  counterparty: [
    "navn",
    "afsender",
    "modtager",
    "modpart",
    "name",
    "counterparty",
    "payer",
    "payee",
    "auftraggeber",
  ],
  counterparty_account: ["fra konto", "modkonto", "kontonummer", "counterparty account", "iban"],
  currency: ["valuta", "currency", "währung"],
  id: ["arkivreference", "transaktions-id", "transaktionsid", "transaction id", "arkivnr", "id"],
};

/** How many lines before the heads are looked through, and how many rows decide. */
const MOST_BEFORE = 10;
const MOST_ROWS = 50;

/** Returns a profile that reads the rows of the text; null where days or amounts are not found. */
export function guessCsvProfile(
  text: string,
  encoding: CsvProfile["encoding"],
  split: SplitRows,
): CsvProfile | null {
  const lines = text.split(/\r\n|\n|\r/, MOST_BEFORE + MOST_ROWS);
  for (const delimiter of byFrequency(lines)) {
    const rows = split(lines.join("\n"), delimiter);
    const found = guessFrom(rows);
    if (found === undefined) continue;
    const profile: CsvProfile = { encoding, delimiter, ...found };
    if (csvProfileFaults(profile).length === 0) return profile;
  }
  return null;
}

function byFrequency(lines: readonly string[]) {
  const text = lines.join("\n");
  const count = (delimiter: string): number => text.split(delimiter).length;
  return [...DELIMITERS].sort((a, b) => count(b) - count(a));
}

type Found = Omit<CsvProfile, "encoding" | "delimiter">;

function guessFrom(rows: readonly (readonly string[])[]): Found | undefined {
  const first = rows.findIndex((row) => row.some(isDay));
  if (first < 0 || first > MOST_BEFORE) return undefined;
  const heads = first === 0 ? undefined : rows[first - 1];
  const has_header = heads !== undefined && heads.length >= (rows[first]?.length ?? 0) - 1;
  const body = rows.slice(first, first + MOST_ROWS).filter((row) => row.some(isDay));
  const date_at = body[0]?.findIndex((_, at) => body.every((row) => isDay(row[at] ?? ""))) ?? -1;
  const named = has_header ? columnsByHead(heads, body) : {};
  const at_date = placeOf(named.date, heads) ?? date_at;
  if (at_date < 0) return undefined;
  const days = body.map((row) => row[at_date] ?? "");
  const date_format = DATE_FORMATS.find((form) => days.every((day) => dayFrom(day, form)));
  if (date_format === undefined) return undefined;
  const width = Math.max(...body.map((row) => row.length));
  const cellsAt = (at: number): string[] => body.map((row) => (row[at] ?? "").trim());
  const decimal = decimalOf(body);
  const amounts = Array.from({ length: width }, (_, at) => at).filter((at) =>
    isAmounts(cellsAt(at), decimal),
  );
  const nameOf = (at: number): string | number => (has_header && heads[at]?.trim()) || at + 1;
  const money = moneyOf(named, amounts.map(nameOf));
  const text = named.text ?? textsOf(body, width, at_date, amounts).map(nameOf);
  if (money === undefined || text.length === 0) return undefined;
  const { text: _, amount: __, credit: ___, debit: ____, ...others } = named;
  const columns = { ...others, ...money, date: named.date ?? nameOf(at_date), text };
  return {
    skip_lines: has_header ? first - 1 : first,
    has_header,
    decimal,
    date_format,
    columns: columns as CsvColumns,
  };
}

/** Returns the columns whose heads are known, except those that are empty or have other content. */
function columnsByHead(
  heads: readonly string[],
  body: readonly (readonly string[])[],
): Partial<CsvColumns> {
  const plain = heads.map((head) => head.trim().toLowerCase());
  const taken = new Set<number>();
  const entries = Object.entries(HEADS).flatMap(([column, names]) => {
    const at = names.map((name) => plain.indexOf(name)).find((one) => one >= 0 && !taken.has(one));
    if (at === undefined) return [];
    if (column === "date" && !body.every((row) => isDay(row[at] ?? ""))) return [];
    if (column === "value_date" && !body.every((row) => isDay(row[at] || "01-01-2026"))) return [];
    taken.add(at);
    const head = heads[at]?.trim() ?? "";
    return [[column, column === "text" ? [head] : head]];
  });
  return Object.fromEntries(entries);
}

function placeOf(
  column: string | number | undefined,
  heads: readonly string[] | undefined,
): number | undefined {
  const at = heads?.findIndex((head) => head.trim() === column) ?? -1;
  return at < 0 ? undefined : at;
}

/** The columns of money: by their heads, else the first one with amounts, and one more as the balance. */
function moneyOf(
  named: Partial<CsvColumns>,
  amounts: readonly (string | number)[],
): Partial<CsvColumns> | undefined {
  if (named.amount !== undefined) return { amount: named.amount };
  if (named.credit !== undefined && named.debit !== undefined) {
    return { credit: named.credit, debit: named.debit };
  }
  const [amount, balance] = amounts.filter((column) => column !== named.balance);
  if (amount === undefined) return undefined;
  return { amount, ...(named.balance === undefined && balance !== undefined ? { balance } : {}) };
}

/** The column with the longest texts. */
function textsOf(
  body: readonly (readonly string[])[],
  width: number,
  date_at: number,
  amounts: readonly number[],
): number[] {
  const lengths = Array.from({ length: width }, (_, at) => ({
    at,
    length: body.reduce((sum, row) => sum + (row[at] ?? "").length, 0),
  })).filter(({ at, length }) => at !== date_at && !amounts.includes(at) && length > 0);
  const [longest] = lengths.sort((a, b) => b.length - a.length);
  return longest === undefined ? [] : [longest.at];
}

function decimalOf(body: readonly (readonly string[])[]): "," | "." {
  const count = (pattern: RegExp) => body.flat().filter((cell) => pattern.test(cell.trim())).length;
  return count(/^-?[\d.'\s]*\d,\d{1,2}-?$/) >= count(/^-?[\d,'\s]*\d\.\d{1,2}-?$/) ? "," : ".";
}

function isAmounts(cells: readonly string[], decimal: "," | "."): boolean {
  const filled = cells.filter((cell) => cell !== "");
  return (
    filled.length > 0 &&
    filled.some((cell) => cell.includes(decimal)) &&
    filled.every((cell) => signedFrom(cell, decimal, 4) !== undefined)
  );
}

function isDay(cell: string): boolean {
  return DATE_FORMATS.some((form) => dayFrom(cell, form) !== undefined);
}
