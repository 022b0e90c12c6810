/** Finds the document of a line: an invoice, a series or a period. A line id without a row contains its origin. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findOccurrenceLine } from "../../recurring/series/find-line.ts";

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
  return (await findStoredPlace(cx, line_id)) ?? (await findComputedPlace(cx, line_id));
}

/** Returns the result of `findPlace`. All reads are asked for together, so that they may be one statement. */
export async function findPlaceAtOnce(cx: Reader, line_id: string): Promise<LinePlace | undefined> {
  const [stored, computed] = await Promise.all([
    findStoredPlace(cx, line_id),
    findComputedPlace(cx, line_id),
  ]);
  return stored ?? computed;
}

/** Finds a line that has a row. */
async function findStoredPlace(cx: Reader, line_id: string): Promise<LinePlace | undefined> {
  const { account_id } = cx.caller;
  const row = await cx.row<PlaceRow>(
    sql`select i.id as invoice_id, i.series_id, i.period_index from invoice_lines l
      join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
      where l.account_id = ${account_id} and l.id = ${line_id}
      union all
      select null, series_id, null from series_lines
      where account_id = ${account_id} and line_id = ${line_id}`,
  );
  return row && placeFrom(row);
}

/** Finds a line of a period by its computed id. */
async function findComputedPlace(cx: Reader, line_id: string): Promise<LinePlace | undefined> {
  const found = await findOccurrenceLine(cx, line_id);
  if (found === undefined) return undefined;
  const { series_id, period } = found;
  return { kind: "occurrence", series_id, period_index: period.index };
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
