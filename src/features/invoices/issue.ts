/**
 * Issuing: book the invoice in the ledger, then send it if it asks for that. The built-in ledger
 * books inside the transaction that makes the invoice issued; for an external one the transaction
 * only stores the intent, which is carried out after it.
 */

import { Problem } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { RefParams } from "../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import {
  type Begun,
  beginBooking,
  completeBooking,
  isOpen,
  takeOver,
} from "../booking/book-document.ts";
import { findIntent, type Intent } from "../booking/intents.ts";
import { trySend } from "../deliveries/attempt.ts";
import { factsOf, requireIssuable } from "./issue-inputs.ts";
import { getInvoice } from "./queries.ts";
import type { InvoiceResource } from "./schemas.ts";
import { finishIssue, invoiceSettlement } from "./settlement.ts";
import { warningsOfIssue, warningsOfSettled } from "./warnings.ts";

interface IssuePlan {
  readonly invoice: Invoice;
  readonly document: DocumentSnapshot;
  readonly warnings: readonly Warning[];
}

/** With the warnings of its plan; null when a booking is gone on with. */
export type BegunIssue = Begun & { readonly warnings: readonly Warning[] | null };

type Planned = IssuePlan | { readonly resume: Intent };

/**
 * Books a draft and sends it. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS,
 * INVOICE_EMPTY, CUSTOMER_INACTIVE, PERIOD_LOCKED, LEDGER_NOT_CONNECTED, EXCHANGE_RATE_MISSING,
 * INVOICE_INCOMPLETE, LEDGER_REJECTED or LEDGER_UNAVAILABLE. Answers the invoice, with `send_error`
 * when it is booked but could not be sent (spec 5.3).
 */
export const issueInvoice = defineCommand({
  name: "issue_invoice",
  access: "issue",
  input: RefParams,

  async plan(cx, { ref }): Promise<Planned> {
    const { invoice, is_being_issued } = await getInvoice(cx, ref);
    if (invoice.status === "issued") throw new Problem("INVOICE_ALREADY_ISSUED");
    if (is_being_issued) return { resume: await findIntent(cx, invoice.id) };
    const facts = await factsOf(cx, invoice, { is_printed: true });
    requireIssuable(cx, invoice, facts);
    const warnings = await warningsOfIssue(cx, invoice, facts);
    return { invoice, document: facts.document, warnings };
  },

  async commit(cx, plan): Promise<BegunIssue> {
    if ("resume" in plan) {
      const intent = await takeOver(cx, plan.resume, invoiceSettlement.in_progress);
      return { intent, warnings: null };
    }
    const begun = await beginBooking(cx, plan.document, (...booking) =>
      finishIssue(cx, plan.invoice, ...booking),
    );
    return { ...begun, warnings: plan.warnings };
  },

  is_begun: isOpen,

  async after(cx, begun): Promise<JsonText> {
    const issued = await completeBooking(cx, begun, invoiceSettlement);
    const send_error = issued.delivery_id === null ? null : await trySend(cx, issued.delivery_id);
    return answerOfIssue(cx, { ...issued, send_error }, begun.warnings);
  },
});

/** The invoice as the issue operations answer it (spec 5.3). */
export async function answerOfIssue(
  cx: Context,
  issued: { readonly document: JsonText; readonly send_error: string | null },
  warnings: readonly Warning[] | null,
): Promise<JsonText> {
  const invoice = JSON.parse(issued.document) as InvoiceResource;
  return jsonText({
    ...invoice,
    ...(issued.send_error === null ? {} : { send_error: issued.send_error }),
    warnings: warnings ?? (await warningsOfSettled(cx, invoice.id)),
  });
}
