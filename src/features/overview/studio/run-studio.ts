/**
 * Plays the year of a studio by the commands of the product, in the background. Each step commits together with the count of
 * steps, or is safe to repeat, so an interrupted studio continues where it stopped and nothing happens twice.
 */

import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { addDays } from "../../../domain/base/calendar.ts";
import { carried } from "../../../platform/commands/command.ts";
import { type Context, fullAccess } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { contextFor, type Services } from "../../../platform/runtime/services.ts";
import { findPerson, personCaller } from "../../../platform/security/person.ts";
import { setTestClock } from "../../recurring/test-clock/change-clock.ts";
import type { PersonId } from "./firm.ts";
import { playInside, playOutside } from "./run-step.ts";
import { stepsOfYear, timeOn, type YearStep } from "./year.ts";

/** How long a process holds a studio; each step renews it. After a crash another process takes over. */
const LEASE = sql`(select clock_timestamp() + interval '15 seconds')`;

interface StudioRow {
  readonly account_id: string;
  readonly owner_id: string;
  readonly ends_on: CalendarDate;
  readonly stands: boolean;
  readonly steps_done: number;
}

/**
 * Continues one unfinished studio, of any login, until it is finished or `isStopped`; returns whether there was one. Several
 * processes may call it: each studio is played by one of them.
 */
export async function resumeStudio(
  services: Services,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  const studio = await takeStudio(services);
  if (studio === undefined) return false;
  const began = performance.now();
  const steps = stepsOfYear(studio.ends_on);
  for (let done = studio.steps_done; done < steps.length; done += 1) {
    if (isStopped()) {
      await release(services, studio);
      return false;
    }
    const step = steps[done];
    if (step === undefined || !(await playStep(services, studio, step, done))) return true;
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  services.log.info({ account_id: studio.account_id, seconds }, "the example year is ready");
  return true;
}

/** The condition that nothing plays a studio `s` that is unfinished. */
const IS_LEFT = sql`s.finished_at is null and (s.lease_until is null or s.lease_until < (select clock_timestamp()))`;

/** The unfinished studios that no process plays. */
export const leftStudios = sql`from studios s where ${IS_LEFT}`;

/** Takes the oldest unfinished studio that no process holds; undefined where there is none. */
async function takeStudio({ db }: Services): Promise<StudioRow | undefined> {
  const left = await db.rows<{ account_id: string }>(
    sql`select s.account_id ${leftStudios} order by s.account_id limit 5`,
  );
  for (const { account_id } of left) {
    const taken = await db.row<StudioRow>(sql`update studios s set lease_until = ${LEASE}
       from users u
       where s.account_id = ${account_id} and ${IS_LEFT} and u.account_id = ${account_id} and u.login_id = s.login_id
       returning s.account_id, u.id as owner_id, s.ends_on, s.stands, s.steps_done`);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

async function release({ db }: Services, { account_id }: StudioRow): Promise<void> {
  await db.rows(
    sql`update studios set lease_until = null where account_id = ${account_id} and finished_at is null`,
  );
}

/** Plays a step and counts it; returns false when another process has counted it first. */
async function playStep(
  services: Services,
  studio: StudioRow,
  step: YearStep,
  done: number,
): Promise<boolean> {
  const by = step.do === "hours" ? step.by : "owner";
  const cx = await contextAt(services, studio, step.at, by);
  // These steps open their own transactions and find what an interrupted attempt has done.
  await playOutside(cx, step);
  return transact(cx, async (tx) => {
    if (!(await isCounted(tx, done))) return false;
    await playInside(tx, step);
    if (step.do === "clock") await carried(tx, setTestClock, { now: step.at });
    if (step.do === "finish") await finish(tx, studio);
    return true;
  });
}

/** Counts the step and renews the lease. The row is locked first: a second player waits here, and then counts nothing. */
async function isCounted(tx: Tx, done: number): Promise<boolean> {
  const row = await tx.row(sql`update studios set steps_done = ${done + 1}, lease_until = ${LEASE}
     where account_id = ${tx.caller.account_id} and steps_done = ${done} returning account_id`);
  return row !== undefined;
}

/** Ends the year: the clock runs from now on, or stands on the day after. */
async function finish(tx: Tx, { ends_on, stands }: StudioRow): Promise<void> {
  const now = stands ? timeOn(addDays(ends_on, 1), "08:00") : null;
  await carried(tx, setTestClock, { now });
  tx.write(
    sql`update studios set finished_at = (select clock_timestamp()), lease_until = null where account_id = ${tx.caller.account_id}`,
  );
}

/** Returns the context of a person of the studio at a time of the year. */
async function contextAt(
  services: Services,
  { account_id, owner_id }: StudioRow,
  at: Timestamp,
  by: PersonId,
): Promise<Context> {
  const user_id = by === "owner" ? owner_id : await colleagueOf(services, account_id, by);
  const row = await findPerson(services.db, account_id, user_id);
  if (row === undefined) throw new Error(`the studio has no person ${by}`);
  return contextFor(
    services,
    personCaller({ ...row, test_clock: at }, fullAccess, null),
    services.log,
  );
}

async function colleagueOf({ db }: Services, account_id: string, by: PersonId): Promise<string> {
  const row = await db.row<{ id: string }>(
    sql`select id from users where account_id = ${account_id} and external_id = ${by}`,
  );
  if (row === undefined) throw new Error(`the studio has no person ${by}`);
  return row.id;
}
