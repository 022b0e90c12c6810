/** Finds the document of a line: an invoice, a series or a period. A line id without a row contains its origin. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findOccurrenceLines } from "../../recurring/series/find-line.ts";

export type LinePlace =
  | { readonly kind: "invoice"; readonly invoice_id: string }
  | { readonly kind: "occurrence"; readonly series_id: string; readonly period_index: number }
  /** The line of a series, for which the date decides the occurrence. */
  | { readonly kind: "series"; readonly series_id: string };

interface PlaceRow {
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly period_index: number | null;
}

/** Returns the invoice, series or period of a line by the line's id; undefined when the account has no such line. */
export async function findPlace(cx: Reader, line_id: string): Promise<LinePlace | undefined> {
  const [place] = (await findPlaces(cx, [line_id])).values();
  return place;
}

/** Returns `findPlace` of many lines, by id in lower case; ids that the account does not have are left out. */
export async function findPlaces(
  cx: Reader,
  line_ids: readonly string[],
): Promise<ReadonlyMap<string, LinePlace>> {
  const stored = await findStoredPlaces(cx, line_ids);
  const others = line_ids.filter((id) => !stored.has(id));
  if (others.length === 0) return stored;
  return new Map([...stored, ...(await findComputedPlaces(cx, others))]);
}

/** Returns the result of `findPlace`. All reads are asked for together, so that they may be one statement. */
export async function findPlaceAtOnce(cx: Reader, line_id: string): Promise<LinePlace | undefined> {
  const [stored, computed] = await Promise.all([
    findStoredPlaces(cx, [line_id]),
    findComputedPlaces(cx, [line_id]),
  ]);
  const [place] = [...stored.values(), ...computed.values()];
  return place;
}

/** Finds lines that have a row. */
async function findStoredPlaces(
  cx: Reader,
  line_ids: readonly string[],
): Promise<ReadonlyMap<string, LinePlace>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<PlaceRow & { readonly line_id: string }>(
    sql`select l.id as line_id, i.id as invoice_id, i.series_id, i.period_index from invoice_lines l
      join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
      where l.account_id = ${account_id} and l.id = any(${line_ids}::uuid[])
      union all
      select line_id, null, series_id, null from series_lines
      where account_id = ${account_id} and line_id = any(${line_ids}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.line_id, placeFrom(row)]));
}

/** Finds lines of periods by their computed ids. */
async function findComputedPlaces(
  cx: Reader,
  line_ids: readonly string[],
): Promise<ReadonlyMap<string, LinePlace>> {
  const found = await findOccurrenceLines(cx, line_ids);
  const placed = [...found].map(([line_id, { series_id, period }]): [string, LinePlace] => [
    line_id,
    { kind: "occurrence", series_id, period_index: period.index },
  ]);
  return new Map(placed);
}

/** Returns the invoice or period that the columns of a registration or invoice name. Throws for a row without either. */
export function placeFrom({ invoice_id, series_id, period_index }: PlaceRow): LinePlace {
  if (series_id !== null) {
    return period_index === null
      ? { kind: "series", series_id }
      : { kind: "occurrence", series_id, period_index };
  }
  if (invoice_id === null) throw new Error("a line is neither on an invoice nor in a series");
  return { kind: "invoice", invoice_id };
}
