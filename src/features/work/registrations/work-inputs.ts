/** Reads the inputs of the rules of work other than the line: the locked user, the hours of the date, today, the lock date. */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { scaledFromNumber } from "../../../domain/base/money.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import { HOURS_DECIMALS } from "../../../domain/sales/line.ts";
import type { Work, WorkActor, WorkFacts } from "../../../domain/work/work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lockRow } from "../../../platform/database/resources.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { findUser } from "../../access/people/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { hoursOfDay } from "./queries.ts";

interface Calendar {
  readonly actor: WorkActor;
  readonly today: CalendarDate;
  readonly work_lock_date: CalendarDate | null;
}

/** Returns the rights of the caller, and the relevant dates. An API key has the rights of an admin. */
export async function calendarOf(cx: Reader): Promise<Calendar> {
  return calendarFrom(cx, await getConfiguration(cx));
}

/** Returns the result of `calendarOf` for a caller that has read the configuration. */
export function calendarFrom(
  cx: Reader,
  { time_zone, work_lock_date }: Pick<Configuration, "time_zone" | "work_lock_date">,
): Calendar {
  const { person } = cx.caller;
  const actor = person && { role: person.role, user_id: person.user_id };
  return { actor, today: todayIn(cx.clock, time_zone), work_lock_date };
}

/**
 * Returns the inputs for work. `besides` is the replaced registration. The user is locked after series and invoices,
 * so that parallel registrations cannot exceed a day's hours. Throws VALIDATION_FAILED for an unknown user.
 */
export async function factsOf(
  tx: Tx,
  work: Work,
  calendar: Calendar,
  besides: string | null,
): Promise<WorkFacts> {
  lockRow(tx, "users", work.user_id);
  const stored = await findUser(tx, work.user_id);
  if (stored === undefined) {
    throw invalidField("user_id", "unknown_reference", "There is no such user.");
  }
  const hours_of_day = await hoursOfDay(tx, work.user_id, work.date, besides);
  return { ...calendar, user_is_active: stored.user.active, hours_of_day };
}

/** Converts hours as sent to 1/100; the schema has checked their decimals. */
export function hoursFrom(value: number): number {
  const scaled = scaledFromNumber(value, HOURS_DECIMALS);
  if (typeof scaled === "string") throw new Error(`hours are ${scaled}`);
  return Number(scaled);
}
