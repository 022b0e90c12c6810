/**
 * Locks what holds a line, its draft or its series, and the person who works on it, and reads everything that decides a
 * registration, in one trip. The locks are one function of the database (`lock_line`), and what is read is one statement.
 */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { findUser, type User } from "../../access/people/queries.ts";
import { findSeriesOfLine } from "../../recurring/series/queries.ts";
import type { Series } from "../../recurring/series/series.ts";
import {
  findLines,
  findPartsBy,
  type LineOfDocument,
  type PartOfInvoice,
} from "../../sales/invoices/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findPlaceAtOnce, type LinePlace } from "./locate-line.ts";
import { type LineOfWork, lineInSeries } from "./present.ts";
import { type Holders, holdersOf, type Located, seriesOfWork } from "./target.ts";

/** A line before work is registered on it. */
interface LineAhead {
  readonly configuration: Configuration;
  /** Undefined when the account has no such line. */
  readonly place: LinePlace | undefined;
  /** Null unless the holder of the line and the user are there, and locked. */
  readonly locked: LockedLine | null;
}

interface LockedLine {
  readonly holders: Holders;
  readonly user: User;
  /** The hours of the user by date, in 1/100 of an hour; a date without hours has no entry. */
  readonly hours: ReadonlyMap<CalendarDate, number>;
  /** Returns the line as work there shows it. */
  lineOf(work: Located): LineOfWork | undefined;
}

type Held = Pick<LockedLine, "holders" | "lineOf">;

/** Reads a line, its place and the hours of a date; of each date that may be the current one when it is absent. */
export async function lockLine(
  tx: Tx,
  line_id: string,
  user_id: string,
  date: CalendarDate | null,
): Promise<LineAhead> {
  const { account_id } = tx.caller;
  // One function finds and locks, so that both are one trip.
  const locking = tx.row<LockedIds>(
    sql`select draft, series from lock_line(${account_id}, ${line_id}, ${user_id})`,
  );
  const of_line = sql`i.id = (select own.invoice_id from invoice_lines own
    where own.account_id = ${account_id} and own.id = ${line_id})`;
  const reads = asOneStatement(tx);
  const [locked, configuration, place, drafts, lines, series, user, hours] = await Promise.all([
    locking,
    getConfiguration(reads),
    findPlaceAtOnce(reads, line_id),
    findPartsBy(reads, of_line, sql`l.id = ${line_id}`),
    findLines(reads, [line_id]),
    findSeriesOfLine(reads, line_id),
    findUser(reads, user_id),
    hoursOfDays(reads, user_id, date === null ? possibleToday(tx) : [date]),
  ]);
  if (place === undefined || locked === undefined || user === undefined) {
    return { configuration, place, locked: null };
  }
  const [draft] = drafts.values();
  const held =
    place.kind === "invoice"
      ? heldByDraft(place.invoice_id, locked, draft, lines.get(line_id))
      : heldBySeries(series.get(place.series_id), locked);
  return { configuration, place, locked: held && { ...held, user: user.user, hours } };
}

/** What `lock_line` locked. */
interface LockedIds {
  readonly draft: string | null;
  readonly series: readonly string[] | null;
}

/** A line that became part of a draft after the lock was taken has another lock, or none: then null. */
function heldByDraft(
  invoice_id: string,
  locked: LockedIds,
  draft: PartOfInvoice | undefined,
  line: LineOfDocument | undefined,
): Held | null {
  if (locked.draft !== invoice_id || draft === undefined || line === undefined) return null;
  return { holders: holdersOf(draft), lineOf: () => line };
}

function heldBySeries(series: Series | undefined, { series: ids }: LockedIds): Held | null {
  if (series === undefined || !ids?.includes(series.id)) return null;
  const holders = { series: new Map([[series.id, seriesOfWork(series)]]), invoices: new Map() };
  return { holders, lineOf: (work) => lineInSeries(series, work) };
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
