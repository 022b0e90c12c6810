/** Lists as CSV (RFC 4180), with the JSON fields as columns. The list is whole: spreadsheets do not follow cursors. */
import * as z from "zod";
import { csvLine, guarded } from "../../domain/base/csv-text.ts";
import type { JsonText } from "../runtime/json.ts";

/** A value of JSON in each line. */
export const LINES_TYPE = "application/x-ndjson";
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** The number of rows that are read together; clients do not see these pages. */
export const CSV_PAGE = 100;

/** Returns the item schema of a list reply; undefined when the reply is not a list. */
export function itemOfList(schema: unknown): z.ZodObject | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const { object, data } = schema.shape as Record<string, unknown>;
  const is_list = object instanceof z.ZodLiteral && object.value === "list";
  if (!is_list || !(data instanceof z.ZodArray)) return undefined;
  return data.element instanceof z.ZodObject ? data.element : undefined;
}

/** Whether the client prefers CSV to JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return prefers("text/csv", accept);
}

/** Whether the client prefers a media type to JSON. */
export function prefers(media_type: string, accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const entry of (accept ?? "").split(",")) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (Number.isFinite(weight)) weights.set(type, weight);
  }
  const wanted = weights.get(media_type) ?? 0;
  return wanted > 0 && wanted > (weights.get("application/json") ?? 0) - 1e-9;
}

interface ColumnField {
  /** Objects are flattened as `a.b`. */
  readonly name: string;
  /** Without what makes it optional. */
  readonly field: z.ZodType;
}

/** Returns the columns of a resource, in the order of its schema; objects are flattened as `a.b`. */
export function columnsOf(item: z.ZodObject): string[] {
  return fieldsOf(item).map(({ name }) => name);
}

/** Returns the columns of a resource with the fields that they show. */
export function fieldsOf(item: z.ZodObject, prefix = ""): ColumnField[] {
  return Object.entries(item.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    if (name === "object" && prefix === "") return [];
    const inner = unwrapped(field);
    const column = `${prefix}${name}`;
    return inner instanceof z.ZodObject
      ? fieldsOf(inner, `${column}.`)
      : [{ name: column, field: inner }];
  });
}

/** Yields CSV lines as the rows are read: the header, then a line for each resource of each page. */
export async function* csvLines(
  columns: readonly string[],
  pages: AsyncIterable<JsonText>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const page of pages) {
    const { data } = JSON.parse(page) as { readonly data: readonly unknown[] };
    const lines = csvOfResources(columns, data);
    if (lines !== "") yield lines;
  }
}

/** Returns a CSV line for each resource. */
export function csvOfResources(columns: readonly string[], resources: readonly unknown[]): string {
  let lines = "";
  for (const resource of resources) {
    lines += csvLine(columns.map((column) => textOf(valueAt(resource, column))));
  }
  return lines;
}

function unwrapped(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? unwrapped(field.unwrap() as z.ZodType)
    : field;
}

/** Returns the value of a column; undefined where an object on its way is absent. */
export function valueAt(resource: unknown, column: string): unknown {
  return column
    .split(".")
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      resource,
    );
}

/** Returns the text of a cell; lists and nested objects become JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return guarded(typeof value === "string" ? value : JSON.stringify(value));
}
