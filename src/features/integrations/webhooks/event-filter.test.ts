/** The filter of endpoints in SQL says of every type of event what the rule in TypeScript says. */
import { expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import { ALL_EVENT_TYPES } from "../../../domain/events/event-types.ts";
import { isFor, NAMED_IN_FULL } from "../../../domain/webhooks/event-order.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { IS_FOR } from "./queries.ts";

const world = useWorld();
const ID = "0190a000-0000-7000-8000-000000000001";
const OTHER = "0190a000-0000-7000-8000-000000000002";

const events = ALL_EVENT_TYPES.flatMap(({ type, resource_type }) => {
  const action = type.slice(resource_type.length + 1);
  return [ID, OTHER].map((resource_id) => ({ resource_type, action, resource_id }));
});
const kinds = [...new Set(events.map(({ resource_type }) => resource_type))];

/** One filter of each form, and each type named alone and beside `*`. */
const filters: readonly string[][] = [
  ["*"],
  ...kinds.map((kind) => [`${kind}.*`]),
  ...NAMED_IN_FULL.map((kind) => [`${kind}.*`, "*"]),
  ...ALL_EVENT_TYPES.flatMap(({ type }) => [[type], [type, "*"]]),
  ["invoice.*", "customer.created", "user.created"],
];

it("is that of the rule, for every type and every form of a filter", async () => {
  const endpoints = tableOf(filters, {
    id: ["uuid", () => ID],
    types: ["text", (types) => types.join(" ")],
  });
  const trail = tableOf(events, {
    resource_type: ["text", ({ resource_type }) => resource_type],
    action: ["text", ({ action }) => action],
    resource_id: ["text", ({ resource_id }) => resource_id],
  });
  const rows = await world.services.db.rows<{ types: string; event: string }>(sql`
    select e.types, a.resource_type || '.' || a.action || ' ' || a.resource_id as event
    from (select id, types, string_to_array(types, ' ') as event_types from ${endpoints.table} as t (${endpoints.columns})) e
      cross join ${trail.table} as a (${trail.columns})
    where ${IS_FOR}`);
  const expected = filters.flatMap((event_types) =>
    events
      .filter((event) => isFor({ id: ID, event_types }, event))
      .map(({ resource_type, action, resource_id }) => ({
        types: event_types.join(" "),
        event: `${resource_type}.${action} ${resource_id}`,
      })),
  );
  const inOrder = (found: typeof rows) => found.map((one) => JSON.stringify(one)).sort();
  expect(inOrder(rows)).toEqual(inOrder(expected));
  expect(kinds).toEqual(expect.arrayContaining([...NAMED_IN_FULL, "webhook_endpoint", "invoice"]));
  expect(expected.length).toBeGreaterThan(events.length);
});
