/** The response of the preview of a credit note; the request has the body that creates a credit note. */
import * as z from "zod";
import { component, manyOf } from "../../../platform/http/schemas.ts";
import { Totals } from "../../documents/issued/schemas.ts";

const months = manyOf({
  month: z.string(),
  earned_before: z.number(),
  earned_after: z.number(),
  invoiced_before: z.number(),
  invoiced_after: z.number(),
});

export const CreditPreview = component("CreditNotePreview", {
  object: z.literal("credit_note_preview"),
  invoice_id: z.string(),
  kind: z.enum(["full", "partial"]),
  credit_date: z.string(),
  reason: z.string().optional().describe("As sent; printed under the lines."),
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  gross: z.number(),
  vat_breakdown: Totals.shape.vat_breakdown,
  lines: manyOf({
    invoice_line_id: z.string(),
    amount: z.number(),
    remainder: z.number().describe("The remaining amount of the line after it."),
    months,
  }),
  months: months.describe("All lines together, in the invoice's currency."),
  warnings: Totals.shape.warnings,
});
