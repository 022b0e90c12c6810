/**
 * Locks the draft of a line and the person who works on it, and reads everything that decides a registration, in one trip.
 * Of a line of a series it locks only the series: its period decides the rest (`target.ts`).
 */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { findUser, type User } from "../../access/people/queries.ts";
import {
  findLines,
  findPartsBy,
  type LineOfDocument,
  type PartOfInvoice,
} from "../../sales/invoices/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findPlace, type LinePlace } from "./locate-line.ts";

/** A line before work is registered on it. */
interface LineAhead {
  readonly configuration: Configuration;
  /** Undefined when the account has no such line. */
  readonly place: LinePlace | undefined;
  /** Null unless the line is on a one-time draft, and this draft and the user are locked. */
  readonly locked: LockedLine | null;
}

interface LockedLine {
  readonly draft: PartOfInvoice;
  readonly line: LineOfDocument;
  readonly user: User;
  /** The hours of the user by date, in 1/100 of an hour; a date without hours has no entry. */
  readonly hours: ReadonlyMap<CalendarDate, number>;
}

/** Reads a line, its place and the hours of a date; of each date that may be the current one when it is absent. */
export async function lockLine(
  tx: Tx,
  line_id: string,
  user_id: string,
  date: CalendarDate | null,
): Promise<LineAhead> {
  const { account_id } = tx.caller;
  // One function finds and locks, so that both are one trip.
  const locking = tx.row<{ draft: string | null }>(
    sql`select lock_line(${account_id}, ${line_id}, ${user_id}) as draft`,
  );
  const of_line = sql`i.id = (select own.invoice_id from invoice_lines own
    where own.account_id = ${account_id} and own.id = ${line_id})`;
  const reads = asOneStatement(tx);
  const [locked, configuration, place, drafts, lines, user, hours] = await Promise.all([
    locking,
    getConfiguration(reads),
    findPlace(reads, line_id),
    findPartsBy(reads, of_line, sql`l.id = ${line_id}`),
    findLines(reads, [line_id]),
    findUser(reads, user_id),
    hoursOfDays(reads, user_id, date === null ? possibleToday(tx) : [date]),
  ]);
  const line = lines.get(line_id);
  const [draft] = drafts.values();
  // A line that became part of a draft after the lock was taken has another lock, or none.
  const is_locked = place?.kind === "invoice" && locked?.draft === place.invoice_id;
  if (!is_locked || !draft || !line || !user) return { configuration, place, locked: null };
  return { configuration, place, locked: { draft, line, user: user.user, hours } };
}

/** The dates that may be the current one, whatever the time zone. */
function possibleToday({ clock }: Tx): CalendarDate[] {
  const today = todayIn(clock, "UTC");
  return [addDays(today, -1), today, addDays(today, 1)];
}

/** Returns the hours of a user on some dates, in 1/100 of an hour; dates without hours have no entry. */
async function hoursOfDays(
  cx: Reader,
  user_id: string,
  dates: readonly CalendarDate[],
): Promise<Map<CalendarDate, number>> {
  const rows = await cx.rows<{ date: CalendarDate; hours: number }>(sql`
    select date, sum(hours)::int as hours from work_registrations
     where account_id = ${cx.caller.account_id} and user_id = ${user_id} and date = any(${dates}) group by date`);
  return new Map(rows.map(({ date, hours }) => [date, hours]));
}
