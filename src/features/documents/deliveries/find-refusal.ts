/** Tells whether anything can be sent to a recipient, before it is handed to a transport. */
import { isMailAddress } from "../../../domain/base/mail-address.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { findConnection } from "../einvoice-connections/queries.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { sendsEinvoices } from "../sending/send-by-ledger.ts";
import type { DeliveryRow } from "./read-ahead.ts";

/** A failure known before anything is handed to a transport. */
export interface SendRefusal {
  readonly state: "failed_permanent" | "failed_temporary";
  readonly error_code: "einvoice_not_configured" | "no_address" | "not_prepared";
  readonly error_text: string;
}

/** A recipient of a document. */
type Recipient = Pick<DeliveryRow, "channel" | "address">;

/** Returns why nothing can be sent to a recipient, known before the booking; null when sending is possible. */
export async function unreachable(cx: Reader, recipient: Recipient): Promise<SendRefusal | null> {
  if (!isOwnEinvoice(cx, recipient)) return cannotLeave(cx, recipient);
  return (await findConnection(cx)) === undefined ? EINVOICE_NOT_CONFIGURED : null;
}

/** Returns why a recipient cannot be reached, without a look at the account's connection for e-invoices. */
export function cannotLeave(cx: Reader, { channel, address }: Recipient): SendRefusal | null {
  if (channel === "einvoice") {
    return isOwnEinvoice(cx, { channel }) || sendsEinvoices(cx) ? null : EINVOICE_NOT_CONFIGURED;
  }
  if (isMailAddress(address ?? "")) return null;
  const error_text = "the customer has no e-mail address";
  return { state: "failed_permanent", error_code: "no_address", error_text };
}

const EINVOICE_NOT_CONFIGURED: SendRefusal = {
  state: "failed_permanent",
  error_code: "einvoice_not_configured",
  error_text: "e-invoice sending is not configured",
};

/** Whether this service hands the delivery over as an e-invoice, and not the connected ledger. */
export function isOwnEinvoice(cx: Reader, { channel }: Pick<DeliveryRow, "channel">): boolean {
  return channel === "einvoice" && printingLedger(cx) === null;
}
