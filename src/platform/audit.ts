/**
 * The audit trail: one event for each state change, in the same transaction, chained by hash within
 * the account (spec 3.12). A hash covers the one before it, the payload and the grant. Recorded
 * last in a transaction: the head of the chain is the last lock taken.
 */
import { createHash } from "node:crypto";
import { timestampOf } from "./clock.ts";
import type { Context } from "./context.ts";
import { query } from "./database/database.ts";
import { sql, tableOf, written } from "./database/sql.ts";
import { withCommit } from "./database/transaction.ts";
import { newId } from "./id.ts";
import { type JsonText, jsonText } from "./json.ts";

export interface AuditEntry {
  /** A past participle: `created`, `updated`, `issued`. */
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly before: JsonText | null;
  readonly after: JsonText | null;
  readonly reason?: string | null;
}

/** Appends an event about the caller's change. The time is the real clock's (spec 12.2). */
export async function recordAudit(cx: Context, entry: AuditEntry): Promise<void> {
  const id = newId();
  const at = timestampOf(Date.now());
  const { actor, account_id } = cx.caller;
  const payload = payloadOf(id, at, cx, entry);
  const appended = query(
    cx.db,
    `with head as (
       update audit_heads
       set seq = seq + 1, hash = sha256(hash || convert_to($11, 'UTF8'))
       where account_id = $1 returning seq, hash)
     insert into audit_events (account_id, seq, id, at, actor_kind, actor_id, action, resource_type,
       resource_id, payload, hash, grant_id, hash_version)
     select $1, head.seq, $2, $3, $4, $5, $6, $7, $8, $9, head.hash, $10, ${HASH_VERSION} from head`,
    [
      account_id,
      id,
      at,
      actor.kind,
      actor.id,
      entry.action,
      entry.resource_type,
      entry.resource_id,
      payload,
      grantOf(cx),
      hashedOf(payload, grantOf(cx)),
    ],
  );
  await withCommit(cx.db, appended);
}

/**
 * Appends events of one transaction in their order, in two statements however many there are. Waits for
 * the head of the chain, which it then holds.
 */
export async function recordAudits(cx: Context, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { actor, account_id } = cx.caller;
  const at = timestampOf(Date.now());
  const [head] = await query<{ seq: bigint; hash: Buffer }>(
    cx.db,
    "select seq, hash from audit_heads where account_id = $1 for no key update",
    [account_id],
  );
  if (head === undefined) throw new Error("the account has no audit trail");
  let { hash } = head;
  const events = entries.map((entry, index) => {
    const id = newId();
    const payload = payloadOf(id, at, cx, entry);
    hash = createHash("sha256")
      .update(hash)
      .update(hashedOf(payload, grantOf(cx)))
      .digest();
    return { ...entry, id, payload, hash, seq: head.seq + BigInt(index + 1) };
  });
  const { columns, table } = tableOf(events, {
    seq: ["bigint", (event) => event.seq],
    id: ["uuid", (event) => event.id],
    action: ["text", (event) => event.action],
    resource_type: ["text", (event) => event.resource_type],
    resource_id: ["text", (event) => event.resource_id],
    payload: ["lines", (event) => event.payload],
    hash: ["bytea", (event) => event.hash],
  });
  const last = head.seq + BigInt(events.length);
  const of_all = written<"audit_events">({
    account_id,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    grant_id: grantOf(cx),
    hash_version: HASH_VERSION,
  });
  const appended = query(
    cx.db,
    sql`with head as (
        update audit_heads set seq = ${last}, hash = ${hash} where account_id = ${account_id})
      insert into audit_events (${of_all.columns}, ${columns}) select ${of_all.values}, e.* from ${table} as e`,
  );
  await withCommit(cx.db, appended);
}

/** What new hashes cover; `verify.ts` of the audit feature knows the older form, too. */
const HASH_VERSION = 2;

/** No payload has a line break: where it ends is clear. */
function hashedOf(payload: string, grant_id: string | null): string {
  return `${payload}\n${grant_id ?? ""}`;
}

/** The assistant through which a person acts. It stands beside the event, because the API does not show it. */
function grantOf(cx: Context): string | null {
  return cx.caller.person?.grant?.id ?? null;
}

function payloadOf(id: string, at: string, cx: Context, entry: AuditEntry): JsonText {
  const start = jsonText({
    object: "audit_event",
    id,
    at,
    actor: cx.caller.actor,
    action: entry.action,
    resource_type: entry.resource_type,
    resource_id: entry.resource_id,
  }).slice(0, -1);
  const reason = jsonText(entry.reason ?? null);
  return `${start},"before":${entry.before ?? "null"},"after":${entry.after ?? "null"},"reason":${reason}}` as JsonText;
}
