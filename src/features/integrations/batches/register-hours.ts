/**
 * Registers the hours of many rows in one transaction, by the rule of one. Rows count for the hours of a day in their order, as if
 * each were registered after the one before.
 */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import { requireRegistrable } from "../../../domain/work/work.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { defineCreations } from "../../../platform/commands/creation.ts";
import { orRefusal } from "../../../platform/commands/save-many.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insertMany } from "../../../platform/database/many-rows.ts";
import { shownStamp, takeStamp } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { findPlaces } from "../../work/registrations/locate-line.ts";
import { presentWork } from "../../work/registrations/present.ts";
import type { WorkFields } from "../../work/registrations/queries.ts";
import type { WorkCreate } from "../../work/registrations/schemas.ts";
import { lockHolders, targetOn } from "../../work/registrations/target.ts";
import { calendarOf, hoursFrom } from "../../work/registrations/work-inputs.ts";

type Named = WorkCreate & { readonly external_id: string };

export const registerHours = defineCreations<Named>({
  name: "register_hours",
  table: "work_registrations",

  async create(tx, rows) {
    const decide = await decider(
      tx,
      rows.map(({ sent }) => sent),
    );
    const decided = rows.map(({ sent, request_hash }) => {
      const work = orRefusal(() => decide(sent));
      return work instanceof Problem ? work : { work, request_hash };
    });
    const made = decided.flatMap((one) => (one instanceof Problem ? [] : [one]));
    await store(tx, made);
    return decided.map((one) => (one instanceof Problem ? one : one.work.id));
  },
});

/** Takes the locks of all rows in order and reads what decides them. Returns the rule for a row, which throws its refusal. */
async function decider(tx: Tx, rows: readonly Named[]): Promise<(row: Named) => WorkFields> {
  const places = await findPlaces(tx, [
    ...new Set(rows.map(({ line_id }) => line_id.toLowerCase())),
  ]);
  const placed = [...places].map(([line_id, place]) => ({ line_id, place }));
  const holders = await lockHolders(tx, placed);
  const users = await lockUsers(
    tx,
    rows.map(({ user_id }) => user_id),
  );
  const calendar = await calendarOf(tx);
  const dateOf = ({ date }: Named): CalendarDate => date ?? calendar.today;
  const hours = await hoursOfDays(tx, [...users.keys()], rows.map(dateOf));
  const targets = new Map<string, ReturnType<typeof targetOn>>();
  return (row) => {
    const line_id = row.line_id.toLowerCase();
    const user_id = row.user_id.toLowerCase();
    const place = places.get(line_id);
    if (place === undefined) throw notFound("line", row.line_id);
    const date = dateOf(row);
    const onDate = targets.get(line_id) ?? targetOn(holders, place, line_id);
    targets.set(line_id, onDate);
    const target = onDate(date);
    const user_is_active = users.get(user_id);
    if (user_is_active === undefined) {
      throw invalidField("user_id", "unknown_reference", "There is no such user.");
    }
    const done = { user_id, date, hours: hoursFrom(row.hours) };
    const day = `${user_id} ${date}`;
    const hours_of_day = hours.get(day) ?? 0;
    requireRegistrable(target, done, { ...calendar, user_is_active, hours_of_day });
    hours.set(day, hours_of_day + done.hours);
    return {
      id: newId<string>(),
      external_id: row.external_id,
      ...target.located,
      ...done,
      billable: row.billable,
      note: row.note ?? null,
      status: "open",
    };
  };
}

/** Locks users by id, so that parallel registrations cannot exceed a day's hours. Returns whether each is active. */
async function lockUsers(
  tx: Tx,
  user_ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.rows<{ id: string; active: boolean }>(
    sql`select id, active from users where account_id = ${tx.caller.account_id} and id = any(${[...new Set(user_ids)]})
      order by id for no key update`,
  );
  return new Map(rows.map(({ id, active }) => [id, active]));
}

/** Returns the hours of users on some dates, in 1/100 of an hour, by user and date. The caller holds the users' locks. */
async function hoursOfDays(
  cx: Reader,
  user_ids: readonly string[],
  dates: readonly CalendarDate[],
): Promise<Map<string, number>> {
  const rows = await cx.rows<{ user_id: string; date: CalendarDate; hours: number }>(sql`
    select user_id, date, sum(hours)::int as hours from work_registrations
     where account_id = ${cx.caller.account_id} and user_id = any(${user_ids}) and date = any(${[...new Set(dates)]})
     group by user_id, date`);
  return new Map(rows.map(({ user_id, date, hours }) => [`${user_id} ${date}`, hours]));
}

interface Decided {
  readonly work: WorkFields;
  readonly request_hash: Buffer;
}

async function store(tx: Tx, decided: readonly Decided[]): Promise<void> {
  if (decided.length === 0) return;
  const stamp = await takeStamp(tx);
  const shown = shownStamp(stamp) as Timestamp;
  const rows = decided.map(({ work }) => ({ ...work, created_at: shown, updated_at: shown }));
  const documents = await presentWork(tx, rows);
  const stored = decided.map(({ work, request_hash }) => ({ ...work, request_hash }));
  const at = sql`${stamp}::timestamptz`;
  const { account_id } = tx.caller;
  tx.write(
    insertMany("work_registrations", stored, { account_id, created_at: at, updated_at: at }),
  );
  for (const [index, { work }] of decided.entries()) {
    const after = documents[index];
    if (after === undefined) throw new Error(`work registration ${work.id} has no line`);
    tx.audit("work_registration", work.id, "created", { before: null, after });
  }
}
