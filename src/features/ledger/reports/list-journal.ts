/** Reads the journal of the built-in ledger for people: the newest entry first, by what they search for, with names. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, positionFrom } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The kinds of entries, each with its own numbers. */
export const entryKinds = [
  "invoice",
  "credit_note",
  "voucher",
  "payment",
  "reminder",
  "opening",
] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface JournalFilter {
  readonly account?: number;
  readonly from?: CalendarDate;
  readonly to?: CalendarDate;
  readonly kind?: EntryKind;
  /** A part of the entry's text, in any case. */
  readonly text?: string;
  /** Amounts of a posting, above 0, in minor units; none of them is found when the list is empty. */
  readonly amounts?: readonly bigint[];
}

export interface JournalRow {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: EntryKind;
  readonly number: bigint;
  readonly entry_date: CalendarDate;
  readonly is_reversal: boolean;
  readonly customer: string | null;
  /** The sum of its debits; with an account, the movement on that account. Minor units of the functional currency. */
  readonly amount: bigint;
  /** Amounts are text in minor units, debit above 0. */
  readonly postings: readonly { readonly account_number: number; readonly amount: string }[];
}

const NUMBER = /^\d{1,18}$/;

/** Returns the entries of a page, and the cursor of the next page. Throws VALIDATION_FAILED for a foreign cursor. */
export async function listJournal(
  cx: Reader,
  {
    account = null,
    from = null,
    to = null,
    kind = null,
    text = null,
    ...more
  }: Partial<Nullable<JournalFilter>>,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly rows: readonly JournalRow[]; readonly next_cursor: string | null }> {
  const { account_id } = cx.caller;
  const before = page.cursor === undefined ? null : positionFrom(page.cursor, NUMBER).id;
  const amounts = more.amounts ?? null;
  const found = await cx.rows<JournalRow>(sql`
    select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.reverses_guid is not null as is_reversal,
      (select c.name from ledger_postings p
        join customers c on c.account_id = ${account_id} and c.id = p.customer_id
        where p.account_id = ${account_id} and p.entry_no = e.entry_no
        order by p.line_no limit 1) as customer,
      coalesce((select sum(p.amount) from ledger_postings p
        where p.account_id = ${account_id} and p.entry_no = e.entry_no
          and case when ${account}::int is null then p.amount > 0 else p.account_number = ${account}::int end), 0)::bigint as amount,
      (select coalesce(json_agg(json_build_object('account_number', p.account_number, 'amount', p.amount::text)
          order by p.line_no), '[]')
        from ledger_postings p where p.account_id = ${account_id} and p.entry_no = e.entry_no) as postings
    from ledger_entries e
    where e.account_id = ${account_id}
      and (${before}::bigint is null or e.entry_no < ${before}::bigint)
      and (${from}::date is null or e.entry_date >= ${from}::date)
      and (${to}::date is null or e.entry_date <= ${to}::date)
      and (${kind}::text is null or e.kind = ${kind}::text)
      and (${text}::text is null or strpos(lower(e.text), lower(${text}::text)) > 0)
      and (${account}::int is null or exists (select from ledger_postings p
        where p.account_id = ${account_id} and p.account_number = ${account}::int and p.entry_no = e.entry_no))
      and (${amounts}::bigint[] is null or e.entry_no in (select p.entry_no from ledger_postings p
        where p.account_id = ${account_id} and abs(p.amount) = any(${amounts}::bigint[])))
    order by e.entry_no desc limit ${page.limit + 1}`);
  const rows = found.slice(0, page.limit);
  const last = found.length > page.limit ? rows.at(-1) : undefined;
  const next_cursor =
    last === undefined ? null : cursorFrom({ id: String(last.entry_no), horizon: null });
  return { rows, next_cursor };
}

type Nullable<Shape> = { readonly [Key in keyof Shape]: Shape[Key] | null };
