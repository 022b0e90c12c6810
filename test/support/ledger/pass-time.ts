/** Simulates the passing of time for a booking by changing its stored times, so that no test waits. */
import type { World } from "../world/world.ts";

/** Calls have timed out, leases and pauses are over, and a ledger that is down may be probed. */
export async function letTimePass({ sql }: Pick<World, "sql">): Promise<void> {
  const past = "clock_timestamp() - interval '1 second'";
  await sql(
    `update intents set lease_until = ${past}, next_attempt_at = ${past},
       called_at = called_at - interval '90 seconds'
     where state in ('booking', 'unknown', 'pending', 'parked')`,
  );
  await sql(`update ledger_connections set next_probe_at = ${past} where down_since is not null`);
}

/** Calls about customers or products that were given up have timed out, and waiting ones are due. */
export async function letLinksPass({ sql }: Pick<World, "sql">): Promise<void> {
  await sql(
    `update ledger_links set next_attempt_at = clock_timestamp(),
       unsure_until = unsure_until - interval '10 minutes' where state = 'queued'`,
  );
}
