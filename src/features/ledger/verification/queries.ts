/** Reads the stored result of the last check of an account's books, and since when the books exist. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Verification } from "./schemas.ts";

/** Returns the last check; null before the first one. */
export async function lastVerification(cx: Reader): Promise<Verification | null> {
  const last = await cx.row<{ document: string }>(
    sql`select document from verifications where account_id = ${cx.caller.account_id}`,
  );
  return last === undefined ? null : Verification.parse(JSON.parse(last.document));
}

/** Returns the date of the first entry of the built-in ledger; null before the first one. */
export async function firstEntryDate(cx: Reader): Promise<CalendarDate | null> {
  const first = await cx.row<{ entry_date: CalendarDate }>(sql`select entry_date from ledger_entries
    where account_id = ${cx.caller.account_id} order by entry_no limit 1`);
  return first?.entry_date ?? null;
}
