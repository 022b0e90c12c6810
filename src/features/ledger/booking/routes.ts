/** The REST routes of bookings in a connected ledger. Resolving a booking by hand has no route, because a key may not do it. */
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import type { Bookables } from "./bookable.ts";
import { listIntents, readQueue } from "./queries.ts";
import { retryIntent } from "./retry-intent.ts";
import {
  IntentParams,
  IntentQuery,
  LedgerIntent,
  LedgerIntentList,
  LedgerQueue,
} from "./schemas.ts";

export function intentRoutes(bookables: Bookables, notify: DeliveryListener) {
  return routesOf("Ledger", [
    defineRoute("GET /ledger/intents", {
      operation: "ledger.list_intents",
      summary: "List bookings in the connected ledger, the newest first",
      description:
        "Kept for five years. The built-in ledger books immediately and has none. A `parked` booking is resolved by an admin or on the command line.",
      access: "read",
      query: IntentQuery,
      replies: { 200: LedgerIntentList },
      handle: (cx, { query }) => listIntents(cx, query),
    }),

    defineRoute("GET /ledger/queue", {
      operation: "ledger.get_queue",
      summary:
        "Read how many bookings wait for the connected ledger, and when the last is expected",
      description:
        "Of a list that is being issued, only the bookings that have begun are counted here; its answer contains the number that remain.",
      access: "read",
      replies: { 200: LedgerQueue },
      handle: (cx) => readQueue(cx),
    }),

    defineRoute("POST /ledger/intents/:id/retry", {
      operation: "ledger.retry_intent",
      summary: "Try a booking in the connected ledger again now",
      description:
        "Answers the state of the booking after the attempt. A parked booking is checked in the ledger and never booked again; one that has ended, or that another process is working on, is answered unchanged.",
      access: "issue",
      params: IntentParams,
      replies: { 200: LedgerIntent },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => retryIntent(cx, params.id, bookables, notify),
    }),
  ]);
}
