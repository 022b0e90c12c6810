/** Checks every account's books once a night, one account at a time; any process may run a check. */
import { sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { verifyAccount } from "./verify.ts";

const DAY_MS = 86_400_000;
/** Two o'clock, UTC. */
const HOUR_MS = 2 * 3_600_000;

/** Returns when the checks of the current night became due, in milliseconds of the real clock. */
export function lastNight(now_ms: number): number {
  return Math.floor((now_ms - HOUR_MS) / DAY_MS) * DAY_MS + HOUR_MS;
}

/**
 * Returns a task of the worker, which checks one account that has not been checked since the night began; the task returns
 * whether there was one. An account created after the begin of the night is checked the next night.
 */
export function nightlyVerification(services: Services): () => Promise<boolean> {
  return async () => {
    const night = new Date(lastNight(Date.now())).toISOString();
    const due = await services.db.row<{ id: string }>(sql`
      select a.id from accounts a left join verifications v on v.account_id = a.id
       where a.created_at < ${night} and (v.checked_at is null or v.checked_at < ${night})
       order by v.checked_at nulls first, a.id limit 1`);
    if (due !== undefined) await verifyAccount(await schedulerContext(services, due.id));
    const found = await services.db.row<{ count: bigint }>(
      sql`select count(*) as count from verifications where not ok`,
    );
    services.metrics.setAccountsWithFaults(Number(found?.count ?? 0n));
    return due !== undefined;
  };
}
