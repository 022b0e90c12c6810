/** What must hold before anything is called paid, owed or overdue (spec 13.4). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findReadThrough, type ReadThrough } from "../ledger-items/queries.ts";

/** Whether the account knows what is paid: its receivables are begun. */
export async function hasBegun(cx: Reader): Promise<boolean> {
  const begun = await cx.row(
    sql`select begun_on from receivables_begins where account_id = ${cx.caller.account_id}`,
  );
  return begun !== undefined;
}

/** Throws RECEIVABLES_NOT_BEGUN unless the account knows what is paid. */
export async function requireBegun(cx: Reader): Promise<void> {
  if (!(await hasBegun(cx))) throw new Problem("RECEIVABLES_NOT_BEGUN");
}

/** Whether the account's payments are recorded in a connected accounting system. */
export function isPaidInLedger(cx: Reader): boolean {
  return cx.ledger !== null && !cx.ledger.transactional;
}

/** Returns the day that is asked about: today by the account's clock, or an earlier one. Throws VALIDATION_FAILED for a later one. */
export function dayAsked(
  cx: Reader,
  at: CalendarDate | undefined,
  { time_zone }: Configuration,
): { readonly day: CalendarDate; readonly is_today: boolean } {
  const today = todayIn(cx.clock, time_zone);
  const day = at ?? today;
  if (day > today) throw invalidField("at", "too_large", "The day is in the future.");
  return { day, is_today: day === today };
}

/** Where a report finds what is owed. */
export interface OwedSources {
  /** Whether our own items count: receivables are begun. */
  readonly is_known: boolean;
  /** The connection whose documents count besides, by what its ledger reported; null where payments are recorded here. */
  readonly connection_id: string | null;
}

/** Whether a report has anything to add up. */
export function isAnyKnown({ is_known, connection_id }: OwedSources): boolean {
  return is_known || connection_id !== null;
}

/** Returns how far a report is known from the connected ledger, of one customer or of all; null where payments are recorded here. */
export async function readThrough(
  cx: Reader,
  { connection_id }: OwedSources,
  customer_id: string | null = null,
): Promise<ReadThrough | null> {
  return connection_id === null ? null : findReadThrough(cx, connection_id, customer_id);
}

/** A report on what is owed, and its day. */
interface OwedOn extends OwedSources {
  readonly day: CalendarDate;
  readonly is_today: boolean;
  readonly functional_currency: string;
}

/**
 * Returns the day of a report. Throws VALIDATION_FAILED for a day in the future, PAYMENTS_IN_LEDGER for an earlier day where payments are
 * recorded in a connected ledger, and RECEIVABLES_NOT_BEGUN where they are recorded here.
 */
export async function owedOn(cx: Reader, at: CalendarDate | undefined): Promise<OwedOn> {
  const configuration = await getConfiguration(cx);
  const { functional_currency } = configuration;
  const { day, is_today } = dayAsked(cx, at, configuration);
  const is_external = isPaidInLedger(cx);
  if (is_external && !is_today) throw new Problem("PAYMENTS_IN_LEDGER");
  const sources = await findOwedSources(cx);
  if (!sources.is_known && !is_external) throw new Problem("RECEIVABLES_NOT_BEGUN");
  return { day, is_today, ...sources, functional_currency };
}

/** Returns where is found what is owed today. */
export async function findOwedSources(cx: Reader): Promise<OwedSources> {
  const is_known = await hasBegun(cx);
  const connection_id = isPaidInLedger(cx) ? await findConnectionId(cx) : null;
  return { is_known, connection_id };
}

async function findConnectionId(cx: Reader): Promise<string | null> {
  const row = await cx.row<{ id: string }>(
    sql`select id from ledger_connections where account_id = ${cx.caller.account_id} and is_current`,
  );
  return row?.id ?? null;
}
