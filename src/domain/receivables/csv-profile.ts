/** How the CSV files of a bank are read: a profile names their encoding, their forms and their columns (spec 13.1). */

import type { FieldError } from "../base/field-errors.ts";

export const ENCODINGS = ["utf-8", "iso-8859-1", "windows-1252"] as const;

export const DELIMITERS = [";", ",", "\t", "|"] as const;

export const DATE_FORMATS = [
  "dd-MM-yyyy",
  "dd.MM.yyyy",
  "dd/MM/yyyy",
  "dd-MM-yy",
  "dd.MM.yy",
  "dd/MM/yy",
  "MM/dd/yyyy",
  "yyyy-MM-dd",
  "yyyy/MM/dd",
  "yyyy.MM.dd",
  "yyyyMMdd",
  "ddMMyyyy",
] as const;

/** A column by its head, or by its number: the first one is 1. */
type ProfileColumn = string | number;

/** The columns of a profile; amounts are in one column with a sign, or in one for money in and one for money out. */
export interface CsvColumns {
  readonly date: ProfileColumn;
  readonly amount?: ProfileColumn | undefined;
  readonly credit?: ProfileColumn | undefined;
  readonly debit?: ProfileColumn | undefined;
  readonly text: readonly ProfileColumn[];
  readonly value_date?: ProfileColumn | undefined;
  readonly balance?: ProfileColumn | undefined;
  readonly reference?: ProfileColumn | undefined;
  readonly counterparty?: ProfileColumn | undefined;
  readonly counterparty_account?: ProfileColumn | undefined;
  readonly currency?: ProfileColumn | undefined;
  readonly id?: ProfileColumn | undefined;
}

export interface CsvProfile {
  readonly encoding: (typeof ENCODINGS)[number];
  readonly delimiter: (typeof DELIMITERS)[number];
  /** Lines before the heads, or before the first row where there are no heads. */
  readonly skip_lines: number;
  readonly has_header: boolean;
  readonly decimal: "," | ".";
  readonly date_format: (typeof DATE_FORMATS)[number];
  readonly columns: CsvColumns;
}

/** Returns the faults of a profile's columns: which amounts there are, and heads in a file without heads. */
export function csvProfileFaults({ columns, has_header }: CsvProfile): FieldError[] {
  const faults: FieldError[] = [];
  const add = (name: string, code: FieldError["code"], message: string) =>
    faults.push({ field: `csv_profile.columns.${name}`, code, message });
  const { amount, credit, debit } = columns;
  if (amount === undefined && credit === undefined && debit === undefined) {
    add("amount", "required", "Name the column of amounts, or those of credit and debit.");
  } else if (amount !== undefined && (credit !== undefined || debit !== undefined)) {
    add("amount", "not_allowed", "Amounts are in one column, or in those of credit and debit.");
  } else if (amount === undefined && credit === undefined) {
    add("credit", "required", "The column of debit needs that of credit.");
  } else if (amount === undefined && debit === undefined) {
    add("debit", "required", "The column of credit needs that of debit.");
  }
  if (has_header) return faults;
  for (const [name, named] of namesOf(columns)) {
    if (typeof named === "string") {
      add(name, "invalid_value", "A file without heads has columns by number.");
    }
  }
  return faults;
}

/** Every column that a profile names, by its path. */
function namesOf({ text, ...columns }: CsvColumns): (readonly [string, ProfileColumn])[] {
  const single = Object.entries(columns).flatMap(([name, column]): [string, ProfileColumn][] =>
    column === undefined ? [] : [[name, column as ProfileColumn]],
  );
  return [...single, ...text.map((column, at) => [`text[${at}]`, column] as const)];
}
