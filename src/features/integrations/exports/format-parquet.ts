/**
 * Writes rows as Parquet. Amounts are whole minor units in columns `…_minor`, other decimals exact DECIMALs, days DATE, and moments
 * TIMESTAMP in UTC; objects are flattened as `a_b`, and lists are JSON. Every column may be null.
 */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import * as z from "zod";
import { type CalendarDate, calendarDate, daysBetween } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import {
  RATE_DECIMALS as EXCHANGE_DECIMALS,
  scaledFromNumber,
} from "../../../domain/base/money.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import { fieldsOf, valueAt } from "../../../platform/http/csv.ts";
import type { ExportRow } from "./schemas.ts";

export const PARQUET_TYPE = "application/vnd.apache.parquet";

/** The number of rows in a group, which are in memory together. */
const GROUP_ROWS = 50_000;

/** A large group is handed out in chunks, so that a slow client still takes one within the time. */
const CHUNK_BYTES = 256 * 1024;

interface ParquetColumn {
  readonly name: string;
  readonly type: Omit<SchemaElement, "name" | "repetition_type">;
  cellOf(row: ExportRow): unknown;
}

/** Yields the file of rows: a group of rows at a time, then the list of all groups. */
export async function* parquetOf(
  columns: readonly ParquetColumn[],
  portions: AsyncIterable<readonly ExportRow[]>,
  group_rows = GROUP_ROWS,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    createdBy: "matchbook",
    schema: [
      { name: "root", num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: "OPTIONAL" as const, ...type })),
    ],
  });
  let group = columns.map((): unknown[] => []);
  let length = 0;
  const write = (): void => {
    const columnData = columns.map(({ name }, at) => ({ name, data: group[at] ?? [] }));
    file.write({ columnData, rowGroupSize: group_rows });
    group = columns.map(() => []);
    length = 0;
  };
  for await (const rows of portions) {
    for (const row of rows) {
      for (const [at, { cellOf }] of columns.entries()) group[at]?.push(cellOf(row));
      length += 1;
      if (length < group_rows) continue;
      write();
      yield* taken(writer);
    }
  }
  if (length > 0) write();
  file.finish();
  yield* taken(writer);
}

/** Yields what has been written, and empties the writer. */
function* taken(writer: ByteWriter): Generator<Uint8Array> {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

/** The fields that hold the currency of each amount. */
const AMOUNTS: Readonly<Record<string, "currency" | "functional_currency">> = {
  agreed_value: "currency",
  amount: "currency",
  contract_asset: "currency",
  contract_liability: "currency",
  credit: "functional_currency",
  currency_amount: "currency",
  debit: "functional_currency",
  earned: "currency",
  invoiced: "currency",
  net: "currency",
};

/** Decimals of numbers that are no amounts. Prices may have more of them than their currency. */
const DECIMALS: Readonly<Record<string, number>> = {
  budget_hours: HOURS_DECIMALS,
  default_price: RATE_DECIMALS,
  discount: PERCENT_DECIMALS,
  hourly_rate: RATE_DECIMALS,
  hours: HOURS_DECIMALS,
  quantity: 2,
  rate: EXCHANGE_DECIMALS,
};

/** Of a DECIMAL in 8 bytes. */
const MOST_DIGITS = 18;

const DAY = /^date$|^cutover$|_(?:date|on)$|^(?:period|service)_(?:from|to)$/;
const MOMENT = /_at$/;
const EPOCH = "1970-01-01" as CalendarDate;

/** Returns the columns of a row. Throws for a number whose decimals are not known here. */
export function parquetColumnsOf(row: z.ZodObject): readonly ParquetColumn[] {
  return fieldsOf(row).map(({ name: path, field }) => columnOf(path, field));
}

function columnOf(path: string, field: z.ZodType): ParquetColumn {
  const name = path.replaceAll(".", "_");
  const column = (
    type: ParquetColumn["type"],
    read: (value: never, row: ExportRow) => unknown,
    as = name,
  ): ParquetColumn => ({
    name: as,
    type,
    cellOf(row) {
      const value = valueAt(row, path) ?? null;
      return value === null ? null : read(value as never, row);
    },
  });
  if (field instanceof z.ZodBoolean || field instanceof z.ZodLiteral) {
    const is_flag = field instanceof z.ZodBoolean || typeof field.value === "boolean";
    return is_flag ? column({ type: "BOOLEAN" }, (value) => value) : column(TEXT, (text) => text);
  }
  if (field instanceof z.ZodNumberFormat) return column({ type: "INT64" }, BigInt);
  if (field instanceof z.ZodNumber) {
    const currency = AMOUNTS[path];
    if (currency !== undefined) {
      const read = (value: number, row: ExportRow): bigint =>
        scaled(value, currencyDigits(String(row[currency])));
      return column({ type: "INT64" }, read, `${name}_minor`);
    }
    const scale = DECIMALS[path];
    if (scale === undefined) throw new Error(`${path}: is it an amount, or how many decimals?`);
    const type = {
      type: "INT64",
      converted_type: "DECIMAL",
      precision: MOST_DIGITS,
      scale,
    } as const;
    return column(type, (value: number) => scaled(value, scale));
  }
  if (field instanceof z.ZodString || field instanceof z.ZodEnum) {
    if (DAY.test(path)) return column({ type: "INT32", converted_type: "DATE" }, dayOf);
    if (!MOMENT.test(path)) return column(TEXT, (text) => text);
    return column({ type: "INT64", converted_type: "TIMESTAMP_MICROS" }, microsOf);
  }
  return column({ type: "BYTE_ARRAY", converted_type: "JSON" }, (value) => value);
}

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

/** Returns a JSON number in units of its last decimal. Throws for one with more decimals. */
function scaled(value: number, decimals: number): bigint {
  const units = scaledFromNumber(value, decimals);
  if (typeof units === "string") throw new Error(`${value} is ${units}`);
  return units;
}

/** Returns the days since 1970. */
function dayOf(text: string): number {
  const day = calendarDate(text);
  if (day === undefined) throw new Error(`${text} is no day`);
  // Both ends of a range count.
  return daysBetween(EPOCH, day) - 1;
}

/** Returns the microseconds since 1970 of a moment in UTC, with as many decimals of its seconds as it has. */
function microsOf(text: string): bigint {
  const [, seconds, fraction = ""] = /^([^.]+?)(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds}Z`);
  if (Number.isNaN(milliseconds)) throw new Error(`${text} is no moment in UTC`);
  return BigInt(milliseconds) * 1_000n + BigInt(fraction.padEnd(6, "0"));
}
