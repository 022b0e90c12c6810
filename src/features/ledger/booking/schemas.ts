/** The responses about bookings in a connected ledger (spec 9.8). */
import * as z from "zod";
import {
  component,
  listOf,
  pageParameters,
  shownText,
  Uuid,
} from "../../../platform/http/schemas.ts";

const kinds = ["invoice", "credit_note", "voucher"] as const;
const states = ["booking", "unknown", "pending", "parked", "settled", "released"] as const;

export const LedgerIntent = component("LedgerIntent", {
  object: z.literal("ledger_intent"),
  id: z.string(),
  kind: z.enum(kinds),
  document_id: z
    .string()
    .describe("Of the invoice, the credit note or the voucher, under which the ledger knows it."),
  state: z.enum(states).meta({
    description:
      "`booking`: nothing can have been booked yet. `unknown`: something may have been. `pending`: the ledger books it later. `parked`: waits for a person. `settled` and `released` have ended.",
  }),
  attempts: z.int().describe("Number of times that a process took the intent to call the ledger."),
  last_outcome: shownText.describe("The ledger's last answer, or the reason why it waits."),
  created_at: z.string(),
  next_attempt_at: shownText.describe(
    "When it is next tried automatically; null if it is parked or has ended.",
  ),
  settled_at: shownText.describe("When it ended; null while it is open."),
});

export const LedgerQueue = component("LedgerQueue", {
  object: z.literal("ledger_queue"),
  waiting: z.int().describe("Bookings that continue automatically."),
  per_minute: z.int().nullable().meta({
    description:
      "Bookings per minute that the ledger accepted in the last ten minutes, rounded; null if unknown.",
  }),
  expected_end: shownText.describe(
    "When the last of them is expected at that rate; null if none waits, the rate is unknown or the ledger is unavailable.",
  ),
});

export const LedgerIntentList = listOf(LedgerIntent).meta({ id: "LedgerIntentList" });

export const IntentQuery = z.object({
  ...pageParameters,
  state: z.enum(states).optional(),
  kind: z.enum(kinds).optional(),
  document: Uuid.optional().describe("The id of the document."),
});
export type IntentQuery = z.output<typeof IntentQuery>;

export const IntentParams = z.object({ id: Uuid });
