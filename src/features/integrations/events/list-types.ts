/** Lists the types of events with their schemas and examples (spec 15.1). */
import { ALL_EVENT_TYPES } from "../../../domain/events/event-types.ts";
import { cursorFrom, positionFrom } from "../../../platform/database/page.ts";
import { componentOfType } from "../../../platform/http/openapi-events.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { exampleOfType } from "./read-examples.ts";
import type { EventTypeQuery } from "./schemas.ts";

/** Returns a page of the types, in the order of the table. Throws VALIDATION_FAILED for a bad cursor. */
export function listEventTypes({ limit, cursor, types }: EventTypeQuery): JsonText {
  const known = ALL_EVENT_TYPES.flatMap((one) => {
    const component = componentOfType(one.type, one.resource_type);
    return component === null ? [] : [{ ...one, component }];
  });
  const asked = known.filter(
    ({ type, resource_type }) =>
      types === undefined || types.includes(type) || types.includes(`${resource_type}.*`),
  );
  const after = cursor === undefined ? undefined : positionFrom(cursor, TYPE).id;
  const from = asked.findIndex(({ type }) => type === after) + 1;
  const page = asked.slice(from, from + limit);
  const has_more = from + limit < asked.length;
  const last = page.at(-1)?.type ?? "";
  const rest = { has_more, next_cursor: has_more ? cursorFrom({ id: last, horizon: null }) : null };
  const data = page.map((one) => {
    const { type, sentence, component, since } = one;
    const schema = { $ref: `#/components/schemas/${component}` };
    const start = jsonText({ object: "event_type", type, sentence, schema, since }).slice(0, -1);
    return `${start},"example":${exampleOfType(one)}}`;
  });
  return `{"object":"list","data":[${data.join(",")}],${jsonText(rest).slice(1)}` as JsonText;
}

const TYPE = /^[a-z_]+\.[a-z_]+$/;
