/** The requests and responses of the explanation of a line's month. */
import * as z from "zod";
import { conventions } from "../../../domain/revenue/spread.ts";
import { recognitionMethods } from "../../../domain/sales/line.ts";
import { component, manyOf, shownText, Uuid } from "../../../platform/http/schemas.ts";
import { MonthText } from "../accruals/schemas.ts";

export const ExplanationQuery = z.object({
  line_id: Uuid.describe("A line of an invoice, of an occurrence or of an opening contract."),
  month: MonthText,
});
export type ExplanationQuery = z.output<typeof ExplanationQuery>;

export const Explanation = component("RecognitionExplanation", {
  object: z.literal("recognition_explanation"),
  line_id: z.string(),
  month: z.string(),
  customer_id: z.string(),
  contract: z.strictObject({
    invoice_id: shownText,
    series_id: shownText,
    opening_contract_id: shownText,
  }),
  period: shownText,
  currency: z.string(),
  recognition_method: z.enum(recognitionMethods).nullable().meta({
    description:
      "Null, like `progress`, for a line that has been removed: its booked amount is reversed.",
  }),
  convention: z.enum(conventions),
  sentence: z.string().describe("The explanation as a sentence."),
  agreed_value: z.number().nullable(),
  discount: z.number(),
  share: z
    .strictObject({ days: z.int(), of: z.int() })
    .nullable()
    .describe("The part of its period that a partial occurrence bills."),
  rows: manyOf({
    quantity: z.number(),
    unit_price: z.number(),
    discount: z.number(),
    net: z.number(),
  }),
  amount: z.number(),
  credit_notes: manyOf({
    credit_note_id: shownText,
    effective_date: z.string(),
    amount: z.number(),
    service_ends_on: shownText,
  }),
  net: z.number().describe("The amount less credits through the month."),
  service_from: shownText,
  service_to: shownText,
  issue_date: shownText,
  completed_on: shownText,
  progress: z
    .strictObject({
      unit: z.enum(["months", "days", "hours", "currency", "issue", "completion"]),
      part: z.string(),
      whole: z.string(),
    })
    .nullable(),
  earned_to_date: z.number(),
  exact_to_date: z
    .string()
    .describe("Before rounding, as decimal text; `…` marks further decimals."),
  earned_before: z.number(),
  earned: z.number(),
  invoiced: z.number(),
  users: manyOf({ user_id: shownText, earned: z.number() }),
  functional: z
    .strictObject({
      currency: z.string(),
      rate: z.number().nullable(),
      rate_of: z.enum(["issue", "month_end"]),
      earned: z.number().nullable(),
      invoiced: z.number().nullable(),
      exchange_difference: z.number().nullable(),
    })
    .nullable()
    .describe("Only for a line in a foreign currency."),
  accruals: manyOf({
    accrual_id: shownText,
    accrual_month: z.string(),
    customer_id: z.string(),
    account_number: z.int(),
    currency: z.string(),
    status: z.enum(["draft", "booked"]),
    carried: z.boolean(),
    earned: z.number(),
    ledger_voucher_guid: shownText,
    ledger_voucher_number: z.int().nullable(),
  }).describe(
    "Where it is booked or will be booked, for each customer of the line; the amounts in the line's currency add up to `earned`.",
  ),
  forecast: z.boolean(),
});
