/** Every account's books are checked once a night, one account at a time, by any of the processes. */
import { sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { verifyAccount } from "./verify.ts";

const DAY_MS = 86_400_000;
/** Two o'clock, UTC. */
const HOUR_MS = 2 * 3_600_000;

/** When the checks of the current night became due, in milliseconds of the real clock. */
export function lastNight(now_ms: number): number {
  return Math.floor((now_ms - HOUR_MS) / DAY_MS) * DAY_MS + HOUR_MS;
}

/**
 * A task of the worker: checks one account that has not been checked since the night began; returns whether there
 * was one. An account created after the begin of the night is left for the next.
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
