/** The REST routes of previews, occurrences and runs of the scheduler. */

import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { issueRefusals } from "../../ledger/booking/refusals.ts";
import { IssuedInvoice } from "../../sales/invoices/schemas.ts";
import { PeriodParams } from "../series/schemas.ts";
import { issueOccurrence } from "./issue-occurrence.ts";
import { listAllOccurrences } from "./list-all.ts";
import { previewSeries } from "./preview-series.ts";
import { listOccurrences, readOccurrence, readOccurrenceLines } from "./queries.ts";
import { runScheduler } from "./run-scheduler.ts";
import {
  AllOccurrencesQuery,
  Occurrence,
  OccurrenceLineList,
  OccurrenceList,
  OccurrenceQuery,
  OccurrenceRowList,
  Preview,
  PreviewQuery,
  ReasonBody,
  SchedulerRun,
} from "./schemas.ts";
import { skipOccurrence, unskipOccurrence } from "./skip.ts";

/** The time limit for the response to a scheduler run; the service continues with the rest (spec 4.7). */
const RUN_MS = 15_000;

export const schedulerRoutes = routesOf("Recurring series", [
  defineRoute("POST /scheduler-runs", {
    operation: "scheduler_runs.create",
    summary: "Issue all due occurrences now",
    description:
      "The service does this automatically every hour. Answers within 20 seconds; the service continues with `remaining`.",
    access: "issue",
    heavy: { field: "today", narrow: "Repeat the call: it continues where it stopped." },
    replies: { 201: SchedulerRun },
    async handle(cx) {
      // A run consists of many commands, each of which is safe to repeat.
      return { status: 201, json: await runScheduler({ ...cx, once: null }, RUN_MS) };
    },
  }),
]);

/** The route of the preview, separate so that the document lists it in interface order among the routes of series. */
export const previewRoutes = routesOf("Recurring series", [
  defineRoute("GET /recurring-series/:ref/preview", {
    operation: "recurring_series.preview",
    summary: "Preview the invoices until a day, with amounts; nothing is stored",
    description:
      "At most 1,000 periods and 50,000 lines in them; beyond that, the refusal names the last possible day.",
    access: "read",
    heavy: { field: "until", narrow: "Request an earlier day." },
    params: RefParams,
    query: PreviewQuery,
    replies: { 200: Preview },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, query }) => previewSeries(cx, params.ref, query.until),
  }),
]);

/** The route that lists occurrences of all series. The document lists it after the routes of one series. */
export const allOccurrenceRoutes = routesOf("Recurring series", [
  defineRoute("GET /occurrences", {
    operation: "occurrences.list",
    summary: "List the occurrences of all series by the first day of their periods",
    description:
      "With the net amount as booked, or as of now. The next invoices: `status=scheduled&series_status=active`.",
    access: "read",
    query: AllOccurrencesQuery,
    replies: { 200: OccurrenceRowList },
    handle: (cx, { query }) => listAllOccurrences(cx, query),
  }),
]);

/** The routes of occurrences, in the order of the interface; scheduler runs come after them. */
export const occurrenceRoutes = routesOf("Recurring series", [
  defineRoute("GET /recurring-series/:ref/occurrences", {
    operation: "recurring_series.list_occurrences",
    summary: "List occurrences by period, ascending",
    access: "read",
    params: RefParams,
    query: OccurrenceQuery,
    replies: { 200: OccurrenceList },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, query }) => listOccurrences(cx, params.ref, query),
  }),

  defineRoute("GET /recurring-series/:ref/occurrences/:period", {
    operation: "recurring_series.get_occurrence",
    summary: "Read an occurrence",
    access: "read",
    params: PeriodParams,
    replies: { 200: Occurrence },
    refuses: ["NOT_FOUND", "MALFORMED_REQUEST"],
    handle: (cx, { params }) => readOccurrence(cx, params.ref, params.period),
  }),

  defineRoute("GET /recurring-series/:ref/occurrences/:period/lines", {
    operation: "recurring_series.list_occurrence_lines",
    summary: "List the lines of an occurrence with their amounts",
    access: "read",
    params: PeriodParams,
    replies: { 200: OccurrenceLineList },
    refuses: ["NOT_FOUND", "MALFORMED_REQUEST"],
    handle: (cx, { params }) => readOccurrenceLines(cx, params.ref, params.period),
  }),

  defineRoute("POST /recurring-series/:ref/occurrences/:period/issue", {
    operation: "recurring_series.issue_occurrence",
    summary: "Create the period's invoice, book it, and send it if `auto_send` is set",
    description: "Periods may be issued in any order and ahead of time; each has one invoice.",
    access: "issue",
    params: PeriodParams,
    replies: { 200: IssuedInvoice },
    refuses: [
      "NOT_FOUND",
      "MALFORMED_REQUEST",
      "SERIES_CANCELLED",
      "OCCURRENCE_DROPPED",
      ...issueRefusals,
    ],
    handle: (cx, { params }) => run(issueOccurrence, cx, params),
  }),

  ...(["skip", "unskip"] as const).map((verb) =>
    defineRoute(`POST /recurring-series/:ref/occurrences/:period/${verb}`, {
      operation: `recurring_series.${verb}_occurrence`,
      summary: verb === "skip" ? "Skip an occurrence" : "Undo the skip of an occurrence",
      access: "write",
      params: PeriodParams,
      body: ReasonBody,
      body_is_optional: true,
      replies: { 200: Occurrence },
      refuses:
        verb === "skip"
          ? [
              "NOT_FOUND",
              "MALFORMED_REQUEST",
              "SERIES_CANCELLED",
              "OCCURRENCE_ALREADY_ISSUED",
              "OCCURRENCE_DROPPED",
              "INVOICE_ISSUE_IN_PROGRESS",
              "OCCURRENCE_HAS_REGISTRATIONS",
            ]
          : ["NOT_FOUND", "MALFORMED_REQUEST", "OCCURRENCE_NOT_SKIPPED"],
      async handle(cx, { params, body }) {
        const command = verb === "skip" ? skipOccurrence : unskipOccurrence;
        return run(command, cx, { ...params, reason: body.reason });
      },
    }),
  ),
]);
