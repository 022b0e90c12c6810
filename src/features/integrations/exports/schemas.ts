/** The requests and responses of exports, and the rows of their files. */
import * as z from "zod";
import type { Month } from "../../../domain/base/calendar.ts";
import type { Reads } from "../../../platform/database/database.ts";
import {
  addFault,
  component,
  listOf,
  MonthOfTime,
  queryInteger,
} from "../../../platform/http/schemas.ts";

export const exportFormats = ["ndjson", "csv", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const ExportResource = component("Export", {
  object: z.literal("export"),
  dataset: z.string().describe("Its name in the path."),
  description: z.string().describe("What each row is."),
  formats: z.array(z.enum(exportFormats)).describe("The values of `format`."),
  filters: z.array(z.enum(["from", "to", "after"])).describe("The parameters that select rows."),
  columns: z
    .array(z.string())
    .describe(
      "In their order. New ones come at the end. In Parquet, `.` is `_`, and amounts end in `_minor`.",
    ),
});

export const ExportList = listOf(ExportResource).meta({ id: "ExportList" });

const datasetNames = [
  "customers",
  "products",
  "users",
  "invoices",
  "invoice_lines",
  "credit_notes",
  "credit_note_lines",
  "recurring_series",
  "occurrences",
  "opening_contracts",
  "work_registrations",
  "accruals",
  "ledger_entries",
  "ledger_postings",
  "revenue",
] as const;
export type DatasetName = (typeof datasetNames)[number];

export const ExportParams = z.object({
  dataset: z.enum(datasetNames).describe("A name of `GET /exports`."),
});

export const ExportQuery = z
  .object({
    format: z.enum(exportFormats).default("ndjson").describe("The form of the file."),
    from: MonthOfTime.optional().describe(
      "First month, of datasets with this filter. `revenue` without it: 36 months through `to`.",
    ),
    to: MonthOfTime.optional().describe(
      "Last month, of datasets with this filter. `revenue` without it: 36 months from `from`, or through the current month.",
    ),
    after: queryInteger(0, 999_999_999_999_999)
      .optional()
      .describe(
        "Only rows that changed after this sequence of the feed, with `_sequence`; what is gone is `_deleted`. Of datasets with this filter.",
      ),
  })
  .superRefine(({ from, to, after }, check) => {
    if (after !== undefined && (from ?? to) !== undefined) {
      addFault(check, "after", "not_allowed", "Either months or `after`.");
    }
    if (from === undefined || to === undefined || from <= to) return;
    addFault(check, "to", "too_small", "The last month is before the first.");
  });
export type ExportQuery = z.output<typeof ExportQuery>;

/** A row as the API shows it. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** The months of rows, both included; null where the range is open. */
export interface MonthRange {
  readonly from: Month | null;
  readonly to: Month | null;
}

/** Leaves work for when the file is sent and its snapshot closed. */
export type Later = (work: (primary: Reads) => Promise<void>) => void;
