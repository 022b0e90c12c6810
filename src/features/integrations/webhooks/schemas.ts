/** The requests and responses of webhook endpoints (spec 15.2). */
import * as z from "zod";
import { namesEventTypes } from "../../../domain/events/event-types.ts";
import { NAMED_IN_FULL } from "../../../domain/webhooks/event-order.ts";
import {
  as,
  component,
  ExternalId,
  externalIdFilter,
  input,
  listOf,
  pageParameters,
  shownText,
  text,
} from "../../../platform/http/schemas.ts";
import { withForm } from "../../../platform/http/written-forms.ts";

const MOST_TYPES = 100;
const MOST_HEADERS = 5;
const LONGEST_HEADER_NAME = 64;
const LONGEST_HEADER_VALUE = 1_024;

const EventTypeInput = withForm(
  z
    .string()
    .refine(
      (value) => value === "*" || namesEventTypes(value),
      as("invalid_value", "A type such as `invoice.issued`, `invoice.*`, or `*` for all."),
    )
    .refine(
      (value) => !NAMED_IN_FULL.some((resource) => value === `${resource}.*`),
      as("not_allowed", "Name the types of this resource one by one."),
    ),
  { pattern: "^(\\*|[a-z_]+\\.([a-z_]+|\\*))$" },
);

/** A name by RFC 9110. Names are compared without case. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

const fields = {
  url: text(2_048, 1).describe(
    "Where events are sent, by POST: `https` and a public address. It is shown to every key, so it should hold no secret.",
  ),
  event_types: z
    .array(EventTypeInput)
    .min(1)
    .max(MOST_TYPES)
    .refine((types) => new Set(types).size === types.length, as("duplicate", "Each type once."))
    .describe(
      "`invoice.issued`, `invoice.*` for all of a resource, or `*`. Events of users, plans, grants, keys and the test clock only by their full type.",
    ),
  external_id: ExternalId.nullable().optional(),
  description: text(255).nullable().optional(),
  format: z
    .enum(["standard", "text"])
    .optional()
    .describe("`standard` is the event, the default; `text` a sentence as chats take it."),
  payload: z
    .enum(["full", "thin"])
    .optional()
    .describe("`full` is the default; `thin` leaves out `data`."),
  ordering: z
    .enum(["resource", "account"])
    .optional()
    .describe(
      "`resource`, the default: in order for each resource; `account`: all in order, one at a time.",
    ),
  headers: z
    .record(z.string(), withForm(z.string(), { pattern: HEADER_VALUE.source }).nullable())
    .superRefine((headers, check) => {
      const names = Object.keys(headers);
      const add = (path: string[], code: string, message: string) =>
        check.addIssue({ code: "custom", path, message, params: { code } });
      if (names.length > MOST_HEADERS) add([], "too_many", `At most ${MOST_HEADERS} headers.`);
      const seen = new Set<string>();
      for (const [name, value] of Object.entries(headers)) {
        const lower = name.toLowerCase();
        if (!HEADER_NAME.test(name) || name.length > LONGEST_HEADER_NAME) {
          add([name], "invalid_format", "Not the name of a header.");
        } else if (isReserved(lower)) {
          add([name], "not_allowed", "Matchbook or the connection sets this header.");
        } else if (seen.has(lower)) add([name], "duplicate", "Each header once.");
        if (value !== null && value.length > LONGEST_HEADER_VALUE) {
          add([name], "too_long", `At most ${LONGEST_HEADER_VALUE} characters.`);
        } else if (value !== null && !HEADER_VALUE.test(value)) {
          add([name], "invalid_format", "Visible ASCII characters, with blanks only within.");
        }
        seen.add(lower);
      }
    })
    .optional()
    .meta({
      propertyNames: { type: "string", pattern: HEADER_NAME.source },
      maxProperties: MOST_HEADERS,
      description:
        "At most 5 more headers of each request, by name. Their values are never shown: an answer has null, and null keeps the value.",
    }),
  max_per_second: z.int().min(1).max(100).optional().describe("The default is 50."),
};

/** Headers that a request has by itself, or that would change how it is sent. */
const RESERVED = [
  "host",
  "connection",
  "transfer-encoding",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
];

function isReserved(name: string): boolean {
  return RESERVED.includes(name) || /^(content|webhook|proxy)-/.test(name);
}

export const WebhookEndpointCreate = input("WebhookEndpointCreate", {
  ...fields,
  after: z
    .int()
    .min(0)
    .max(999_999_999_999_999)
    .optional()
    .describe("The sequence after which it begins; by default with the next event."),
});
export type WebhookEndpointCreate = z.output<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = input("WebhookEndpointUpdate", {
  ...fields,
  url: fields.url.optional(),
  event_types: fields.event_types.optional(),
});
export type WebhookEndpointUpdate = z.output<typeof WebhookEndpointUpdate>;

export const WebhookEndpointResource = component("WebhookEndpoint", {
  object: z.literal("webhook_endpoint"),
  id: z.string(),
  external_id: shownText,
  url: z.string(),
  description: shownText,
  event_types: z.array(z.string()),
  format: z.enum(["standard", "text"]),
  payload: z.enum(["full", "thin"]),
  ordering: z.enum(["resource", "account"]),
  headers: z.record(z.string(), z.null()).describe("The names of its headers; values are null."),
  max_per_second: z.int(),
  status: z
    .enum(["enabled", "paused", "failing", "disabled"])
    .describe("`failing` after five failures in a row: one event is tried, the others wait."),
  disabled_reason: z
    .enum(["gone", "failing", "operator"])
    .nullable()
    .describe("`gone`: it answered 410; `failing`: for five days; `operator`: by command."),
  failing_since: shownText,
  backlog: z
    .int()
    .describe("Number of events that wait for delivery; beyond 100,000 events it may be too low."),
  through: z
    .int()
    .describe("Up to this sequence, every event for it is delivered, dead or skipped."),
  last_success_at: shownText,
  secret_expires_at: shownText.describe("Until when the previous secret signs, too."),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookEndpointResource = z.output<typeof WebhookEndpointResource>;

/** An endpoint with its secret, which is shown once. */
export const NewWebhookEndpoint = WebhookEndpointResource.extend({
  secret: z
    .string()
    .optional()
    .describe(
      "Signs the requests; `whsec_` and base64. Only in the first answer: a repetition lacks it.",
    ),
}).meta({ id: "NewWebhookEndpoint" });

export const SecretRotation = input("SecretRotation", {
  overlap_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe("For so many hours the previous secret signs, too; 0 ends it at once."),
});

export const EndpointEnabling = input("EndpointEnabling", {
  skip: z
    .boolean()
    .default(false)
    .describe("`true` skips what waits: it continues with the next event."),
});

export const WebhookEndpointList = listOf(WebhookEndpointResource).meta({
  id: "WebhookEndpointList",
});

export const WebhookEndpointQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
});
export type WebhookEndpointQuery = z.output<typeof WebhookEndpointQuery>;
