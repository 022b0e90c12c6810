/** Presents series as rows of a list, with their next occurrence: as data and as a table. */
import * as z from "zod";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { nextOccurrences } from "../../features/recurring/occurrences/price-periods.ts";
import { occurrenceStates, SeriesResource } from "../../features/recurring/series/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { amountText, quoted, tableOf } from "../protocol/words.ts";

/** A series with its customer and its next occurrence, which is null where none is left. */
export const ListedSeries = SeriesResource.omit({ lines: true }).extend({
  line_count: z.int(),
  customer_name: z.string(),
  next: z
    .object({
      period: z.string(),
      period_from: z.string(),
      period_to: z.string(),
      issue_date: z.string(),
      status: z.enum(occurrenceStates),
      net: z.number().describe("Net of VAT, as of now."),
    })
    .nullable(),
});

export type ListedSeries = z.output<typeof ListedSeries>;

/** Returns series with the names of their customers and their next occurrences. */
export async function withNext(
  cx: PersonReader,
  series: readonly SeriesResource[],
): Promise<ListedSeries[]> {
  const ids = series.map((one) => one.id);
  const next = await nextOccurrences(cx, ids);
  const customer_ids = series.map((one) => one.customer_id);
  const names = await customerNames(cx, customer_ids);
  return series.map(({ lines, ...one }) => ({
    ...one,
    line_count: lines.length,
    customer_name: names.get(one.customer_id) ?? "",
    next: (next.get(one.id) ?? null) as ListedSeries["next"],
  }));
}

export function seriesTable(series: readonly ListedSeries[], nothing: string): string {
  return tableOf(series, nothing, {
    series: ({ id }) => id,
    status: ({ cancelled_at, status }) => (cancelled_at === null ? status : `${status}, cancelled`),
    customer: ({ customer_name }) => quoted(customer_name),
    "external id": ({ external_id }) => quoted(external_id),
    frequency: ({ frequency }) => frequency,
    runs: ({ start_date, end_date }) => `${start_date} to ${end_date ?? "open"}`,
    next: ({ next }) => (next === null ? "nothing left" : `${next.period} on ${next.issue_date}`),
    net: ({ next, currency }) => (next === null ? "-" : amountText(next.net, currency)),
  });
}
