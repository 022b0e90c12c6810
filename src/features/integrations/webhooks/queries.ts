/** The SQL queries of webhook endpoints. Nothing here reads a secret but what asks for one. */
import { notFound } from "../../../domain/base/problem.ts";
import { NAMED_IN_FULL } from "../../../domain/webhooks/event-order.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Insertable, Selectable, Updatable } from "../../../platform/database/columns.ts";
import { type Condition, envelope, listRows } from "../../../platform/database/page.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { insert, raw, type Sql, sql, update } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import type { WebhookEndpointQuery } from "./schemas.ts";
import { WebhookEndpointResource } from "./schemas.ts";

export type EndpointRow = Selectable<Tables["webhook_endpoints"]>;

/** How far the deliveries of an endpoint are. */
interface Progress {
  readonly pending: number;
  readonly first_pending: bigint | null;
  readonly unread: number;
}

export type EndpointState = EndpointRow & Progress;

/** So many events beyond those with a delivery are counted at most. */
const MOST_COUNTED = 100_000;

/**
 * Whether the event `a` of the trail is for the endpoint `e`: `isFor` for statements that count or find among many events. A test
 * compares the two for every type.
 */
export const IS_FOR = raw(`(a.resource_type || '.' || a.action = any(e.event_types)
    or (a.resource_type not in (${NAMED_IN_FULL.map((one) => `'${one}'`).join(", ")})
      and (a.resource_type || '.*' = any(e.event_types) or '*' = any(e.event_types))))
  and not (a.resource_type = 'webhook_endpoint' and a.resource_id = e.id::text)`);

/** Presents an endpoint as the API shows it: of its headers the names alone. */
export function presentEndpoint(row: EndpointState): JsonText {
  const { pending, first_pending, unread, read_through } = row;
  const through = first_pending === null ? read_through : first_pending - 1n;
  return jsonText(
    WebhookEndpointResource.parse({
      object: "webhook_endpoint",
      id: row.id,
      external_id: row.external_id,
      url: row.url,
      description: row.description,
      event_types: row.event_types,
      format: row.format,
      payload: row.payload,
      ordering: row.ordering,
      headers: Object.fromEntries(row.header_names.map((name) => [name, null])),
      max_per_second: row.max_per_second,
      status: row.status,
      disabled_reason: row.disabled_reason,
      failing_since: row.failing_since,
      backlog: pending + unread,
      through: Number(through),
      last_success_at: row.last_success_at,
      secret_expires_at: row.secret_expires_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }),
  );
}

/** Returns a page of endpoints, the newest first. Throws VALIDATION_FAILED for an invalid cursor. */
export async function listEndpoints(cx: Reader, query: WebhookEndpointQuery): Promise<JsonText> {
  const conditions: Condition[] = [];
  if (query.external_id !== undefined) conditions.push(["external_id =", query.external_id]);
  const page = await listRows<{ id: string }>(cx, "id", "webhook_endpoints", conditions, query);
  const ids = page.rows.map(({ id }) => id);
  const found = await statesBy(cx, sql`e.id = any(${ids}) order by e.id desc`);
  return envelope(found.map(presentEndpoint), page.next_cursor);
}

/** Returns the text of the endpoint that a reference names. Throws NOT_FOUND. */
export async function showEndpoint(cx: Reader, ref: string): Promise<JsonText> {
  return presentEndpoint(await getEndpoint(cx, ref));
}

/** Returns the endpoint that a reference names, with how far its deliveries are. Throws NOT_FOUND. */
export async function getEndpoint(cx: Reader, ref: string): Promise<EndpointState> {
  const [column, value] = columnOfRef(ref);
  const [found] = await statesBy(cx, sql`e.${raw(column)} = ${value}`);
  if (found === undefined) throw notFound("webhook_endpoint", ref);
  return found;
}

/** Locks the endpoint that a reference names and returns it. Throws NOT_FOUND. */
export function lockEndpoint(tx: Tx, ref: string): Promise<EndpointState> {
  const [column, value] = columnOfRef(ref);
  tx.lock(sql`select from webhook_endpoints where account_id = ${tx.caller.account_id} and ${raw(column)} = ${value}
    for no key update`);
  return getEndpoint(tx, ref);
}

/** Locks an endpoint and returns it as it is stored, without counting what waits. Throws NOT_FOUND. */
export async function lockEndpointRow(tx: Tx, id: string): Promise<EndpointRow> {
  const row = await tx.row<EndpointRow>(sql`select * from webhook_endpoints
    where account_id = ${tx.caller.account_id} and id = ${id} for no key update`);
  if (row === undefined) throw notFound("webhook_endpoint", id);
  return row;
}

function statesBy(cx: Reader, which: Sql): Promise<EndpointState[]> {
  const { account_id } = cx.caller;
  return cx.rows<EndpointState>(sql`select e.*,
      (select count(*)::int from webhook_deliveries d where d.account_id = ${account_id} and d.endpoint_id = e.id
        and d.status = 'pending' and d.sequence is not null) as pending,
      (select min(d.sequence) from webhook_deliveries d where d.account_id = ${account_id} and d.endpoint_id = e.id
        and d.status = 'pending' and d.sequence is not null) as first_pending,
      (select count(*)::int from audit_events a where a.account_id = ${account_id} and a.seq > e.read_through
        and a.seq <= e.read_through + ${raw(MOST_COUNTED)} and ${IS_FOR}) as unread
    from webhook_endpoints e where e.account_id = ${account_id} and ${which}`);
}

/** Returns the number of endpoints. One creation at a time asks for it, until its commit. */
export async function countEndpoints(tx: Tx): Promise<number> {
  const { account_id } = tx.caller;
  tx.lock(
    sql`select pg_advisory_xact_lock(hashtextextended('webhook_endpoints' || ${account_id}::text, 2))`,
  );
  const row = await tx.row<{ count: number }>(
    sql`select count(*)::int as count from webhook_endpoints where account_id = ${account_id}`,
  );
  return row?.count ?? 0;
}

/** Returns the sequence of the last event. */
export async function headOf(cx: Reader): Promise<bigint> {
  const head = await cx.row<{ seq: bigint }>(
    sql`select seq from audit_heads where account_id = ${cx.caller.account_id}`,
  );
  if (head === undefined) throw new Error("the account has no audit trail");
  return head.seq;
}

export function insertEndpoint(
  tx: Tx,
  row: Omit<Insertable<Tables["webhook_endpoints"]>, "account_id">,
): void {
  tx.write(insert("webhook_endpoints", { ...row, account_id: tx.caller.account_id }));
}

export function updateEndpoint(
  tx: Tx,
  id: string,
  row: Updatable<Tables["webhook_endpoints"]>,
): void {
  tx.write(sql`${update("webhook_endpoints", row)}
    where account_id = ${tx.caller.account_id} and id = ${id}`);
}

/** Lets the process that sends to an endpoint read its deliveries again. */
export function wakeEndpoint(tx: Tx, id: string): void {
  tx.write(sql`update webhook_endpoints set work_version = work_version + 1
    where account_id = ${tx.caller.account_id} and id = ${id}`);
}

/** Deletes an endpoint with its deliveries: nothing more is sent. */
export function deleteEndpointRow(tx: Tx, id: string): void {
  tx.write(
    sql`delete from webhook_endpoints where account_id = ${tx.caller.account_id} and id = ${id}`,
  );
}
