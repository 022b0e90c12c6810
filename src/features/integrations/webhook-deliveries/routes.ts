/** The REST routes of webhook deliveries. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { getDelivery, listDeliveries, presentDelivery } from "./queries.ts";
import { queueReplay } from "./queue-replay.ts";
import { retryDelivery } from "./retry-delivery.ts";
import {
  WebhookDeliveryList,
  WebhookDeliveryParams,
  WebhookDeliveryQuery,
  WebhookDeliveryResource,
  WebhookReplay,
  WebhookReplayInput,
  WebhookTestInput,
} from "./schemas.ts";
import { sendTest } from "./send-test.ts";

export const webhookDeliveryRoutes = routesOf("Webhooks", [
  defineRoute("GET /webhook-endpoints/:ref/deliveries", {
    operation: "webhook_endpoints.list_deliveries",
    summary: "List the deliveries to a webhook endpoint",
    description: "Each with its request and every answer. They are kept for 30 days.",
    access: "read",
    params: RefParams,
    query: WebhookDeliveryQuery,
    replies: { 200: WebhookDeliveryList },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, query }) => listDeliveries(cx, params.ref, query),
  }),

  defineRoute("POST /webhook-endpoints/:ref/replay", {
    operation: "webhook_endpoints.replay",
    summary: "Send events of a range again",
    description:
      "What was given up or skipped, or with `only: all` every event of the feed that is for the endpoint. Events have the ids that they had.",
    access: "write",
    params: RefParams,
    body: WebhookReplayInput,
    body_is_optional: true,
    replies: { 202: WebhookReplay },
    heavy: { field: "after", narrow: "Replay a smaller range." },
    refuses: ["NOT_FOUND", "BACKGROUND_PAUSED"],
    async handle(cx, { params, body }) {
      const { queued } = await run(queueReplay, cx, { ...body, ref: params.ref });
      return { status: 202, json: { object: "webhook_replay", queued } };
    },
  }),

  defineRoute("POST /webhook-endpoints/:ref/test", {
    operation: "webhook_endpoints.test",
    summary: "Send the example of a type now, whatever the status of the endpoint",
    description: "Answers the delivery with the answer of the receiver, after at most 15 seconds.",
    access: "write",
    params: RefParams,
    body: WebhookTestInput,
    body_is_optional: true,
    replies: { 200: WebhookDeliveryResource },
    refuses: ["NOT_FOUND", "BACKGROUND_PAUSED"],
    handle: (cx, { params, body }) => sendTest(cx, params.ref, body.type),
  }),

  defineRoute("GET /webhook-deliveries/:id", {
    operation: "webhook_deliveries.get",
    summary: "Read a delivery to a webhook endpoint",
    access: "read",
    params: WebhookDeliveryParams,
    replies: { 200: WebhookDeliveryResource },
    refuses: ["NOT_FOUND"],
    handle: async (cx, { params }) => presentDelivery(await getDelivery(cx, params.id)),
  }),

  defineRoute("POST /webhook-deliveries/:id/redeliver", {
    operation: "webhook_deliveries.redeliver",
    summary: "Send a delivery again, whatever became of it",
    access: "write",
    params: WebhookDeliveryParams,
    replies: { 200: WebhookDeliveryResource },
    refuses: ["NOT_FOUND", "BACKGROUND_PAUSED"],
    async handle(cx, { params }) {
      const { is_test, endpoint_id, event_type } = await getDelivery(cx, params.id);
      return is_test ? sendTest(cx, endpoint_id, event_type) : run(retryDelivery, cx, params);
    },
  }),
]);
