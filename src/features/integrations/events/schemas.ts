/** The requests and responses of events. */
import * as z from "zod";
import { namesEventTypes } from "../../../domain/events/event-types.ts";
import {
  component,
  listOf,
  pageParameters,
  queryInteger,
  Ref,
  readAs,
  shownText,
  text,
  Uuid,
} from "../../../platform/http/schemas.ts";
import { withForm } from "../../../platform/http/written-forms.ts";

export const Event = component("Event", {
  object: z.literal("event"),
  id: z.string(),
  feed_id: z.string().describe("A new one begins after a restore of a backup."),
  sequence: z.int().describe("The order of commits in the account, without gaps."),
  type: z.string().describe("`<resource_type>.<action>`. New types may be added."),
  timestamp: z.string().describe("When it was written. It does not define an order."),
  resource_type: z.string(),
  resource_id: z.string(),
  customer_id: shownText,
  related: z
    .strictObject({ series_id: shownText, period: shownText, invoice_id: shownText })
    .describe("What the resource belongs to; null where it belongs to none."),
  actor: z.strictObject({
    kind: z.enum(["api_key", "user", "scheduler", "operator"]),
    id: z.string(),
  }),
  reason: shownText,
  data: z.strictObject({
    resource: z.unknown().describe("The resource after the change; null if it was deleted."),
    previous: z.unknown().describe("The resource before the change; null if it was created."),
  }),
  sandbox: z.boolean().describe("Whether the account is a sandbox."),
});

export const EventList = listOf(Event)
  .extend({
    next_cursor: z
      .string()
      .describe("Continues after the last event that was examined; never null."),
    has_more: z.boolean().describe("Whether there are later events."),
  })
  .meta({ id: "EventList" });

const TYPES_MESSAGE = "Known types such as `invoice.issued` or `invoice.*`, separated by commas.";

/** Returns the named types; undefined where one is unknown. */
function readTypes(value: string): string[] | undefined {
  const named = value.split(",");
  return named.every(namesEventTypes) ? named : undefined;
}

const Types = withForm(readAs(readTypes, TYPES_MESSAGE, "invalid_value"), {
  pattern: "^[a-z_]+\\.([a-z_]+|\\*)(,[a-z_]+\\.([a-z_]+|\\*))*$",
})
  .optional()
  .meta({
    type: "string",
    example: "invoice.*,delivery.queued",
    description: "Types, separated by commas; `invoice.*` is every type of a resource.",
  });

export const EventQuery = z.object({
  ...pageParameters,
  after: queryInteger(0, 999_999_999_999_999)
    .optional()
    .describe("The sequence after which the page begins; 0 by default. Not with `cursor`."),
  types: Types,
  wait: queryInteger(0, 30)
    .optional()
    .describe("Seconds for which an empty page waits for the next event; 0 by default."),
  resource_type: text(64, 1).optional(),
  resource_id: text(128, 1).optional(),
  customer: Ref.optional().describe("Of one customer: a UUID, or `ext:` and an external id."),
});

export const EventParams = z.object({ id: Uuid });

const EventType = component("EventType", {
  object: z.literal("event_type"),
  type: z.string().describe("Its name, `<resource_type>.<action>`."),
  sentence: z.string().describe("What has happened, in English."),
  schema: z
    .strictObject({
      $ref: z.string().describe("A schema of the document at `/api/v1/openapi.json`."),
    })
    .describe("The schema of `data.resource` and `data.previous`."),
  example: z.unknown().describe("An event of the type."),
  since: z.string().describe("The version of the API that first had the type, `YYYY-MM-DD`."),
});

export const EventTypeList = listOf(EventType).meta({ id: "EventTypeList" });

export const EventTypeQuery = z.object({ ...pageParameters, types: Types });

export type EventTypeQuery = z.output<typeof EventTypeQuery>;
export type EventQuery = z.output<typeof EventQuery>;
