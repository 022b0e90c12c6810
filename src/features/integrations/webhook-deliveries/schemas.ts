/** The requests and responses of webhook deliveries (spec 15.2). */
import * as z from "zod";
import {
  component,
  FirstDay,
  input,
  LastDay,
  listOf,
  Moment,
  manyOf,
  pageParameters,
  shownText,
  text,
  Uuid,
} from "../../../platform/http/schemas.ts";
import { withForm } from "../../../platform/http/written-forms.ts";

const STATUSES = ["pending", "delivered", "dead", "skipped"] as const;

const shownHeaders = z.record(z.string(), shownText);

export const WebhookDeliveryResource = component("WebhookDelivery", {
  object: z.literal("webhook_delivery"),
  id: z.string(),
  endpoint_id: z.string(),
  event_id: z.string(),
  sequence: z.int().nullable(),
  event_type: z.string(),
  status: z.enum(STATUSES),
  attempt_count: z.int(),
  next_attempt_at: shownText,
  request: z
    .strictObject({
      headers: shownHeaders.nullable(),
      body: shownText,
    })
    .describe("What is sent, with the headers of the last attempt."),
  attempts: manyOf({
    at: z.string(),
    duration_ms: z.int(),
    status: z.int().nullable(),
    error: shownText,
    response_headers: shownHeaders,
    response_body: shownText,
  }).describe("Every attempt with its answer, the newest last."),
  created_at: z.string(),
});

export const WebhookDeliveryList = listOf(WebhookDeliveryResource).meta({
  id: "WebhookDeliveryList",
});

export const WebhookDeliveryQuery = z.object({
  ...pageParameters,
  status: z.enum(STATUSES).optional().describe("Only deliveries in this state."),
  event_type: text(128, 1).optional().describe("Only events of this type."),
  from: z
    .union([FirstDay, Moment])
    .optional()
    .describe("Only deliveries made at or after this moment, or this day or month in UTC."),
  to: z
    .union([LastDay, Moment])
    .optional()
    .describe("Only deliveries made at or before this moment, or this day or month in UTC."),
});
export type WebhookDeliveryQuery = z.output<typeof WebhookDeliveryQuery>;

export const WebhookDeliveryParams = z.object({ id: Uuid });

const sequence = z.int().min(0).max(999_999_999_999_999).optional();

export const WebhookReplayInput = input("WebhookReplayInput", {
  after: sequence.describe("Only events after this sequence; 0 by default."),
  through: sequence.describe("Only events up to this sequence; by default all that were sent."),
  only: z
    .enum(["dead", "all"])
    .default("dead")
    .describe("`dead`: what was given up or skipped; `all`: every event of the feed for it."),
});
export type WebhookReplayInput = z.output<typeof WebhookReplayInput>;

export const WebhookTestInput = input("WebhookTestInput", {
  type: withForm(z.string(), { pattern: "^[a-z_]+\\.[a-z_]+$" })
    .optional()
    .describe("The type whose example is sent; by default one that is for the endpoint."),
});

export const WebhookReplay = component("WebhookReplay", {
  object: z.literal("webhook_replay"),
  queued: z.int().describe("The number of events that are sent again."),
});
