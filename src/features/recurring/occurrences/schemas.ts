/** The requests and responses of occurrences, previews and scheduler runs. */
import * as z from "zod";
import { recognitionMethods } from "../../../domain/sales/line.ts";
import {
  component,
  Day,
  FirstDay,
  input,
  LastDay,
  listOf,
  manyOf,
  pageParameters,
  Ref,
  shownText,
  text,
  Warning,
} from "../../../platform/http/schemas.ts";
import { OccurrenceLine, occurrenceStates } from "../series/schemas.ts";

const occurrenceFields = {
  object: z.literal("occurrence"),
  series_id: z.string(),
  period: z.string(),
  period_from: z.string(),
  period_to: z.string(),
  issue_date: z.string(),
  is_final_partial: z.boolean(),
  status: z.enum(occurrenceStates),
  invoice_id: shownText,
} as const;

export const Occurrence = component("Occurrence", occurrenceFields);

export const OccurrenceList = listOf(Occurrence).meta({ id: "OccurrenceList" });

export const OccurrenceQuery = z.object({
  ...pageParameters,
  from: FirstDay.optional().describe("First day on which a period may start."),
  to: LastDay.optional().describe("Last day on which a period may start."),
  status: z.enum(occurrenceStates).optional(),
});

export type OccurrenceQuery = z.output<typeof OccurrenceQuery>;

/** An occurrence in a list of occurrences of several series. */
export const OccurrenceRow = component("OccurrenceRow", {
  ...occurrenceFields,
  customer_id: z.string(),
  currency: z.string(),
  net: z.number().meta({
    description:
      "As booked; otherwise the amount that an invoice would have now, by its lines and their hours.",
  }),
});

export const OccurrenceRowList = listOf(OccurrenceRow).meta({ id: "OccurrenceRowList" });

export const AllOccurrencesQuery = z.object({
  ...pageParameters,
  from: FirstDay.optional().describe("First day on which a period may start; default today."),
  to: LastDay.optional().describe(
    "Last day on which a period may start; default a year after `from`.",
  ),
  status: z.enum(occurrenceStates).optional().describe("Default all but `dropped`."),
  customer: Ref.optional(),
  series_status: z.enum(["draft", "active"]).optional().meta({
    description: "Only those of series in this status: a draft is not invoiced automatically.",
  }),
});

export type AllOccurrencesQuery = z.output<typeof AllOccurrencesQuery>;

export const OccurrenceLineList = listOf(OccurrenceLine).meta({ id: "OccurrenceLineList" });

export const ReasonBody = input("ReasonInput", { reason: text(500).nullable().optional() });

export const PreviewQuery = z.object({ until: Day });

export const Preview = component("SeriesPreview", {
  object: z.literal("series_preview"),
  series_id: z.string(),
  currency: z.string(),
  until: z.string(),
  occurrences: manyOf({
    period: z.string(),
    period_from: z.string(),
    period_to: z.string(),
    issue_date: z.string(),
    is_final_partial: z.boolean(),
    status: z.enum(occurrenceStates),
    net: z.number(),
    lines: manyOf({
      series_line_id: z.string(),
      description: z.string(),
      recognition_method: z.enum(recognitionMethods),
      amount: z.number(),
    }),
  }),
  warnings: z.array(Warning).describe("Of the first occurrence."),
});

export const SchedulerRun = component("SchedulerRun", {
  object: z.literal("scheduler_run"),
  started_at: z.string(),
  issued: manyOf({ series_id: z.string(), period: z.string(), invoice_id: z.string() }),
  skipped: manyOf({ series_id: z.string(), period: z.string(), reason: z.string() }),
  failed: manyOf({
    series_id: z.string(),
    period: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  credit_notes_issued: z.array(z.string()),
  credit_notes_failed: manyOf({ id: z.string(), code: z.string() }),
  reminded: z.int().describe("The number of reminders that were sent automatically."),
  remaining: z.int().meta({
    description:
      "Series that still have due occurrences, and queued credit notes that are due; the service continues with them.",
  }),
});

export type SchedulerRun = z.output<typeof SchedulerRun>;
