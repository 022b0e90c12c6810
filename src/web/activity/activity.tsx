/**
 * The activity page: lists events with their time and actor. Admins see all events; other people see the events of their own
 * name, by themselves or through one of their assistants. A plan is listed with its effect.
 */

import { namesOf } from "../../features/settings/audit/find-names.ts";
import { readEvents } from "../../features/settings/audit/queries.ts";
import { Moment } from "../frame/form.tsx";
import { defineMoved } from "../frame/moved.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Table } from "../parts/list.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { eventFrom, idsIn, type ShownEvent, shownEvent } from "./words.ts";

const ACTIVITY = "/settings/audit";
const EVENTS_A_PAGE = 50;

export const activityPages: readonly WebPage[] = [
  definePage(`GET ${ACTIVITY}`, "person", activity),
  defineMoved("/settings/activity", ACTIVITY),
];

async function activity({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const { role, user_id } = cx.caller.person;
  const { words } = reader;
  const sees_all = role === "admin";
  const { events, next_cursor } = await readEvents(cx, {
    limit: EVENTS_A_PAGE,
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    ...(sees_all ? {} : { actor: user_id }),
  });
  const recorded = events.map(({ payload }) => eventFrom(payload));
  const grants = events.map(({ grant_id }) => grant_id);
  const ids = [...recorded.flatMap(idsIn), ...grants.filter((id) => id !== null)];
  const names = await namesOf(cx, ids, sees_all ? null : user_id, words.activity.names);
  const rows = recorded.map((event, index) => ({
    ...shownEvent(event, names, words),
    assistant: names.get(grants[index] ?? "") ?? null,
  }));
  const content = (
    <>
      {sees_all && <SettingsTabs current={ACTIVITY} />}
      <p>{words.activity[sees_all ? "all" : "own"](cx.caller.account_name)}</p>
      <Events events={rows} />
      {next_cursor !== null && (
        <p>
          <a href={`${ACTIVITY}?cursor=${encodeURIComponent(next_cursor)}`} rel="next">
            {words.older}
          </a>
        </p>
      )}
    </>
  );
  return { title: words.nav.activity, content };
}

type EventRow = ShownEvent & { readonly assistant: string | null };

export function Events({ events }: { events: readonly EventRow[] }) {
  const { activity: words } = useReader().words;
  if (events.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <Table
      columns={[words.when, words.who, words.did, words.what]}
      rows={events.map((event) => [
        <Moment at={event.at} />,
        <>
          {event.who}
          {event.assistant !== null && <div class="quiet">{words.through(event.assistant)}</div>}
        </>,
        event.action,
        <What event={event} />,
      ])}
    />
  );
}

function What({ event }: { event: ShownEvent }) {
  const { activity: words } = useReader().words;
  return (
    <>
      {event.type}{" "}
      {event.label !== null && (
        <strong {...(event.is_in_english ? { lang: "en" } : {})}>{event.label}</strong>
      )}{" "}
      {event.id !== null && (
        <span class="quiet">
          <code>{event.id}</code>
        </span>
      )}
      {event.changed.length > 0 && (
        <div class="quiet">
          {words.changed} <code>{event.changed.join(", ")}</code>
        </div>
      )}
      {event.reason !== null && <div class="quiet">{event.reason}</div>}
    </>
  );
}
