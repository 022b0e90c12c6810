/** The SQL queries of credit notes. */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { ServiceCut } from "../../../domain/sales/cancellation.ts";
import {
  type BookedCredits,
  bookedFrom,
  type CreditableLine,
  type CreditKind,
  type CreditLine,
} from "../../../domain/sales/credit-note.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { WaitingFirst } from "../../../platform/database/list-waiting-first.ts";
import { type Condition, CUSTOMER_HAS, has } from "../../../platform/database/page.ts";
import { columnOfRef, lockRow, refersTo, stamped } from "../../../platform/database/resources.ts";
import { insert, raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText, thaw } from "../../../platform/runtime/json.ts";
import { deliveryCondition } from "../../documents/issued/find-documents.ts";
import { type CreditNoteQuery, CreditNoteResource } from "./schemas.ts";

/** A credited line; its amount is positive, in minor units, net of VAT. */
interface CreditNoteLine extends CreditLine, ServiceCut {
  readonly id: string;
  readonly position: number;
}

/** A credit note in memory; `queue_state` is null for issued notes and for notes that a caller created. */
export interface CreditNote {
  readonly id: string;
  readonly external_id: string | null;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly kind: CreditKind;
  readonly status: "draft" | "issued";
  readonly credit_date: CalendarDate;
  readonly ledger_credit_note_guid: string | null;
  readonly ledger_credit_note_number: bigint | null;
  readonly issued_at: string | null;
  readonly send_error: string | null;
  readonly queue_state: "queued" | "failed" | null;
  /** Why the invoice is credited, printed under the lines. */
  readonly reason: string | null;
  readonly lines: readonly CreditNoteLine[];
  readonly currency_digits: number;
}

/** A credit note as the API shows it. */
export function presentCreditNote(note: CreditNote): JsonText {
  return jsonText(
    CreditNoteResource.parse({
      object: "credit_note",
      id: note.id,
      external_id: note.external_id,
      invoice_id: note.invoice_id,
      customer_id: note.customer_id,
      kind: note.kind,
      status: note.status,
      ledger_credit_note_guid: note.ledger_credit_note_guid,
      ledger_credit_note_number:
        note.ledger_credit_note_number === null ? null : Number(note.ledger_credit_note_number),
      issued_at: note.issued_at,
      send_error: note.send_error,
      lines: note.lines.map(({ id, invoice_line_id, amount, position }) => ({
        id,
        invoice_line_id,
        amount: scaledToNumber(amount, note.currency_digits),
        position,
      })),
      credit_date: note.credit_date,
      ...(note.reason !== null && { reason: note.reason }),
    }),
  );
}

/** Returns the SQL conditions of the filters of a credit note list. */
export function creditNoteConditions(
  filters: Partial<Omit<CreditNoteQuery, "limit" | "cursor" | "updated_since" | "include">>,
): Condition[] {
  const conditions: Condition[] = [];
  if (filters.customer !== undefined) {
    conditions.push(refersTo("customer_id", "customers", filters.customer));
  }
  if (filters.invoice !== undefined) {
    conditions.push(refersTo("invoice_id", "invoices", filters.invoice));
  }
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.status !== undefined) conditions.push(["status =", filters.status]);
  if (filters.number !== undefined) {
    conditions.push(["ledger_credit_note_number =", filters.number]);
  }
  if (filters.issued_from !== undefined) {
    conditions.push(["status = 'issued' and credit_date >=", filters.issued_from]);
  }
  if (filters.issued_to !== undefined) {
    conditions.push(["status = 'issued' and credit_date <=", filters.issued_to]);
  }
  if (filters.delivery_state !== undefined) {
    conditions.push(deliveryCondition("credit_notes", filters.delivery_state));
  }
  if (filters.search !== undefined) conditions.push(has(filters.search, SEARCHED, CUSTOMER_HAS));
  return conditions;
}

/** The columns of a credit note that a search reads. */
export const SEARCHED = ["ledger_credit_note_number", "external_id"];

/** A credit note that waits to be issued, with its net amount in minor units of the invoice's currency. */
export interface WaitingNote {
  readonly id: string;
  readonly queue_state: "queued" | "failed";
  readonly net: bigint;
}

/** Returns the credit notes that wait for the invoices of a series, in the order in which they were made. */
export function waitingNotesOfSeries(cx: Reader, series_id: string): Promise<WaitingNote[]> {
  const { account_id } = cx.caller;
  return cx.rows<WaitingNote>(sql`
    select n.id, coalesce(n.queue_state, 'queued') as queue_state,
      (select coalesce(sum(l.amount), 0)::bigint from credit_note_lines l
       where l.account_id = ${account_id} and l.credit_note_id = n.id) as net
    from credit_notes n join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
    where n.account_id = ${account_id} and i.series_id = ${series_id} and n.status = 'draft'
      and n.queue_state is not null
    order by n.id`);
}

const ISSUED_NOTES = "d.account_id = $1 and d.kind = 'credit_note'";

/**
 * Queued credit notes, of which nothing that is shown changes, by their creation, then issued ones by day and number. A delivery
 * changes an issued one again, so the time of the issue is that of its document, in the order of numbers.
 */
export const NOTES_WAITING_FIRST: WaitingFirst = {
  changed: "timestamptz 'epoch'",
  day: "credit_date",
  number: "coalesce(ledger_credit_note_number, 0)",
  moment: `coalesce(max(d.created_at), 'epoch') from issued_documents d where ${ISSUED_NOTES}`,
  issuedAfter: (moment) =>
    `select d.document_id as id from issued_documents d where ${ISSUED_NOTES} and d.created_at > ${moment}`,
};

type LoadedRow = Omit<CreditNote, "lines" | "currency_digits"> & {
  readonly currency: string;
  readonly document: JsonText;
  readonly is_being_booked: boolean;
  readonly lines: readonly (Omit<CreditNoteLine, "amount"> & { readonly amount: string })[];
};

/** A credit note with its stored text. */
interface LoadedCreditNote {
  readonly note: CreditNote;
  readonly document: JsonText;
  /** Whether a booking in an external ledger is under way. */
  readonly is_being_booked: boolean;
}

/** Locks the credit note that a reference names and returns it. Throws NOT_FOUND. */
export function lockCreditNote(tx: Tx, ref: string): Promise<LoadedCreditNote> {
  lockRow(tx, "credit_notes", ref);
  return getCreditNote(tx, ref);
}

/** Returns the credit note that a reference names. Throws NOT_FOUND. */
export async function getCreditNote(cx: Reader, ref: string): Promise<LoadedCreditNote> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<LoadedRow>(sql`${loadedBy(cx)} and n.${raw(column)} = ${value}`);
  if (row === undefined) throw notFound("credit_note", ref);
  return loadedFrom(row);
}

/** Returns the ids of the credited invoices, by the ids of the notes; notes that no longer exist are left out. */
export async function invoicesOf(cx: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await cx.rows<{ id: string; invoice_id: string }>(sql`
    select id, invoice_id from credit_notes
    where account_id = ${cx.caller.account_id} and id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, row.invoice_id]));
}

/** Locks credit notes by their ids, in the order of the ids; ids that no longer exist are left out. */
export async function lockCreditNotes(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, LoadedCreditNote>> {
  tx.lock(sql`select from credit_notes where account_id = ${tx.caller.account_id} and id = any(${ids})
    order by id for no key update`);
  const rows = await tx.rows<LoadedRow>(sql`${loadedBy(tx)} and n.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, loadedFrom(row)]));
}

function loadedBy(cx: Reader): Sql {
  return sql`select n.id, n.external_id, n.invoice_id, n.customer_id, n.kind, n.status, n.credit_date,
         n.ledger_credit_note_guid, n.ledger_credit_note_number, n.issued_at, n.send_error,
         n.queue_state, n.reason, n.document, i.currency,
         exists (select from intents t where t.account_id = ${cx.caller.account_id} and t.document_id = n.id
           and t.state in ('booking', 'unknown', 'pending', 'parked')) as is_being_booked,
         (select json_agg(json_build_object('id', l.id, 'invoice_line_id', l.invoice_line_id,
              'amount', l.amount::text, 'position', l.position, 'new_service_to', l.new_service_to,
              'shortened_to', (select min(e.new_service_to) from credit_note_lines e
                where e.account_id = ${cx.caller.account_id} and e.invoice_line_id = l.invoice_line_id
                  and e.new_service_to > l.new_service_to)) order by l.position)
          from credit_note_lines l where l.account_id = ${cx.caller.account_id} and l.credit_note_id = n.id) as lines
       from credit_notes n join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
       where n.account_id = ${cx.caller.account_id}`;
}

function loadedFrom({
  currency,
  document,
  is_being_booked,
  lines,
  ...fields
}: LoadedRow): LoadedCreditNote {
  const note: CreditNote = {
    ...fields,
    lines: lines.map((line) => ({ ...line, amount: BigInt(line.amount) })),
    currency_digits: currencyDigits(currency),
  };
  return { note, document, is_being_booked };
}

/** Stores a new draft with its lines. */
export function insertCreditNote(cx: Tx, note: CreditNote, request_hash: Buffer | null): void {
  const { account_id } = cx.caller;
  const row = {
    account_id,
    id: note.id,
    external_id: note.external_id,
    invoice_id: note.invoice_id,
    customer_id: note.customer_id,
    kind: note.kind,
    status: "draft" as const,
    credit_date: note.credit_date,
    queue_state: note.queue_state,
    reason: note.reason,
    next_attempt_at: cx.clock.now(),
    request_hash,
    document: presentCreditNote(note),
    updated_at: stamped(account_id),
  };
  const { columns, table } = tableOf(note.lines, {
    id: ["uuid", (line) => line.id],
    invoice_line_id: ["uuid", (line) => line.invoice_line_id],
    amount: ["bigint", (line) => line.amount],
    position: ["int", (line) => line.position],
    new_service_to: ["date", (line) => line.new_service_to],
  });
  cx.write(sql`with note as (${insert("credit_notes", row)} returning id)
    insert into credit_note_lines (account_id, credit_note_id, ${columns})
    select ${account_id}, note.id, l.* from note cross join ${table} as l`);
}

/** Returns the lines of an issued invoice with the total of their credits: issued, queued or being booked. */
export function creditableLines(cx: Reader, invoice_id: string): Promise<CreditableLine[]> {
  return creditableLinesBy(cx, sql`l.invoice_id = ${invoice_id}`);
}

/** Returns the result of `creditableLines` for those of some lines that are not completed. */
export function uncompletedLines(
  cx: Reader,
  line_ids: readonly string[],
): Promise<CreditableLine[]> {
  return creditableLinesBy(
    cx,
    sql`l.id = any(${line_ids}) and not exists (select from line_completions d
      where d.account_id = l.account_id and d.line_id = l.id)`,
  );
}

/** Returns the result of `creditableLines` for the lines (alias `l`) of a condition. */
export async function creditableLinesBy(cx: Reader, which: Sql): Promise<CreditableLine[]> {
  const rows = await cx.rows<
    Omit<CreditableLine, "position"> & { position: bigint }
  >(sql`select l.id as line_id, l.position, coalesce(l.amount, 0) as amount,
       (select coalesce(sum(c.amount), 0)::bigint from credit_note_lines c
        where c.account_id = ${cx.caller.account_id} and c.invoice_line_id = l.id) as credited
     from invoice_lines l where l.account_id = ${cx.caller.account_id} and ${which} order by l.position`);
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/** Returns, by note id, the credits of the other credit notes of its invoice that are booked or being booked. */
export async function bookedCredits(
  cx: Reader,
  notes: readonly Pick<CreditNote, "id" | "invoice_id">[],
): Promise<Map<string, BookedCredits>> {
  const invoice_ids = notes.map(({ invoice_id }) => invoice_id);
  const rows = await bookedRows(cx, sql`n.invoice_id = any(${invoice_ids})`);
  return new Map(
    notes.map(({ id, invoice_id }) => {
      const others = rows.filter((row) => row.invoice_id === invoice_id && row.id !== id);
      return [id, bookedFrom(others.map((row) => thaw(row.snapshot)))];
    }),
  );
}

/** Returns the credits of all credit notes (alias `n`) of a condition that are booked or being booked. */
export async function bookedCreditsBy(cx: Reader, which: Sql): Promise<BookedCredits> {
  const rows = await bookedRows(cx, which);
  return bookedFrom(rows.map((row) => thaw(row.snapshot)));
}

interface BookedRow {
  readonly id: string;
  readonly invoice_id: string;
  readonly snapshot: string;
}

function bookedRows(cx: Reader, which: Sql): Promise<BookedRow[]> {
  return cx.rows<BookedRow>(sql`
    select n.id, n.invoice_id, coalesce(d.snapshot, t.payload) as snapshot from credit_notes n
     left join issued_documents d on d.account_id = ${cx.caller.account_id} and d.document_id = n.id
     left join intents t on t.account_id = ${cx.caller.account_id} and t.document_id = n.id
       and t.state in ('booking', 'unknown', 'pending', 'parked')
     where n.account_id = ${cx.caller.account_id} and ${which}
       and coalesce(d.snapshot, t.payload) is not null`);
}

/** The credit note that an earlier request with the same external id created. */
export interface RepeatedCreditNote {
  readonly id: string;
  readonly status: "draft" | "issued";
  readonly document: JsonText;
  readonly request_hash: Buffer | null;
}

/** Returns the credit note with an external id. `lock_credit` has locked it, so that an attempt in progress has ended. */
export function findByExternalId(
  cx: Reader,
  external_id: string,
): Promise<RepeatedCreditNote | undefined> {
  return cx.row<RepeatedCreditNote>(sql`select id, status, document, request_hash from credit_notes
    where account_id = ${cx.caller.account_id} and external_id = ${external_id}`);
}

/** Returns the ids of those given invoices whose documents are sent automatically. */
export async function sendingInvoices(cx: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await cx.rows<{ id: string }>(sql`select id from invoices
    where account_id = ${cx.caller.account_id} and id = any(${ids}) and auto_send`);
  return new Set(rows.map(({ id }) => id));
}
