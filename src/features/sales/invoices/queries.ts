/** The SQL queries of invoices and their lines. */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import type { Line } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { lineColumns } from "../../../platform/database/line-columns.ts";
import { insertMany } from "../../../platform/database/many-rows.ts";
import {
  columnOfRef,
  lockRow,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import type { Packed } from "../../../platform/database/shape.ts";
import { insert, raw, type Sql, sql, tableOf, update } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";

/** An invoice with the data that its changes need. */
export interface LoadedInvoice {
  readonly invoice: Invoice;
  readonly document: JsonText;
  /** Whether a booking in an external ledger is under way. */
  readonly is_being_issued: boolean;
}

type LoadedRow = Omit<Invoice, "lines"> & {
  readonly document: JsonText;
  readonly is_being_issued: boolean;
  readonly lines: readonly Packed<Line>[];
};

/** A line with customer and currency, which all lines of its document share. */
export interface LineOfDocument {
  readonly line: Line;
  readonly customer_id: string;
  readonly currency: string;
}

/** Returns lines of invoices by their ids, with customer and currency. */
export async function findLines(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, LineOfDocument>> {
  if (line_ids.length === 0) return new Map();
  const rows = await cx.rows<
    Omit<LineOfDocument, "line"> & { readonly line: Packed<Line> }
  >(sql`select i.customer_id, i.currency, ${raw(lineColumns.packed("l"))} as line from invoice_lines l
     join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where l.account_id = ${cx.caller.account_id} and l.id = any(${line_ids})`);
  return new Map(
    rows.map((row) => {
      const line = lineColumns.parse(row.line);
      return [line.id, { ...row, line }];
    }),
  );
}

/** A line with its booked amounts and accounts; null on a draft. */
export interface LineOfInvoice {
  readonly invoice_id: string;
  readonly currency: string;
  readonly booked: bigint | null;
  readonly line: Line;
}

/** Returns the lines of invoices, by the ids of the invoices, in the order of their positions. */
export async function linesOfInvoices(
  cx: Reader,
  invoice_ids: readonly string[],
): Promise<LineOfInvoice[]> {
  if (invoice_ids.length === 0) return [];
  const rows = await cx.rows<
    Omit<LineOfInvoice, "line"> & { readonly line: Packed<Line> }
  >(sql`select l.invoice_id, i.currency, l.amount as booked, ${raw(lineColumns.packed("l"))} as line
     from invoice_lines l join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where l.account_id = ${cx.caller.account_id} and l.invoice_id = any(${invoice_ids}) order by l.invoice_id, l.position`);
  return rows.map((row) => ({ ...row, line: lineColumns.parse(row.line) }));
}

/** A draft, read before its lines. */
export interface DraftAhead {
  /** The version, as `versionOf` gives it. */
  readonly version: string;
  /** Whether the draft has more lines than the `most` of `draftAhead`. */
  readonly is_long: boolean;
}

/** Reads a draft without its lines; a draft with more than `most` lines is long. Undefined when the id names no draft. */
export function draftAhead(cx: Reader, id: string, most: number): Promise<DraftAhead | undefined> {
  const { account_id } = cx.caller;
  return cx.row<DraftAhead>(sql`select i.updated_at::text as version,
      (select count(*) from (select from invoice_lines l
        where l.account_id = ${account_id} and l.invoice_id = i.id limit ${most + 1}) l) > ${most} as is_long
    from invoices i where i.account_id = ${account_id} and i.id = ${id} and i.status = 'draft'`);
}

/** Locks the invoice, then reads it: the lock's own query would read the row before the lock. Throws NOT_FOUND. */
export function lockInvoice(tx: Tx, ref: string): Promise<LoadedInvoice> {
  lockRow(tx, "invoices", ref);
  return getInvoice(tx, ref);
}

/** Returns the invoice with its lines, read with one query. Throws NOT_FOUND. */
export async function getInvoice(cx: Reader, ref: string): Promise<LoadedInvoice> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<LoadedRow>(sql`${loadedBy(cx)} and i.${raw(column)} = ${value}`);
  if (row === undefined) throw notFound("invoice", ref);
  return loadedFrom(row);
}

/** Returns invoices by their ids with their lines, read with one query; ids that no longer exist are left out. */
export async function findInvoices(cx: Reader, ids: readonly string[]): Promise<Invoice[]> {
  return [...(await findLoadedInvoices(cx, ids)).values()].map(({ invoice }) => invoice);
}

/** Returns invoices by their ids with the data that their changes need. Nothing is locked. */
async function findLoadedInvoices(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, LoadedInvoice>> {
  if (ids.length === 0) return new Map();
  const own = [...new Set(ids)];
  const rows = await cx.rows<LoadedRow>(sql`${loadedBy(cx)} and i.id = any(${own})`);
  return new Map(rows.map((row) => [row.id, loadedFrom(row)]));
}

/** An invoice with some of its lines, and without its stored text. */
export type PartOfInvoice = Omit<LoadedInvoice, "document">;

/** Returns invoices with only the lines (alias `l`) of a condition. Missing ids are left out. Nothing is locked. */
export async function findPartsOfInvoices(
  cx: Reader,
  ids: readonly string[],
  which: Sql,
): Promise<Map<string, PartOfInvoice>> {
  if (ids.length === 0) return new Map();
  return findPartsBy(cx, sql`i.id = any(${[...new Set(ids)]})`, which);
}

/** Returns the invoices (alias `i`) of a condition with only the lines (alias `l`) of another. Nothing is locked. */
export async function findPartsBy(
  cx: Reader,
  which: Sql,
  of_lines: Sql,
): Promise<Map<string, PartOfInvoice>> {
  const rows = await cx.rows<Omit<LoadedRow, "document">>(
    sql`select ${partBy(cx, of_lines)} and ${which}`,
  );
  return new Map(rows.map((row) => [row.id, partFrom(row)]));
}

/** Locks an invoice and returns it with the lines that have the given ids. Throws NOT_FOUND. */
export async function lockInvoiceWith(
  tx: Tx,
  id: string,
  line_ids: readonly string[],
): Promise<PartOfInvoice> {
  lockRow(tx, "invoices", id);
  const parts = await findPartsOfInvoices(tx, [id], sql`l.id = any(${line_ids})`);
  const part = parts.get(id);
  if (part === undefined) throw notFound("invoice", id);
  return part;
}

/** Locks invoices by their ids, in the order of the ids; ids that no longer exist are left out. */
export async function lockInvoices(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, LoadedInvoice>> {
  tx.lock(sql`select from invoices where account_id = ${tx.caller.account_id} and id = any(${ids})
    order by id for no key update`);
  const rows = await tx.rows<LoadedRow>(sql`${loadedBy(tx)} and i.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, loadedFrom(row)]));
}

/** Locks the given invoices that no other transaction has locked, without waiting; returns their ids. */
export async function lockFreeInvoices(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`select id from invoices
    where account_id = ${tx.caller.account_id} and id = any(${ids}) order by id
    for no key update skip locked`);
  return new Set(rows.map(({ id }) => id));
}

function loadedBy(cx: Reader): Sql {
  return sql`select i.document, ${partBy(cx, sql`true`)}`;
}

function partBy(cx: Reader, which: Sql): Sql {
  return sql`i.id, i.external_id, i.customer_id, i.currency, i.issue_date, i.title, i.auto_send,
       i.status, i.ledger_invoice_guid, i.ledger_invoice_number, i.issued_at, i.printed,
       exists (select from intents t where t.account_id = ${cx.caller.account_id} and t.document_id = i.id
         and t.state in ('booking', 'unknown', 'pending', 'parked')) as is_being_issued,
       (select coalesce(json_agg(${raw(lineColumns.packed("l"))} order by l.position), '[]')
        from invoice_lines l
        where l.account_id = ${cx.caller.account_id} and l.invoice_id = i.id and ${which}) as lines
     from invoices i where i.account_id = ${cx.caller.account_id}`;
}

function loadedFrom({ document, ...part }: LoadedRow): LoadedInvoice {
  return { ...partFrom(part), document };
}

function partFrom({
  is_being_issued,
  lines,
  ...header
}: Omit<LoadedRow, "document">): PartOfInvoice {
  return {
    invoice: { ...header, lines: lines.map((line) => lineColumns.parse(line)) },
    is_being_issued,
  };
}

/** The period of a series that an invoice bills. */
export interface BilledPeriod {
  readonly series_id: string;
  readonly index: number;
  readonly key: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly is_final_partial: boolean;
}

/** Stores a new draft with its lines, and as the API shows it. */
export function insertInvoice(
  tx: Tx,
  invoice: Invoice,
  document: JsonText,
  request_hash: Buffer,
): void {
  tx.write(insert("invoices", { ...newRow(tx, invoice, document), request_hash }));
  saveLines(tx, [{ invoice }]);
}

interface NewDraft {
  readonly invoice: Invoice;
  readonly document: JsonText;
  readonly request_hash: Buffer;
}

/** Stores new drafts with their lines. At least one. */
export function insertInvoices(tx: Tx, drafts: readonly NewDraft[]): void {
  const { account_id } = tx.caller;
  const rows = drafts.map(({ invoice, document, request_hash }) => ({
    ...headerOf(invoice, document),
    printed: invoice.printed,
    id: invoice.id,
    external_id: invoice.external_id,
    request_hash,
  }));
  const shared = { account_id, status: "draft", updated_at: stamped(account_id) } as const;
  tx.write(insertMany("invoices", rows, shared));
  saveLines(tx, drafts);
}

/** An invoice that bills a period, with its booked document when the same transaction issues the invoice. */
interface BilledInvoice {
  readonly invoice: Invoice;
  readonly billed: BilledPeriod;
  /** The draft as the API shows it. */
  readonly document: JsonText;
  readonly snapshot: DocumentSnapshot | null;
}

/** Stores invoices that bill periods as drafts; the same transaction then issues the booked ones. */
export function insertBilled(tx: Tx, made: readonly BilledInvoice[]): void {
  if (made.length === 0) return;
  const { account_id } = tx.caller;
  const { columns, table } = tableOf(made, {
    id: ["uuid", ({ invoice }) => invoice.id],
    customer_id: ["uuid", ({ invoice }) => invoice.customer_id],
    currency: ["text", ({ invoice }) => invoice.currency],
    issue_date: ["date", ({ invoice }) => invoice.issue_date],
    auto_send: ["boolean", ({ invoice }) => invoice.auto_send],
    document: ["lines", ({ document }) => document],
    printed: ["json", ({ invoice }) => JSON.stringify(invoice.printed)],
    series_id: ["uuid", ({ billed }) => billed.series_id],
    period_index: ["int", ({ billed }) => billed.index],
    period: ["text", ({ billed }) => billed.key],
    period_from: ["date", ({ billed }) => billed.from],
    period_to: ["date", ({ billed }) => billed.to],
    is_final_partial: ["boolean", ({ billed }) => billed.is_final_partial],
  });
  tx.write(sql`insert into invoices (account_id, status, updated_at, ${columns})
    select ${account_id}, 'draft', ${stampedAnew(account_id)}, n.* from ${table} as n`);
  saveLines(tx, made);
}

function newRow(tx: Tx, invoice: Invoice, document: JsonText) {
  const { account_id } = tx.caller;
  return {
    ...headerOf(invoice, document),
    account_id,
    id: invoice.id,
    external_id: invoice.external_id,
    status: "draft" as const,
    updated_at: stamped(account_id),
  };
}

/** Replaces the header and lines of a draft. Lines that keep their id keep their rows. */
export function replaceInvoice(cx: Tx, invoice: Invoice, document: JsonText): void {
  const { account_id } = cx.caller;
  const kept = invoice.lines.map((line) => line.id);
  cx.write(
    sql`delete from invoice_lines where account_id = ${account_id} and invoice_id = ${invoice.id} and not id = any(${kept})`,
  );
  cx.write(
    sql`delete from invoice_line_assignees where account_id = ${account_id} and line_id = any(${kept})`,
  );
  saveLines(cx, [{ invoice }]);
  const changed_at = stampedAnew(account_id);
  const row = { ...headerOf(invoice, document), updated_at: changed_at, drafted_at: changed_at };
  cx.write(sql`${update("invoices", row)}
        where account_id = ${account_id} and id = ${invoice.id}`);
}

/** Returns the fields of an invoice that a client sends, as columns of its row. */
function headerOf(invoice: Invoice, document: JsonText) {
  return {
    customer_id: invoice.customer_id,
    currency: invoice.currency,
    issue_date: invoice.issue_date,
    title: invoice.title,
    auto_send: invoice.auto_send,
    document,
    printed: JSON.stringify(invoice.printed),
  };
}

/** An invoice whose lines are stored. It has the amounts and accounts of its document when the same transaction issues it. */
type Saved = Pick<BilledInvoice, "invoice"> & Partial<Pick<BilledInvoice, "snapshot">>;

function saveLines(tx: Tx, saved: readonly Saved[]): void {
  const lines = saved.flatMap(({ invoice, snapshot }) => {
    const booked = new Map(snapshot?.lines.map((line) => [line.line_id, line]));
    return invoice.lines.map((line) => {
      const { net, net_functional, vat_code, account_number } = booked.get(line.id) ?? NOT_BOOKED;
      const account = account_number ?? line.account_number;
      const amounts = { amount: net, amount_functional: net_functional, vat_code };
      return { ...line, ...amounts, account_number: account, invoice_id: invoice.id };
    });
  });
  if (lines.length === 0) return;
  const { columns, table } = lineColumns.recordset(lines, {
    invoice_id: ["uuid", (line) => line.invoice_id],
    amount: ["bigint", (line) => line.amount?.toString() ?? null],
    amount_functional: ["bigint", (line) => line.amount_functional?.toString() ?? null],
    vat_code: ["text", (line) => line.vat_code],
  });
  tx.write(sql`insert into invoice_lines (account_id, ${columns})
      select ${tx.caller.account_id}, l.* from ${table}
      on conflict (account_id, id) do update set ${REPLACED}`);
  saveAssignees(tx, lines);
}

const NOT_BOOKED = { net: null, net_functional: null, vat_code: null, account_number: null };

/** The columns that a change replaces in a kept draft line. Columns that tie it to a period keep their values. */
const REPLACED = raw(
  lineColumns.columns
    .filter((column) => !["id", "share_days", "share_of", "nominal_budget"].includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(", "),
);

function saveAssignees(tx: Tx, lines: readonly Line[]): void {
  const assigned = lines.flatMap((line) =>
    line.assignees.map((assignee) => [line.id, assignee.user_id] as const),
  );
  if (assigned.length === 0) return;
  const { columns, table } = tableOf(assigned, {
    line_id: ["uuid", ([line_id]) => line_id],
    user_id: ["uuid", ([, user_id]) => user_id],
  });
  tx.write(sql`insert into invoice_line_assignees (account_id, ${columns})
     select ${tx.caller.account_id}, a.* from ${table} as a`);
}
