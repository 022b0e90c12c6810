/** Presents deliveries: what the API shows of an attempt to send a document, and what the answer of an issue says about it. */
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { Delivery } from "../issued/schemas.ts";
import type { DeliveryRow } from "./read-ahead.ts";

/** Returns the `send_error` of the issue operations: null when the document has been sent. */
export function sendErrorOf(
  delivery: Pick<DeliveryRow, "channel" | "state" | "send_error">,
): string | null {
  if (HAS_LEFT.includes(delivery.state)) return null;
  if (delivery.channel === "einvoice" && delivery.state === "sending") return NOT_CONFIRMED;
  return delivery.send_error ?? "The document has not been sent yet; it will be tried again.";
}

const NOT_CONFIRMED = "handed to the access point, not confirmed yet";

const HAS_LEFT: readonly DeliveryRow["state"][] = ["written_to_outbox", "accepted", "delivered"];

/** Returns the delivery as the API shows it: what only some deliveries have is left out where there is none. */
export function presentDelivery({
  id,
  document_id,
  channel,
  address,
  state,
  send_error,
  at,
  format,
  file_sha256,
  delivered_at,
  response,
}: DeliveryRow): JsonText {
  return jsonText(
    Delivery.parse({
      object: "delivery",
      ...{ id, document_id, channel, address, state, send_error, at },
      ...(format === null ? {} : { format }),
      ...(file_sha256 === null ? {} : { file_sha256 }),
      ...(delivered_at === null ? {} : { delivered_at }),
      ...(response === null ? {} : { response: JSON.parse(response) }),
    }),
  );
}

/** Returns a delivery that was just queued. */
export function queuedDelivery(
  queued: Pick<DeliveryRow, "id" | "document_id" | "customer_id" | "channel" | "address" | "at">,
): DeliveryRow {
  return {
    ...queued,
    state: "queued",
    send_error: null,
    format: null,
    file_sha256: null,
    delivered_at: null,
    response: null,
  };
}
