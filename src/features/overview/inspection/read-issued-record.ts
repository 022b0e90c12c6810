/** Reads what the page of an issued invoice shows: the frozen document, its booking, the period that it bills, its hours. */
import { notFound } from "../../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { thaw } from "../../../platform/runtime/json.ts";

/** A registration that an invoice has frozen. Hours are in 1/100; the date is `YYYY-MM-DD`. */
export interface FrozenHours {
  readonly line_id: string;
  readonly date: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly hours: number;
  readonly billable: boolean;
  readonly note: string | null;
}

interface IssuedRecord {
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
  /** The number of the entry in the built-in ledger; null for an invoice that another system has booked. */
  readonly entry_no: bigint | null;
  /** The kind of the system that booked the invoice, and the year of its number; null where numbers do not restart. */
  readonly ledger_kind: string | null;
  readonly ledger_year: number | null;
  /** The retainer and the key of the period; null for a one-time invoice. */
  readonly series_id: string | null;
  readonly period: string | null;
  /** By date, at most one more than is shown. */
  readonly frozen: readonly FrozenHours[];
  /** The sum of all registrations, in 1/100 of an hour. */
  readonly frozen_hours: bigint;
}

/** The number of registrations that the page shows. */
export const MOST_FROZEN = 100;

/** Returns the record of an issued invoice; with a user only their own registrations. Throws NOT_FOUND. */
export async function readIssuedRecord(
  cx: Reader,
  invoice_id: string,
  user_id: string | null,
): Promise<IssuedRecord> {
  const { account_id } = cx.caller;
  const row = await cx.row<Omit<IssuedRecord, "snapshot"> & { readonly snapshot: string }>(sql`
    with worked as (
      select w.id, w.line_id, w.date, w.user_id, u.name as user_name, w.hours, w.billable, w.note
      from work_registrations w join users u on u.account_id = ${account_id} and u.id = w.user_id
      where w.account_id = ${account_id} and w.invoice_id = ${invoice_id} and w.status = 'invoiced'
        and (${user_id}::uuid is null or w.user_id = ${user_id}))
    select d.snapshot, d.number, e.entry_no, k.kind as ledger_kind, d.ledger_year, i.series_id, i.period,
      (select coalesce(json_agg(json_build_object('line_id', f.line_id, 'date', f.date, 'user_id', f.user_id,
          'user_name', f.user_name, 'hours', f.hours, 'billable', f.billable, 'note', f.note)
          order by f.date, f.id), '[]')
        from (select * from worked order by date, id limit ${MOST_FROZEN + 1}) f) as frozen,
      (select coalesce(sum(hours), 0)::bigint from worked) as frozen_hours
    from invoices i
    join issued_documents d on d.account_id = ${account_id} and d.document_id = i.id
    left join ledger_entries e on e.account_id = ${account_id} and e.guid = i.id
    left join ledger_connections k on k.account_id = ${account_id} and k.id = d.ledger_connection_id
    where i.account_id = ${account_id} and i.id = ${invoice_id} and i.status = 'issued'`);
  if (row === undefined) throw notFound("invoice", invoice_id);
  return { ...row, snapshot: thaw(row.snapshot) };
}
