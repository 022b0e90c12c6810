/**
 * The circuit breaker of a ledger connection. After a refused connection, or three calls in a row without a response, no process
 * calls the ledger: callers get an immediate refusal, and one probe every five seconds detects when the ledger is back. Then all
 * work that waits for the ledger is due. A ledger without a connection row is always called.
 */
import type { Context } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { wakeConnection } from "../connections/queries.ts";
import type { Intent } from "./intents.ts";

const SILENT_CALLS = 3;
const PROBED_EVERY = "interval '5 seconds'";
const PROBE_MS = 5_000;
const PROBES_AT_ONCE = 20;

/** The connections of all accounts whose ledger is down and has to be probed. */
export const dueProbes = sql`from ledger_connections
  where down_since is not null and next_probe_at <= clock_timestamp()`;

type Connected = Pick<Intent, "account_id" | "connection_id">;

/** Returns why a ledger is not called, or null. Refused credentials block it until a connection check succeeds. */
export async function heldBack(
  db: Reads,
  { account_id, connection_id }: Connected,
): Promise<"paused" | "down" | "unauthorized" | null> {
  const row = await db.row<{
    is_paused: boolean;
    is_down: boolean | null;
    is_refused: boolean | null;
  }>(sql`select b.is_paused, c.down_since is not null as is_down,
      c.state in ('unauthorized', 'subscription') as is_refused
    from (select exists (select from background_pause) as is_paused) b
    left join ledger_connections c on c.account_id = ${account_id} and c.id = ${connection_id}::uuid`);
  if (row?.is_paused) return "paused";
  if (row?.is_refused) return "unauthorized";
  return row?.is_down ? "down" : null;
}

/** The outcome of a call, as evidence of the state of the ledger. */
interface Reported {
  readonly state: string;
  readonly reason?: string;
}

/** Counts calls without a response; returns whether the circuit is open. */
export async function noteAnswer(
  db: Reads,
  { account_id, connection_id }: Connected,
  reported: Reported,
): Promise<boolean> {
  if (connection_id === null) return false;
  const own = sql`account_id = ${account_id} and id = ${connection_id}`;
  const weight = silenceOf(reported);
  if (weight === null) return false;
  if (weight === 0) {
    await db.rows(sql`update ledger_connections set failures = 0, down_since = null, next_probe_at = null
      where ${own} and (failures > 0 or down_since is not null)`);
    return false;
  }
  const row = await db.row<{ is_down: boolean }>(sql`update ledger_connections
    set failures = failures + ${weight},
      down_since = case when failures + ${weight} >= ${SILENT_CALLS}
        then coalesce(down_since, (select clock_timestamp())) else down_since end,
      next_probe_at = case when failures + ${weight} >= ${SILENT_CALLS}
        then (select clock_timestamp() + ${raw(PROBED_EVERY)}) else next_probe_at end
    where ${own} returning down_since is not null as is_down`);
  return row?.is_down ?? false;
}

/** Returns how many silent calls an outcome counts as; null if it shows nothing, such as our own time limit. */
function silenceOf({ state, reason }: Reported): number | null {
  if (state !== "unknown" && state !== "not_started") return 0;
  if (state === "not_started") return reason === "unavailable" ? SILENT_CALLS : null;
  return reason === "bad_response" || reason === "stale_version" ? 0 : 1;
}

/** Probes ledgers that are down; returns whether one of them is back. */
export async function probeDown(services: Services): Promise<boolean> {
  const { db } = services;
  const due = await db.rows<ConnectionKey>(sql`select account_id, id ${dueProbes}
    order by next_probe_at limit ${PROBES_AT_ONCE}`);
  const back = await Promise.all(
    due.map(async (one) => {
      if (!(await takeProbe(db, one))) return false;
      const { account_id, id } = one;
      const cx = await schedulerContext(services, account_id);
      if (!(await answers(cx))) return false;
      await wakeConnection(db, account_id, id);
      return true;
    }),
  );
  return back.includes(true);
}

interface ConnectionKey {
  readonly account_id: string;
  readonly id: string;
}

/** Takes a due probe for this process; returns false when another process has it. */
export async function takeProbe(db: Reads, { account_id, id }: ConnectionKey): Promise<boolean> {
  const taken = await db.row(sql`update ledger_connections
    set next_probe_at = (select clock_timestamp() + ${raw(PROBED_EVERY)})
    where account_id = ${account_id} and id = ${id} and down_since is not null
      and next_probe_at <= (select clock_timestamp()) returning id`);
  return taken !== undefined;
}

async function answers(cx: Context): Promise<boolean> {
  const { ledger, caller } = cx;
  if (ledger === null || ledger.transactional) return false;
  try {
    const signal = AbortSignal.timeout(ledger.timeouts?.call_ms ?? PROBE_MS);
    const more = ledger.connect(caller.account_id).more;
    const checked = await more?.check({ signal, urgency: "bulk" });
    return checked === undefined || silenceOf(checked) === 0;
  } catch (error) {
    cx.log.warn({ err: error }, "a ledger that is down could not be probed");
    return false;
  }
}
