/** Sends a reminder again: its stored PDF, to the customer's e-mail address or to another one. */
import { Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { findCustomers } from "../../catalogue/customers/queries.ts";
import type { Addressed } from "../../documents/deliveries/queue.ts";
import { defineSending } from "../../documents/deliveries/send.ts";
import { getReminder } from "./queries.ts";

/** Takes an id and an address. Throws NOT_FOUND, REMINDER_CANCELLED and RATE_LIMITED. */
export const sendReminder = defineSending(
  "send_reminder",
  async (tx, id) => {
    const { row, snapshot } = await getReminder(tx, id);
    if (row.cancelled_on !== null) throw new Problem("REMINDER_CANCELLED");
    return { id, customer_id: snapshot.customer.id };
  },
  undefined,
  letterRecipient,
);

/** A letter goes by e-mail, also to customers whose invoices go elsewhere. */
async function letterRecipient(
  cx: Reader,
  document_id: string,
  customer_id: string,
): Promise<Addressed> {
  const customers = await findCustomers(cx, [customer_id]);
  const address = customers.get(customer_id)?.email ?? null;
  return { document_id, customer_id, channel: "email", address };
}
