/** Goes on with bookings that an external ledger has not answered: after a crash, or after it was away. */
import { Problem } from "../../domain/problem.ts";
import { takeDueIntent } from "../../platform/database/intents.ts";
import { schedulerContext, type Services } from "../../platform/services.ts";
import { settleIntent } from "./settle.ts";

/** Takes one intent that is due and settles it; answers whether there was one. */
export async function settleDueIntent(services: Services): Promise<boolean> {
  const intent = await takeDueIntent(services.db);
  if (intent === undefined) return false;
  const cx = await schedulerContext(services, intent.account_id);
  // Who asked for it stays who did it.
  const actor = { kind: intent.actor_kind, id: intent.actor_id };
  try {
    await settleIntent({ ...cx, caller: { ...cx.caller, actor } }, intent);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn({ invoice_id: intent.id, code: error.code }, "an intent is not settled");
  }
  return true;
}
