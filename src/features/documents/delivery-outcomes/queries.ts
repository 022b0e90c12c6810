/** Reads one attempt to send a document, and all its events. */

import { notFound } from "../../../domain/base/problem.ts";
import type { DeliveryEvent as EventOf } from "../../../domain/einvoice/einvoice-delivery.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { envelope } from "../../../platform/database/page.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { presentDelivery } from "../deliveries/present.ts";
import { type DeliveryRow, SHOWN } from "../deliveries/read-ahead.ts";
import { DeliveryEvent } from "./schemas.ts";

/** Returns a delivery of the account. Throws NOT_FOUND. */
export async function readDelivery(cx: Reader, id: string): Promise<JsonText> {
  return presentDelivery(await getDelivery(cx, id));
}

interface EventRow {
  readonly at: string;
  readonly kind: string;
  readonly code: string | null;
  readonly text: string | null;
  readonly source: string;
}

/**
 * Returns the events of a delivery, the oldest first and all on one page. That it was queued is not stored: the delivery says
 * when. Throws NOT_FOUND.
 */
export async function listEvents(cx: Reader, id: string): Promise<JsonText> {
  const { at } = await getDelivery(cx, id);
  const queued = { at, kind: "queued", code: null, text: null, source: "us" } as const;
  const rows = await cx.rows<EventRow>(sql`select at, kind, code, text, source from delivery_events
    where account_id = ${cx.caller.account_id} and delivery_id = ${id} order by id`);
  return envelope([queued, ...rows].map(presentEvent), null);
}

function presentEvent(row: EventRow | (EventOf & { readonly at: string })): JsonText {
  return jsonText(DeliveryEvent.parse({ object: "delivery_event", ...row }));
}

async function getDelivery(cx: Reader, id: string): Promise<DeliveryRow> {
  const row = await cx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
    where account_id = ${cx.caller.account_id} and id = ${id}`);
  if (row === undefined) throw notFound("delivery", id);
  return row;
}
