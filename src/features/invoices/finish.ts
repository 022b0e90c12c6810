/** The transaction that makes a booked invoice issued: lines, snapshot, delivery, status and audit together. */
import type { CalendarDate } from "../../domain/calendar.ts";
import type { Invoice } from "../../domain/invoice.ts";
import type { Booked, BookingIntent } from "../../ledger/ledger.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { together } from "../../platform/database/transaction.ts";
import type { JsonText } from "../../platform/json.ts";
import { type DeliveryRow, queueDelivery } from "../documents/deliveries.ts";
import { presentInvoice } from "./present.ts";

export interface Issued {
  readonly document: JsonText;
  /** The delivery to attempt next; null when the invoice is not to be sent. */
  readonly delivery_id: string | null;
}

/** To be called inside a transaction that holds the draft's lock. */
export async function finishIssue(
  cx: Context,
  invoice: Invoice,
  booking: BookingIntent,
  payload: string,
  booked: Booked,
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
  const recipient = invoice.auto_send ? await findRecipient(cx, invoice.id) : null;
  const [, delivery_id] = await together([
    storeDocument(cx, booking, payload, booked.number),
    recipient ? queueDelivery(cx, recipient) : Promise.resolve(null),
    query(
      cx.db,
      `update invoices set status = 'issued', issue_date = $3, ledger_invoice_guid = $4,
         ledger_invoice_number = $5, issued_at = $6, document = $7, updated_at = stamp($1)
       where account_id = $1 and id = $2`,
      [
        account_id,
        invoice.id,
        issued.issue_date,
        issued.ledger_invoice_guid,
        issued.ledger_invoice_number,
        issued.issued_at,
        text,
      ],
    ),
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

/** The frozen snapshot, and the amounts that the lines were booked with. */
function storeDocument(
  cx: Context,
  { guid, document, payload_hash }: BookingIntent,
  payload: string,
  number: bigint,
): Promise<unknown> {
  return query(
    cx.db,
    `with stored as (
       insert into issued_documents (account_id, document_id, kind, number, snapshot, payload_hash)
       values ($1, $2, 'invoice', $3, $4, $5))
     update invoice_lines l set amount = n.amount, amount_functional = n.functional, vat_code = n.code
     from unnest($6::uuid[], $7::bigint[], $8::bigint[], $9::text[]) as n (id, amount, functional, code)
     where l.account_id = $1 and l.id = n.id`,
    [
      cx.caller.account_id,
      guid,
      number,
      payload,
      payload_hash,
      document.lines.map((line) => line.line_id),
      document.lines.map((line) => line.net),
      document.lines.map((line) => line.net_functional),
      document.lines.map((line) => line.vat_code),
    ],
  );
}

/** Where the document goes: by the customer's way of being sent to, as it is now (domain.md 5.3). */
async function findRecipient(
  cx: Context,
  invoice_id: string,
): Promise<Pick<DeliveryRow, "document_id" | "channel" | "address">> {
  const rows = await query<{ send_method: "email" | "einvoice"; email: string | null }>(
    cx.db,
    `select c.send_method, c.email from invoices i
     join customers c on c.account_id = i.account_id and c.id = i.customer_id
     where i.account_id = $1 and i.id = $2`,
    [cx.caller.account_id, invoice_id],
  );
  const channel = rows[0]?.send_method ?? "email";
  const address = channel === "email" ? (rows[0]?.email ?? null) : null;
  return { document_id: invoice_id, channel, address };
}
