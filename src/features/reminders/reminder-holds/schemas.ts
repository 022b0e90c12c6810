/** The requests and responses of holds: on their days, no reminder counts an invoice (spec 13.6). */
import * as z from "zod";
import { component, Day, input, text } from "../../../platform/http/schemas.ts";

const MOST_REASON = 500;

export const ReminderHoldPut = input("ReminderHoldPut", {
  until: Day.describe("The last day; today or later."),
  reason: text(MOST_REASON, 1).describe("Why, for the people of the account."),
});

export const ReminderHoldResource = component("ReminderHold", {
  object: z.literal("reminder_hold"),
  invoice_id: z.string(),
  until: z.string().describe("The last day on which no reminder counts the invoice."),
  reason: z.string(),
});
