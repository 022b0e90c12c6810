/** Issues one invoice: the ledger books the invoice, which is then sent if its `auto_send` is set (spec 5.3). */
import type { Warning } from "../../../domain/sales/warning.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { bookingCommand, type SentDocument } from "../../ledger/booking/booking-command.ts";
import { type DecidedInvoice, invoiceBookable, readInvoice } from "./bookable.ts";
import type { InvoiceResource } from "./schemas.ts";
import { warningsOfIssue, warningsOfSettled } from "./warnings.ts";

/**
 * Books a draft and sends it. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS, INVOICE_EMPTY,
 * CUSTOMER_INACTIVE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, EXCHANGE_RATE_MISSING, INVOICE_INCOMPLETE, EINVOICE_INCOMPLETE,
 * LEDGER_REJECTED or LEDGER_UNAVAILABLE. Returns the invoice, with `send_error` when the invoice is booked but could not be sent (spec 5.3).
 */
export const issueInvoice = bookingCommand({
  name: "issue_invoice",
  input: RefParams,
  bookable: invoiceBookable,
  read: (tx, { ref }) => readInvoice(tx, ref),
  keep: warningsOfDecided,
  answer: answerOfIssue,
});

/** Returns the warnings of an invoice whose issue is decided. */
export async function warningsOfDecided(
  tx: Tx,
  { facts: { invoice, inputs, beside } }: DecidedInvoice,
): Promise<readonly Warning[]> {
  return inputs === null ? [] : warningsOfIssue(tx, invoice, inputs, beside?.last_number_date);
}

/** Returns the response of the issue operations (spec 5.3), without warnings when the call resumed a booking. */
export async function answerOfIssue(
  cx: Context,
  { document, send_error }: SentDocument,
  warnings: readonly Warning[] | null,
): Promise<JsonText> {
  const idOf = () => (JSON.parse(document) as InvoiceResource).id;
  const added = jsonText({
    ...(send_error === null ? {} : { send_error }),
    warnings: warnings ?? (await warningsOfSettled(cx, idOf())),
  });
  // The invoice is long, and its text is known.
  return `${document.slice(0, -1)},${added.slice(1)}` as JsonText;
}
