/** When the scheduler retries a queued credit note that could not be issued (spec 4.7 and 4.11). */

import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The same pauses as for occurrences, in hours until the next of seven retries. */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/**
 * Counts a failure and sets the time of the next try by the account's clock. `before` is the number of failures before this
 * attempt: when two parallel runs fail, or a refusal has already counted the failure, it is counted once.
 */
export async function postpone(tx: Tx, id: string, before: number | null): Promise<void> {
  const now = Date.parse(tx.clock.now());
  const times = HOURS_UNTIL_RETRY.map((hours) => new Date(now + hours * 3_600_000).toISOString());
  tx.write(sql`update credit_notes set queue_state = 'failed', queue_attempts = queue_attempts + 1,
       next_attempt_at = (${times}::timestamptz[])[queue_attempts + 1]
     where account_id = ${tx.caller.account_id} and id = ${id} and status = 'draft' and queue_state is not null
       and (${before}::int is null or queue_attempts = ${before})`);
}
