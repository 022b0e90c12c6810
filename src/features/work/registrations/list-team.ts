/** Lists the hours of each person on each date. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

interface PersonOfTeam {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** In 1/100 of an hour by day; a day without hours has no entry. */
  readonly hours: ReadonlyMap<CalendarDate, bigint>;
}

interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly date: CalendarDate | null;
  readonly hours: bigint | null;
}

/** Returns active people, and others with work in the range, by name. One query has an index lookup for each. */
export async function listTeam(
  cx: Reader,
  from: CalendarDate,
  to: CalendarDate,
): Promise<PersonOfTeam[]> {
  const rows =
    await cx.rows<TeamRow>(sql`select u.id, u.name, u.active, w.date, w.hours from users u
      left join lateral (
        select date, sum(hours)::bigint as hours from work_registrations r
        where r.account_id = ${cx.caller.account_id} and r.user_id = u.id and r.date between ${from} and ${to}
        group by date) w on true
      where u.account_id = ${cx.caller.account_id} and (u.active or w.date is not null)
      order by u.name, u.id, w.date`);
  const people = new Map<string, PersonOfTeam & { readonly hours: Map<CalendarDate, bigint> }>();
  for (const { date, hours, ...person } of rows) {
    const known = people.get(person.id) ?? { ...person, hours: new Map<CalendarDate, bigint>() };
    people.set(person.id, known);
    if (date !== null && hours !== null) known.hours.set(date, hours);
  }
  return [...people.values()];
}
