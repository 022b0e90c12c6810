/** Reads the rows of a bank's CSV file by its profile (spec 13.5): pure, so that each row is tested as a table. */

import { type CalendarDate, calendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { minorFrom, type StatementLine } from "./bank-statement.ts";
import type { CsvColumns, CsvProfile } from "./csv-profile.ts";

/** The columns of a profile by their place in a row. */
type ColumnPlaces = {
  readonly [Name in keyof CsvColumns]: CsvColumns[Name] extends readonly unknown[]
    ? readonly number[]
    : number | undefined;
};

/** A cell that cannot be read, by the name of its column. */
interface UnreadCell {
  readonly column: keyof CsvColumns;
  readonly message: string;
}

/** A line, and the balance after it where the file has one. */
export interface CsvLine {
  readonly line: StatementLine;
  readonly balance: Money | null;
}

/** Returns the place of each column, by the heads of the file; a fault for a head that the file does not have. */
export function placesOf(
  columns: CsvColumns,
  heads: readonly string[] | null,
): ColumnPlaces | UnreadCell {
  const faults: UnreadCell[] = [];
  const placeOf = (column: keyof CsvColumns, named: string | number): number => {
    if (typeof named === "number") return named - 1;
    const at = heads?.findIndex((head) => sameHead(head, named)) ?? -1;
    if (at < 0) faults.push({ column, message: `The file has no column "${named}".` });
    return at;
  };
  const { text, ...others } = columns;
  const entries = Object.entries(others) as [Exclude<keyof CsvColumns, "text">, string | number][];
  const places = Object.fromEntries(
    entries
      .filter(([, named]) => named !== undefined)
      .map(([name, named]) => [name, placeOf(name, named)]),
  );
  const texts = text.map((named) => placeOf("text", named));
  return faults[0] ?? ({ ...places, text: texts } as unknown as ColumnPlaces);
}

function sameHead(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The bank account of a file: its currency, and the decimals of that. */
interface CsvCurrency {
  readonly currency: string;
  readonly digits: number;
}

/** Reads a row of cells; a fault where a cell cannot be read. */
export function lineFromCells(
  cells: readonly string[],
  places: ColumnPlaces,
  profile: CsvProfile,
  { currency, digits }: CsvCurrency,
): CsvLine | UnreadCell {
  const cell = (at: number | undefined): string =>
    at === undefined ? "" : (cells[at] ?? "").trim();
  const fault = (column: keyof CsvColumns, message: string): UnreadCell => ({ column, message });
  const date = dayFrom(cell(places.date), profile.date_format);
  if (date === undefined) return fault("date", notOf("day", profile.date_format));
  const value_text = cell(places.value_date);
  const value_date = value_text === "" ? null : dayFrom(value_text, profile.date_format);
  if (value_date === undefined) return fault("value_date", notOf("day", profile.date_format));
  const amount = amountOf(places, cell, profile.decimal, digits);
  if (typeof amount !== "bigint") return amount;
  const balance_text = cell(places.balance);
  const balance = balance_text === "" ? null : signedFrom(balance_text, profile.decimal, digits);
  if (balance === undefined) return fault("balance", NO_AMOUNT);
  const named = cell(places.currency);
  if (named !== "" && named.toUpperCase() !== currency) {
    return fault("currency", `The bank account has ${currency}.`);
  }
  const optional = (at: number | undefined): string | null => cell(at) || null;
  const text = places.text
    .map(cell)
    .filter((part) => part !== "")
    .join(" ");
  const line: StatementLine = {
    date,
    value_date,
    amount,
    instructed_amount: null,
    instructed_currency: null,
    text,
    reference: optional(places.reference),
    end_to_end_id: null,
    counterparty_name: optional(places.counterparty),
    counterparty_account: optional(places.counterparty_account),
    is_reversal: false,
    bank_reference: optional(places.id),
  };
  return { line, balance };
}

const NO_AMOUNT = "Not an amount.";

function notOf(what: string, form: string): string {
  return `Not a ${what} of the form ${form}.`;
}

function amountOf(
  places: ColumnPlaces,
  cell: (at: number | undefined) => string,
  decimal: CsvProfile["decimal"],
  digits: number,
): Money | UnreadCell {
  if (places.amount !== undefined) {
    const amount = signedFrom(cell(places.amount), decimal, digits);
    if (amount === undefined) return { column: "amount", message: NO_AMOUNT };
    return amount === 0n ? { column: "amount", message: "The amount is 0." } : amount;
  }
  const [credit, debit] = [cell(places.credit), cell(places.debit)];
  const into = credit === "" ? 0n : signedFrom(credit, decimal, digits);
  if (into === undefined) return { column: "credit", message: NO_AMOUNT };
  const out = debit === "" ? 0n : signedFrom(debit, decimal, digits);
  if (out === undefined) return { column: "debit", message: NO_AMOUNT };
  if ((into === 0n) === (out === 0n)) {
    return { column: "credit", message: "Either money in or money out has an amount." };
  }
  return into === 0n ? (out < 0n ? out : -out) : into;
}

/** Reads an amount with its sign, and with blanks, points or apostrophes between thousands; undefined for another text. */
export function signedFrom(
  text: string,
  decimal: CsvProfile["decimal"],
  digits: number,
): Money | undefined {
  const [, before = "", number, after = ""] =
    /^([+\-−]?)\s*([\d.,'’\s]*\d)\s*([+\-−]?)$/.exec(text.trim()) ?? [];
  if (number === undefined || (before !== "" && after !== "")) return undefined;
  const [whole = "", fraction, ...more] = number.split(decimal);
  if (more.length > 0) return undefined;
  const group = decimal === "," ? "[.'’\\s]" : "[,'’\\s]";
  const is_grouped = new RegExp(`^\\d{1,3}(${group}\\d{3})+$`).test(whole);
  if (!is_grouped && !/^\d*$/.test(whole)) return undefined;
  const plain = is_grouped ? whole.replaceAll(/\D/g, "") : whole;
  const minor = minorFrom(fraction === undefined ? plain : `${plain || "0"}.${fraction}`, digits);
  if (minor === undefined) return undefined;
  return /[-−]/.test(before + after) ? -minor : minor;
}

/** Reads a day of the form; undefined for another text. Years of two digits are of this century. */
export function dayFrom(text: string, form: CsvProfile["date_format"]): CalendarDate | undefined {
  // A time after the day is left out.
  const [day = ""] = text.trim().split(/[ T]/, 1);
  if (day.length !== form.length) return undefined;
  const digitsOf = (letters: string): string => {
    const at = form.indexOf(letters);
    return day.slice(at, at + letters.length);
  };
  const signs = [...form].every((sign, at) => /[dMy]/.test(sign) || day[at] === sign);
  const year = form.includes("yyyy") ? digitsOf("yyyy") : `20${digitsOf("yy")}`;
  return signs ? calendarDate(`${year}-${digitsOf("MM")}-${digitsOf("dd")}`) : undefined;
}

/** Returns the lines from the oldest to the newest: files run either way, days in order. */
export function oldestFirst(rows: readonly CsvLine[]): readonly CsvLine[] {
  const first = rows[0]?.line.date ?? "";
  const last = rows.at(-1)?.line.date ?? "";
  const runs_back = first > last || (first === last && !agrees(rows) && agrees(rows.toReversed()));
  const rising = runs_back ? rows.toReversed() : rows;
  return rising.toSorted((a, b) =>
    a.line.date < b.line.date ? -1 : a.line.date > b.line.date ? 1 : 0,
  );
}

/** Returns the balances before and after the lines, which are in order; null where the file's balances do not follow. */
export function balancesOf(rows: readonly CsvLine[]): {
  readonly opening_balance: Money | null;
  readonly closing_balance: Money | null;
} {
  const [first] = rows;
  const last = rows.at(-1);
  const none = { opening_balance: null, closing_balance: null };
  if (!first || !last || first.balance === null || last.balance === null) return none;
  if (!agrees(rows)) return none;
  return { opening_balance: first.balance - first.line.amount, closing_balance: last.balance };
}

function agrees(rows: readonly CsvLine[]): boolean {
  return rows.every(({ line, balance }, at) => {
    const before = at === 0 ? null : (rows[at - 1]?.balance ?? null);
    return at === 0 || (balance !== null && before !== null && before + line.amount === balance);
  });
}
