/**
 * Verifies an account's audit trail (spec 3.12): the numbers have no gaps, the hash of each event covers the previous hash
 * and the event's own text, and the columns agree with the hashed text.
 */
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";

/** The first event with a fault. */
interface ChainFault {
  readonly at: bigint;
  readonly what: string;
}

interface EventRow {
  readonly seq: bigint;
  readonly payload: string;
  readonly hash: Buffer;
  readonly grant_id: string | null;
  readonly hash_version: number;
  readonly agrees: boolean;
}

const PAGE = 1000;

/** Recomputes the chain to its current head. Returns the first fault or null. The next run checks later events. */
export async function verifyAuditTrail(db: Reads, account_id: string): Promise<ChainFault | null> {
  const head = await db.row<{ seq: bigint; hash: Buffer }>(
    sql`select seq, hash from audit_heads where account_id = ${account_id}`,
  );
  if (head === undefined) return { at: 0n, what: "the chain has no head" };
  let last: { seq: bigint; hash: Buffer } = { seq: 0n, hash: Buffer.alloc(0) };
  while (last.seq < head.seq) {
    const rows = await readAfter(db, account_id, last.seq, head.seq);
    if (rows.length === 0) return { at: last.seq + 1n, what: "the event is missing" };
    for (const row of rows) {
      const fault = faultOf(row, last);
      if (fault !== null) return { at: last.seq + 1n, what: fault };
      last = { seq: row.seq, hash: row.hash };
    }
  }
  return last.hash.equals(head.hash) ? null : { at: head.seq, what: "the head is another one's" };
}

function faultOf(row: EventRow, before: { seq: bigint; hash: Buffer }): string | null {
  if (row.seq !== before.seq + 1n) return "the event is missing";
  // Older events are hashed without the grant of the assistant.
  const covered = row.hash_version === 1 ? row.payload : `${row.payload}\n${row.grant_id ?? ""}`;
  const expected = sha256(Buffer.concat([before.hash, Buffer.from(covered)]));
  if (!row.hash.equals(expected)) return "the hash is not that of the event and the one before";
  return row.agrees ? null : "a column says something else than the hashed text";
}

/** Returns events above `after` through `head`, in order. The columns are copies of fields of the text, for searching. */
function readAfter(
  db: Reads,
  account_id: string,
  after: bigint,
  head: bigint,
): Promise<EventRow[]> {
  return db.rows<EventRow>(sql`select seq, payload, hash, grant_id, hash_version,
       (id::text, actor_kind, actor_id, action, resource_type, resource_id, at)
         is not distinct from (p ->> 'id', p #>> '{actor,kind}', p #>> '{actor,id}', p ->> 'action',
           p ->> 'resource_type', p ->> 'resource_id', (p ->> 'at')::timestamptz)
         and coalesce(named.customer_id = e.customer_id::text, true) as agrees
     from audit_events e, lateral (select payload::json) as parsed (p), lateral (select case
         when resource_type = 'customer' then resource_id
         when p ->> 'after' is null then p #>> '{before,customer_id}'
         else p #>> '{after,customer_id}' end as customer_id) as named
     where account_id = ${account_id} and seq > ${after} and seq <= ${head} order by seq limit ${raw(PAGE)}`);
}
