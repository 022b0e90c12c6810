/**
 * Attempts counted in PostgreSQL, so that all processes count together: of a sign-in, of an address.
 * Windows are fixed; the first attempt begins one.
 */
import { Problem } from "../../domain/problem.ts";
import { type Database, query } from "../database/database.ts";
import { sha256 } from "../json.ts";

export interface Limit {
  /** What is counted, such as `sign-in of a login`. */
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** Counts one attempt. Throws RATE_LIMITED with the seconds to wait when there were too many. */
export async function countAttempt(db: Database, limit: Limit, subject: string): Promise<void> {
  const [row] = await query<{ count: number; wait: number }>(
    db,
    `insert into rate_counters (key, count, ends_at)
     values ($1, 1, clock_timestamp() + make_interval(secs => $2))
     on conflict (key) do update set
       count = case when rate_counters.ends_at <= clock_timestamp() then 1
         else least(rate_counters.count, 1000000) + 1 end,
       ends_at = case when rate_counters.ends_at <= clock_timestamp() then excluded.ends_at
         else rate_counters.ends_at end
     returning count, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait`,
    [keyOf(limit, subject), limit.seconds],
  );
  if (row === undefined || row.count <= limit.most) return;
  throw new Problem("RATE_LIMITED", {
    message: "Too many attempts. Wait a while and try again.",
    retry_after_seconds: Math.max(1, row.wait),
  });
}

/** Forgets the attempts, after one that succeeded. */
export async function forgetAttempts(db: Database, limit: Limit, subject: string): Promise<void> {
  await query(db, "delete from rate_counters where key = $1", [keyOf(limit, subject)]);
}

function keyOf(limit: Limit, subject: string): Buffer {
  return sha256(`${limit.name}\n${subject}`);
}
