/** The background work of deliveries: those that are due or were left behind. */

import { raw, sql } from "../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { type Tx, transact } from "../../platform/tx.ts";
import {
  attemptDelivery,
  type DeliveryListener,
  type DeliveryRow,
  presentDelivery,
} from "./attempt.ts";

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
  const due = await services.db.rows<Due>(sql`select account_id, id from deliveries
     where state in ('queued', 'failed_temporary') and next_attempt_at <= clock_timestamp()
       and (lease_until is null or lease_until < clock_timestamp())
     order by next_attempt_at limit ${raw(SOME)}`);
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
  const abandoned = await services.db.rows<Due>(sql`select account_id, id from deliveries
     where state = 'sending' and lease_until < clock_timestamp() limit ${raw(SOME)}`);
  for (const { account_id, id } of abandoned) {
    const cx = await schedulerContext(services, account_id);
    const may_repeat = cx.mail.transportFor(cx.caller).kind === "outbox";
    await transact(cx, (tx) => abandon(tx, id, may_repeat, told));
  }
  return abandoned.length;
}

async function abandon(
  tx: Tx,
  id: string,
  may_repeat: boolean,
  told: DeliveryListener | undefined,
): Promise<void> {
  const shown = "id, document_id, channel, address, state, send_error, at";
  const before =
    await tx.row<DeliveryRow>(sql`select ${raw(shown)} from deliveries where account_id = ${tx.caller.account_id} and id = ${id} and state = 'sending'
       and lease_until < clock_timestamp() for no key update`);
  if (!before) return;
  const [state, send_error] = may_repeat
    ? ["queued", null]
    : ["unknown", "The service stopped while it was sending: look before you send again."];
  const after =
    await tx.row<DeliveryRow>(sql`update deliveries set state = ${state}, send_error = ${send_error}, lease_until = null,
       next_attempt_at = clock_timestamp(), updated_at = clock_timestamp()
     where account_id = ${tx.caller.account_id} and id = ${id} returning ${raw(shown)}`);
  if (!after) return;
  await told?.(tx, after);
  tx.audit("delivery", id, after.state, {
    before: presentDelivery(before),
    after: presentDelivery(after),
  });
}
