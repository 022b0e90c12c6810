/** The REST route of attempts to send documents. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { DeliveryList } from "../issued/schemas.ts";
import { listAllDeliveries } from "./queries.ts";
import { DeliveriesQuery } from "./schemas.ts";

export const deliveryRoutes = routesOf("Deliveries", [
  defineRoute("GET /deliveries", {
    operation: "deliveries.list",
    summary: "List the attempts to send any document",
    description:
      "Of invoices, credit notes and statements of account, from the newest to the oldest. Deliveries that failed permanently, and those that may have arrived, wait for a person: `state=failed_permanent`, `state=unknown`.",
    access: "read",
    query: DeliveriesQuery,
    replies: { 200: DeliveryList },
    handle: (cx, { query }) => listAllDeliveries(cx, query),
  }),
]);
