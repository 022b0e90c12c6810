/**
 * Files of what a screen shows, for spreadsheets: the heads in the reader's words, the cells typed. Danish files have semicolons
 * and decimal commas; files in both languages begin with a byte order mark, by which spreadsheets recognise UTF-8.
 */
import { csvLine, guarded } from "../../domain/base/csv-text.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText, type Money, scaledFromChecked } from "../../domain/base/money.ts";
import type { Language } from "../words/words.ts";

/** The value of a row in one column: the text of its cell in the language. */
export type CellOf<Row> = (row: Row, language: Language) => string;

export interface SheetColumn<Row> {
  /** The head of the column, as the screen shows it. */
  readonly head: string;
  readonly file: CellOf<Row>;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Returns a cell of text that people typed, or of words; safe in spreadsheets. */
export function textCell<Row>(of: (row: Row) => string | null | undefined): CellOf<Row> {
  return (row) => guarded(of(row) ?? "");
}

/** Returns a cell of a day `YYYY-MM-DD`, as a spreadsheet in the language reads it: `19-11-2026` in Danish. */
export function dayCell<Row>(of: (row: Row) => string | null | undefined): CellOf<Row> {
  return (row, language) => {
    const day = of(row) ?? "";
    return language === "da" ? day.split("-").reverse().join("-") : day;
  };
}

/** Returns a cell of an exact number: decimal text, or a whole number. */
export function numberCell<Row>(
  of: (row: Row) => `${number}` | bigint | number | null | undefined,
): CellOf<Row> {
  return (row, language) => {
    const text = String(of(row) ?? "");
    if (!/^(-?\d+(\.\d+)?)?$/.test(text)) throw new Error(`a cell is no decimal: ${text}`);
    return language === "da" ? text.replace(".", ",") : text;
  };
}

/** Returns a cell of an amount in minor units, with the decimals of its currency. */
export function amountCell<Row>(
  of: (row: Row) => { readonly amount: Money | null; readonly currency: string } | null | undefined,
): CellOf<Row> {
  return numberCell((row) => {
    const { amount, currency } = of(row) ?? { amount: null, currency: "" };
    return amount === null ? null : decimalText(amount, currencyDigits(currency));
  });
}

/** Like `amountCell`, for an amount as the API shows it. */
export function shownAmountCell<Row>(
  of: (row: Row) => { readonly amount: number | null | undefined; readonly currency: string },
): CellOf<Row> {
  return amountCell((row) => {
    const { amount, currency } = of(row);
    return amount == null
      ? null
      : { amount: scaledFromChecked(amount, currencyDigits(currency)), currency };
  });
}

/** Yields the lines of a file: the heads, then the rows, portion by portion. */
export async function* sheetLines<Row>(
  language: Language,
  columns: readonly SheetColumn<Row>[],
  portions: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const line = (cells: readonly string[]) => csvLine(cells, language === "da" ? ";" : ",");
  yield BYTE_ORDER_MARK + line(columns.map(({ head }) => guarded(head)));
  for await (const rows of portions) {
    const lines = rows.map((row) => line(columns.map(({ file }) => file(row, language))));
    if (lines.length > 0) yield lines.join("");
  }
}
