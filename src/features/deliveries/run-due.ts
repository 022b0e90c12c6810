/** The background work of deliveries: those that are due or were left behind, and bookings that wait for a ledger. */
import { Problem } from "../../domain/base/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { takeDueIntent } from "../booking/intents.ts";
import { type Settlements, settleIntent } from "../booking/settle.ts";
import {
  attemptDelivery,
  type DeliveryListener,
  type DeliveryRow,
  presentDelivery,
} from "./attempt.ts";

/**
 * Takes one booking in an external ledger that is due and settles it, after a crash or after the
 * ledger was away; answers whether there was one.
 */
export async function settleDueIntent(
  services: Services,
  settlements: Settlements,
  told?: DeliveryListener,
): Promise<boolean> {
  const intent = await takeDueIntent(services.db);
  if (intent === undefined) return false;
  const cx = await schedulerContext(services, intent.account_id);
  try {
    const { delivery_id } = await settleIntent(cx, intent, settlements[intent.kind]);
    if (delivery_id !== null) await attemptDelivery(cx, delivery_id, true, told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn({ document_id: intent.id, code: error.code }, "an intent is not settled");
  }
  return true;
}

interface Due {
  readonly account_id: string;
  readonly id: string;
}

const SOME = 20;

/** Attempts what is due, oldest first; answers how many there were. */
export async function sendDueDeliveries(
  services: Services,
  told?: DeliveryListener,
): Promise<number> {
  const due = await query<Due>(
    services.db,
    `select account_id, id from deliveries
     where state in ('queued', 'failed_temporary') and next_attempt_at <= clock_timestamp()
       and (lease_until is null or lease_until < clock_timestamp())
     order by next_attempt_at limit ${SOME}`,
  );
  for (const { account_id, id } of due) {
    await attemptDelivery(await schedulerContext(services, account_id), id, false, told);
  }
  return due.length;
}

/**
 * A delivery whose process ended while it was sending may have arrived: it becomes `unknown`, and a
 * person decides. Into the outbox folder the same file is simply written again.
 */
export async function settleAbandonedDeliveries(
  services: Services,
  told?: DeliveryListener,
): Promise<number> {
  const abandoned = await query<Due>(
    services.db,
    `select account_id, id from deliveries
     where state = 'sending' and lease_until < clock_timestamp() limit ${SOME}`,
  );
  for (const { account_id, id } of abandoned) {
    const cx = await schedulerContext(services, account_id);
    const may_repeat = cx.mail.transportFor(cx.caller).kind === "outbox";
    await transaction(cx.db, (db) => abandon({ ...cx, db, locks: true }, id, may_repeat, told));
  }
  return abandoned.length;
}

async function abandon(
  cx: Context,
  id: string,
  may_repeat: boolean,
  told: DeliveryListener | undefined,
): Promise<void> {
  const shown = "id, document_id, channel, address, state, send_error, at";
  const key = [cx.caller.account_id, id];
  const before = await query<DeliveryRow>(
    cx.db,
    `select ${shown} from deliveries where account_id = $1 and id = $2 and state = 'sending'
       and lease_until < clock_timestamp() for no key update`,
    key,
  );
  if (!before[0]) return;
  const [state, send_error] = may_repeat
    ? ["queued", null]
    : ["unknown", "The service stopped while it was sending: look before you send again."];
  const after = await query<DeliveryRow>(
    cx.db,
    `update deliveries set state = $3, send_error = $4, lease_until = null,
       next_attempt_at = clock_timestamp(), updated_at = clock_timestamp()
     where account_id = $1 and id = $2 returning ${shown}`,
    [...key, state, send_error],
  );
  if (!after[0]) return;
  await told?.(cx, after[0]);
  await recordAudit(cx, {
    action: after[0].state,
    resource_type: "delivery",
    resource_id: id,
    before: presentDelivery(before[0]),
    after: presentDelivery(after[0]),
  });
}
