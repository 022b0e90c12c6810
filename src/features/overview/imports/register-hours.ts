/** Imports hours from rows. A row matches an existing registration of the person on the line and date with the same note. */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import { seesAccount } from "../../../domain/base/visibility.ts";
import { carried } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lockRow } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Day, text, Uuid } from "../../../platform/http/schemas.ts";
import { findPlaces } from "../../work/registrations/locate-line.ts";
import { workOfDays } from "../../work/registrations/queries.ts";
import { registerWork } from "../../work/registrations/register.ts";
import { WorkCreate } from "../../work/registrations/schemas.ts";
import { lockHolders, targetAt } from "../../work/registrations/target.ts";
import { linesFor } from "./find-lines.ts";
import { type Imported, takeTurn } from "./run-batch.ts";

const named = text(255, 1).optional();

/** A row of hours: the line by id, or by customer and name; the person by id, name or address, else the importer. */
const HoursRow = z.strictObject({
  user_id: Uuid.optional(),
  user: named,
  line_id: Uuid.optional(),
  customer: named,
  title: named,
  line: text(4_000, 1).optional(),
  project: named,
  task: named,
  date: Day,
  hours: WorkCreate.shape.hours,
  billable: z.boolean().default(true),
  note: WorkCreate.shape.note,
});
type HoursRow = z.output<typeof HoursRow>;

/** The user and line of a row, or the reason why one is unknown. */
interface Meant {
  readonly user_id: string;
  readonly line_id: string;
}

export const importedHours: Imported<HoursRow> = {
  name: "import_hours",
  row: HoursRow,

  async begin(tx, rows) {
    takeTurn(tx, this.name);
    const meant = await meantBy(tx, rows);
    const known = [...meant.values()].flatMap((one) => (one instanceof Problem ? [] : [one]));
    const places = await findPlaces(tx, [...new Set(known.map(({ line_id }) => line_id))]);
    const placed = [...places].map(([line_id, place]) => ({ line_id, place }));
    const holders = await lockHolders(tx, placed);
    const user_ids = [...new Set(known.map(({ user_id }) => user_id))].sort();
    for (const user_id of user_ids) lockRow(tx, "users", user_id);
    const registered = await registeredBy(tx, user_ids, rows);
    return async (row) => {
      const one = meant.get(row);
      if (one === undefined || one instanceof Problem) throw one ?? new Error("a row is not known");
      const { line_id, user_id } = one;
      const { date, hours, billable, note } = row;
      const place = places.get(line_id);
      if (place === undefined) throw notFound("line", line_id);
      const { located } = targetAt(holders, place, line_id, date);
      const key = keyOf(user_id, located.line_id, date, note ?? null);
      const exists = registered.get(key);
      if (exists !== undefined) return { exists };
      const { document: made } = await carried(tx, registerWork, {
        line_id,
        user_id,
        date,
        hours,
        billable,
        note: note ?? null,
      });
      const { id } = JSON.parse(made) as { readonly id: string };
      registered.set(key, id);
      return { made };
    };
  },
};

function keyOf(user_id: string, line_id: string, date: CalendarDate, note: string | null): string {
  return JSON.stringify([user_id, line_id, date, note?.trim() ?? ""]);
}

/** Returns the registrations of the users on the dates of the rows, by the key that identifies them. */
async function registeredBy(
  tx: Tx,
  user_ids: readonly string[],
  rows: readonly HoursRow[],
): Promise<Map<string, string>> {
  const days = rows.map(({ date }) => date).sort();
  const [from, to] = [days[0], days.at(-1)];
  const found = new Map<string, string>();
  if (from === undefined || to === undefined) return found;
  for (const user_id of user_ids) {
    for (const { id, line_id, date, note } of await workOfDays(tx, user_id, from, to)) {
      found.set(keyOf(user_id, line_id, date, note), id);
    }
  }
  return found;
}

async function meantBy(tx: Tx, rows: readonly HoursRow[]): Promise<Map<HoursRow, Meant | Problem>> {
  const userOf = await usersFor(tx);
  const meant = new Map<HoursRow, Meant | Problem>();
  const people = groupedBy(rows, (row) => orRefused(() => userOf(row)));
  for (const [user_id, candidates] of people) {
    const needs_lines = candidates.some(({ line_id }) => line_id === undefined);
    const lineOf = user_id instanceof Problem || !needs_lines ? null : await linesFor(tx, user_id);
    for (const row of candidates) {
      const { line_id } = row;
      if (user_id instanceof Problem) meant.set(row, user_id);
      else if (line_id !== undefined) meant.set(row, { user_id, line_id });
      else
        meant.set(
          row,
          orRefused(() => ({ user_id, line_id: lineOf?.(row) ?? "" })),
        );
    }
  }
  return meant;
}

function orRefused<Found>(find: () => Found): Found | Problem {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown;
    throw thrown;
  }
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Returns a function that finds the user of a row. It throws VALIDATION_FAILED when no user or several have the name, and
 * REGISTRATION_FOR_OTHERS_FORBIDDEN when a standard user names another user.
 */
async function usersFor(tx: Tx): Promise<(row: HoursRow) => string> {
  const { account_id, person } = tx.caller;
  const all_people = await tx.rows<Person>(
    sql`select id, name, email from users where account_id = ${account_id} order by id`,
  );
  const is_limited = person !== null && !seesAccount(person.role);
  return ({ user_id, user }) => {
    if (user_id === undefined && user === undefined && person !== null) return person.user_id;
    const found =
      user_id === undefined
        ? peopleCalled(all_people, user ?? "")
        : all_people.filter(({ id }) => id === user_id);
    const [only, ...others] = found;
    if (is_limited && (only?.id !== person.user_id || others.length > 0)) {
      throw new Problem("REGISTRATION_FOR_OTHERS_FORBIDDEN");
    }
    const field = user_id === undefined ? "user" : "user_id";
    if (only === undefined) {
      throw invalidField(field, "unknown_reference", "There is no such user.");
    }
    if (others.length > 0) {
      throw invalidField(
        field,
        "ambiguous",
        "More than one user has this name: give the e-mail address.",
      );
    }
    return only.id;
  };
}

/** Returns the people with a name or an address. Of `Ada Holm <ada@studio.example>` the address counts, and the name if none has it. */
function peopleCalled(people: readonly Person[], typed: string): readonly Person[] {
  const text = typed.trim().toLowerCase();
  const [, name = text, address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  const addressed = people.filter(({ email }) => email.toLowerCase() === address);
  const called = people.filter((one) => one.name.toLowerCase() === name);
  if (name !== address) return addressed.length > 0 ? addressed : called;
  return [...new Set([...addressed, ...called])];
}
