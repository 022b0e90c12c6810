/**
 * Reads the common input of both journal formats: the accounts with closing balances, and the entries in batches.
 * They are sorted by date, then by entry number, since a document may be dated before one that was booked earlier.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { AccountType } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { POSTINGS_OF_ENTRY, type PostingsOfEntry } from "./queries.ts";

export interface Journal {
  readonly account_name: string;
  /** ISO 4217; the amount of every posting is in minor units of this currency. */
  readonly functional_currency: string;
  /** All accounts of the chart by number, including accounts without postings. */
  readonly accounts: readonly JournalAccount[];
  /** Dates of the earliest and latest entry; null while nothing is booked. */
  readonly first: CalendarDate | null;
  readonly last: CalendarDate | null;
}

export interface JournalAccount {
  readonly number: number;
  readonly name: string;
  readonly type: AccountType;
  /** The sum of all entries, computed by the database and not by the export. Debit above 0. */
  readonly balance: bigint;
}

export interface JournalEntry {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: string;
  readonly number: bigint;
  readonly entry_date: CalendarDate;
  readonly text: string;
  /** The document's currency, with its rate in millionths; the rate is null in functional currency. */
  readonly currency: string;
  readonly rate_micro: bigint | null;
  /** By the real clock; the actor of the booking is `api_key:<id>`. */
  readonly registered_at: string;
  readonly registered_by: string;
  readonly postings: readonly JournalPosting[];
}

export interface JournalPosting {
  readonly account_number: number;
  readonly amount: bigint;
  /** In minor units of the entry's currency. */
  readonly currency_amount: bigint;
  readonly vat_code: string | null;
  readonly customer_id: string | null;
}

/** Writes a journal as text in one format; the returned parts follow each other in the file. */
export interface JournalWriter {
  opening(): string;
  entry(entry: JournalEntry): string;
  closing(): string;
}

const BATCH = 2_000;

export async function readJournal(cx: Reader): Promise<Journal> {
  const { account_id, account_name } = cx.caller;
  const { functional_currency } = await getConfiguration(cx);
  const accounts =
    await cx.rows<JournalAccount>(sql`select a.number, a.name, a.type, coalesce(p.balance, 0)::bigint as balance
     from ledger_accounts a
     left join (select account_number, sum(amount) as balance from ledger_postings
                where account_id = ${account_id} group by account_number) p on p.account_number = a.number
     where a.account_id = ${account_id} order by a.number`);
  const days = await cx.row<{ first: CalendarDate | null; last: CalendarDate | null }>(sql`
    select min(entry_date) as first, max(entry_date) as last
     from ledger_entries where account_id = ${account_id}`);
  return {
    account_name,
    functional_currency,
    accounts,
    first: days?.first ?? null,
    last: days?.last ?? null,
  };
}

type EntryRow = Omit<JournalEntry, "postings"> & PostingsOfEntry;

/** Yields all entries with their postings, in consecutive batches by date and entry number. */
export async function* batchesOf(cx: Reader, size = BATCH): AsyncIterable<JournalEntry[]> {
  let after: readonly [string, bigint] = ["-infinity", 0n];
  for (;;) {
    const rows: EntryRow[] =
      await cx.rows<EntryRow>(sql`select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.text, e.currency, e.rate_micro,
         e.registered_at, e.registered_by, ${POSTINGS_OF_ENTRY} as postings
       from ledger_entries e
       where e.account_id = ${cx.caller.account_id} and (e.entry_date, e.entry_no) > (${after[0]}::date, ${after[1]}::bigint)
       order by e.entry_date, e.entry_no limit ${size}`);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(entryFrom);
    if (rows.length < size) return;
    after = [last.entry_date, last.entry_no];
  }
}

function entryFrom(row: EntryRow): JournalEntry {
  const postings = row.postings.map((posting) => ({
    ...posting,
    amount: BigInt(posting.amount),
    currency_amount: BigInt(posting.currency_amount),
  }));
  return { ...row, postings };
}
