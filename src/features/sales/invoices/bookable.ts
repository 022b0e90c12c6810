/** Defines the booking of an invoice (spec 5.3): its inputs, the writes that issue it, and the effect of a refusal. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { itemOfDocument, type NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import type { DocumentBooking } from "../../../ledger/ledger.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { columnOfRef, stampedAnew } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { handOver, inSlices } from "../../../platform/runtime/slices.ts";
import { leaveIfLong } from "../../../platform/threads/takes-long.ts";
import { auditQueued, queueDeliveries, recipientsOf } from "../../documents/deliveries/queue.ts";
import { storeIssuedDocuments } from "../../documents/issued/issued-documents.ts";
import type {
  Bookable,
  BookingFacts,
  Decision,
  Issued,
  Outcome,
} from "../../ledger/booking/bookable.ts";
import { storeLedgerItems } from "../../receivables/ledger-items/queries.ts";
import { storeItems } from "../../receivables/open-items/queries.ts";
import { holdConfiguration } from "../../settings/configuration/queries.ts";
import {
  countWork,
  leaveIfCounted,
  leaveIfMuchWorked,
  type WorkCounts,
} from "../hours/count-worked.ts";
import { hasOpenWork, markInvoiced } from "../hours/queries.ts";
import { type EarnedWork, readEarnedWork, storeEarnings } from "../hours/store-earnings.ts";
import {
  type IssueInputs,
  readIssueFacts,
  readIssueInputs,
  requireIssuable,
} from "./issue-inputs.ts";
import { presentIssue } from "./present.ts";
import {
  type BilledPeriod,
  getInvoice,
  insertBilled,
  type LoadedInvoice,
  lockInvoices,
} from "./queries.ts";
import { requireEinvoice } from "./require-einvoice.ts";
import { lastNumberDate } from "./warnings.ts";

/** A locked invoice. */
export interface InvoiceFacts extends BookingFacts {
  readonly invoice: Invoice;
  /** The inputs of issuing the invoice; null unless the invoice is a draft. */
  readonly inputs: IssueInputs | null;
  /** Facts that were read together with the invoice; absent where several invoices were read. */
  readonly beside?: FactsBeside;
}

interface FactsBeside {
  /** The date of the invoice with the last number; null when there is none. */
  readonly last_number_date: CalendarDate | null;
  /** Whether open work is registered on the lines. The lock of the invoice keeps it so. */
  readonly has_open_work: boolean;
  readonly earned: EarnedWork;
}

/** What `readInvoice` reads together with the invoice, before its lines are known. */
interface ReadBeside extends Omit<FactsBeside, "earned"> {
  readonly counts: WorkCounts;
}

export interface DecidedInvoice<Facts extends InvoiceFacts = InvoiceFacts> extends Decision<Facts> {
  readonly snapshot: DocumentSnapshot;
}

export const invoiceBookable: Bookable<InvoiceFacts, DecidedInvoice> = {
  in_progress: "INVOICE_ISSUE_IN_PROGRESS",
  done: "INVOICE_ALREADY_ISSUED",
  number_constraint: "invoices_ledger_number",

  async read(tx, ids) {
    const found = await readInvoices(tx, ids);
    return ids.map((id) => found.get(id) ?? gone(id));
  },

  decide: decideInvoice,
  booked: (tx, outcomes) => storeIssued(tx, outcomes, () => null),

  /** A refused one-time invoice becomes a draft again. A series invoice is not stored, so its period waits again. */
  async refused(tx, { guid, document }, reason) {
    tx.write(
      sql`delete from invoices where account_id = ${tx.caller.account_id} and id = ${guid} and series_id is not null`,
    );
    tx.audit("invoice", guid, "issue_refused", { before: document, after: document, reason });
  },
};

/** Returns the invoice that a reference names, with the configuration that decides its issue. Throws NOT_FOUND. */
export async function readInvoice(tx: Tx, ref: string): Promise<InvoiceFacts> {
  const which = lockForIssue(tx, ref);
  const reads = asOneStatement(tx);
  const loading = getInvoice(reads, ref);
  const reading = Promise.all([readIssueInputs(reads, which), readBeside(reads, which)]);
  // An invoice that is no draft is answered first, whatever its inputs are.
  reading.catch(() => {});
  const loaded = await loading;
  if (!isDraft(loaded)) return factsOfOther(loaded);
  const { invoice, document } = loaded;
  leaveIfLong(tx, invoice);
  const [known, { counts, ...beside }] = await reading;
  leaveIfCounted(tx, counts, invoice);
  // Rates, specified hours and measured work are asked for together: they are one trip more, whatever the invoice needs.
  const [{ inputsOf }, earned] = await Promise.all([
    readIssueFacts(tx, [invoice], { is_printed: true, known }),
    readEarnedWork(tx, invoice.lines),
  ]);
  const inputs = inputsOf(invoice);
  return {
    guid: invoice.id,
    state: "draft",
    invoice,
    document,
    inputs,
    beside: { ...beside, earned },
  };
}

/**
 * Locks the invoice and, shared, the configuration, in this order. Returns the condition under which statements that follow find
 * the invoice, by the alias `i`.
 */
function lockForIssue(tx: Tx, ref: string): Sql {
  const [column, value] = columnOfRef(ref);
  const which = sql`i.${raw(column)} = ${value}`;
  tx.lock(sql`select from invoices i join configurations c on c.account_id = i.account_id
    where i.account_id = ${tx.caller.account_id} and ${which} for no key update of i for share of c`);
  return which;
}

async function readBeside(reads: Tx, which: Sql): Promise<ReadBeside> {
  const { account_id } = reads.caller;
  const of_lines = sql`line_id = any(array(select l.id from invoice_lines l
    join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
    where l.account_id = ${account_id} and ${which}))`;
  const [last_number_date, has_open_work, counts] = await Promise.all([
    lastNumberDate(reads),
    hasOpenWork(reads, of_lines),
    reads.leaves_if_long ? countWork(reads, of_lines) : new Map<string, number>(),
  ]);
  return { last_number_date, has_open_work, counts };
}

/** Returns invoices by their ids; ids that no longer exist are left out. */
async function readInvoices(tx: Tx, ids: readonly string[]): Promise<Map<string, InvoiceFacts>> {
  const loaded = await lockInvoices(tx, ids);
  const facts = await factsOfLoaded(tx, [...loaded.values()]);
  return new Map(facts.map((one) => [one.guid, one]));
}

function gone(ref: string): never {
  throw notFound("invoice", ref);
}

async function factsOfLoaded(tx: Tx, loaded: readonly LoadedInvoice[]): Promise<InvoiceFacts[]> {
  const drafts = loaded.filter(isDraft).map(({ invoice }) => invoice);
  await leaveIfMuchWorked(tx, ...drafts);
  if (drafts.length > 0) holdConfiguration(tx);
  const read = drafts.length > 0 && (await readIssueFacts(tx, drafts, { is_printed: true }));
  return loaded.map((one) => {
    if (!isDraft(one) || !read) return factsOfOther(one);
    const { invoice, document } = one;
    const inputs = read.inputsOf(invoice);
    return { guid: invoice.id, state: "draft", invoice, document, inputs };
  });
}

function isDraft({ invoice, is_being_issued }: LoadedInvoice): boolean {
  return invoice.status !== "issued" && !is_being_issued;
}

/** Returns the facts of an invoice that is issued, or whose booking is in progress. */
function factsOfOther({ invoice, document }: LoadedInvoice): InvoiceFacts {
  const state = invoice.status === "issued" ? "booked" : "booking";
  return { guid: invoice.id, state, invoice, document, inputs: null };
}

/** Decides the document of a draft. Throws what `decideIssue` throws, INVOICE_INCOMPLETE, and EINVOICE_INCOMPLETE. */
export function decideInvoice<Facts extends InvoiceFacts>(facts: Facts): DecidedInvoice<Facts> {
  const { invoice, inputs } = facts;
  if (inputs === null) throw new Error("an invoice that is no draft is not decided");
  requireIssuable(invoice, inputs);
  requireEinvoice(invoice, inputs);
  return { facts, snapshot: inputs.document };
}

/** A booked invoice in its issued form. */
interface IssuedInvoice {
  readonly draft: Invoice;
  /** The period of a series that the invoice bills, when this period is still to be stored. */
  readonly billed: BilledPeriod | null;
  /** The draft as the API shows it. */
  readonly before: JsonText;
  readonly invoice: Invoice;
  readonly text: JsonText;
  readonly intent: DocumentBooking;
  readonly document: DocumentSnapshot;
  readonly payload: string;
  readonly number: bigint;
  readonly connection_id: string | null;
  readonly year: number | null;
}

/** With more outcomes than this, the SQL statements queued so far are sent to the database while the rest is computed. */
const A_FEW = 10;

/** Marks booked drafts as issued, and stores invoices of periods. The results are in the order of the outcomes. */
export async function storeIssued<Facts extends InvoiceFacts>(
  tx: Tx,
  outcomes: readonly Outcome<Facts>[],
  billedBy: (facts: Facts) => BilledPeriod | null,
): Promise<Issued[]> {
  const is_batch = outcomes.length > A_FEW;
  if (is_batch) await handOver();
  const issued = await inSlices(outcomes, (outcome) =>
    issuedFrom(tx, outcome, billedBy(outcome.facts)),
  );
  const sent = issued.filter(({ draft }) => draft.auto_send);
  const customers = new Map(
    outcomes.flatMap(({ facts: { inputs } }) =>
      inputs === null ? [] : [[inputs.customer.id, inputs.customer] as const],
    ),
  );
  const recipients = await recipientsOf(
    tx,
    sent.map(({ draft }) => ({ document_id: draft.id, customer_id: draft.customer_id })),
    customers,
  );
  insertBilled(
    tx,
    issued.flatMap(({ draft: invoice, billed, before: document, document: snapshot }) =>
      billed === null ? [] : [{ invoice, billed, document, snapshot }],
    ),
  );
  if (is_batch) await handOver();
  // Must precede the update of the invoices, which freezes their lines and the work on these lines.
  const [first, ...others] = outcomes;
  await storeEarnings(
    tx,
    issued.map(({ draft: invoice, document }) => ({ invoice, document })),
    others.length === 0 ? first?.facts.beside?.earned : undefined,
  );
  storeIssuedDocuments(tx, issued);
  storeItems(tx, itemsOf(issued));
  storeLedgerItems(tx, ledgerItemsOf(issued));
  storeAmounts(
    tx,
    issued.filter(({ billed }) => billed === null),
  );
  const deliveries = queueDeliveries(tx, recipients);
  markIssued(tx, issued);
  markInvoiced(
    tx,
    outcomes.flatMap(({ facts }) => (facts.beside?.has_open_work === false ? [] : [facts.invoice])),
  );
  if (is_batch) await handOver();
  for (const { draft, before, text } of issued) {
    tx.audit("invoice", draft.id, "issued", { before, after: text });
  }
  auditQueued(tx, recipients, deliveries);
  const delivery_of = new Map(sent.map(({ draft }, at) => [draft.id, deliveries[at] ?? null]));
  return issued.map(({ draft, text }) => ({
    document: text,
    delivery_id: delivery_of.get(draft.id) ?? null,
  }));
}

function issuedFrom(
  tx: Tx,
  { facts: { invoice: draft }, booking, booked, connection_id }: Outcome<InvoiceFacts>,
  billed: BilledPeriod | null,
): IssuedInvoice {
  if (booking === null || booking.intent.kind !== "invoice" || booked === null) {
    throw new Error("an invoice was booked as something else");
  }
  const { intent, payload } = booking;
  const { document } = intent;
  const invoice: Invoice = {
    ...draft,
    status: "issued",
    issue_date: document.issue_date as CalendarDate,
    ledger_invoice_guid: booked.guid,
    ledger_invoice_number: booked.number,
    issued_at: tx.clock.now(),
  };
  const { before, after: text } = presentIssue(draft, invoice);
  const { number, year = null } = booked;
  const ledger_fields = { number, year, connection_id };
  return { draft, billed, before, invoice, text, intent, document, payload, ...ledger_fields };
}

/** Returns the open items of invoices in the built-in ledger. What an external ledger booked is paid there. */
function itemsOf(issued: readonly IssuedInvoice[]): NumberedItem[] {
  return issued
    .filter(({ connection_id }) => connection_id === null)
    .flatMap(({ document, number }) => itemOfDocument(document, number) ?? []);
}

/** Returns the items of invoices that a connected ledger booked, of whose payment it reports. */
function ledgerItemsOf(issued: readonly IssuedInvoice[]): Parameters<typeof storeLedgerItems>[1] {
  return issued.flatMap(({ connection_id, document, number, invoice, draft }) => {
    const item = connection_id === null ? null : itemOfDocument(document, number);
    if (connection_id === null || item === null) return [];
    return [{ item, connection_id, guid: invoice.ledger_invoice_guid ?? draft.id }];
  });
}

/** Stores the amounts and accounts that the lines of stored drafts were booked with. */
function storeAmounts(tx: Tx, issued: readonly IssuedInvoice[]): void {
  const lines = issued.flatMap(({ document }) => document.lines);
  if (lines.length === 0) return;
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

function markIssued(tx: Tx, issued: readonly IssuedInvoice[]): void {
  const { account_id } = tx.caller;
  const { table } = tableOf(issued, {
    id: ["uuid", ({ draft }) => draft.id],
    issue_date: ["date", ({ invoice }) => invoice.issue_date],
    guid: ["uuid", ({ invoice }) => invoice.ledger_invoice_guid],
    number: ["bigint", ({ number }) => number],
    document: ["lines", ({ text }) => text],
    rate_micro: ["bigint", ({ document }) => document.rate_micro],
    connection_id: ["uuid", ({ connection_id }) => connection_id],
    year: ["int", ({ year }) => year],
  });
  tx.write(sql`update invoices i set status = 'issued', issue_date = n.issue_date, ledger_invoice_guid = n.guid,
      ledger_invoice_number = n.number, ledger_connection_id = n.connection_id, ledger_year = n.year, issued_at = ${tx.clock.now()}, document = n.document,
      rate_micro = n.rate_micro, updated_at = ${stampedAnew(account_id)}
    from ${table} as n (id, issue_date, guid, number, document, rate_micro, connection_id, year)
    where i.account_id = ${account_id} and i.id = n.id`);
}
