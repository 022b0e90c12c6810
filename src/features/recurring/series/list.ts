/** Lists series: stored texts are passed on unparsed, or with the additions that `include` asks for. */
import type { Reader } from "../../../platform/commands/context.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import { seriesConditions } from "./queries.ts";
import type { SeriesQuery, SeriesResource, SeriesRow } from "./schemas.ts";

/** Returns the read of a page of series, the newest first, with discarded ones. An unknown customer has no series. */
export function readSeries(page: SeriesQuery): StoredRead {
  const additions = page.include && withCustomers;
  return readPage("recurring_series", seriesConditions(page), page, additions);
}

async function withCustomers(cx: Reader, resources: readonly JsonText[]): Promise<JsonText[]> {
  const series = resources.map((text) => JSON.parse(text) as SeriesResource);
  const customer_ids = series.map(({ customer_id }) => customer_id);
  const customers = await customerLabels(cx, customer_ids);
  return series.map((one) => {
    const customer = customers.get(one.customer_id);
    const row: SeriesRow = { ...one, ...(customer && { customer }) };
    return jsonText(row);
  });
}
