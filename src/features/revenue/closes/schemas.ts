/** The requests and responses of period closes (spec 3.10). */
import * as z from "zod";
import { component, input, listOf, manyOf, shownText } from "../../../platform/http/schemas.ts";
import { MonthText } from "../accruals/schemas.ts";

export const CloseBody = input("PeriodCloseRequest", {
  month: MonthText,
  lock: z.boolean().default(true).meta({
    description: "Whether the lock date moves to the last day of the month if nothing fails.",
  }),
});
export type CloseBody = z.output<typeof CloseBody>;

export const CloseError = z.strictObject({
  customer_id: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional().meta({
    description: "As in the refusal of the customer's own booking.",
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
    "BANK_LINES_OPEN",
  ]),
  count: z.int(),
  message: z.string(),
});
export type CloseWarning = z.output<typeof CloseWarning>;

export const PeriodClose = component("PeriodClose", {
  object: z.literal("period_close"),
  month: z.string(),
  status: z.enum(["completed", "partial", "reopened"]),
  booked_with_voucher: z.int(),
  booked_without_voucher: z.int(),
  skipped: z.int().describe("Customers without anything to book."),
  failed: z.int(),
  errors: z.array(CloseError),
  warnings: z.array(CloseWarning),
  period_lock_date: shownText,
  closed_at: shownText,
  closed_by: z.strictObject({ kind: z.string(), id: z.string() }).nullable(),
  remaining: z.int().optional().meta({
    description: "Customers that the run has not reached yet; the service continues with them.",
  }),
});

export const ClosePreview = component("PeriodClosePreview", {
  object: z.literal("period_close_preview"),
  month: z.string(),
  status: z
    .enum(["open", "completed", "partial", "reopened"])
    .describe("Of the close of the month; `open` if the month was never closed."),
  is_blocked: z.boolean().describe("Whether closing the month now is refused."),
  blockers: manyOf({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }).describe("Every refusal that prevents the whole close."),
  warnings: z.array(CloseWarning),
  booked_with_voucher: z.int().describe("Customers whose accrual is booked."),
  booked_without_voucher: z.int(),
  to_book_with_voucher: z
    .int()
    .describe("Customers whose accrual would be booked, if the earlier months are closed."),
  to_book_without_voucher: z.int(),
  skipped: z.int().describe("Customers without anything to book."),
  failed: z.int().describe("Customers whose booking would be refused."),
  errors: z.array(CloseError).describe("Of at most 100 of them."),
  functional_currency: z.string(),
  entries: manyOf({
    account_role: z.enum([
      "contract_asset",
      "contract_liability",
      "revenue",
      "exchange_difference",
    ]),
    account_number: z.int().nullable(),
    debit: z.number(),
    credit: z.number(),
  }).describe("The total of the vouchers to be booked, in functional currency."),
  period_lock_date: shownText.describe("As it is now."),
  remaining: z
    .int()
    .optional()
    .describe("Customers that were not examined, because the time limit of the call was reached."),
});

export const PeriodCloseList = listOf(PeriodClose).meta({ id: "PeriodCloseList" });
