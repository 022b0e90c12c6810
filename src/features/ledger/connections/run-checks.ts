/**
 * Checks every connection automatically each quarter of an hour: its locked period, and whether it still works. Refused
 * credentials may be a fault of the ledger: they are checked again soon, but too rarely to look like an attack.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { checkConnection } from "./check-connection.ts";

/** The longest list of due connections that other processes may take before this one. */
const SOME = 20;

/** The condition that a connection `c` is due. Differences of moments are the same on every machine of a cluster, sums are not. */
const IS_DUE = sql`c.is_current and (c.checked_at is null
  or c.checked_at < (select clock_timestamp() - interval '15 minutes')
  or ${isDueAfter("interval '30 seconds'")} or ${isDueAfter("interval '2 minutes'")})`;

/** Returns the condition that the additional check at this time after the credentials were refused has not been made. */
function isDueAfter(pause: string): Sql {
  return sql`((select clock_timestamp()) - c.refused_since >= ${raw(pause)} and c.checked_at - c.refused_since < ${raw(pause)})`;
}

/** Returns the due connections `c` of some kinds, of all accounts. */
export function dueChecks(kinds: readonly string[]): Sql {
  return sql`from ledger_connections c where c.kind = any(${kinds}) and ${IS_DUE}`;
}

/** Returns the kinds of ledgers whose connections can be checked. */
export function checkedKinds({ setups, ledgers }: Pick<Services, "setups" | "ledgers">): string[] {
  return [...setups.keys()].filter((kind) => ledgers.has(kind));
}

/** Checks the due connection whose last check is the oldest; returns whether there was one. */
export async function runDueCheck(services: Services): Promise<boolean> {
  const kinds = checkedKinds(services);
  if (kinds.length === 0) return false;
  const due = await takeDueCheck(services.db, kinds);
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

interface DueCheck {
  readonly account_id: string;
  readonly id: string;
}

/**
 * Takes the due connection of one of the kinds whose last check is the oldest; undefined without one. The process that takes it
 * has a quarter of an hour to check it; other processes take the next one.
 */
export async function takeDueCheck(
  db: Reads,
  kinds: readonly string[],
): Promise<DueCheck | undefined> {
  const due = await db.rows<DueCheck>(sql`select c.account_id, c.id ${dueChecks(kinds)}
    order by c.checked_at nulls first limit ${SOME}`);
  for (const one of due) {
    const taken =
      await db.row(sql`update ledger_connections c set checked_at = (select clock_timestamp())
      where c.account_id = ${one.account_id} and c.id = ${one.id} and ${IS_DUE} returning id`);
    if (taken !== undefined) return one;
  }
  return undefined;
}
