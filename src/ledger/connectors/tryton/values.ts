/** Converts Tryton's JSON: decimals and dates are objects. Decimals become bigints of minor units, not floats. */
import { decimalText } from "../../../domain/base/money.ts";

/** A record as read: fields by their names, fields of a related record under its field name with a dot at the end. */
export type TrytonRecord = Readonly<Record<string, unknown>>;

/** A response with a value that does not have its documented form. */
export class UnreadableValue extends Error {}

export function decimal(value: bigint, decimals: number): TrytonRecord {
  return { __class__: "Decimal", decimal: decimalText(value, decimals) };
}

/** Returns Tryton's date for `YYYY-MM-DD`. */
export function day(text: string): TrytonRecord {
  const [year, month, of_month] = text.split("-").map(Number);
  return { __class__: "date", year, month, day: of_month };
}

/** Returns Tryton's timestamp for a UTC time in ISO 8601. */
export function moment(text: string): TrytonRecord {
  const at = new Date(text);
  return {
    __class__: "datetime",
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: at.getUTCMilliseconds() * 1000,
  };
}

export function isRow(value: unknown): value is TrytonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function rowsFrom(value: unknown): readonly TrytonRecord[] {
  if (!Array.isArray(value) || !value.every(isRow)) throw new UnreadableValue("no list of records");
  return value;
}

export function idsFrom(value: unknown): readonly number[] {
  if (!Array.isArray(value) || !value.every(Number.isSafeInteger)) {
    throw new UnreadableValue("no list of ids");
  }
  return value;
}

/** Returns the record that a field points to, when other fields of it were requested; null when there is none. */
export function related(row: TrytonRecord, field: string): TrytonRecord | null {
  const value = row[`${field}.`];
  return isRow(value) ? value : null;
}

export function idOf(row: TrytonRecord, field = "id"): number {
  const value = row[field];
  if (!Number.isSafeInteger(value)) throw new UnreadableValue(`${field} is no id`);
  return value as number;
}

/** Returns a text; null for an empty value, for which Tryton sends null or an empty text. */
export function textOf(row: TrytonRecord, field: string): string | null {
  const value = row[field];
  return typeof value === "string" && value !== "" ? value : null;
}

export function dayOf(row: TrytonRecord, field: string): string | null {
  const value = row[field];
  if (!isRow(value)) return null;
  const parts = [value.year, value.month, value.day].map(Number);
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** Returns milliseconds since 1970; 0 for an empty value. */
export function momentOf(row: TrytonRecord, field: string): number {
  const at = row[field];
  if (!isRow(at)) return 0;
  const [year = 0, month = 1, ...rest] = ["year", "month", "day", "hour", "minute", "second"].map(
    (part) => Number(at[part]),
  );
  const [of_month, hour, minute, second] = rest;
  return (
    Date.UTC(year, month - 1, of_month, hour, minute, second) +
    Math.floor(Number(at.microsecond) / 1000)
  );
}

/** Returns a decimal as an integer of 10^-decimals; 0 for an empty value. */
export function amountOf(row: TrytonRecord, field: string, decimals: number): bigint {
  const value = row[field];
  if (value === null || value === undefined) return 0n;
  const text = isRow(value) ? value.decimal : String(value);
  const match = typeof text === "string" && /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(text);
  if (!match) throw new UnreadableValue(`${field} is no decimal`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const shift = decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  if (shift < 0 && size * 10n ** BigInt(-shift) !== digits) {
    throw new UnreadableValue(`${field} has more decimals than its currency`);
  }
  return sign === "-" ? -size : size;
}
