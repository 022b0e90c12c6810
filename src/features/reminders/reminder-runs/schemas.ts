/** The requests and responses of runs of reminders (spec 13.7). */
import * as z from "zod";
import { leftOutReasons } from "../../../domain/receivables/reminder-letter.ts";
import {
  Currency,
  component,
  Day,
  input,
  manyOf,
  Ref,
  shownText,
} from "../../../platform/http/schemas.ts";
import { letterFields } from "../sent-reminders/schemas.ts";

const MOST_ROWS = 500;

const date = Day.nullable().optional().describe("The day of the letters. Default: today.");

export const ReminderRunPreviewBody = input("ReminderRunPreviewInput", {
  date,
  customer: Ref.nullable().optional().describe("Only letters to this customer."),
});
export type ReminderRunPreviewBody = z.output<typeof ReminderRunPreviewBody>;

const warningCodes = ["REFERENCE_RATE_MISSING", "BANK_NOT_UP_TO_DATE"] as const;

export const ReminderRunPreview = component("ReminderRunPreview", {
  object: z.literal("reminder_run"),
  date: z.string(),
  bank_through: shownText.describe(
    "The day through which the statements of every bank account that has any are known; null without statements. Where a connected ledger records payments, the day on which it was last read.",
  ),
  warnings: manyOf({ code: z.enum(warningCodes), message: z.string() }),
  rows: manyOf({
    ...letterFields,
    left_out: z
      .enum(leftOutReasons)
      .nullable()
      .describe("Why the letter is not sent; null for one that is."),
    agreed: shownText.describe(
      "Stands for the content of the letter: POST /reminder-runs sends this letter or none. Null where it is left out.",
    ),
  }),
});
export type ReminderRunPreview = z.output<typeof ReminderRunPreview>;

const Row = z.object({
  customer: Ref,
  currency: Currency,
  agreed: z
    .string()
    .regex(/^[\w-]{43}$/)
    .describe("As the preview showed it."),
});

export const ReminderRunBody = input("ReminderRunInput", {
  date,
  rows: z.array(Row).min(1).max(MOST_ROWS),
});
export type ReminderRunBody = z.output<typeof ReminderRunBody>;

const runOutcomes = ["issued", "refused", "remaining"] as const;

export const ReminderRun = component("ReminderRun", {
  object: z.literal("reminder_run"),
  date: z.string(),
  outcomes: manyOf({
    customer: z.string().describe("As it was sent."),
    currency: z.string(),
    outcome: z
      .enum(runOutcomes)
      .describe("`remaining` had no time: send the same request again for these."),
    reminder_id: shownText.describe("UUID of the reminder; null unless issued."),
    number: z.int().nullable(),
    code: shownText,
    message: shownText,
    send_error: shownText.describe("Why an issued letter has not been sent yet."),
  }).describe("One for each row, in their order."),
  issued: z.int().describe("The number of `issued` outcomes."),
  refused: z.int().describe("The number of `refused` outcomes."),
  remaining: z.int().describe("The number of `remaining` outcomes."),
});
export type ReminderRun = z.output<typeof ReminderRun>;
