/** Lists attempts to send documents: of one document, or of a whole account. */
import type { Reader } from "../../../platform/commands/context.ts";
import {
  type Condition,
  envelope,
  listRows,
  type PageQuery,
} from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
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

/** The newest attempt to send a document. */
export type LastAttempt = Pick<DeliveryRow, "channel" | "state" | "address" | "send_error">;

/** Returns the newest attempts by document; a document that was never sent has no entry. */
export async function lastAttempts(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, LastAttempt>> {
  const rows = await cx.rows<LastAttempt & { readonly document_id: string }>(sql`
    select distinct on (document_id) document_id, channel, state, address, send_error from deliveries
     where account_id = ${cx.caller.account_id} and document_id = any(${document_ids}) order by document_id, id desc`);
  return new Map(rows.map(({ document_id, ...attempt }) => [document_id, attempt]));
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
