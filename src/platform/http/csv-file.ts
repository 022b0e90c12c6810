/**
 * Files for accountants at separate paths such as `/invoices.csv`: flat, one item in each row. Names and order of the columns
 * never change; new columns are only added at the end. Amounts are exact decimals, made from integers. Rows are read and sent in
 * portions, so that memory use does not depend on the length of the file.
 */
import type * as z from "zod";
import { csvLine, guarded } from "../../domain/base/csv-text.ts";
import { decimalText } from "../../domain/base/money.ts";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { Context } from "../commands/context.ts";
import type { RowsOfPage } from "../database/page.ts";
import type { Heavy } from "./asked.ts";
import { CSV_TYPE } from "./csv.ts";
import { defineRoute, type RouteAnswer } from "./route.ts";

/** The number of rows in a portion. */
export const CSV_PORTION = 50;

/** A column of the file, with the function that returns its cell for a row. */
export interface CsvColumn<Row> {
  readonly name: string;
  /** For the documentation: the meaning and the unit of the column. */
  readonly says: string;
  readonly cell: (row: Row) => string;
}

/** A column of text that people typed, made safe for spreadsheets. */
export function text<Row>(
  name: string,
  says: string,
  of: (row: Row) => string | null | undefined,
): CsvColumn<Row> {
  return { name, says, cell: (row) => guarded(of(row) ?? "") };
}

/** A column of exact numbers, as decimal text or integers; empty where a row has no value. */
export function number<Row>(
  name: string,
  says: string,
  of: (row: Row) => `${number}` | bigint | number | null | undefined,
): CsvColumn<Row> {
  const cell = (row: Row): string => {
    const value = String(of(row) ?? "");
    if (!/^(-?\d+(\.\d+)?)?$/.test(value)) throw new Error(`${name} is no decimal: ${value}`);
    return value;
  };
  return { name, says, cell };
}

/** A column of `true` or `false`. */
export function flag<Row>(
  name: string,
  says: string,
  of: (row: Row) => boolean | null | undefined,
): CsvColumn<Row> {
  return { name, says, cell: (row) => String(of(row) ?? "") };
}

interface CsvFile<Row, Query> {
  /** The path below /api/v1, ending in `.csv`. */
  readonly path: `/${string}.csv`;
  readonly operation: string;
  readonly summary: string;
  /** What each row is, and which amounts add up to which; Markdown. */
  readonly description: string;
  readonly query: z.ZodType<Query>;
  readonly columns: readonly CsvColumn<Row>[];
  /** A row's cells by column, for the documentation; all other cells are empty. */
  readonly example: Readonly<Record<string, string>>;
  readonly refuses?: readonly ProblemCode[];
  /** Set for a file whose rows are computed. */
  readonly heavy?: Heavy;
  /** Returns the rows in portions. The first portion is awaited before the reply begins. */
  readonly rows: (cx: Context, query: Query) => AsyncIterable<readonly Row[]>;
}

/** Defines the route of a file. */
export function defineCsvFile<Row, Query>(file: CsvFile<Row, Query>) {
  const filename = file.path.split("/").filter(Boolean).join("-");
  return defineRoute(`GET ${file.path}`, {
    operation: file.operation,
    summary: file.summary,
    description: file.description,
    access: "read",
    query: file.query,
    replies: {
      200: {
        content_type: "text/csv",
        columns: file.columns,
        example: exampleOf(file),
      },
    },
    refuses: file.refuses ?? [],
    ...(file.heavy ? { heavy: file.heavy } : {}),
    async handle(cx, { query }): Promise<RouteAnswer> {
      const portions = file.rows(cx, query)[Symbol.asyncIterator]();
      // A refusal is sent in the error envelope, before the first byte of the file.
      const first = await portions.next();
      const lines = linesOf(file.columns, first, portions);
      return { status: 200, stream: { content_type: CSV_TYPE, filename, lines } };
    },
  });
}

/** Yields the rows of a list, page after page. */
export async function* portionsOf<Row>(
  read: (page: {
    readonly limit: number;
    readonly cursor: string | undefined;
  }) => Promise<RowsOfPage<Row>>,
  limit = CSV_PORTION,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  do {
    const { rows, next_cursor } = await read({ limit, cursor });
    yield rows;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Formats a price with `decimals`, but no trailing zeros beyond the currency's `least` decimals: `12.50`, `0.1234`. */
export function priceText(price: bigint, decimals: number, least: number): `${number}` {
  const text = decimalText(price, decimals);
  const [whole = "", fraction = ""] = text.split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
  return (kept === "" ? whole : `${whole}.${kept}`) as `${number}`;
}

/** Yields a header, then lines for each portion. */
async function* linesOf<Row>(
  columns: readonly CsvColumn<Row>[],
  first: IteratorResult<readonly Row[]>,
  portions: AsyncIterator<readonly Row[]>,
): AsyncGenerator<string> {
  try {
    yield csvLine(columns.map(({ name }) => name));
    for (let portion = first; !portion.done; portion = await portions.next()) {
      const lines = portion.value.map((row) => csvLine(columns.map(({ cell }) => cell(row))));
      if (lines.length > 0) yield lines.join("");
    }
  } finally {
    await portions.return?.();
  }
}

function exampleOf<Row, Query>({ columns, example }: CsvFile<Row, Query>): string {
  const strange = Object.keys(example).filter((name) => !columns.some((one) => one.name === name));
  if (strange.length > 0) throw new Error(`an example has no columns for ${strange.join(", ")}`);
  return [columns.map(({ name }) => name), columns.map(({ name }) => example[name] ?? "")]
    .map((cells) => csvLine(cells))
    .join("");
}
