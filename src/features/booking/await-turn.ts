/**
 * Turns at a ledger that takes one booking at a time: a lease in the database, so that processes wait for each other too.
 * In a process those that somebody waits for go first.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Reads } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Intent } from "./intents.ts";

/** How often somebody who waits looks again. */
const LOOK_MS = 50;
/** By how much a turn outlives its call. */
const SPARE_MS = 1_000;

/** How many in this process wait with somebody waiting for them, by connection. */
const interactive = new Map<string, number>();

/** Does the work in its turn; null when the turn has not come by the deadline, and nothing was done. */
export async function inTurn<Result>(
  db: Reads,
  intent: Pick<Intent, "account_id" | "id" | "connection_id">,
  urgency: "interactive" | "bulk",
  times: { readonly call_ms: number; readonly deadline: number },
  work: () => Promise<Result>,
): Promise<Result | null> {
  const { connection_id } = intent;
  if (connection_id === null) return work();
  const waits = urgency === "interactive";
  if (waits) count(connection_id, 1);
  let is_mine = false;
  try {
    while (Date.now() < times.deadline) {
      const may_ask = waits || (interactive.get(connection_id) ?? 0) === 0;
      is_mine = may_ask && (await take(db, intent, times.call_ms + SPARE_MS));
      if (is_mine) break;
      await delay(LOOK_MS);
    }
  } finally {
    if (waits) count(connection_id, -1);
  }
  if (!is_mine) return null;
  try {
    return await work();
  } finally {
    await db.rows(sql`update ledger_connections set turn_of = null, turn_until = null
      where account_id = ${intent.account_id} and id = ${connection_id} and turn_of = ${intent.id}`);
  }
}

/** True as well where there is no row to take turns at. */
async function take(
  db: Reads,
  { account_id, id, connection_id }: Pick<Intent, "account_id" | "id" | "connection_id">,
  ms: number,
): Promise<boolean> {
  const row = await db.row<{ is_mine: boolean }>(sql`with taken as (
      update ledger_connections set turn_of = ${id}, turn_until = clock_timestamp() + ${ms} * interval '1 millisecond'
      where account_id = ${account_id} and id = ${connection_id}
        and (turn_until is null or turn_until <= clock_timestamp() or turn_of = ${id})
      returning id)
    select exists (select from taken) or not exists (
      select from ledger_connections where account_id = ${account_id} and id = ${connection_id}) as is_mine`);
  return row?.is_mine ?? false;
}

function count(connection_id: string, by: number): void {
  const after = (interactive.get(connection_id) ?? 0) + by;
  if (after === 0) interactive.delete(connection_id);
  else interactive.set(connection_id, after);
}
