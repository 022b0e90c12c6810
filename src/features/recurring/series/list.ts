/** The list of series: stored texts are passed on unparsed, or with the additions that `include` asks for. */
import type { Reader } from "../../../platform/commands/context.ts";
import { envelope, listDocuments, listStored } from "../../../platform/database/page.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import { conditionsOfSeries, seriesConditions } from "./queries.ts";
import type { SeriesQuery, SeriesResource, SeriesRow } from "./schemas.ts";

/** A page of series from the newest to the oldest, including discarded ones. An unknown customer has none. */
export async function listSeries(cx: Reader, page: SeriesQuery): Promise<JsonText> {
  const conditions = await seriesConditions(cx, page);
  if (page.include === undefined) {
    return listDocuments(cx, "recurring_series", conditions, page);
  }
  const stored = await listStored(cx, "recurring_series", conditions, page);
  const series = stored.rows.map((row) => JSON.parse(row.document) as SeriesResource);
  const customer_ids = series.map(({ customer_id }) => customer_id);
  const customers = await customerLabels(cx, customer_ids);
  const rows = series.map((one): SeriesRow => {
    const customer = customers.get(one.customer_id);
    return { ...one, ...(customer && { customer }) };
  });
  return envelope(rows.map(jsonText), stored.next_cursor);
}

/** The same list as a single read; undefined when the page needs more than one read. */
export function readSeries(page: SeriesQuery): StoredRead | undefined {
  if (page.include !== undefined || page.customer !== undefined) return undefined;
  return readPage("recurring_series", conditionsOfSeries(page), page);
}
