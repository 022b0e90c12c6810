/** Resumes a booking in a connected ledger because a caller asks for it. */
import { Problem } from "../../../domain/base/problem.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { trySend } from "../../documents/deliveries/attempt.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import type { Bookables } from "./bookable.ts";
import { takeIntent } from "./intents.ts";
import { readIntent } from "./queries.ts";
import { resumeIntent } from "./resume-intent.ts";

/** Resumes a booking and returns it. Throws NOT_FOUND. The response contains the reason when the booking is not settled. */
export async function retryIntent(
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
