/** Does the background work for the customers and products of one connected account, one step at a time. */
import { callWithin, connectedLedger } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { pushLink } from "../../catalogue/links/push-link.ts";
import { takeDueLink } from "../../catalogue/links/queries.ts";
import { pullIfDue } from "./read-changes.ts";

/** The time limit of the ledger for one record. */
const TIMEOUT_MS = 15_000;

/** Sends the record that has waited longest, or else reads changes; returns whether there was anything to do. */
export async function syncStep(cx: Context): Promise<boolean> {
  const ledger = connectedLedger(cx);
  if (ledger === null) return false;
  const link = await takeDueLink(cx);
  if (link === undefined) return pullIfDue(cx);
  await pushLink(cx, ledger, link, callWithin(cx, TIMEOUT_MS));
  return true;
}
