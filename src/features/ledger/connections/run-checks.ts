/**
 * Checks every connection automatically each quarter of an hour: its locked period, and whether it still works. Refused
 * credentials may be a fault of the ledger: they are checked again soon, but too rarely to look like an attack.
 */
import { Problem } from "../../../domain/base/problem.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { checkConnection } from "./check-connection.ts";

/** The additional checks after the credentials were refused. */
const AFTER_REFUSAL = raw("(values (interval '30 seconds'), (interval '2 minutes'))");

/** Checks the due connection whose last check is the oldest; returns whether there was one. */
export async function runDueCheck(services: Services): Promise<boolean> {
  const { db, ledgers } = services;
  const kinds = [...services.setups.keys()].filter((kind) => ledgers.has(kind));
  if (kinds.length === 0) return false;
  // The process that takes a connection has a quarter of an hour to check it; other processes take the next connection.
  const due = await db.row<{ account_id: string }>(sql`
    update ledger_connections set checked_at = clock_timestamp()
     where (account_id, id) = (select c.account_id, c.id from ledger_connections c
       where c.is_current and c.kind = any(${kinds})
         and (c.checked_at is null or c.checked_at < clock_timestamp() - interval '15 minutes'
           or exists (select from ${AFTER_REFUSAL} as soon (pause)
             where c.refused_since + soon.pause <= clock_timestamp() and c.checked_at < c.refused_since + soon.pause))
       order by c.checked_at nulls first limit 1 for update skip locked)
     returning account_id`);
  if (due === undefined) return false;
  const cx = await schedulerContext(services, due.account_id);
  try {
    await checkConnection(cx, "bulk");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn(
      { account_id: due.account_id, code: error.code },
      "a connection is not checked",
    );
  }
  return true;
}
