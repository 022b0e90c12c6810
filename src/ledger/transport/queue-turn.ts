/**
 * Hands out the turns of an organisation's requests, one row for all processes and all connected accounts. An interactive call
 * takes the next turn, even a future one; a bulk call takes a turn that is free now, or tries again.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Reads } from "../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../platform/database/sql.ts";
import type { Pace } from "./budget.ts";

export type Urgency = "interactive" | "bulk";

interface Turn {
  readonly is_granted: boolean;
  /** Milliseconds until the granted turn, or until a turn may be free. */
  readonly wait_ms: number;
}

export interface Limited {
  readonly organisation_key: string;
  readonly pace: Pace;
}

/** A more distant turn is refused to an interactive call: its caller would no longer wait for it. */
const REACH_MS = 20_000;
/** How long bulk calls hold back for the next request of the same interactive caller, which usually makes several. */
const GRACE_MS = 500;
/** The shortest and the longest interval between two tries of a bulk call. */
const LOOK_MS = { least: 20, most: 1_000 };

const DATABASE_TIME = sql`clock_timestamp()`;

/** Waits for a turn; returns the pause in milliseconds when there was none before the signal. */
export async function awaitTurn(
  db: Reads,
  limited: Limited,
  urgency: Urgency,
  signal: AbortSignal,
): Promise<"granted" | { readonly retry_after_ms: number }> {
  for (;;) {
    const { is_granted, wait_ms } = await takeTurn(db, limited, urgency);
    if (is_granted && wait_ms === 0) return "granted";
    if (!is_granted && urgency === "interactive") return { retry_after_ms: wait_ms };
    const look_ms = Math.min(Math.max(wait_ms, LOOK_MS.least), LOOK_MS.most);
    const rest_ms = is_granted ? wait_ms : look_ms * (1 + Math.random() / 4);
    const is_over = await delay(rest_ms, false, { signal }).catch(() => true);
    if (is_over) return { retry_after_ms: wait_ms };
    if (is_granted) return "granted";
  }
}

/**
 * Requests a turn, in one query: `next_at` is the time of the next request at the even pace, which interactive calls may move
 * into the future. `now` is the database's time by default.
 */
export async function takeTurn(
  db: Reads,
  { organisation_key, pace }: Limited,
  urgency: Urgency,
  now: Sql = DATABASE_TIME,
): Promise<Turn> {
  const is_urgent = urgency === "interactive";
  const [step, early] = [ms(pace.interval_ms), ms(pace.tolerance_ms)];
  const [reach, grace] = [ms(is_urgent ? REACH_MS : 0), ms(GRACE_MS)];
  const granted =
    await db.row<Waited>(sql`insert into ledger_budgets as b (organisation_key, next_at, interactive_until)
     values (${organisation_key}, ${now} + ${step}, case when ${is_urgent} then ${now} + ${grace} else '-infinity' end)
     on conflict (organisation_key) do update set next_at = greatest(b.next_at, ${now}) + ${step},
       interactive_until = case when ${is_urgent}
         then greatest(b.interactive_until, b.next_at - ${early} + ${grace}, ${now} + ${grace}) else b.interactive_until end
     where b.next_at - ${early} <= ${now} + ${reach} and (${is_urgent} or b.interactive_until <= ${now})
     returning extract(epoch from b.next_at - ${step} - ${early} - ${now})::float8 * 1000 as wait_ms`);
  if (granted !== undefined) return { is_granted: true, wait_ms: Math.max(0, granted.wait_ms) };
  const until =
    await db.row<Waited>(sql`select extract(epoch from greatest(next_at - ${early}, interactive_until) - ${now})::float8 * 1000 as wait_ms
     from ledger_budgets where organisation_key = ${organisation_key}`);
  return { is_granted: false, wait_ms: Math.max(0, until?.wait_ms ?? 0) };
}

interface Waited {
  readonly wait_ms: number;
}

/** Stops all turns for this many milliseconds, because the ledger has refused more requests. */
export async function stopTurns(
  db: Reads,
  { organisation_key, pace }: Limited,
  pause_ms: number,
  now: Sql = DATABASE_TIME,
): Promise<void> {
  const until = sql`${now} + ${ms(pause_ms + pace.tolerance_ms)}`;
  await db.rows(sql`insert into ledger_budgets as b (organisation_key, next_at) values (${organisation_key}, ${until})
     on conflict (organisation_key) do update set next_at = greatest(b.next_at, ${until})`);
}

function ms(milliseconds: number): Sql {
  return sql`${milliseconds}::float8 * ${raw("interval '1 millisecond'")}`;
}
