/** Settles a delivery by what a person has found out: whether the document has arrived, however it was carried there. */
import * as z from "zod";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { decideResolution } from "../../../domain/einvoice/einvoice-delivery.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { isAdminInPerson } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { presentDelivery } from "../deliveries/present.ts";
import { type DeliveryRow, SHOWN } from "../deliveries/read-ahead.ts";
import { auditDelivery, changedWith, type DeliveryListener } from "../deliveries/store-outcome.ts";
import { DeliveryParams, ResolveBody } from "./schemas.ts";

const Given = z.object({ ...DeliveryParams.shape, ...ResolveBody.shape });

interface Resolved {
  readonly given: z.output<typeof Given>;
  readonly before: DeliveryRow;
  readonly decided: ReturnType<typeof decideResolution>;
}

/**
 * Defines the command that records what a person or a key says has become of a delivery. `notify` learns of it. Throws NOT_FOUND,
 * ROLE_FORBIDDEN for a person who is no admin or acts through an assistant, DELIVERY_NOT_RESOLVABLE.
 */
export function resolvingDelivery(notify: DeliveryListener) {
  return defineCommand({
    name: "resolve_delivery",
    access: "issue",
    input: Given,

    async plan(tx, given): Promise<Resolved> {
      const { caller } = tx;
      if (caller.person !== null && !isAdminInPerson(caller)) throw new Problem("ROLE_FORBIDDEN");
      const before = await tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
        where account_id = ${caller.account_id} and id = ${given.id} for no key update`);
      if (before === undefined) throw notFound("delivery", given.id);
      return { given, before, decided: decideResolution(before.state, given.outcome) };
    },

    async commit(tx, { given: { id, outcome, reason }, before, decided }): Promise<JsonText> {
      const { state, send_error } = decided;
      const update = sql`update deliveries set state = ${state}, send_error = ${send_error},
          error_code = ${send_error === null ? null : "not_delivered"},
          delivered_at = ${state === "delivered" ? tx.clock.now() : null}, lease_until = null,
          next_look_at = null, updated_at = (select clock_timestamp())
        where account_id = ${tx.caller.account_id} and id = ${id}`;
      const event = { kind: "resolved", code: outcome, text: reason, source: "person" } as const;
      const after = await tx.row<DeliveryRow>(changedWith(tx, update, event));
      if (after === undefined) throw new Error(`there is no delivery ${id}`);
      await notify(tx, after);
      auditDelivery(tx, "resolved", before, after, reason);
      return presentDelivery(after);
    },
  });
}
