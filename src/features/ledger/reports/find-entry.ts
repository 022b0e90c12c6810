/** Finds one entry of the built-in ledger with everything that its page shows: postings, document, and what it reverses. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { CalendarDate, Month } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { EntryKind } from "./list-journal.ts";

/** Another entry that belongs to an entry. */
interface RelatedEntry {
  readonly guid: string;
  readonly kind: EntryKind;
  readonly number: string;
}

export interface ShownEntry {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: EntryKind;
  readonly number: bigint;
  readonly entry_date: CalendarDate;
  readonly text: string;
  readonly currency: string;
  readonly rate_micro: bigint | null;
  readonly registered_at: Timestamp;
  /** `kind:id`, and the name of a person or a key. */
  readonly registered_by: string;
  readonly actor_name: string | null;
  readonly customer_id: string | null;
  readonly customer: string | null;
  /** The entry that this one reverses; of a credit note, the entry of its invoice. */
  readonly reverses: RelatedEntry | null;
  /** The entries that reverse or credit this one, in the order of booking. */
  readonly reversed_by: readonly RelatedEntry[];
  /** The month of the accrual that a voucher books. */
  readonly accrual_month: Month | null;
  /** Amounts are text in minor units, debit above 0: of the functional currency, and of the entry's own currency. */
  readonly postings: readonly {
    readonly account_number: number;
    readonly account: string;
    readonly amount: string;
    readonly currency_amount: string;
    readonly vat_code: string | null;
  }[];
}

/** Returns the entry under a guid: the id of a document or a voucher, or the entry's own. Throws NOT_FOUND. */
export async function getEntry(cx: Reader, guid: string): Promise<ShownEntry> {
  const { account_id } = cx.caller;
  const entry = await cx.row<ShownEntry>(sql`
    with related as (
      select e.guid, e.kind, e.number, e.entry_no, b.voucher_guid as reverses from accrual_bookings b
        join ledger_entries e on e.account_id = ${account_id} and e.guid = b.reversal_guid
        where b.account_id = ${account_id} and b.voucher_guid = ${guid}
      union all
      select e.guid, e.kind, e.number, e.entry_no, e.reverses_guid from ledger_entries e
        where e.account_id = ${account_id} and e.reverses_guid = ${guid} and e.kind <> 'voucher'
      union all
      select e.guid, e.kind, e.number, e.entry_no, null from ledger_entries o
        join ledger_entries e on e.account_id = ${account_id} and e.guid = o.reverses_guid
        where o.account_id = ${account_id} and o.guid = ${guid}
      union all
      select e.guid, e.kind, e.number, e.entry_no, n.invoice_id from ledger_entries e
        join credit_notes n on n.account_id = ${account_id} and n.id = e.guid
        where e.account_id = ${account_id} and n.invoice_id = ${guid}
      union all
      select e.guid, e.kind, e.number, e.entry_no, null from ledger_entries e
        join credit_notes n on n.account_id = ${account_id} and n.invoice_id = e.guid
        where e.account_id = ${account_id} and n.id = ${guid})
    select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.text, e.currency, e.rate_micro,
      e.registered_at, e.registered_by, coalesce(u.name, k.name) as actor_name, c.id as customer_id, c.name as customer,
      (select json_build_object('guid', r.guid, 'kind', r.kind, 'number', r.number::text) from related r
        where r.reverses is distinct from e.guid limit 1) as reverses,
      (select coalesce(json_agg(json_build_object('guid', r.guid, 'kind', r.kind, 'number', r.number::text)
          order by r.entry_no), '[]') from related r where r.reverses = e.guid) as reversed_by,
      (select a.month from accrual_bookings b join accruals a on a.account_id = ${account_id} and a.id = b.accrual_id
        where b.account_id = ${account_id} and b.voucher_guid = coalesce(e.reverses_guid, e.guid) limit 1) as accrual_month,
      (select coalesce(json_agg(json_build_object('account_number', p.account_number, 'account', l.name,
          'amount', p.amount::text, 'currency_amount', p.currency_amount::text, 'vat_code', p.vat_code)
          order by p.line_no), '[]')
        from ledger_postings p
        join ledger_accounts l on l.account_id = ${account_id} and l.number = p.account_number
        where p.account_id = ${account_id} and p.entry_no = e.entry_no) as postings
    from ledger_entries e
    left join users u on u.account_id = ${account_id} and e.registered_by = 'user:' || u.id
    left join api_keys k on k.account_id = ${account_id} and e.registered_by = 'api_key:' || k.id
    left join customers c on c.account_id = ${account_id} and c.id = (select p.customer_id from ledger_postings p
      where p.account_id = ${account_id} and p.entry_no = e.entry_no and p.customer_id is not null
      order by p.line_no limit 1)
    where e.account_id = ${account_id} and e.guid = ${guid}`);
  if (entry === undefined) throw notFound("ledger_entry", guid);
  return entry;
}

/** An entry that a search by number has found. */
interface NumberedEntry {
  readonly guid: string;
  readonly entry_no: bigint;
  readonly text: string;
}

/** Returns the entry with a number in the journal, and the voucher with this number. */
export function findByNumber(cx: Reader, number: bigint): Promise<NumberedEntry[]> {
  return cx.rows<NumberedEntry>(sql`select guid, entry_no, text from ledger_entries
    where account_id = ${cx.caller.account_id} and entry_no = ${number}::bigint
    union select guid, entry_no, text from ledger_entries
    where account_id = ${cx.caller.account_id} and kind = 'voucher' and number = ${number}::bigint
    order by entry_no`);
}

/** Returns the guids of entries by their numbers. */
export async function guidsOfEntries(
  cx: Reader,
  numbers: readonly (number | bigint)[],
): Promise<ReadonlyMap<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await cx.rows<{ entry_no: bigint; guid: string }>(sql`
    select entry_no, guid from ledger_entries
    where account_id = ${cx.caller.account_id} and entry_no = any(${numbers.map(String)}::bigint[])`);
  return new Map(rows.map(({ entry_no, guid }) => [Number(entry_no), guid]));
}
