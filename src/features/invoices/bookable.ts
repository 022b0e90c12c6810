/**
 * The booking of an invoice (spec 5.3): what it is decided from, what makes a booked one issued, and what a refusal
 * leaves behind.
 */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import { stamped } from "../../platform/database/resources.ts";
import { sql, tableOf, update } from "../../platform/database/sql.ts";
import type { Tx } from "../../platform/tx.ts";
import type { Bookable, BookingFacts, Decision, Issued, Outcome } from "../booking/bookable.ts";
import { holdConfiguration } from "../configuration/queries.ts";
import { queueDelivery, recipientOf } from "../deliveries/attempt.ts";
import { storeIssuedDocument } from "../documents/issued-documents.ts";
import { markInvoiced } from "../hours/queries.ts";
import { storeEarnings } from "../hours/store-earnings.ts";
import { factsOf, type IssueInputs, requireIssuable } from "./issue-inputs.ts";
import { presentInvoice } from "./present.ts";
import { lockInvoice } from "./queries.ts";

/** An invoice under its lock. */
export interface InvoiceFacts extends BookingFacts {
  readonly invoice: Invoice;
  /** What issuing it would stand on; null unless it is a draft. */
  readonly inputs: IssueInputs | null;
}

export interface DecidedInvoice<Facts extends InvoiceFacts = InvoiceFacts> extends Decision<Facts> {
  readonly snapshot: DocumentSnapshot;
}

export const invoiceBookable: Bookable<InvoiceFacts, DecidedInvoice> = {
  in_progress: "INVOICE_ISSUE_IN_PROGRESS",
  done: "INVOICE_ALREADY_ISSUED",
  number_constraint: "invoices_account_id_ledger_invoice_number_key",

  async read(tx, ids) {
    const facts: InvoiceFacts[] = [];
    for (const id of ids) facts.push(await readInvoice(tx, id));
    return facts;
  },

  decide: decideInvoice,

  async booked(tx, outcomes) {
    const issued: Issued[] = [];
    for (const outcome of outcomes) issued.push(await storeIssue(tx, outcome));
    return issued;
  },

  /** A one-time invoice is a draft again; one of a series exists only as booked, so that its period waits again. */
  async refused(tx, { guid, document }, reason) {
    tx.write(
      sql`delete from invoices where account_id = ${tx.caller.account_id} and id = ${guid} and series_id is not null`,
    );
    tx.audit("invoice", guid, "issue_refused", { before: document, after: document, reason });
  },
};

/** The invoice under a reference, and the configuration that it is decided by. Throws NOT_FOUND. */
export async function readInvoice(tx: Tx, ref: string): Promise<InvoiceFacts> {
  const { invoice, document, is_being_issued } = await lockInvoice(tx, ref);
  const known = { guid: invoice.id, invoice, document };
  if (invoice.status === "issued") return { ...known, state: "booked", inputs: null };
  if (is_being_issued) return { ...known, state: "booking", inputs: null };
  holdConfiguration(tx);
  return { ...known, state: "draft", inputs: await factsOf(tx, invoice, { is_printed: true }) };
}

/** The document of a draft. Throws what `decideIssue` throws, and INVOICE_INCOMPLETE. */
export function decideInvoice<Facts extends InvoiceFacts>(facts: Facts): DecidedInvoice<Facts> {
  const { invoice, inputs } = facts;
  if (inputs === null) throw new Error("an invoice that is no draft is not decided");
  requireIssuable(invoice, inputs);
  return { facts, snapshot: inputs.document };
}

/** Makes a booked draft issued. */
async function storeIssue(
  tx: Tx,
  { facts: { invoice }, booking, booked }: Outcome<InvoiceFacts>,
): Promise<Issued> {
  if (booking === null || booking.intent.kind !== "invoice" || booked === null) {
    throw new Error("an invoice was booked as something else");
  }
  const { document } = booking.intent;
  const issued: Invoice = {
    ...invoice,
    status: "issued",
    issue_date: document.issue_date as CalendarDate,
    ledger_invoice_guid: booked.guid,
    ledger_invoice_number: booked.number,
    issued_at: tx.clock.now(),
  };
  const text = presentInvoice(issued);
  const recipient = invoice.auto_send
    ? await recipientOf(tx, invoice.id, invoice.customer_id)
    : null;
  // Before the invoice is marked as issued: then its lines and their work are frozen.
  await storeEarnings(tx, invoice, document);
  storeIssuedDocument(tx, booking.intent, booking.payload, booked.number);
  storeAmounts(tx, document);
  const delivery_id = recipient && queueDelivery(tx, recipient);
  const row = {
    status: "issued" as const,
    issue_date: issued.issue_date,
    ledger_invoice_guid: issued.ledger_invoice_guid,
    ledger_invoice_number: issued.ledger_invoice_number,
    issued_at: issued.issued_at,
    document: text,
    rate_micro: document.rate_micro,
    updated_at: stamped(tx.caller.account_id),
  };
  tx.write(
    sql`${update("invoices", row)} where account_id = ${tx.caller.account_id} and id = ${invoice.id}`,
  );
  markInvoiced(
    tx,
    invoice.id,
    invoice.lines.map((line) => line.id),
  );
  tx.audit("invoice", invoice.id, "issued", { before: presentInvoice(invoice), after: text });
  return { document: text, delivery_id };
}

/** The amounts and accounts that the lines were booked with. */
function storeAmounts(tx: Tx, { lines }: DocumentSnapshot): void {
  const { table } = tableOf(lines, {
    id: ["uuid", (line) => line.line_id],
    amount: ["bigint", (line) => line.net],
    functional: ["bigint", (line) => line.net_functional],
    code: ["text", (line) => line.vat_code],
    account: ["int", (line) => line.account_number],
  });
  tx.write(sql`update invoice_lines l set amount = n.amount, amount_functional = n.functional, vat_code = n.code,
      account_number = n.account
    from ${table} as n (id, amount, functional, code, account)
    where l.account_id = ${tx.caller.account_id} and l.id = n.id`);
}
