/**
 * What makes a booked invoice issued: lines, work, snapshot, delivery, status and audit in one transaction;
 * and what a refusal leaves behind.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Booked, DocumentBooking } from "../../ledger/ledger.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import { storeIssuedDocument } from "../booking/book-document.ts";
import type { Issued, Settlement } from "../booking/settle.ts";
import { queueDelivery, recipientOf } from "../deliveries/attempt.ts";
import { markInvoiced } from "../hours/queries.ts";
import { storeEarnings } from "../hours/store-earnings.ts";
import { presentInvoice } from "./present.ts";
import { getInvoice } from "./queries.ts";

export const invoiceSettlement: Settlement = {
  number_constraint: "invoices_account_id_ledger_invoice_number_key",
  in_progress: "INVOICE_ISSUE_IN_PROGRESS",

  async findIssued(inside, id) {
    const { invoice, document } = await getInvoice(inside, id);
    return invoice.status === "issued" ? document : null;
  },

  async finish(inside, booking: DocumentBooking, payload, booked) {
    const { invoice } = await getInvoice(inside, booking.guid);
    return finishIssue(inside, invoice, booking, payload, booked);
  },

  /** A one-time invoice is a draft again; one of a series exists only as booked, so that its period waits again. */
  async release(inside, id, reason) {
    const { document } = await getInvoice(inside, id);
    await query(
      inside.db,
      "delete from invoices where account_id = $1 and id = $2 and series_id is not null",
      [inside.caller.account_id, id],
    );
    await recordAudit(inside, {
      action: "issue_refused",
      resource_type: "invoice",
      resource_id: id,
      before: document,
      after: document,
      reason,
    });
  },
};

/**
 * Makes a booked draft issued; inside a transaction that holds the draft's lock. `alongside` writes
 * what else changes with it: after the ledger's locks and before the audit trail's.
 */
export async function finishIssue(
  cx: Context,
  invoice: Invoice,
  booking: DocumentBooking,
  payload: string,
  booked: Booked,
  alongside?: () => Promise<unknown>,
): Promise<Issued> {
  const { account_id } = cx.caller;
  const { document } = booking;
  const issued: Invoice = {
    ...invoice,
    status: "issued",
    issue_date: document.issue_date as CalendarDate,
    ledger_invoice_guid: booked.guid,
    ledger_invoice_number: booked.number,
    issued_at: cx.clock.now(),
  };
  const text = presentInvoice(issued);
  const recipient = invoice.auto_send
    ? await recipientOf(cx, invoice.id, invoice.customer_id)
    : null;
  // Before the invoice is marked as issued: then its lines and their work are frozen.
  await storeEarnings(cx, invoice, document);
  const [, , delivery_id] = await together([
    storeIssuedDocument(cx, booking, payload, booked),
    storeAmounts(cx, document),
    recipient ? queueDelivery(cx, recipient) : Promise.resolve(null),
    query(
      cx.db,
      `update invoices set status = 'issued', issue_date = $3, ledger_invoice_guid = $4,
         ledger_invoice_number = $5, issued_at = $6, document = $7, rate_micro = $8,
         updated_at = stamp($1)
       where account_id = $1 and id = $2`,
      [
        account_id,
        invoice.id,
        issued.issue_date,
        issued.ledger_invoice_guid,
        issued.ledger_invoice_number,
        issued.issued_at,
        text,
        document.rate_micro,
      ],
    ),
    markInvoiced(
      cx,
      invoice.id,
      invoice.lines.map((line) => line.id),
    ),
    alongside?.() ?? Promise.resolve(),
    recordAudit(cx, {
      action: "issued",
      resource_type: "invoice",
      resource_id: invoice.id,
      before: presentInvoice(invoice),
      after: text,
    }),
  ]);
  return { document: text, delivery_id };
}

/** The amounts and accounts that the lines were booked with. */
function storeAmounts(cx: Context, { lines }: DocumentSnapshot): Promise<unknown> {
  return query(
    cx.db,
    `update invoice_lines l set amount = n.amount, amount_functional = n.functional, vat_code = n.code,
       account_number = n.account
     from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::text[], $6::int[])
       as n (id, amount, functional, code, account)
     where l.account_id = $1 and l.id = n.id`,
    [
      cx.caller.account_id,
      lines.map((line) => line.line_id),
      lines.map((line) => line.net),
      lines.map((line) => line.net_functional),
      lines.map((line) => line.vat_code),
      lines.map((line) => line.account_number),
    ],
  );
}
