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
  document_id: z.string().meta({
    description: "Of the invoice, the credit note or the voucher, under which the ledger knows it.",
  }),
  state: z.enum(states).meta({
    description:
      "`booking`: nothing can have been booked yet. `unknown`: something may have been. `pending`: the ledger books it later. `parked`: waits for a person. `settled` and `released` have ended.",
  }),
  attempts: z.int().meta({ description: "How often somebody took it to call the ledger." }),
  last_outcome: shownText.meta({ description: "As the ledger last answered, or why it waits." }),
  created_at: z.string(),
  next_attempt_at: shownText.meta({
    description: "When it is tried next by itself; null for what is parked or has ended.",
  }),
  settled_at: shownText.meta({ description: "When it ended; null while it is open." }),
});

export const LedgerQueue = component("LedgerQueue", {
  object: z.literal("ledger_queue"),
  waiting: z.int().meta({ description: "Bookings that go on by themselves." }),
  per_minute: z.int().nullable().meta({
    description:
      "How many the ledger took a minute in the last ten, rounded; null where that is unknown.",
  }),
  expected_end: shownText.meta({
    description:
      "When the last of them is expected at that rate; null where none waits, the rate is unknown, or the ledger is away.",
  }),
});

export const LedgerIntentList = listOf(LedgerIntent).meta({ id: "LedgerIntentList" });

export const IntentQuery = z.object({
  ...pageParameters,
  state: z.enum(states).optional(),
  kind: z.enum(kinds).optional(),
  document: Uuid.optional().meta({ description: "The id of the document." }),
});
export type IntentQuery = z.output<typeof IntentQuery>;

export const IntentParams = z.object({ id: Uuid });
