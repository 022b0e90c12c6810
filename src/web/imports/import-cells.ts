/** Reads the cells of a file without guessing: a cell that cannot be read is a fault of its column. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { countries } from "../../domain/base/country.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { type DecimalSign, typedHours } from "../../domain/work/typed-hours.ts";
import { numberFrom } from "../parts/number.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import type { ImportColumn } from "./import-columns.ts";
import { readTerms } from "./import-terms.ts";

/** The settings with which all cells of a column are read. */
interface Reading {
  readonly language: Language;
  readonly sign: DecimalSign;
  readonly functional_currency: string;
}

/** The value of a cell, or its fault; undefined where the cell has no value, such as an empty cell. */
type Read = { readonly value: unknown } | { readonly fault: Refusal } | undefined;

/** Reads a cell, which must not be empty. */
export function readCell({ kind }: ImportColumn, cell: string, reading: Reading): Read {
  switch (kind) {
    case "text":
      return { value: cell };
    case "number":
      return numberOf(cell, reading.sign);
    case "whole": {
      const value = numberFrom("en", cell);
      return Number.isInteger(value) && /^\d+$/.test(cell)
        ? { value }
        : unreadable("This is not a whole number.");
    }
    case "hours": {
      const hours = typedHours(cell, 0n, reading.sign);
      if (typeof hours === "bigint") return { value: scaledToNumber(hours, HOURS_DECIMALS) };
      return hours === "too_fine"
        ? { fault: { code: "too_many_decimals", message: "Hours have at most two decimals." } }
        : unreadable("These are not hours such as 7.5 or 7:30.");
    }
    case "flag": {
      const value = FLAGS.get(cell.toLowerCase());
      return value === undefined ? unreadable("This is neither yes nor no.") : { value };
    }
    case "day": {
      const value = dayFrom(reading.language, cell);
      return value === undefined
        ? unreadable("This is not a date such as 2026-11-09 or 09-11-2026.")
        : { value };
    }
    case "country": {
      const value = countryFrom(cell);
      return value === undefined ? unreadable("There is no such country.") : { value };
    }
    case "send_method": {
      const value = METHODS.get(cell.toLowerCase().replaceAll(/[^a-z]/g, ""));
      return value === undefined ? unreadable("Send by email or einvoice.") : { value };
    }
    case "currency_of_books":
      if (cell.toUpperCase() === reading.functional_currency) return undefined;
      return {
        fault: {
          code: "invalid_value",
          message: `Prices are in ${reading.functional_currency} here.`,
        },
      };
    case "terms": {
      const value = readTerms(cell);
      return value === undefined
        ? unreadable("These are not terms such as “Net 30 days” or “Current month + 15 days”.")
        : { value };
    }
    case "prices":
      return pricesFrom(cell, reading.sign);
  }
}

/**
 * Returns the decimal sign of a column: the one that its cells show, since some can be read with only one of the signs; else the
 * reader's. A column with an API name as its head comes from a program.
 */
export function signOf(
  { field, en }: ImportColumn,
  head: string,
  cells: readonly string[],
  language: Language,
): DecimalSign {
  if (head.trim() === field && !en.some((name) => name.toLowerCase() === field)) return ".";
  const own: DecimalSign = language === "da" ? "," : ".";
  const other: DecimalSign = own === "," ? "." : ",";
  const is_own = cells.some((cell) => isNumber(cell, own) && !isNumber(cell, other));
  const is_other = cells.some((cell) => isNumber(cell, other) && !isNumber(cell, own));
  return is_other && !is_own ? other : own;
}

function isNumber(cell: string, sign: DecimalSign): boolean {
  const number = numberFrom(sign === "," ? "da" : "en", cell);
  return number !== undefined && !Number.isNaN(number);
}

/** Reads a number. A cell that is not a number with the decimal sign of its column may be one with the other sign. */
function numberOf(cell: string, sign: DecimalSign): Read {
  const languages = sign === "," ? (["da", "en"] as const) : (["en", "da"] as const);
  for (const language of languages) {
    const value = numberFrom(language, cell);
    if (value !== undefined && !Number.isNaN(value)) return { value };
  }
  return unreadable("This is not a number.");
}

function pricesFrom(cell: string, sign: DecimalSign): Read {
  const prices: { readonly currency: string; readonly amount: unknown }[] = [];
  for (const part of cell.split(";")) {
    const [, currency = "", amount = ""] = /^\s*([A-Za-z]{3})\s+(\S+)\s*$/.exec(part) ?? [];
    const read = amount === "" ? undefined : numberOf(amount, sign);
    if (read === undefined || "fault" in read)
      return unreadable("Prices are written as EUR 160.00; USD 175.00.");
    prices.push({ currency: currency.toUpperCase(), amount: read.value });
  }
  return { value: prices };
}

/** Reads a date with the year first, or the day first. Slashes are read only in Danish, where the day always comes first. */
function dayFrom(language: Language, cell: string): string | undefined {
  const [, day = "", , month = "", year = ""] =
    /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/.exec(cell) ?? [];
  if (year === "") return calendarDate(cell);
  if (cell.includes("/") && language !== "da") return undefined;
  return calendarDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** Reads a country: a code of two letters, or the name of the country in one of our languages. */
function countryFrom(cell: string): string | undefined {
  const code = cell.toUpperCase();
  if (countries.includes(code)) return code;
  names ??= new Map(
    ["en", "da"].flatMap((language) => {
      const shown = new Intl.DisplayNames(language, { type: "region" });
      return countries.map((key) => [shown.of(key)?.toLowerCase() ?? key, key] as const);
    }),
  );
  return names.get(cell.toLowerCase());
}
let names: ReadonlyMap<string, string> | undefined;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "1", "x", "ja", "j", "sand"].map((text) => [text, true] as const),
  ...["false", "no", "n", "0", "nej", "falsk"].map((text) => [text, false] as const),
]);

const METHODS: ReadonlyMap<string, string> = new Map([
  ...["email", "mail"].map((text) => [text, "email"] as const),
  ...["einvoice", "efaktura", "ean", "elektronisk"].map((text) => [text, "einvoice"] as const),
]);

function unreadable(message: string): Read {
  return { fault: { code: "invalid_type", message } };
}
