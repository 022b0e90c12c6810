/** The requests and responses of reminders (spec 13.7). */
import * as z from "zod";
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
  updatedSince,
} from "../../../platform/http/schemas.ts";

const MOST_REASON = 500;

const money = (what: string) => z.number().describe(`${what}, in \`currency\`.`);

/** What a letter says, before and after it is sent. */
export const letterFields = {
  customer_id: z.string(),
  currency: z.string(),
  level: z
    .int()
    .describe("The highest level of the items that are due for their next reminder, from 1."),
  fee: money("The fee of the letter"),
  interest: money("The interest of all items"),
  compensation: money("The compensation of all items"),
  total: money("What is open and what the letter charges"),
  items: manyOf({
    invoice_id: shownText.describe("Null for an opening item."),
    opening_id: shownText.describe("The opening item; null for an invoice."),
    number: z.string(),
    due_date: z.string(),
    open: money("What is open; 0 for an item of which only interest is owed"),
    days_overdue: z.int().describe("Days after the due date; 0 where nothing is open."),
    interest: money("The interest since the day after the due date or the last day charged"),
    compensation: money("The compensation, once for each item"),
    counts: z.boolean().describe("Whether the letter is the item's next reminder."),
  }).describe("What is overdue, by due date."),
};

const reminderStates = ["issued", "cancelled"] as const;

export const ReminderResource = component("Reminder", {
  object: z.literal("reminder"),
  id: z.string(),
  number: z.int().nullable().describe("Null for a reminder that charges nothing."),
  status: z.enum(reminderStates),
  date: z.string(),
  due_date: z.string(),
  entry_no: z.int().nullable().describe("The entry in the books; null where nothing is charged."),
  ...letterFields,
  payment_codes: z
    .strictObject({ reference: z.string(), rf: z.string(), fik_line: shownText })
    .nullable()
    .describe("Null for a reminder that charges nothing."),
  cancelled_on: shownText.describe(
    "The day from which it counts for nothing; null while it is issued.",
  ),
  cancel_reason: shownText.describe("Why it was cancelled."),
  created_at: z.string(),
});
export type ReminderResource = z.output<typeof ReminderResource>;

export const ReminderList = listOf(ReminderResource).meta({ id: "ReminderList" });

export const ReminderQuery = z.object({
  ...pageParameters,
  customer: Ref.optional(),
  invoice: Ref.optional().describe("Only reminders that list this invoice."),
  status: z.enum(reminderStates).optional(),
  from: FirstDay.optional().describe("First date, a day or a month."),
  to: LastDay.optional().describe("Last date, a day or a month."),
  updated_since: updatedSince,
});
export type ReminderQuery = z.output<typeof ReminderQuery>;

export const ReminderCancel = input("ReminderCancel", {
  reason: text(MOST_REASON, 1),
  date: Day.nullable()
    .optional()
    .describe("The day from which it counts for nothing. Default: today."),
});
