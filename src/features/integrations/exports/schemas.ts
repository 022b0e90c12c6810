/** The requests and responses of exports. */
import * as z from "zod";
import { component, listOf } from "../../../platform/http/schemas.ts";

export const exportFormats = ["ndjson", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const ExportResource = component("Export", {
  object: z.literal("export"),
  dataset: z.string().describe("Its name in the path."),
  description: z.string().describe("What each row is."),
  formats: z.array(z.enum(exportFormats)).describe("The values of `format`."),
  columns: z.array(z.string()).describe("Of the CSV, in their order. New ones come at the end."),
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
  "work_registrations",
] as const;
export type DatasetName = (typeof datasetNames)[number];

export const ExportParams = z.object({
  dataset: z.enum(datasetNames).describe("A name of `GET /exports`."),
});

export const ExportQuery = z.object({
  format: z.enum(exportFormats).default("ndjson").describe("The form of the file."),
});
