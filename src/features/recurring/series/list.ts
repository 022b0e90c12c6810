/** Lists series: stored texts are passed on unparsed, or with the additions that `include` asks for. */
import { timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import { findManySeries, seriesConditions } from "./queries.ts";
import type { SeriesInclude, SeriesQuery, SeriesResource, SeriesRow } from "./schemas.ts";
import { firstOpen, type Series } from "./series.ts";

/** Returns the read of a page of series, the newest first, with discarded ones. An unknown customer has no series. */
export function readSeries(page: SeriesQuery): StoredRead {
  const { include } = page;
  const additions =
    include &&
    ((cx: Reader, resources: readonly JsonText[]) => withIncluded(cx, resources, include));
  return readPage("recurring_series", seriesConditions(page), page, additions);
}

async function withIncluded(
  cx: Reader,
  resources: readonly JsonText[],
  include: readonly SeriesInclude[],
): Promise<JsonText[]> {
  const rows = resources.map((text) => JSON.parse(text) as SeriesResource);
  const customer_ids = rows.map(({ customer_id }) => customer_id);
  const customers = include.includes("customer")
    ? await customerLabels(cx, customer_ids)
    : undefined;
  const ids = rows.map(({ id }) => id);
  const complete = include.includes("next") ? await findManySeries(cx, ids) : undefined;
  return rows.map((one) => {
    const customer = customers?.get(one.customer_id);
    const row: SeriesRow = {
      ...one,
      ...(customer && { customer }),
      ...(complete && { next: nextOf(complete.get(one.id)) }),
    };
    return jsonText(row);
  });
}

function nextOf(series: Series | undefined): NonNullable<SeriesRow["next"]> | null {
  const period = series && firstOpen(series);
  if (series === undefined || period === undefined) return null;
  const { issue_date } = timesOf(period, series.timing);
  return { period: period.key, period_from: period.from, period_to: period.to, issue_date };
}
