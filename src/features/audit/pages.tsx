/**
 * What was done, when and by whom, for people: everything for admins, what was done in their own name for
 * everybody else, by themselves or by an assistant of theirs. Plans are there with what they were to do.
 */
import { Moment } from "../../platform/web/layout.tsx";
import type { Page, PageAnswer, PageRequest } from "../../platform/web/page.tsx";
import { Table } from "../../platform/web/table.tsx";
import { actorNames, readEvents } from "./queries.ts";
import { type ShownEvent, shownEvent } from "./words.ts";

const ACTIVITY = "/settings/activity";
const EVENTS_A_PAGE = 50;

export const activityPages: readonly Page[] = [
  { method: "GET", path: ACTIVITY, access: "person", handle: activity },
];

async function activity({ cx, query }: PageRequest): Promise<PageAnswer> {
  const { role, user_id } = cx.caller.person;
  const sees_all = role === "admin";
  const { events, next_cursor } = await readEvents(cx, {
    limit: EVENTS_A_PAGE,
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    ...(sees_all ? {} : { actor: user_id }),
  });
  const shown = events.map(shownEvent);
  const names = await actorNames(
    cx,
    shown.map((event) => event.actor.id),
  );
  const content = (
    <>
      <p>
        {sees_all
          ? `Everything that was changed in ${cx.caller.account_name}, the newest first.`
          : `What was changed in your name in ${cx.caller.account_name}, the newest first.`}{" "}
        What an assistant does, it does in the name of its person.
      </p>
      <Events events={shown} names={names} />
      {next_cursor !== null && (
        <p>
          <a href={`${ACTIVITY}?cursor=${encodeURIComponent(next_cursor)}`} rel="next">
            Older
          </a>
        </p>
      )}
    </>
  );
  return { title: "Activity", content };
}

function Events(props: { events: readonly ShownEvent[]; names: ReadonlyMap<string, string> }) {
  if (props.events.length === 0) return <p class="quiet">Nothing was done yet.</p>;
  return (
    <Table
      columns={["When", "Who", "Did", "What"]}
      rows={props.events.map((event) => [
        <Moment at={event.at} />,
        whoOf(event, props.names),
        event.action,
        <What event={event} />,
      ])}
    />
  );
}

function What({ event }: { event: ShownEvent }) {
  return (
    <>
      {event.type} {event.label !== null && <strong>{event.label}</strong>}
      {event.changed.length > 0 && <div class="quiet">changed: {event.changed.join(", ")}</div>}
      {event.reason !== null && <div class="quiet">{event.reason}</div>}
      <div class="quiet">
        <code>{event.resource_id}</code>
      </div>
    </>
  );
}

function whoOf({ actor }: ShownEvent, names: ReadonlyMap<string, string>): string {
  const name = names.get(actor.id) ?? actor.id;
  if (actor.kind === "api_key") return `API key ${name}`;
  if (actor.kind === "scheduler") return "the scheduler";
  if (actor.kind === "operator") return "the command line";
  return name;
}
