/** The SQL queries of webhook deliveries, for people and keys. */
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { type Condition, envelope, listRows } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getEndpoint } from "../webhooks/queries.ts";
import { type WebhookDeliveryQuery, WebhookDeliveryResource } from "./schemas.ts";

type DeliveryRow = Selectable<Tables["webhook_deliveries"]>;

/** Presents a delivery as the API shows it. */
export function presentDelivery(row: DeliveryRow): JsonText {
  const { sequence, request_headers, body } = row;
  return jsonText(
    WebhookDeliveryResource.parse({
      object: "webhook_delivery",
      id: row.id,
      endpoint_id: row.endpoint_id,
      event_id: row.event_id,
      sequence: sequence === null ? null : Number(sequence),
      event_type: row.event_type,
      status: row.status,
      attempt_count: row.attempt_count,
      next_attempt_at: row.next_attempt_at,
      request: { headers: request_headers, body },
      attempts: row.attempts,
      created_at: row.created_at,
    }),
  );
}

/** The length of `2026-11-27`. */
const DAY_LENGTH = 10;

/** Returns a page of the deliveries to an endpoint, the newest first. Throws NOT_FOUND, and VALIDATION_FAILED for an invalid cursor. */
export async function listDeliveries(
  cx: Reader,
  ref: string,
  query: WebhookDeliveryQuery,
): Promise<JsonText> {
  const { id } = await getEndpoint(cx, ref);
  const { status, event_type, from, to } = query;
  const conditions: Condition[] = [["endpoint_id =", id]];
  if (status !== undefined) conditions.push(["status =", status]);
  if (event_type !== undefined) conditions.push(["event_type =", event_type]);
  if (from !== undefined) conditions.push(["created_at >= $value::timestamptz", from]);
  if (to !== undefined) {
    // Moments have milliseconds.
    const beyond = to.length === DAY_LENGTH ? "1 day" : "1 millisecond";
    conditions.push([`created_at < $value::timestamptz + interval '${beyond}'`, to]);
  }
  const page = await listRows<DeliveryRow>(cx, "*", "webhook_deliveries", conditions, query);
  return envelope(page.rows.map(presentDelivery), page.next_cursor);
}

/** Returns a delivery. Throws NOT_FOUND. */
export async function getDelivery(cx: Reader, id: string): Promise<DeliveryRow> {
  const row = await cx.row<DeliveryRow>(sql`select * from webhook_deliveries
    where account_id = ${cx.caller.account_id} and id = ${id}`);
  if (row === undefined) throw notFound("webhook_delivery", id);
  return row;
}
