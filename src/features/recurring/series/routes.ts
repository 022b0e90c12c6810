/** The REST routes of recurring series. */
import { linesAt } from "../../../domain/series/series.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { envelope } from "../../../platform/database/page.ts";
import {
  createdText,
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { activateSeries } from "./activate.ts";
import { cancelSeries } from "./cancel.ts";
import { changeSeries, createSeries } from "./draft.ts";
import { addSeriesLine, changeSeriesLine, removeSeriesLine } from "./edit-line.ts";
import { readSeries } from "./list.ts";
import { requirePeriod } from "./periods.ts";
import { getSeries } from "./queries.ts";
import {
  ActivateBody,
  CancelBody,
  CancelledSeries,
  LineAdd,
  LineChange,
  LineRemoveQuery,
  LinesQuery,
  OccurrenceLine,
  SeriesCreate,
  SeriesLine,
  SeriesLineEdit,
  SeriesLineList,
  SeriesLineParams,
  SeriesList,
  SeriesQuery,
  SeriesResource,
  SeriesUpdate,
} from "./schemas.ts";
import { effectiveIndex, presentContent } from "./series.ts";

/** Returns the effective lines, or the lines of one period with its overrides; each with its permanent line_id. */
async function linesOf(cx: Reader, ref: string, period: string | undefined): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  const lines =
    period === undefined
      ? linesAt(series.lines, effectiveIndex(series), "effective")
      : linesAt(series.lines, requirePeriod(series, period).index);
  const shown = lines.map(({ line_id, content }) =>
    jsonText(
      SeriesLine.parse({
        object: "series_line",
        line_id,
        ...presentContent(content, series.currency),
      }),
    ),
  );
  return envelope(shown, null);
}

const editRefusals = [
  "NOT_FOUND",
  "MALFORMED_REQUEST",
  "SERIES_CANCELLED",
  "SERIES_HAS_NO_OPEN_OCCURRENCE",
  "OCCURRENCE_ALREADY_ISSUED",
  "OCCURRENCE_DROPPED",
  "INVOICE_ISSUE_IN_PROGRESS",
  "SERIES_TIMING_CONFLICT",
] as const;

/** The routes of series lines, in the order of the interface, which has the preview before them. */
export const seriesLineRoutes = routesOf("Recurring series", [
  defineRoute("GET /recurring-series/:ref/lines", {
    operation: "recurring_series.list_lines",
    summary: "List the effective lines, or those of one period",
    access: "read",
    params: RefParams,
    query: LinesQuery,
    replies: { 200: SeriesLineList },
    refuses: ["NOT_FOUND", "MALFORMED_REQUEST"],
    handle: (cx, { params, query }) => linesOf(cx, params.ref, query.period),
  }),

  defineRoute("POST /recurring-series/:ref/lines", {
    operation: "recurring_series.add_line",
    summary: "Add a line to one period, from a period on, or to all that are open",
    access: "write",
    params: RefParams,
    body: LineAdd,
    takes_back: { line: [SeriesLine, OccurrenceLine] },
    replies: { 201: SeriesLineEdit },
    refuses: [...editRefusals, "PRODUCT_INACTIVE"],
    async handle(cx, { params, body }) {
      return createdText(await run(addSeriesLine, cx, { ref: params.ref, edit: body }));
    },
  }),

  defineRoute("PATCH /recurring-series/:ref/lines/:line_id", {
    operation: "recurring_series.update_line",
    summary: "Change a line in one period, from a period on, or in all that are open",
    access: "write",
    params: SeriesLineParams,
    body: LineChange,
    takes_back: { line: [SeriesLine, OccurrenceLine] },
    replies: { 200: SeriesLineEdit },
    refuses: [...editRefusals, "PRODUCT_INACTIVE"],
    handle: (cx, { params, body }) => run(changeSeriesLine, cx, { ...params, edit: body }),
  }),

  defineRoute("DELETE /recurring-series/:ref/lines/:line_id", {
    operation: "recurring_series.remove_line",
    summary: "Remove a line from one period, from a period on, or from all that are open",
    access: "write",
    params: SeriesLineParams,
    query: LineRemoveQuery,
    replies: { 200: SeriesLineEdit },
    refuses: [...editRefusals, "LINE_HAS_REGISTRATIONS"],
    handle: (cx, { params, query }) => run(removeSeriesLine, cx, { ...params, ...query }),
  }),
]);

/** The routes of series, in the order of the interface. */
export const seriesRoutes = routesOf("Recurring series", [
  defineRead("GET /recurring-series", {
    operation: "recurring_series.list",
    summary: "List series, discarded ones included",
    query: SeriesQuery,
    csv_item: SeriesResource,
    replies: { 200: SeriesList },
    read: ({ query }) => readSeries(query),
  }),

  defineRoute("POST /recurring-series", {
    operation: "recurring_series.create",
    summary: "Create a draft series",
    description:
      "A repeat with the same `external_id` and content answers 200 with that series. From its start through a year from today its periods have at most 250,000 lines together; activation, changes of its dates and of its lines are also refused beyond that (`too_many`).",
    access: "write",
    body: SeriesCreate,
    replies: { 200: SeriesResource, 201: SeriesResource },
    refuses: [
      "EXTERNAL_ID_CONFLICT",
      "CUSTOMER_INACTIVE",
      "PRODUCT_INACTIVE",
      "SERIES_TIMING_CONFLICT",
    ],
    handle: async (cx, { body }) => savedText(await run(createSeries, cx, body)),
  }),

  defineGet("GET /recurring-series/:ref", {
    table: "recurring_series",
    operation: "recurring_series.get",
    summary: "Read a series with its effective lines",
    resource: SeriesResource,
  }),

  defineRoute("PATCH /recurring-series/:ref", {
    operation: "recurring_series.update",
    summary: "Change header fields",
    description:
      "Once a period is issued, customer, currency, frequency, start and alignment are fixed; sending the current value is not an error.",
    access: "write",
    params: RefParams,
    body: SeriesUpdate,
    replies: { 200: SeriesResource },
    refuses: [
      "NOT_FOUND",
      "SERIES_CANCELLED",
      "SERIES_FIELD_FROZEN",
      "SERIES_END_BEFORE_ISSUED",
      "FINAL_PERIOD_ALREADY_ISSUED",
      "OCCURRENCE_HAS_REGISTRATIONS",
      "SERIES_TIMING_CONFLICT",
      "CUSTOMER_INACTIVE",
    ],
    handle: (cx, { params, body }) => run(changeSeries, cx, { ref: params.ref, changes: body }),
  }),

  defineRoute("POST /recurring-series/:ref/activate", {
    operation: "recurring_series.activate",
    summary: "Activate a series: from now on the scheduler issues it",
    description:
      "The scheduler never issues periods that fell due before today: with `keep` they wait to be issued manually, with `skip` they are skipped. At most 1,000,000 lines of an account wait in periods that have begun; activation, changes of dates and lines, and `unskip` are refused beyond that (`too_many`).",
    access: "write",
    params: RefParams,
    body: ActivateBody,
    body_is_optional: true,
    replies: { 200: SeriesResource },
    refuses: ["NOT_FOUND", "SERIES_CANCELLED", "SERIES_ALREADY_ACTIVE", "SERIES_INCOMPLETE"],
    handle: (cx, { params, body }) => run(activateSeries, cx, { ...params, ...body }),
  }),

  defineRoute("POST /recurring-series/:ref/cancel", {
    operation: "recurring_series.cancel",
    summary:
      "Cancel a series: drops periods that are not issued, credits amounts invoiced beyond the end",
    access: "issue",
    params: RefParams,
    body: CancelBody,
    replies: { 200: CancelledSeries },
    refuses: ["NOT_FOUND", "SERIES_ALREADY_CANCELLED", "INVOICE_ISSUE_IN_PROGRESS"],
    handle: (cx, { params, body }) => run(cancelSeries, cx, { ref: params.ref, body }),
  }),
]);
