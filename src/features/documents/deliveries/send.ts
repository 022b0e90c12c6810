/** Sends an issued document again: a new delivery of the stored bytes (spec 10.4). */

import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import { SendBody } from "../issued/schemas.ts";
import { attemptDelivery } from "./attempt.ts";
import { unreachable } from "./find-refusal.ts";
import { presentDelivery, queuedDelivery } from "./present.ts";
import { type Addressed, queueDeliveries, recipientOf } from "./queue.ts";
import type { DeliveryListener } from "./store-outcome.ts";

/** A document that may be sent. */
interface IssuedDocument {
  readonly id: string;
  readonly customer_id: string;
}

/**
 * Defines the command that resends an issued document: by e-mail to the given address, or else to the customer, as `recipient`
 * says. It returns the delivery after one attempt. It throws RATE_LIMITED and the errors of `lockIssued`.
 */
export function defineSending(
  name: string,
  lockIssued: (tx: Tx, ref: string) => Promise<IssuedDocument>,
  notify?: DeliveryListener,
  recipient: typeof recipientOf = recipientOf,
) {
  return defineCommand({
    name,
    access: "issue",
    input: z.object({ ref: Ref, address: SendBody.shape.address }),

    async plan(tx, { ref, address }): Promise<Addressed> {
      const { id, customer_id } = await lockIssued(tx, ref);
      if (address !== undefined) return { document_id: id, channel: "email", address };
      return recipient(tx, id, customer_id);
    },

    async commit(tx, delivery): Promise<string> {
      const in_its_ledger = await inItsLedger(tx, delivery.document_id);
      const has_recipient = (await unreachable(in_its_ledger, delivery)) === null;
      if (has_recipient) await countMail(tx, { document_id: delivery.document_id });
      const [id = ""] = queueDeliveries(tx, [delivery], has_recipient);
      const row = queuedDelivery({ id, ...delivery, at: tx.clock.now() });
      tx.audit("delivery", id, "queued", { before: null, after: presentDelivery(row) });
      return id;
    },

    async after(cx, id: string): Promise<JsonText> {
      return presentDelivery(await attemptDelivery(cx, id, true, notify));
    },
  });
}
