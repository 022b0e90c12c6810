/** What clients send and get of period closes (domain.md 3.10). */
import * as z from "zod";
import { listOf } from "../../platform/http/schemas.ts";
import { MonthText } from "./schemas.ts";

export const CloseBody = z
  .object({
    month: MonthText,
    lock: z.boolean().default(true).meta({
      description: "Whether the lock date moves to the last day of the month when nothing failed.",
    }),
  })
  .meta({ id: "PeriodCloseRequest" });
export type CloseBody = z.output<typeof CloseBody>;

export const CloseError = z.strictObject({
  customer_id: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional().meta({
    description: "As the refusal of the customer's own booking has them.",
  }),
});
export type CloseError = z.output<typeof CloseError>;

export const CloseWarning = z.strictObject({
  code: z.enum([
    "UNISSUED_OVERDUE",
    "FAILED_OCCURRENCES",
    "QUEUED_CREDIT_NOTES",
    "DRAFT_SERIES_STARTED",
    "UNASSIGNED_REVENUE",
  ]),
  count: z.int(),
  message: z.string(),
});
export type CloseWarning = z.output<typeof CloseWarning>;

export const PeriodClose = z
  .strictObject({
    object: z.literal("period_close"),
    month: z.string(),
    status: z.enum(["completed", "partial", "reopened"]),
    booked_with_voucher: z.int(),
    booked_without_voucher: z.int(),
    skipped: z.int().meta({ description: "Customers without anything to book." }),
    failed: z.int(),
    errors: z.array(CloseError),
    warnings: z.array(CloseWarning),
    period_lock_date: z.string().nullable(),
    closed_at: z.string().nullable(),
    closed_by: z.strictObject({ kind: z.string(), id: z.string() }).nullable(),
    remaining: z.int().optional().meta({
      description: "Customers that the run has not come to yet; the service goes on with them.",
    }),
  })
  .meta({ id: "PeriodClose" });

export const PeriodCloseList = listOf(PeriodClose).meta({ id: "PeriodCloseList" });
