/** Stores what happens to deliveries: each change of one is stored together with its event, which is never changed. */
import type { DeliveryEvent } from "../../../domain/einvoice/einvoice-delivery.ts";
import type { EventAction } from "../../../domain/events/event-types.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { presentDelivery } from "./present.ts";
import { type DeliveryRow, SHOWN } from "./read-ahead.ts";

/** Is called with each outcome, in the transaction that stores the outcome. */
export type DeliveryListener = (tx: Tx, delivery: DeliveryRow) => Promise<void>;

/**
 * Returns the statement that changes a delivery and keeps the event, if there is one; its row is the changed delivery, if there is
 * one.
 */
export function changedWith(
  { caller, clock }: Pick<Reader, "caller" | "clock">,
  update: Sql,
  event: DeliveryEvent | null,
): Sql {
  if (event === null) return sql`${update} returning ${raw(SHOWN)}`;
  const { kind, code, text, source } = event;
  return sql`with changed as (${update} returning ${raw(SHOWN)}),
     noted as (insert into delivery_events (account_id, id, delivery_id, at, kind, code, text, source)
       select ${caller.account_id}, ${newId()}, c.id, ${clock.now()}, ${kind}, ${code}, ${text}, ${source} from changed c)
     select ${raw(SHOWN)} from changed`;
}

/** Keeps an event of a delivery that has not changed with it, or was changed before in the same transaction. */
export function noteEvent(tx: Tx, delivery_id: string, event: DeliveryEvent): void {
  noteEvents(tx, delivery_id, [event]);
}

/** Keeps several such events, in their order. */
export function noteEvents(tx: Tx, delivery_id: string, events: readonly DeliveryEvent[]): void {
  const { columns, table } = tableOf(events, {
    id: ["uuid", () => newId()],
    kind: ["text", ({ kind }) => kind],
    code: ["text", ({ code }) => code],
    text: ["text", ({ text }) => text],
    source: ["text", ({ source }) => source],
  });
  tx.write(sql`insert into delivery_events (account_id, delivery_id, at, ${columns})
    select ${tx.caller.account_id}, ${delivery_id}, ${tx.clock.now()}, e.* from ${table} as e`);
}

/** Notifies of a stored outcome, and records its audit event. */
export async function recordOutcome(
  tx: Tx,
  before: DeliveryRow,
  after: DeliveryRow,
  notify: DeliveryListener | undefined,
): Promise<void> {
  await notify?.(tx, after);
  auditDelivery(tx, after.state, before, after);
}

/** Records a change of a delivery, and whose customer it concerns; `before` is null for a new one. */
export function auditDelivery(
  tx: Tx,
  action: EventAction<"delivery">,
  before: DeliveryRow | null,
  after: DeliveryRow,
  reason: string | null = null,
): void {
  tx.audit("delivery", after.id, action, {
    before: before && presentDelivery(before),
    after: presentDelivery(after),
    reason,
    customer_id: after.customer_id,
  });
}
