/** Grants turns, leases in the database, at a ledger that books one at a time. Interactive calls precede bulk work. */
import { setTimeout as delay } from "node:timers/promises";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { Intent } from "./intents.ts";

/** The interval at which a waiting call tries again. */
const LOOK_MS = 50;
/** The time by which the lease of a turn exceeds the time limit of its call. */
const SPARE_MS = 1_000;
/** How long an interactive call reserves the next turn, and how long before the end it renews the reservation. */
const WANTED = { until: raw("interval '1 second'"), again: raw("interval '0.5 seconds'") };

type Turn = Pick<Intent, "account_id" | "id" | "connection_id" | "attempts">;

/**
 * Takes a turn and does the work; returns null, without doing the work, when the turn has not come by the deadline. Bulk work
 * yields to interactive calls on its first attempt only, so that a stream of interactive calls cannot starve it.
 */
export async function inTurn<Result>(
  db: Reads,
  intent: Turn,
  urgency: "interactive" | "bulk",
  times: { readonly call_ms: number; readonly deadline: number },
  work: () => Promise<Result>,
): Promise<Result | null> {
  const { connection_id } = intent;
  if (connection_id === null) return work();
  let is_mine = false;
  while (Date.now() < times.deadline) {
    is_mine = await take(db, intent, urgency, times.call_ms + SPARE_MS);
    if (is_mine) break;
    await delay(LOOK_MS);
  }
  if (!is_mine) return null;
  try {
    return await work();
  } finally {
    await db.rows(sql`update ledger_connections set turn_of = null, turn_until = null
      where account_id = ${intent.account_id} and id = ${connection_id} and turn_of = ${intent.id}`);
  }
}

/** Takes a free turn, or reserves the next if interactive. Returns true if taken, or if the connection has no turns. */
async function take(
  db: Reads,
  { account_id, id, connection_id, attempts }: Turn,
  urgency: "interactive" | "bulk",
  ms: number,
): Promise<boolean> {
  const waits = urgency === "interactive";
  const yields = !waits && attempts <= 1;
  // One time for the whole SQL statement, even when it waits for the lock of the row. A cluster asks each subselect before it.
  const now = sql`(select statement_timestamp())`;
  const end = sql`(select statement_timestamp() + ${ms} * interval '1 millisecond')`;
  const wanted_until = sql`(select statement_timestamp() + ${WANTED.until})`;
  const wanted_again = sql`(select statement_timestamp() + ${WANTED.again})`;
  const free = sql`(turn_until is null or turn_until <= ${now} or turn_of = ${id})`;
  const wanted = sql`coalesce(turn_wanted_until, '-infinity')`;
  const row = await db.row<{ is_mine: boolean }>(sql`with taken as (
      update ledger_connections set
        turn_of = case when ${free} then ${id} else turn_of end,
        turn_until = case when ${free} then ${end} else turn_until end,
        turn_wanted_until = case when ${free} then turn_wanted_until else ${wanted_until} end
      where account_id = ${account_id} and id = ${connection_id}
        and case when ${free} then not ${yields} or ${wanted} <= ${now} else ${waits} and ${wanted} < ${wanted_again} end
      returning turn_of)
    select exists (select from taken where turn_of = ${id}) or not exists (
      select from ledger_connections where account_id = ${account_id} and id = ${connection_id}) as is_mine`);
  return row?.is_mine ?? false;
}
