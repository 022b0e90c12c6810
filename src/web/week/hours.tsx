/** My work: a week of hours by line and day, one's own or, for admins, any person's; and the week of the whole team. */
import { addDays, type CalendarDate, mondayOfWeek, weekKeyOf } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { notFound } from "../../domain/base/problem.ts";
import { seesAccount } from "../../domain/base/visibility.ts";
import { hoursAmount } from "../../domain/sales/line.ts";
import { listPeople, userNames } from "../../features/access/people/queries.ts";
import { requireOwn } from "../../features/overview/views/require-own.ts";
import { listWeek, type WeekLine } from "../../features/work/registrations/list-week.ts";
import type { Registration } from "../../features/work/registrations/present.ts";
import { CellSave, saveCell } from "../../features/work/registrations/save.ts";
import { run } from "../../platform/commands/command.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Icon } from "../frame/icon.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import type { PageReader } from "../frame/reader.ts";
import { ImportLink, NoneYet } from "../imports/import-links.tsx";
import { amountOf, dayInStyle } from "../parts/format.ts";
import { teamPage } from "./hours-team.tsx";
import { daysThrough, weekdayOf } from "./week-days.ts";
import { island as grid, type WeekGridProps } from "./week-grid.tsx";
import type { SentEntry } from "./week-grid-cell.ts";
import type { SavedAnswer, SentCell, SentLine } from "./week-grid-state.ts";

/** The number of lines that the week shows at first; the others can be added. */
const SHOWN_LINES = 40;
/** The highest rank of a line that is the person's own. */
const LAST_OF_OTHERS = 2;
const DAYS = [0, 1, 2, 3, 4, 5, 6];
const SATURDAY = 5;
const LONGEST_NAME = 80;

export const hoursPages: readonly WebPage[] = [
  definePage("GET /hours", "person", async (request) => ({
    redirect: addressOf(weekKeyOf(todayOf(request)), request.query.user),
  })),
  definePage("GET /hours/team", "hidden", teamPage),
  definePage("GET /hours/:week", "person", weekPage),
];

export const hoursActions: readonly Action[] = [
  defineAction("/app/hours/save", "person", CellSave, async (cx, cell): Promise<SavedAnswer> => {
    // The check comes before the cell is read, because the response contains its registrations.
    await requireOwn(cx, cell.user_id, "hours");
    const { saved, registered } = await run(saveCell, cx, cell);
    return { saved, registered: registered.map(entryFrom) };
  }),
];

function entryFrom({ id, hours, billable, note, updated_at }: Registration): SentEntry {
  return { id, hours, billable, note, updated_at };
}

function todayOf({ cx, reader }: PageRequest): CalendarDate {
  return todayIn(cx.clock, reader.time_zone ?? "UTC");
}

function addressOf(week: string, user: string | undefined): string {
  return `/hours/${week}${user === undefined ? "" : `?user=${encodeURIComponent(user)}`}`;
}

/** Returns the week's person, and all people if the reader may choose. Throws NOT_FOUND for one they may not see. */
async function personOf({ cx, query }: PageRequest) {
  const { role, user_id, name } = cx.caller.person;
  const wanted = query.user ?? user_id;
  const people = seesAccount(role) ? await listPeople(cx) : [{ id: user_id, name, active: true }];
  const user = people.find(({ id }) => id === wanted);
  if (user === undefined) throw notFound("user", wanted);
  return { user, people, is_own: user.id === user_id };
}

async function weekPage(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, named } = request;
  const { words, language } = reader;
  const key = named.week ?? "";
  const monday = mondayOfWeek(key);
  if (monday === undefined || weekKeyOf(monday) !== key) throw notFound("week", key);
  const { user, people, is_own } = await personOf(request);
  const week = await listWeek(cx, user, monday, request.takeHeavyPlace);
  const at_first = shownAtFirst(week.lines);
  const others = week.lines.flatMap(({ assignees, cells }) =>
    cells.some(({ rights }) => rights.change?.code === "USER_NOT_ASSIGNED") ? assignees : [],
  );
  const names = others.length === 0 ? new Map<string, string>() : await userNames(cx, others);
  const of = is_own ? undefined : user.id;
  const now = weekKeyOf(week.today);
  const props: WeekGridProps = {
    user_id: user.id,
    week: key,
    before: addressOf(weekKeyOf(addDays(monday, -7)), of),
    after: addressOf(weekKeyOf(addDays(monday, 7)), of),
    now: addressOf(now, of),
    days: daysOf(reader, monday, week.today),
    day: key === now ? DAYS.findIndex((day) => addDays(monday, day) === week.today) : 0,
    locked_to: week.work_lock_date,
    functional_currency: week.functional_currency,
    lines: week.lines.map((line) => sentLine(reader, line, at_first.has(line), names)),
  };
  const content = (
    <>
      {people.length > 1 && (
        <Switcher people={people} user_id={user.id} week={key} reader={reader} />
      )}
      {props.lines.some(({ is_shown }) => is_shown) ? (
        <Island of={grid} with={props} />
      ) : (
        <div class="card pad">
          <NoneYet text={words.hours.nothing} kind="hours" />
        </div>
      )}
    </>
  );
  const title = `${words.hours.week(numberOf(key))}, ${daysThrough(language, monday, addDays(monday, 6))}`;
  const lead = is_own ? words.hours.hint : `${words.hours.week_of(user.name)} ${words.hours.hint}`;
  const team = people.length > 1 || seesAccount(cx.caller.person.role);
  const actions = <Ways props={props} reader={reader} team={team} />;
  return { title, lead, content, actions, stores_itself: true, is_printed: true };
}

function numberOf(week: string): number {
  return Number.parseInt(week.slice(-2), 10);
}

function Ways({
  props,
  reader,
  team,
}: {
  props: WeekGridProps;
  reader: PageReader;
  team: boolean;
}) {
  const { hours } = reader.words;
  return (
    <>
      <a class="button" href={props.before} rel="prev">
        <Icon name="chevron-left" />
        <span class="wide-only">{hours.before}</span>
      </a>
      <a class="button" href={props.now}>
        {hours.this_week}
      </a>
      <a class="button" href={props.after} rel="next">
        <span class="wide-only">{hours.after}</span>
        <Icon name="chevron-right" />
      </a>
      {team && (
        <a class="button" href={`/hours/team?week=${props.week}`}>
          {hours.team}
        </a>
      )}
      <ImportLink kind="hours" />
    </>
  );
}

/** Lets an admin choose the person whose hours are shown. */
function Switcher(props: {
  people: readonly { readonly id: string; readonly name: string; readonly active: boolean }[];
  user_id: string;
  week: string;
  reader: PageReader;
}) {
  const { people, user_id, week, reader } = props;
  const { hours } = reader.words;
  return (
    <form method="get" action={`/hours/${week}`} class="row switch-person">
      <label class="row small">
        {hours.person}
        <select class="input" name="user">
          {people.map(({ id, name, active }) => (
            <option key={id} value={id} selected={id === user_id}>
              {active ? name : `${name} (${hours.inactive})`}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button">
        {hours.show}
      </button>
    </form>
  );
}

/** Returns the lines that the week shows at first: the person's own, and those with hours. */
function shownAtFirst(lines: readonly WeekLine[]): ReadonlySet<WeekLine> {
  const ranked = [...lines].sort((a, b) => a.rank - b.rank).slice(0, SHOWN_LINES);
  return new Set(ranked.filter(({ rank }) => rank <= LAST_OF_OTHERS));
}

function daysOf(
  { language }: PageReader,
  monday: CalendarDate,
  today: CalendarDate,
): WeekGridProps["days"] {
  return DAYS.map((day) => {
    const date = addDays(monday, day);
    return {
      date,
      short: weekdayOf(language, date, "short"),
      number: `${Number.parseInt(date.slice(8), 10)}`,
      long: dayInStyle(language, date, "weekday_date"),
      weekday: weekdayOf(language, date, "long"),
      is_today: date === today,
      is_off: day >= SATURDAY,
    };
  });
}

function sentLine(
  reader: PageReader,
  line: WeekLine,
  is_shown: boolean,
  names: ReadonlyMap<string, string>,
): SentLine {
  const { words } = reader;
  const name = line.name?.split("\n", 1)[0]?.slice(0, LONGEST_NAME) ?? words.hours.gone_line;
  const { budget, used, issued } = line;
  return {
    line_id: line.line_id,
    customer: line.customer_name,
    name: line.title ?? name,
    about: aboutOf(reader, line, line.title === null ? null : name),
    rate: line.rate === null ? null : `${line.rate}`,
    discount: line.discount,
    currency: line.currency,
    budget: budget && { used: `${used}`, part: `${budget.part}`, whole: `${budget.whole}` },
    issued: issued && { on: issued.on, number: issued.number === null ? null : `${issued.number}` },
    people: line.assignees.flatMap((id) => names.get(id) ?? []).join(", "),
    is_shown,
    is_of_last_week: line.is_of_last_week,
    cells: line.cells.map(cellFrom),
  };
}

function cellFrom({ registered, rights }: WeekLine["cells"][number]): SentCell {
  const is_locked = rights.change !== null || rights.remove !== null;
  return {
    ...(registered.length > 0 && { registered: registered.map(entryFrom) }),
    ...(is_locked && { rights }),
  };
}

/** Returns the kind of a line, its dates, and the price of an hour. */
function aboutOf(
  { words, language }: PageReader,
  { period, method, rate, currency }: WeekLine,
  name: string | null,
): string {
  const per_hour =
    rate && amountOf(language, hoursAmount(100n, rate, 0, currencyDigits(currency)), currency);
  const kind = per_hour ? words.hours.rate(per_hour) : method && words.hours.methods[method];
  const days = period && daysThrough(language, period.from, period.to);
  return [name, days, kind].filter((one) => one !== null).join(" · ");
}
