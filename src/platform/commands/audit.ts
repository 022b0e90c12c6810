/**
 * The audit trail: one event for each state change, written in the same transaction and chained by hash within the account (spec
 * 3.12). A hash covers the previous hash, the payload and the grant.
 */

import { createHash } from "node:crypto";
import type { Timestamp } from "../../domain/base/brand.ts";
import { joined, raw, sql, tableOf, written } from "../database/sql.ts";
import type { Transaction } from "../database/transaction.ts";
import { timestampOf } from "../runtime/clock.ts";
import { newId } from "../runtime/id.ts";
import { type JsonText, jsonText } from "../runtime/json.ts";
import { handOver } from "../runtime/slices.ts";
import type { Actor, Caller } from "./context.ts";

/** The resource before and after a change, as the API shows it; null where the resource did not exist or no longer exists. */
export interface Change {
  readonly before: JsonText | null;
  readonly after: JsonText | null;
  readonly reason?: string | null;
  /** The customer whom the change concerns, for a resource that does not name it in its first fields. */
  readonly customer_id?: string | null;
}

interface AuditEntry extends Change {
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
}

/** An audit event as it is stored and hashed. */
export interface RecordedEvent extends AuditEntry {
  readonly id: string;
  readonly at: Timestamp;
  readonly payload: JsonText;
  readonly customer_id: string | null;
}

/** Returns the audit event of a change made now, by the real clock and not by a test clock (spec 12.2). */
export function recordedBy({ actor }: Caller, entry: AuditEntry): RecordedEvent {
  const id = newId();
  const at = timestampOf(Date.now());
  return {
    ...entry,
    id,
    at,
    payload: payloadOf(id, at, actor, entry),
    customer_id: customerOf(entry),
  };
}

/** Returns the customer whom a change concerns; null where it concerns none. */
function customerOf({
  resource_type,
  resource_id,
  before,
  after,
  customer_id,
}: AuditEntry): string | null {
  if (customer_id !== undefined) return customer_id;
  if (resource_type === "customer") return resource_id;
  return CUSTOMER.exec(after ?? before ?? "")?.[1] ?? null;
}

/** The field `customer_id` among the fields before the first list or object, whatever texts they have. */
const CUSTOMER = /^\{(?:"[^"]*":(?:"(?:[^"\\]|\\.)*"|[^"[{,]*),)*?"customer_id":"([0-9a-f-]{36})"/;

/** With more events than this, reading the head of the hash chain once is faster than letting PostgreSQL compute each hash. */
const MOST_JOINED_EVENTS = 6;

/** As many events are written at a time, so that the database writes them while the next ones are hashed. */
const PORTION = 250;

/**
 * Appends audit events in their order. Up to `MOST_JOINED_EVENTS` events are sent in one statement without waiting, and PostgreSQL
 * computes each hash. A larger number of events waits for the head of the chain once, which locks it.
 */
export async function appendEvents(
  tx: Transaction,
  caller: Caller,
  events: readonly RecordedEvent[],
): Promise<void> {
  if (events.length > MOST_JOINED_EVENTS) return appendMany(tx, caller, events);
  const [first, ...others] = events;
  if (first === undefined) return;
  if (others.length === 0) appendOne(tx, caller, first);
  else appendJoined(tx, caller, events);
}

function appendOne(tx: Transaction, caller: Caller, { payload, ...event }: RecordedEvent): void {
  const { columns, values } = written<"audit_events">({
    ...ofAll(caller),
    at: event.at,
    id: event.id,
    action: event.action,
    resource_type: event.resource_type,
    resource_id: event.resource_id,
    customer_id: event.customer_id,
    payload,
  });
  tx.write(
    sql`with head as (
        update audit_heads
        set seq = seq + 1, hash = sha256(hash || convert_to(${hashedOf(payload, grantOf(caller))}, 'UTF8'))
        where account_id = ${caller.account_id} returning seq, hash)
      insert into audit_events (seq, hash, ${columns}) select head.seq, head.hash, ${values} from head`,
  );
}

/** Appends a few events in one statement, which locks the head and computes the hash of each event from the one before. */
function appendJoined(tx: Transaction, caller: Caller, events: readonly RecordedEvent[]): void {
  const { account_id } = caller;
  const grant_id = grantOf(caller);
  const links = events.map(({ payload }, at) => {
    const before = raw(at === 0 ? "head" : `link_${at}`);
    return sql`${raw(`link_${at + 1}`)} as (select l.seq + 1 as seq,
        sha256(l.hash || convert_to(${hashedOf(payload, grant_id)}, 'UTF8')) as hash from ${before} as l)`;
  });
  const chain = events.map((_, at) => raw(`select seq, hash, ${at} as place from link_${at + 1}`));
  const last = raw(`link_${events.length}`);
  const { columns, table } = tableOf(
    events.map((event, place) => ({ ...event, place })),
    {
      place: ["int", (event) => event.place],
      ...EVENT_COLUMNS,
    },
  );
  const of_all = written<"audit_events">(ofAll(caller));
  const own = raw(Object.keys(EVENT_COLUMNS).join(", "));
  tx.write(
    sql`with head as (select seq, hash from audit_heads where account_id = ${account_id} for no key update),
      ${joined(links, ", ")},
      moved as (update audit_heads set seq = l.seq, hash = l.hash from ${last} as l where account_id = ${account_id}),
      chain as (${joined(chain, " union all ")})
      insert into audit_events (seq, hash, ${of_all.columns}, ${own})
      select l.seq, l.hash, ${of_all.values}, ${own} from chain as l join ${table} as e (${columns}) using (place)`,
  );
}

/** The columns of an event that differ from those of its neighbours, as they are sent for many at once. */
const EVENT_COLUMNS = {
  at: ["timestamptz", (event: RecordedEvent) => event.at],
  id: ["uuid", (event: RecordedEvent) => event.id],
  action: ["text", (event: RecordedEvent) => event.action],
  resource_type: ["text", (event: RecordedEvent) => event.resource_type],
  resource_id: ["text", (event: RecordedEvent) => event.resource_id],
  payload: ["lines", (event: RecordedEvent) => event.payload],
  customer_id: ["uuid", (event: RecordedEvent) => event.customer_id],
} as const;

async function appendMany(
  tx: Transaction,
  caller: Caller,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { account_id } = caller;
  const head = await tx.row<Head>(
    sql`select seq, hash from audit_heads where account_id = ${account_id} for no key update`,
  );
  if (head === undefined) throw new Error("the account has no audit trail");
  let end = head;
  for (let at = 0; at < events.length; at += PORTION) {
    if (at > 0) await handOver();
    end = appendPortion(tx, caller, end, events.slice(at, at + PORTION));
  }
}

/** The end of an account's chain of events. */
interface Head {
  readonly seq: bigint;
  readonly hash: Buffer;
}

/** Appends events to the chain that ends with `head`. Returns its new end. */
function appendPortion(
  tx: Transaction,
  caller: Caller,
  head: Head,
  events: readonly RecordedEvent[],
): Head {
  const { account_id } = caller;
  let { hash } = head;
  const chained = events.map((event, index) => {
    hash = createHash("sha256")
      .update(hash)
      .update(hashedOf(event.payload, grantOf(caller)))
      .digest();
    return { ...event, hash, seq: head.seq + BigInt(index + 1) };
  });
  const { columns, table } = tableOf(chained, {
    seq: ["bigint", (event) => event.seq],
    hash: ["bytea", (event) => event.hash],
    ...EVENT_COLUMNS,
  });
  const seq = head.seq + BigInt(events.length);
  const of_all = written<"audit_events">(ofAll(caller));
  tx.write(
    sql`with head as (
        update audit_heads set seq = ${seq}, hash = ${hash} where account_id = ${account_id})
      insert into audit_events (${of_all.columns}, ${columns}) select ${of_all.values}, e.* from ${table} as e`,
  );
  return { seq, hash };
}

function ofAll(caller: Caller) {
  const { account_id, actor } = caller;
  return {
    account_id,
    actor_kind: actor.kind,
    actor_id: actor.id,
    grant_id: grantOf(caller),
    hash_version: HASH_VERSION,
  };
}

/** The version of the hash's input. `verify.ts` of the audit feature also reads the older version. */
const HASH_VERSION = 2;

/** Returns the text that is hashed. No payload contains a line break, so the end of the payload is unambiguous. */
function hashedOf(payload: string, grant_id: string | null): string {
  return `${payload}\n${grant_id ?? ""}`;
}

/** Returns the grant of a person's assistant. It is stored outside the payload, because the API does not show it. */
function grantOf({ person }: Caller): string | null {
  return person?.grant?.id ?? null;
}

function payloadOf(id: string, at: string, actor: Actor, entry: AuditEntry): JsonText {
  const start = jsonText({
    object: "audit_event",
    id,
    at,
    actor,
    action: entry.action,
    resource_type: entry.resource_type,
    resource_id: entry.resource_id,
  }).slice(0, -1);
  const reason = jsonText(entry.reason ?? null);
  return `${start},"before":${entry.before ?? "null"},"after":${entry.after ?? "null"},"reason":${reason}}` as JsonText;
}
