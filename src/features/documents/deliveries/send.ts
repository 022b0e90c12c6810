/** Sending an issued document again: a new delivery of the stored bytes (spec 10.4). */

import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import {
  attemptDelivery,
  type DeliveryListener,
  type DeliveryRow,
  presentDelivery,
  unreachable,
} from "./attempt.ts";
import { type Addressed, queueDeliveries, recipientOf } from "./queue.ts";

export type PlannedDelivery = Addressed;

/** By e-mail to the given address, or else by the customer's send method. */
export async function planDelivery(
  cx: Reader,
  document_id: string,
  customer_id: string,
  address: string | undefined,
): Promise<PlannedDelivery> {
  if (address !== undefined) return { document_id, channel: "email", address };
  return recipientOf(cx, document_id, customer_id);
}

/** Queues the delivery with its audit event and returns its id; inside a transaction. Throws RATE_LIMITED. */
export async function commitDelivery(tx: Tx, delivery: PlannedDelivery): Promise<string> {
  const has_recipient = unreachable(tx, delivery) === null;
  if (has_recipient) await countMail(tx, { document_id: delivery.document_id });
  const [id = ""] = queueDeliveries(tx, [delivery], has_recipient);
  const row: DeliveryRow = {
    id,
    ...delivery,
    state: "queued",
    send_error: null,
    at: tx.clock.now(),
  };
  tx.audit("delivery", id, "queued", { before: null, after: presentDelivery(row) });
  return id;
}

/** Attempts the queued delivery; returns it afterwards. */
export async function deliverNow(
  cx: Context,
  id: string,
  notify?: DeliveryListener,
): Promise<JsonText> {
  return presentDelivery(await attemptDelivery(cx, id, true, notify));
}
