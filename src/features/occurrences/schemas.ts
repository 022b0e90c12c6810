/** What clients send and get about occurrences, previews and runs of the scheduler. */
import * as z from "zod";
import { recognitionMethods } from "../../domain/sales/line.ts";
import {
  Day,
  FirstDay,
  LastDay,
  listOf,
  pageParameters,
  text,
  Warning,
} from "../../platform/http/schemas.ts";
import { OccurrenceLine, occurrenceStates } from "../series/schemas.ts";

export const Occurrence = z
  .strictObject({
    object: z.literal("occurrence"),
    series_id: z.string(),
    period: z.string(),
    period_from: z.string(),
    period_to: z.string(),
    issue_date: z.string(),
    is_final_partial: z.boolean(),
    status: z.enum(occurrenceStates),
    invoice_id: z.string().nullable(),
  })
  .meta({ id: "Occurrence" });

export const OccurrenceList = listOf(Occurrence).meta({ id: "OccurrenceList" });

export const OccurrenceQuery = z.object({
  ...pageParameters,
  from: FirstDay.optional().meta({ description: "First day on which a period may start." }),
  to: LastDay.optional().meta({ description: "Last day on which a period may start." }),
  status: z.enum(occurrenceStates).optional(),
});

export type OccurrenceQuery = z.output<typeof OccurrenceQuery>;

export const OccurrenceLineList = listOf(OccurrenceLine).meta({ id: "OccurrenceLineList" });

export const ReasonBody = z
  .object({ reason: text(500).nullable().optional() })
  .meta({ id: "ReasonInput" });

export const PreviewQuery = z.object({ until: Day });

export const Preview = z
  .strictObject({
    object: z.literal("series_preview"),
    series_id: z.string(),
    currency: z.string(),
    until: z.string(),
    occurrences: z.array(
      z.strictObject({
        period: z.string(),
        period_from: z.string(),
        period_to: z.string(),
        issue_date: z.string(),
        is_final_partial: z.boolean(),
        status: z.enum(occurrenceStates),
        net: z.number(),
        lines: z.array(
          z.strictObject({
            series_line_id: z.string(),
            description: z.string(),
            recognition_method: z.enum(recognitionMethods),
            amount: z.number(),
          }),
        ),
      }),
    ),
    warnings: z.array(Warning).meta({ description: "Of the first occurrence." }),
  })
  .meta({ id: "SeriesPreview" });

export const SchedulerRun = z
  .strictObject({
    object: z.literal("scheduler_run"),
    started_at: z.string(),
    issued: z.array(
      z.strictObject({ series_id: z.string(), period: z.string(), invoice_id: z.string() }),
    ),
    skipped: z.array(
      z.strictObject({ series_id: z.string(), period: z.string(), reason: z.string() }),
    ),
    failed: z.array(
      z.strictObject({
        series_id: z.string(),
        period: z.string(),
        code: z.string(),
        message: z.string(),
      }),
    ),
    credit_notes_issued: z.array(z.string()),
    credit_notes_failed: z.array(z.strictObject({ id: z.string(), code: z.string() })),
    remaining: z.int().meta({
      description: "Series that still have something due; the service goes on with them.",
    }),
  })
  .meta({ id: "SchedulerRun" });

export type SchedulerRun = z.output<typeof SchedulerRun>;
