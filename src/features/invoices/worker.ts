/** Goes on with bookings that an external ledger has not answered: after a crash, or after it was away. */
import { Problem } from "../../domain/problem.ts";
import { takeDueIntent } from "../../platform/database/intents.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { attemptDelivery } from "../documents/deliveries.ts";
import { settleIntent } from "./settle.ts";

/** Takes one intent that is due and settles it; answers whether there was one. */
export async function settleDueIntent(services: Services): Promise<boolean> {
  const intent = await takeDueIntent(services.db);
  if (intent === undefined) return false;
  const cx = await schedulerContext(services, intent.account_id);
  try {
    const { delivery_id } = await settleIntent(cx, intent);
    if (delivery_id !== null) await attemptDelivery(cx, delivery_id, true);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn({ invoice_id: intent.id, code: error.code }, "an intent is not settled");
  }
  return true;
}
