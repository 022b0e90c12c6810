/** Shows the week of the whole team: people by days, with missing hours marked. Names and days link to the week of the person. */
import {
  addDays,
  type CalendarDate,
  mondayOf,
  mondayOfWeek,
  weekKeyOf,
} from "../../domain/base/calendar.ts";
import { missesHours } from "../../domain/work/workday.ts";
import { listTeam } from "../../features/work/registrations/list-team.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { hoursOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { daysThrough, weekdayOf } from "./week-days.ts";

const DAYS = [0, 1, 2, 3, 4, 5, 6];

type Person = Awaited<ReturnType<typeof listTeam>>[number];

export async function teamPage({ cx, reader, query }: PageRequest): Promise<PageAnswer> {
  const { words, language } = reader;
  const { hours } = words;
  const today = todayIn(cx.clock, reader.time_zone ?? "UTC");
  const monday = mondayOfWeek(query.week ?? "") ?? mondayOf(today);
  const week = weekKeyOf(monday);
  const people = await listTeam(cx, monday, addDays(monday, 6));
  const addressOf = ({ id }: Person) => `/hours/${week}?user=${id}`;
  const cellOf = (person: Person, day: number) => {
    const date = addDays(monday, day);
    const worked = person.hours.get(date) ?? 0n;
    if (worked > 0n) return <a href={addressOf(person)}>{hoursOf(language, worked)}</a>;
    if (!person.active || !missesHours(day, date, today, worked))
      return <span class="quiet">–</span>;
    return (
      <a href={addressOf(person)}>
        <Pill kind="hot">{hours.missing}</Pill>
      </a>
    );
  };
  const headOf = (date: CalendarDate): string =>
    `${weekdayOf(language, date, "short")} ${Number.parseInt(date.slice(8), 10)}`;
  const content = (
    <List
      label={hours.team}
      rows={people}
      empty={null}
      columns={[
        {
          head: hours.name,
          fold: "lead" as const,
          cell: (person) => (
            <>
              <a href={addressOf(person)}>{person.name}</a>
              {!person.active && <span class="quiet tiny">{` ${hours.inactive}`}</span>}
            </>
          ),
        },
        ...DAYS.map((day) => ({
          head: headOf(addDays(monday, day)),
          kind: "number" as const,
          cell: (person: Person) => cellOf(person, day),
        })),
        {
          head: hours.sum,
          kind: "number",
          fold: "end",
          cell: (person) => hoursOf(language, sumOf(person)),
        },
      ]}
    />
  );
  const to = (days: number) => `/hours/team?week=${weekKeyOf(addDays(monday, days))}`;
  const actions = (
    <>
      <a class="button" href={to(-7)} rel="prev">
        {hours.before}
      </a>
      <a class="button" href={to(7)} rel="next">
        {hours.after}
      </a>
      <a class="button" href={`/hours/${week}`}>
        {hours.own}
      </a>
    </>
  );
  const title = `${hours.team}, ${hours.week(Number.parseInt(week.slice(-2), 10)).toLowerCase()}, ${daysThrough(language, monday, addDays(monday, 6))}`;
  return { title, lead: hours.team_hint, content, actions };
}

function sumOf({ hours }: Person): bigint {
  return [...hours.values()].reduce((sum, one) => sum + one, 0n);
}
