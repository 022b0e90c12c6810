/** Lists attempts to send documents: of one document, or of a whole account. */
import type { Reader } from "../../../platform/commands/context.ts";
import {
  type Condition,
  envelope,
  listRows,
  type PageQuery,
} from "../../../platform/database/page.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { presentDelivery } from "./present.ts";
import { type DeliveryRow, SHOWN } from "./read-ahead.ts";
import type { DeliveriesQuery } from "./schemas.ts";

/** The attempts to send one document, from the newest to the oldest. */
export function listDeliveries(
  cx: Reader,
  document_id: string,
  page: PageQuery,
): Promise<JsonText> {
  return listed(cx, [["document_id =", document_id]], page);
}

/** The attempts to send any document, from the newest to the oldest; those in one state, by one channel, with one answer. */
export function listAllDeliveries(cx: Reader, page: DeliveriesQuery): Promise<JsonText> {
  const { state, channel, response } = page;
  const asked: Condition[] = [];
  if (state !== undefined) asked.push(["state =", state]);
  if (channel !== undefined) asked.push(["channel =", channel]);
  if (response !== undefined) asked.push(["response_code =", response]);
  return listed(cx, asked, page);
}

async function listed(
  cx: Reader,
  conditions: readonly Condition[],
  page: PageQuery,
): Promise<JsonText> {
  const { rows, next_cursor } = await listRows<DeliveryRow>(
    cx,
    SHOWN,
    "deliveries",
    conditions,
    page,
  );
  return envelope(rows.map(presentDelivery), next_cursor);
}
