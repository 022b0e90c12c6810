/** Sends the events of a range again: those that were given up or skipped, or every event of the feed that is for the endpoint. */
import { invalidField } from "../../../domain/base/problem.ts";
import { isOwnRoot } from "../../../domain/webhooks/event-order.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { handOver } from "../../../platform/runtime/slices.ts";
import { type EndpointState, IS_FOR, lockEndpoint, wakeEndpoint } from "../webhooks/queries.ts";
import { readRoots } from "./read-events.ts";
import { requireRunning } from "./require-running.ts";
import { WebhookReplayInput } from "./schemas.ts";

const MOST_EVENTS = 100_000;
/** So many deliveries are stored at a time. */
const PORTION = 1_000;

/** An event of the feed, as its delivery needs it. */
interface FoundEvent {
  readonly sequence: bigint;
  readonly event_id: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly action: string;
  readonly previous_sequence: bigint | null;
}

/**
 * Queues the events of a range and returns their number. Throws NOT_FOUND, BACKGROUND_PAUSED, and VALIDATION_FAILED for more than
 * 100,000.
 */
export const queueReplay = defineCommand({
  name: "replay_webhook",
  access: "write",
  input: WebhookReplayInput.extend({ ref: Ref }),

  async plan(tx, { ref, only, after = 0, through }) {
    await requireRunning(tx);
    const endpoint = await lockEndpoint(tx, ref);
    const read = Number(endpoint.read_through);
    return { endpoint, only, after, through: Math.min(through ?? read, read) };
  },

  async commit(tx, { endpoint, only, after, through }): Promise<{ readonly queued: number }> {
    const range = { after, through };
    const queued =
      only === "all" ? await queueAll(tx, endpoint, range) : await queueDead(tx, endpoint, range);
    if (queued > 0) wakeEndpoint(tx, endpoint.id);
    return { queued };
  },
});

interface Range {
  readonly after: number;
  readonly through: number;
}

async function queueDead(
  tx: Tx,
  { id }: EndpointState,
  { after, through }: Range,
): Promise<number> {
  const rows = await tx.rows<{ id: string }>(sql`update webhook_deliveries
    set status = 'pending', attempt_count = 0, next_attempt_at = null, settled_at = null
    where account_id = ${tx.caller.account_id} and endpoint_id = ${id} and status in ('dead', 'skipped')
      and sequence > ${after} and sequence <= ${through} returning id`);
  requireFew(rows.length);
  return rows.length;
}

async function queueAll(tx: Tx, endpoint: EndpointState, range: Range): Promise<number> {
  const { account_id } = tx.caller;
  const found = await tx.rows<FoundEvent>(sql`select a.seq as sequence, a.id::text as event_id,
      a.resource_type, a.resource_id, a.action, lag(a.seq) over (order by a.seq) as previous_sequence
    from audit_events a join webhook_endpoints e on e.account_id = ${account_id} and e.id = ${endpoint.id}
    where a.account_id = ${account_id} and a.seq > ${range.after} and a.seq <= ${range.through} and ${IS_FOR}
    order by a.seq limit ${MOST_EVENTS + 1}`);
  requireFew(found.length);
  const [first] = found;
  const before = first === undefined ? null : await findFittingBefore(tx, endpoint, first.sequence);
  for (let at = 0; at < found.length; at += PORTION) {
    if (at > 0) await handOver();
    await storePortion(tx, endpoint.id, found.slice(at, at + PORTION), before);
  }
  return found.length;
}

/** Returns the last event before a sequence that is for the endpoint; null without one. */
async function findFittingBefore(tx: Tx, { id }: EndpointState, sequence: bigint) {
  const { account_id } = tx.caller;
  const row = await tx.row<{ sequence: bigint }>(sql`select a.seq as sequence
    from audit_events a join webhook_endpoints e on e.account_id = ${account_id} and e.id = ${id}
    where a.account_id = ${account_id} and a.seq < ${sequence} and ${IS_FOR} order by a.seq desc limit 1`);
  return row?.sequence ?? null;
}

/** Makes deliveries of events; those that exist wait again. `before` is the event that precedes the first one of all. */
async function storePortion(
  tx: Tx,
  endpoint_id: string,
  events: readonly FoundEvent[],
  before: bigint | null,
): Promise<void> {
  const { account_id } = tx.caller;
  const related = events.filter(({ resource_type }) => !isOwnRoot(resource_type));
  const roots = await readRoots(
    tx,
    related.map(({ sequence }) => sequence),
  );
  const { columns, table } = tableOf(events, {
    id: ["uuid", () => newId<string>()],
    event_id: ["text", ({ event_id }) => event_id],
    sequence: ["bigint", ({ sequence }) => sequence],
    event_type: ["text", ({ resource_type, action }) => `${resource_type}.${action}`],
    root: ["text", ({ sequence, resource_id }) => roots.get(sequence) ?? resource_id],
    previous_sequence: ["bigint", ({ previous_sequence }) => previous_sequence ?? before],
  });
  tx.write(sql`insert into webhook_deliveries as d (account_id, endpoint_id, status, attempts, created_at, ${columns})
    select ${account_id}, ${endpoint_id}, 'pending', '[]', ${timestampOf(Date.now())}, t.* from ${table} as t
    on conflict (account_id, endpoint_id, sequence) where not is_test
      do update set status = 'pending', attempt_count = 0, next_attempt_at = null, settled_at = null`);
}

function requireFew(count: number): void {
  if (count <= MOST_EVENTS) return;
  const message = `These are more than ${MOST_EVENTS} events: replay them in parts.`;
  throw invalidField("after", "too_many", message);
}
