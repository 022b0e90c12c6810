/** The responses about links to a connected ledger (spec 9.9). */
import * as z from "zod";
import { component, listOf, pageParameters, shownText } from "../../../platform/http/schemas.ts";

export const LedgerLinkResource = component("LedgerLink", {
  object: z.literal("ledger_link"),
  kind: z.enum(["customer", "product"]),
  id: z.string().describe("Of the customer or product."),
  ledger_id: shownText.describe("Its name in the ledger; null before the first answer."),
  state: z.enum(["queued", "synced", "failed", "not_connected"]),
  reason: shownText.describe(
    "Why it is queued or failed: the code of the refusal, or the state of the ledger when it gave no answer.",
  ),
  synced_at: shownText.describe("When the ledger last accepted or reported it."),
  next_attempt_at: shownText.describe(
    "When it is next sent automatically; null unless it is queued.",
  ),
});

export const LedgerLinkList = listOf(LedgerLinkResource).meta({ id: "LedgerLinkList" });

export const SyncQuery = z.object({
  ...pageParameters,
  state: z.enum(["queued", "failed"]).optional().describe("Both without it."),
  kind: z.enum(["customer", "product"]).optional(),
});
export type SyncQuery = z.output<typeof SyncQuery>;
