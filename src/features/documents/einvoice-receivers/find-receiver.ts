/** Looks up whether a receiver of e-invoices is registered, within limits. The answer is a hint: nothing is routed by it. */

import type { Context } from "../../../platform/commands/context.ts";
import { countAttempt, type Limit } from "../../../platform/fairness/limits/rate-counter.ts";
import { Shares } from "../../../platform/fairness/limits/shares.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findLookup, storeLookup } from "./queries.ts";
import { ReceiverResource } from "./schemas.ts";

/** The look-ups of an account that ask a register. Stored answers do not count. */
const HOURLY: Limit = { name: "look-ups of e-invoice receivers", most: 60, seconds: 3_600 };
/** The look-ups of an account at once, in this process. */
const places = new Shares({ requests: 2, heavy: 2, queue: 0 });

/** What is known of a receiver: nothing while look-ups are off. */
type KnownReceiver = Omit<ReceiverResource, "object" | "address">;

/**
 * Returns what the register says of an address, from the store where that is new enough. Takes at most 5 seconds. Throws
 * RATE_LIMITED after 60 questions within an hour, or with two in progress.
 */
export async function findReceiver(cx: Context, address: string): Promise<KnownReceiver> {
  const { receivers } = cx;
  if (receivers === null) {
    const [source, looked_up_at] = [null, null];
    return { registered: "unknown", formats: [], answers: false, source, looked_up_at };
  }
  const { source } = receivers;
  const stored = await findLookup(cx, address, source);
  if (stored !== undefined)
    return ReceiverResource.omit({ object: true, address: true }).parse(stored);
  const leave = await places.take(cx.caller.account_id, false, cx.signal);
  try {
    await countAttempt(cx, HOURLY, cx.caller.account_id);
    const found = await receivers.find(address, cx.signal);
    if (found.reason !== null) cx.log.info({ source }, `a receiver is not known: ${found.reason}`);
    const looked_up_at = await storeLookup(cx, address, found, source);
    const { reason: _, ...said } = found;
    return { ...said, formats: [...said.formats], source, looked_up_at };
  } finally {
    leave();
  }
}

/** Returns the receiver as the API shows it. Throws RATE_LIMITED. */
export async function presentReceiver(cx: Context, address: string): Promise<JsonText> {
  const receiver = { object: "einvoice_receiver", address, ...(await findReceiver(cx, address)) };
  return jsonText(ReceiverResource.parse(receiver));
}
