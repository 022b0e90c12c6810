/** The requests and responses of series and occurrences (spec 4). */

import * as z from "zod";
import { type LineInput, lineFaults } from "../../../domain/sales/line.ts";
import { alignments, frequencies, timingModes } from "../../../domain/series/period.ts";
import { scopes, seriesLineFaults } from "../../../domain/series/series.ts";
import {
  addFault,
  addFaults,
  Currency,
  component,
  Day,
  ExternalId,
  externalIdFilter,
  includeFilter,
  input,
  listOf,
  manyOf,
  pageParameters,
  Ref,
  searchFilter,
  shownText,
  text,
  Uuid,
  updatedSince,
} from "../../../platform/http/schemas.ts";
import { forms, withForm } from "../../../platform/http/written-forms.ts";
import { CustomerOfRow } from "../../catalogue/customers/schemas.ts";
import {
  InvoiceLineInput,
  MOST_LINES,
  printedInput,
  printedShown,
  shownLine,
} from "../../sales/invoices/schemas.ts";

const MOST_OFFSET = 60;

export const SeriesLineInput = InvoiceLineInput.omit({ id: true }).meta({ id: "SeriesLineInput" });

export type SeriesLineInput = z.output<typeof SeriesLineInput>;

const Lines = z
  .array(SeriesLineInput)
  .max(MOST_LINES)
  .superRefine((lines, check) => {
    // The path of the error is already at `lines` here.
    const nameOf = (index: number) => `[${index}]`;
    addFaults(check, lineFaults(lines as LineInput[], nameOf));
    for (const [index, line] of lines.entries()) {
      addFaults(check, seriesLineFaults(line, nameOf(index)));
    }
  });

const TimingInput = z
  .object({
    mode: z.enum(timingModes),
    offset_days: z.int().min(-MOST_OFFSET).max(MOST_OFFSET).optional().meta({
      description:
        "Days after the period's start or end; default 0. At least 0 after the end; 0 for manual.",
    }),
  })
  .superRefine(({ mode, offset_days = 0 }, check) => {
    if (mode === "end-of-period" && offset_days < 0) {
      const message = "An invoice at the end of a period cannot be dated before that end.";
      addFault(check, "offset_days", "too_small", message);
    }
    if (mode === "manual" && offset_days !== 0) {
      addFault(check, "offset_days", "not_allowed", "Manual timing has no offset.");
    }
  })
  .meta({ id: "IssueTimingInput" });

const header = {
  customer_id: Uuid,
  currency: Currency.optional().describe(
    "Default: the customer's preferred currency, otherwise the functional one. A change converts nothing: prices that were sent remain, those of products become their prices in the new currency, or are required.",
  ),
  frequency: z.enum(frequencies),
  start_date: Day,
  end_date: Day.nullable().optional().describe("Last day of service."),
  issue_timing: TimingInput.optional().describe("Default: start-of-period."),
  alignment: z.enum(alignments).optional().describe("Default: anniversary."),
  auto_send: z.boolean().nullable().optional(),
  ...printedInput,
};

function endsAfterStart(
  series: { start_date?: string | undefined; end_date?: string | null | undefined },
  check: z.RefinementCtx,
): void {
  if (!series.start_date || !series.end_date || series.start_date <= series.end_date) return;
  addFault(check, "end_date", "too_small", "The series ends before it starts.");
}

export const SeriesCreate = z
  .object({
    ...header,
    currency: header.currency.nullable(),
    external_id: ExternalId.nullable().optional(),
    lines: Lines.default([]),
  })
  .superRefine(endsAfterStart)
  .meta({ id: "RecurringSeriesCreate" });

export type SeriesCreate = z.output<typeof SeriesCreate>;

export const SeriesUpdate = z
  .object({
    ...header,
    customer_id: header.customer_id.optional(),
    frequency: header.frequency.optional(),
    start_date: header.start_date.optional(),
  })
  .superRefine(endsAfterStart)
  .meta({ id: "RecurringSeriesUpdate" });

export type SeriesUpdate = z.output<typeof SeriesUpdate>;

const shownSeriesLine = { ...shownLine, budget_hours: z.number().optional() };

const seriesFields = {
  object: z.literal("recurring_series"),
  id: z.string(),
  external_id: shownText,
  customer_id: z.string(),
  currency: z.string(),
  frequency: z.enum(frequencies),
  start_date: z.string(),
  end_date: shownText,
  issue_timing: z.strictObject({ mode: z.enum(timingModes), offset_days: z.int().optional() }),
  status: z.enum(["draft", "active"]),
  cancelled_at: shownText,
  lines: manyOf(shownSeriesLine),
  alignment: z.enum(alignments).optional(),
  auto_send: z.boolean().optional(),
  ...printedShown,
};

export const SeriesResource = component("RecurringSeries", seriesFields);

export type SeriesResource = z.output<typeof SeriesResource>;

const includes = ["customer", "next"] as const;
export type SeriesInclude = (typeof includes)[number];

/** A series as a list shows it, with the additions that `include` asks for. */
export const SeriesRow = component("RecurringSeriesRow", {
  ...seriesFields,
  customer: CustomerOfRow.optional().describe("With `include=customer`."),
  next: z
    .strictObject({
      period: z.string(),
      period_from: z.string(),
      period_to: z.string(),
      issue_date: z.string().describe("The date that its invoice gets."),
    })
    .nullable()
    .optional()
    .describe(
      "The first period that is neither issued, skipped nor dropped; null if there is none. With `include=next`.",
    ),
});

export type SeriesRow = z.output<typeof SeriesRow>;

export const SeriesList = listOf(SeriesRow).meta({ id: "RecurringSeriesList" });

export const SeriesQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  customer: Ref.optional(),
  status: z.enum(["draft", "active"]).optional(),
  updated_since: updatedSince,
  search: searchFilter("external id or the customer's name"),
  include: includeFilter(includes, "Adds to each row: `customer`, `next` (the next period)."),
});

export type SeriesQuery = z.output<typeof SeriesQuery>;

export const ActivateBody = input("ActivateInput", {
  past_periods: z
    .enum(["keep", "skip"])
    .default("keep")
    .describe("`skip` marks every period that ended before today as skipped."),
});

export const CancelBody = input("CancelInput", {
  end_date: Day.optional().describe("Last day of service; default today."),
  credit: z.enum(["prorated", "none"]).default("prorated"),
  reason: text(500).nullable().optional(),
});

export type CancelBody = z.output<typeof CancelBody>;

export const CancelledSeries = component("CancelledSeries", {
  ...seriesFields,
  discarded: z.boolean(),
  credit_notes: manyOf({
    id: z.string(),
    invoice_id: z.string(),
    kind: z.enum(["full", "partial"]),
    amount: z.number(),
    status: z.string(),
  }),
  dropped_occurrences: manyOf({
    period: z.string(),
    period_from: z.string(),
    period_to: z.string(),
    work_registrations: z.int(),
  }),
});

export type CancelledSeries = z.output<typeof CancelledSeries>;

export const SeriesLine = component("SeriesLine", {
  object: z.literal("series_line"),
  line_id: z.string(),
  ...shownSeriesLine,
});

export const SeriesLineList = listOf(SeriesLine).meta({ id: "SeriesLineList" });

export const SeriesLineEdit = component("SeriesLineEdit", {
  object: z.literal("series_line_edit"),
  line_id: z.string(),
  line_kind: z.enum(["series", "occurrence"]),
  scope: z.enum(scopes),
  period: z.string(),
});

export type SeriesLineEdit = z.output<typeof SeriesLineEdit>;

/** A period as text. The form of the text is checked against the series, which decides the allowed forms. */
const PeriodText = withForm(text(32, 1), forms.period);

export const LineAdd = z
  .object({ scope: z.enum(scopes), line: SeriesLineInput, period: PeriodText.optional() })
  .superRefine(({ line }, check) => {
    addFaults(
      check,
      lineFaults([line as LineInput], () => "line"),
    );
    addFaults(check, seriesLineFaults(line, "line"));
  })
  .meta({ id: "SeriesLineAdd" });

export type LineAdd = z.output<typeof LineAdd>;

export const LineChange = input("SeriesLineChange", {
  scope: z.enum(scopes),
  line: SeriesLineInput.partial(),
  period: PeriodText.optional(),
});

export type LineChange = z.output<typeof LineChange>;

export const LineRemoveQuery = z.object({ scope: z.enum(scopes), period: PeriodText.optional() });

export const LinesQuery = z.object({ period: PeriodText.optional() });

export const SeriesLineParams = z.object({ ref: Ref, line_id: Uuid });

export const PeriodParams = z.object({ ref: Ref, period: PeriodText });

export const occurrenceStates = ["scheduled", "issued", "failed", "skipped", "dropped"] as const;

export type OccurrenceState = (typeof occurrenceStates)[number];

export const OccurrenceLine = component("OccurrenceLine", {
  object: z.literal("occurrence_line"),
  id: z.string(),
  series_line_id: z.string(),
  ...shownSeriesLine,
  amount: z.number(),
});
