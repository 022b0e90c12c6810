/** Stores the outcome of an attempt to send a document, with its event and its audit event. */
import { eventOfOutcome } from "../../../domain/einvoice/einvoice-delivery.ts";
import { MINUTES_UNTIL_RETRY } from "../../../domain/sales/delivery.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { MailOutcome } from "../../../platform/mail/mail.ts";
import type { LedgerSendOutcome } from "../sending/send-by-ledger.ts";
import type { EinvoiceOutcome } from "../sending/send-einvoice.ts";
import type { SendRefusal } from "./find-refusal.ts";
import { type AheadRow, type DeliveryRow, SHOWN } from "./read-ahead.ts";
import { changedWith, type DeliveryListener, recordOutcome } from "./store-outcome.ts";

type AttemptOutcome = MailOutcome | SendRefusal | LedgerSendOutcome | EinvoiceOutcome;

/** A delivery for one attempt. */
export interface TakenRow extends AheadRow {
  /** The number of this attempt. */
  readonly number: number;
}

/**
 * Stores the outcome of an attempt with its event and audit event, unless a later attempt has begun. An e-invoice that waits for its
 * connection as before has neither: nothing new has happened.
 */
export function settle(
  cx: Context,
  taken: TakenRow,
  outcome: AttemptOutcome,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  return transact(cx, async (tx) => {
    const expected: DeliveryRow = taken;
    const still_waits = outcome.state === "queued" && outcome.error_text === taken.send_error;
    const stored = await storeOutcome(tx, expected, taken.number, outcome, still_waits);
    if (stored !== undefined) {
      if (!still_waits) await recordOutcome(tx, expected, stored, notify);
      return stored;
    }
    // The delivery has another state by now: it was taken for abandoned.
    tx.lock(
      sql`select from deliveries where account_id = ${cx.caller.account_id} and id = ${taken.id} for no key update`,
    );
    const before = await getDelivery(tx, taken.id);
    const after = await storeOutcome(tx, before, taken.number, outcome);
    if (after === undefined) return before;
    await recordOutcome(tx, before, after, notify);
    return after;
  });
}

/** Writes the outcome of an attempt; undefined when the delivery has another state or a later attempt. */
function storeOutcome(
  tx: Tx,
  { id, state }: DeliveryRow,
  number: number,
  outcome: AttemptOutcome,
  is_silent = false,
): Promise<DeliveryRow | undefined> {
  const failed = "error_code" in outcome && outcome.error_code !== null;
  const looks_after = "looks_after" in outcome ? outcome.looks_after : null;
  const { look_seconds = null, delivered_at = null } = "look_seconds" in outcome ? outcome : {};
  // It waits for a check of the connection, without counting this attempt.
  const is_waiting = outcome.state === "queued";
  const minutes = MINUTES_UNTIL_RETRY[number - 1] ?? null;
  // After the last retry a temporary failure becomes permanent.
  const is_last = outcome.state === "failed_temporary" && minutes === null;
  const settled = {
    state: is_last ? ("failed_permanent" as const) : outcome.state,
    error_code: failed ? outcome.error_code : null,
    send_error: failed ? outcome.error_text : null,
  };
  const update = sql`update deliveries set state = ${settled.state},
       error_code = ${settled.error_code}, send_error = ${settled.send_error},
       lease_until = null, updated_at = (select clock_timestamp()),
       attempt = ${is_waiting ? number - 1 : number}, delivered_at = ${delivered_at},
       next_attempt_at = (select clock_timestamp() + make_interval(mins => ${is_waiting ? null : minutes}::int)),
       einvoice_look_at = (select clock_timestamp() + make_interval(secs => ${look_seconds})),
       call_ended_at = case when ${settled.state}::text = 'unknown' then (select clock_timestamp()) end, absent_at = null,
       looks = 0, next_look_at = (select clock_timestamp() + make_interval(mins => ${looks_after}::int))
     where account_id = ${tx.caller.account_id} and id = ${id} and attempt = ${number} and state = ${state}`;
  return tx.row<DeliveryRow>(changedWith(tx, update, is_silent ? null : eventOfOutcome(settled)));
}

export async function getDelivery(cx: Reader, id: string): Promise<DeliveryRow> {
  const row = await cx.row<DeliveryRow>(
    sql`select ${raw(SHOWN)} from deliveries where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  if (!row) throw new Error(`there is no delivery ${id}`);
  return row;
}
