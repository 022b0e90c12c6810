/** Finds why endpoints fail: the last attempt for the oldest event that waits, which is the one that is tried again. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** How an attempt has failed: the status of the answer, or why there was none. */
export interface FailedAttempt {
  readonly status: number | null;
  readonly error: string | null;
}

interface FailureRow extends FailedAttempt {
  readonly endpoint_id: string;
}

/** Returns the last failed attempt of each of the endpoints that has one, by the id of the endpoint. */
export async function findFailures(
  cx: Reader,
  endpoint_ids: readonly string[],
): Promise<ReadonlyMap<string, FailedAttempt>> {
  if (endpoint_ids.length === 0) return new Map();
  const { account_id } = cx.caller;
  const rows =
    await cx.rows<FailureRow>(sql`select d.endpoint_id, (d.attempts -> -1 ->> 'status')::int as status,
      d.attempts -> -1 ->> 'error' as error
    from webhook_endpoints e cross join lateral (
      select w.endpoint_id, w.attempts from webhook_deliveries w
      where w.account_id = ${account_id} and w.endpoint_id = e.id and w.status = 'pending' and not w.is_test
      order by w.sequence limit 1) d
    where e.account_id = ${account_id} and e.id = any(${endpoint_ids}::uuid[])`);
  return new Map(rows.map(({ endpoint_id, status, error }) => [endpoint_id, { status, error }]));
}
