/** The REST routes of events. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { listEventTypes } from "./list-types.ts";
import { getEvent, listFeed, readRest } from "./queries.ts";
import {
  Event,
  EventList,
  EventParams,
  EventQuery,
  EventTypeList,
  EventTypeQuery,
} from "./schemas.ts";

export const eventRoutes = routesOf("Events", [
  defineRoute("GET /events", {
    operation: "events.list",
    summary: "Follow the changes of the account",
    description:
      "Every change is an event, in the order of commits and without gaps, the oldest first. `next_cursor` continues after the last event that was examined, also from an empty page. The header `Matchbook-Sequence` is the sequence of the last event at the moment of the answer, and `Matchbook-Cursor` continues after it. `Accept: application/x-ndjson` answers the rest up to that event, one event in each line, and takes neither `limit` nor `wait`.",
    access: "read",
    query: EventQuery,
    lines: {
      not_with: ["limit", "wait"],
      read: async (cx, { query }) => ({
        ...(await readRest(cx, query)),
        filename: "events.ndjson",
      }),
    },
    replies: { 200: EventList },
    refuses: ["NOT_FOUND", "FEED_RESET"],
    async handle(cx, { query }) {
      return { status: 200, ...(await listFeed(cx, query)) };
    },
  }),
  defineRoute("GET /events/:id", {
    operation: "events.get",
    summary: "Read an event",
    access: "read",
    params: EventParams,
    replies: { 200: Event },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => getEvent(cx, params.id),
  }),
  defineRoute("GET /event-types", {
    operation: "events.list_types",
    summary: "List the types of events",
    description:
      "Every type that this installation knows, with a sentence, the schema of its resource and an example. Later versions add types.",
    access: "read",
    query: EventTypeQuery,
    replies: { 200: EventTypeList },
    refuses: [],
    handle: async (_cx, { query }) => listEventTypes(query),
  }),
]);
