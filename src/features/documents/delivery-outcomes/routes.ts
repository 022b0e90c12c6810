/** The REST routes of one attempt to send a document: its state, its events, and what a person knows about it. */
import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import type { DeliveryListener } from "../deliveries/store-outcome.ts";
import { Delivery } from "../issued/schemas.ts";
import { listEvents, readDelivery } from "./queries.ts";
import { resolvingDelivery } from "./resolve.ts";
import { DeliveryEventList, DeliveryParams, ResolveBody } from "./schemas.ts";

export function deliveryOutcomeRoutes(notify: DeliveryListener) {
  const resolveDelivery = resolvingDelivery(notify);
  return routesOf("Deliveries", [
    defineRoute("GET /deliveries/:id", {
      operation: "deliveries.get",
      summary: "Read an attempt to send a document",
      access: "read",
      params: DeliveryParams,
      replies: { 200: Delivery },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => readDelivery(cx, params.id),
    }),

    defineRoute("GET /deliveries/:id/events", {
      operation: "deliveries.list_events",
      summary: "List what happened to an attempt to send a document, the oldest first",
      description: "All events are on one page. They are only ever added.",
      access: "read",
      params: DeliveryParams,
      replies: { 200: DeliveryEventList },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => listEvents(cx, params.id),
    }),

    defineRoute("POST /deliveries/:id/resolve", {
      operation: "deliveries.resolve",
      summary: "Record what a person has found out about an attempt",
      description:
        "For deliveries that are `unknown`, `written_to_outbox`, or `failed_permanent` and carried elsewhere by hand. It becomes `delivered`, or `failed_permanent`; nothing is sent.",
      access: "issue",
      params: DeliveryParams,
      body: ResolveBody,
      replies: { 200: Delivery },
      refuses: ["NOT_FOUND", "DELIVERY_NOT_RESOLVABLE"],
      handle: (cx, { params, body }) => run(resolveDelivery, cx, { ...params, ...body }),
    }),
  ]);
}
