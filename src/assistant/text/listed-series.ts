/** Presents series as rows of a list, with their next occurrence: as data and as a table. */
import * as z from "zod";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { upcomingOccurrences } from "../../features/recurring/occurrences/price-periods.ts";
import { occurrenceStates, SeriesResource } from "../../features/recurring/series/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { amountText, quoted, tableOf } from "../protocol/words.ts";
import { listedRow } from "./listed-row.ts";

/** A series with its customer, the occurrence that is invoiced next, which is null where there is none, and those apart from it. */
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
  apart: z
    .array(z.string())
    .describe("Not next, but left to a person, failed or skipped: `waits 2025-11`."),
});

export type ListedSeries = z.output<typeof ListedSeries>;

/** A row of a list of series. `issue_timing` is in it if the next invoice is issued by hand. */
export const SeriesRow = listedRow(
  ListedSeries.extend({
    issue_timing: ListedSeries.shape.issue_timing.optional(),
    next: z
      .object({ period: z.string(), issue_date: z.string(), net: z.number() })
      .optional()
      .describe("Absent where nothing is scheduled; net of VAT, as of now."),
  }),
  [
    "id",
    "status",
    "cancelled_at",
    "customer_name",
    "external_id",
    "frequency",
    "start_date",
    "end_date",
    "next",
    "issue_timing",
    "currency",
    "apart",
  ],
);

/** Returns the row of a series in a list. */
export function seriesRow(series: ListedSeries): Readonly<Record<string, unknown>> {
  const { next, issue_timing } = series;
  const shown = next && { period: next.period, issue_date: next.issue_date, net: next.net };
  const by_hand = next !== null && issue_timing.mode === "manual";
  return SeriesRow.of({ ...series, next: shown, issue_timing: by_hand ? issue_timing : null });
}

/** Returns series with the names of their customers and their next occurrences. */
export async function withNext(
  cx: PersonReader,
  series: readonly SeriesResource[],
): Promise<ListedSeries[]> {
  const ids = series.map((one) => one.id);
  const upcoming = await upcomingOccurrences(cx, ids);
  const customer_ids = series.map((one) => one.customer_id);
  const names = await customerNames(cx, customer_ids);
  return series.map(({ lines, ...one }) => ({
    ...one,
    line_count: lines.length,
    customer_name: names.get(one.customer_id) ?? "",
    next: (upcoming.get(one.id)?.next ?? null) as ListedSeries["next"],
    apart: [...(upcoming.get(one.id)?.apart ?? [])],
  }));
}

/** Returns a table of series; the column `apart` is there if a series has periods apart from its next one. */
export function seriesTable(series: readonly ListedSeries[], nothing: string): string {
  const has_apart = series.some(({ apart }) => apart.length > 0);
  return tableOf(series, nothing, {
    series: ({ id }) => id,
    status: ({ cancelled_at, status }) => (cancelled_at === null ? status : `${status}, cancelled`),
    customer: ({ customer_name }) => quoted(customer_name),
    "external id": ({ external_id }) => quoted(external_id),
    frequency: ({ frequency }) => frequency,
    runs: ({ start_date, end_date }) => `${start_date} to ${end_date ?? "open"}`,
    next: nextText,
    net: ({ next, currency }) => (next === null ? "-" : amountText(next.net, currency)),
    ...(has_apart && { apart: ({ apart }: ListedSeries) => apart.join(", ") || "-" }),
  });
}

function nextText({ next, apart, issue_timing }: ListedSeries): string {
  if (next === null) return apart.length === 0 ? "nothing left" : "nothing scheduled";
  const by_hand = issue_timing.mode === "manual" ? ", by hand" : "";
  return `${next.period} on ${next.issue_date}${by_hand}`;
}
