/** The REST routes of bookings in a connected ledger. Resolving a booking by hand has no route, because a key may not do it. */
import { Problem } from "../../../domain/base/problem.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import type { DeliveryListener } from "../../documents/deliveries/attempt.ts";
import { trySend } from "../../documents/deliveries/attempt.ts";
import type { Bookables } from "./bookable.ts";
import { takeIntent } from "./intents.ts";
import { listIntents, readIntent, readQueue } from "./queries.ts";
import { resumeIntent } from "./resume-intent.ts";
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

/** Resumes a booking and returns it. Throws NOT_FOUND. The response contains the reason when the booking is not settled. */
async function retryIntent(
  cx: Context,
  id: string,
  bookables: Bookables,
  notify: DeliveryListener,
): Promise<JsonText> {
  const intent = await takeIntent(cx, cx.caller.account_id, id);
  if (intent !== undefined) {
    try {
      const { delivery_id } = await resumeIntent(cx, intent, bookables[intent.kind]);
      if (delivery_id !== null) await trySend(cx, delivery_id, notify);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return readIntent(cx, id);
}
