/**
 * The audit page: lists changes with their time and actor, and what they changed by field. Admins see all changes; other people
 * see those in their own name, by themselves or through one of their assistants. A plan is listed with its effect.
 */

import { calendarDate } from "../../domain/base/calendar.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import { listActors, readEvents } from "../../features/settings/audit/queries.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Moment } from "../frame/form.tsx";
import { defineMoved } from "../frame/moved.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { Changes, idsOfValues, type NamesOfValues } from "../parts/changes.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import { List } from "../parts/list.tsx";
import { Select, type SelectOption } from "../parts/select.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { wayTo } from "../parts/ways.ts";
import type { EventRow } from "./changes-of.tsx";
import { eventFrom, idsIn, KINDS, kindOf, type ShownEvent, shownEvent } from "./words.ts";

const AUDIT = "/settings/audit";
const EVENTS_A_PAGE = 50;

export const activityPages: readonly WebPage[] = [
  definePage(`GET ${AUDIT}`, "person", audit),
  defineMoved("/settings/activity", AUDIT),
];

/** The filters of an address; those that cannot be read are left out. */
interface AuditFilter {
  readonly person: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

async function audit(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { user_id } = cx.caller.person;
  const { words } = reader;
  const sees_all = isAdmin(cx);
  const actors = sees_all ? await listActors(cx) : [];
  const filter: AuditFilter = {
    person: actors.find(({ id }) => id === query.person)?.id ?? "",
    kind: KINDS.find((kind) => kind === query.kind) ?? "",
    from: calendarDate(dayAsked(request, query.from)) ?? "",
    to: calendarDate(dayAsked(request, query.to)) ?? "",
  };
  const { events, next_cursor } = await readEvents(cx, {
    limit: EVENTS_A_PAGE,
    cursor: query.cursor,
    actor: sees_all ? filter.person : user_id,
    resource_type: filter.kind,
    from: filter.from,
    to: filter.to,
  });
  const recorded = events.map(({ payload }) => eventFrom(payload));
  const grants = events.map(({ grant_id }) => grant_id);
  const viewer = sees_all ? null : user_id;
  const ids = [...recorded.flatMap(idsIn), ...grants.filter((id) => id !== null)];
  const named = await namesOf(cx, ids, viewer, words.activity.names);
  const shown = recorded.map((event) => shownEvent(event, named, reader));
  const values = idsOfValues(shown.flatMap(({ changes }) => changes));
  const names = await namesOf(cx, values, viewer, words.activity.names);
  const rows = shown.map((event, index) => ({
    ...event,
    assistant: named.get(grants[index] ?? "") ?? null,
  }));
  const people = actors.map(
    ({ id, name, is_key }): SelectOption => [id, is_key ? words.activity.api_key(name) : name],
  );
  const older = new URLSearchParams(
    Object.entries({ ...filter, cursor: next_cursor ?? "" }).filter(([, value]) => value !== ""),
  );
  const content = (
    <>
      {sees_all && <SettingsTabs current={AUDIT} />}
      <p>{words.activity[sees_all ? "all" : "own"](cx.caller.account_name)}</p>
      <Filters filter={filter} people={people} today={todayFor(request)} />
      <div data-list>
        <Events events={rows} names={names} is_admin={sees_all} />
      </div>
      {next_cursor !== null && (
        <p>
          <a class="button" href={`${AUDIT}?${older}`} rel="next">
            {words.older}
          </a>
        </p>
      )}
    </>
  );
  return { title: words.nav.activity, content };
}

function Filters(props: { filter: AuditFilter; people: readonly SelectOption[]; today: string }) {
  const { filter, people, today } = props;
  const { words: all } = useReader();
  const words = all.activity;
  return (
    <search>
      <form method="get" action={AUDIT} class="audit-filters">
        {people.length > 0 && (
          <Select
            name="person"
            label={words.person}
            value={filter.person}
            options={[["", words.all_people], ...people]}
            faults={NO_FAULTS}
          />
        )}
        <Select
          name="kind"
          label={words.kind}
          value={filter.kind}
          options={[
            ["", words.all_kinds],
            ...KINDS.map((kind): SelectOption => [kind, kindOf(kind, words)]),
          ]}
          faults={NO_FAULTS}
        />
        {(["from", "to"] as const).map((name) => (
          <DayEntry
            name={name}
            label={words[name]}
            value={filter[name]}
            today={today}
            empty={all.days.any}
            faults={NO_FAULTS}
          />
        ))}
        <div class="row">
          <button type="submit" class="button">
            {words.show}
          </button>
          {Object.values(filter).some((value) => value !== "") && (
            <a href={AUDIT}>{words.show_all}</a>
          )}
        </div>
      </form>
    </search>
  );
}

/** Shows events. `names` are those of the ids in changed values. */
export function Events(props: {
  events: readonly EventRow[];
  names: NamesOfValues;
  is_admin: boolean;
}) {
  const { events, names, is_admin } = props;
  const { activity: words } = useReader().words;
  return (
    <List
      rows={events}
      empty={<p class="quiet">{words.none}</p>}
      columns={[
        { head: words.when, fold: "end", cell: ({ at }) => <Moment at={at} /> },
        {
          head: words.who,
          fold: "lead",
          cell: ({ who, assistant }) => (
            <>
              {who}
              {assistant !== null && <div class="quiet">{words.through(assistant)}</div>}
            </>
          ),
        },
        { head: words.did, cell: ({ action }) => action },
        {
          head: words.what,
          cell: (event) => <What event={event} names={names} is_admin={is_admin} />,
        },
      ]}
    />
  );
}

function What(props: { event: ShownEvent; names: NamesOfValues; is_admin: boolean }) {
  const { event, names, is_admin } = props;
  const { activity: words } = useReader().words;
  const { label, id, changes, reason, type, is_in_english } = event;
  const way = wayTo(event.resource_type, event.resource_id, is_admin);
  const named = label !== null && (
    <strong {...(is_in_english ? { lang: "en" } : {})}>{label}</strong>
  );
  return (
    <>
      {type} {way === null ? named : <a href={way}>{named === false ? words.open : named}</a>}{" "}
      {id !== null && (
        <span class="quiet">
          <code>{id}</code>
        </span>
      )}
      {changes.length > 0 && (
        <details>
          <summary class="small quiet">{words.fields(changes.length)}</summary>
          <Changes changes={changes} names={names} />
        </details>
      )}
      {reason !== null && <div class="quiet">{reason}</div>}
    </>
  );
}
