/** Issuing an invoice: it is booked in the ledger, then sent if it asks for that (spec 5.3). */
import type { Warning } from "../../domain/sales/warning.ts";
import type { Context } from "../../platform/context.ts";
import { RefParams } from "../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import type { Tx } from "../../platform/tx.ts";
import { bookingCommand, type Sent } from "../booking/booking-command.ts";
import { type DecidedInvoice, invoiceBookable, readInvoice } from "./bookable.ts";
import type { InvoiceResource } from "./schemas.ts";
import { warningsOfIssue, warningsOfSettled } from "./warnings.ts";

/**
 * Books a draft and sends it. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * INVOICE_EMPTY, CUSTOMER_INACTIVE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, EXCHANGE_RATE_MISSING,
 * INVOICE_INCOMPLETE, LEDGER_REJECTED or LEDGER_UNAVAILABLE. Answers the invoice, with `send_error`
 * when it is booked but could not be sent (spec 5.3).
 */
export const issueInvoice = bookingCommand({
  name: "issue_invoice",
  input: RefParams,
  bookable: invoiceBookable,
  read: (tx, { ref }) => readInvoice(tx, ref),
  keep: warningsOfDecided,
  answer: answerOfIssue,
});

/** What is to be looked at of an invoice that is decided to be issued. */
export async function warningsOfDecided(
  tx: Tx,
  { facts: { invoice, inputs } }: DecidedInvoice,
): Promise<readonly Warning[]> {
  return inputs === null ? [] : warningsOfIssue(tx, invoice, inputs);
}

/** The invoice as the issue operations answer it (spec 5.3); without warnings when a booking was gone on with. */
export async function answerOfIssue(
  cx: Context,
  { document, send_error }: Sent,
  warnings: readonly Warning[] | null,
): Promise<JsonText> {
  const invoice = JSON.parse(document) as InvoiceResource;
  return jsonText({
    ...invoice,
    ...(send_error === null ? {} : { send_error }),
    warnings: warnings ?? (await warningsOfSettled(cx, invoice.id)),
  });
}
