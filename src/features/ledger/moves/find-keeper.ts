/**
 * Tells which ledger had the books of an account on a day: after a move the new one from its first day, before the first move the
 * one that was left. The accruals of a month are all booked by the ledger that has the books at its end.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Returns the SQL condition that the built-in ledger had the books on a day; of an account that has never moved, it has them now. */
export function isOwnOn({ caller, ledger }: Reader, day: Sql): Sql {
  const moves = sql`from ledger_moves m where m.account_id = ${caller.account_id} and m.state <> 'refused'`;
  return sql`coalesce(
    (select m.to_connection_id is null ${moves} and m.begins_on <= ${day} order by m.id desc limit 1),
    (select m.from_connection_id is null ${moves} order by m.id limit 1), ${ledger?.transactional ?? false}::boolean)`;
}

/** Whether the built-in ledger had the books at the end of a day. */
export async function hadBooks(cx: Reader, day: CalendarDate): Promise<boolean> {
  const row = await cx.row<{ is_own: boolean | null }>(
    sql`select ${isOwnOn(cx, sql`${day}::date`)} as is_own`,
  );
  return row?.is_own ?? false;
}
