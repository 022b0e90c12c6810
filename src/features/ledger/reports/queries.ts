/** Reads the books: accounts, entries, trial balance. The connector does the booking. */

import type * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import {
  type AccountQuery,
  type EntryQuery,
  LedgerAccount,
  LedgerEntry,
  TrialBalance,
  type TrialBalanceQuery,
} from "./schemas.ts";

const NUMBER = /^\d{1,18}$/;
/** Account numbers are integers of 32 bits. */
const ACCOUNT_NUMBER = /^\d{1,9}$/;

export interface AccountRow {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly vat_code: string | null;
  readonly balance: bigint;
}

/** Lists accounts by number, each with its balance over all entries. */
export async function listAccounts(cx: Reader, page: AccountQuery): Promise<JsonText> {
  const after = page.cursor === undefined ? 0 : positionFrom(page.cursor, ACCOUNT_NUMBER).id;
  const rows = await cx.rows<AccountRow>(
    sql`${ACCOUNTS} where a.account_id = ${cx.caller.account_id} and a.number > ${after} order by a.number limit ${page.limit + 1}`,
  );
  const digits = await functionalDigits(cx);
  return pageByNumber(
    rows,
    page.limit,
    (row) => row.number,
    (row) => presentAccount(row, digits),
  );
}

/** Lists the whole chart by number, with balances; `with_balances` false leaves them 0 and reads no posting. */
export function wholeChart(cx: Reader, with_balances: boolean): Promise<AccountRow[]> {
  const { account_id } = cx.caller;
  if (with_balances) {
    return cx.rows<AccountRow>(
      sql`${ACCOUNTS} where a.account_id = ${account_id} order by a.number`,
    );
  }
  return cx.rows<AccountRow>(sql`select a.number, a.name, a.type, a.vat_code, 0::bigint as balance
    from ledger_accounts a where a.account_id = ${account_id} order by a.number`);
}

/** The number of entries up to which a report over all of them is computed at once. */
const MOST_ENTRIES_AT_ONCE = 5_000;

/** Whether the books have so many entries that a report over all of them is computed after the page has loaded. */
export async function hasManyEntries(cx: Reader): Promise<boolean> {
  const books = await cx.row<{ next_entry_no: bigint }>(
    sql`select next_entry_no from ledger_books where account_id = ${cx.caller.account_id}`,
  );
  return books !== undefined && books.next_entry_no > MOST_ENTRIES_AT_ONCE;
}

/** Locks an account of the chart and returns it. */
export function lockAccount(tx: Tx, number: number): Promise<AccountRow | undefined> {
  const { account_id } = tx.caller;
  tx.lock(sql`select from ledger_accounts where account_id = ${account_id} and number = ${number}
    for no key update`);
  return tx.row(sql`${ACCOUNTS} where a.account_id = ${account_id} and a.number = ${number}`);
}

const ACCOUNTS = raw(`select a.number, a.name, a.type, a.vat_code,
  coalesce((select sum(p.amount) from ledger_postings p
            where p.account_id = a.account_id and p.account_number = a.number), 0)::bigint as balance
  from ledger_accounts a`);

export function presentAccount(row: AccountRow, digits: number): JsonText {
  const balance = scaledToNumber(row.balance, digits);
  return jsonText(LedgerAccount.parse({ object: "ledger_account", ...row, balance }));
}

/** Returns the number of decimals of the functional currency. */
export async function functionalDigits(cx: Reader): Promise<number> {
  return currencyDigits((await getConfiguration(cx)).functional_currency);
}

interface EntryRow extends PostingsOfEntry {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: string;
  readonly number: bigint;
  readonly entry_date: CalendarDate;
  readonly text: string;
  readonly currency: string;
  readonly registered_at: string;
  /** `api_key:<id>`, `user:<id>`, `scheduler:<id>`. */
  readonly registered_by: string;
  readonly rate_date: string | null;
  readonly reverses_guid: string | null;
}

/** The postings of an entry. Amounts are text: JSON numbers would lose digits. */
export interface PostingsOfEntry {
  readonly postings: readonly {
    readonly account_number: number;
    readonly amount: string;
    readonly currency_amount: string;
    readonly vat_code: string | null;
    readonly customer_id: string | null;
  }[];
}

/** The postings of the entry `e` of a statement. */
export const POSTINGS_OF_ENTRY = raw(`(select coalesce(json_agg(json_build_object(
    'account_number', p.account_number, 'amount', p.amount::text, 'currency_amount', p.currency_amount::text,
    'vat_code', p.vat_code, 'customer_id', p.customer_id) order by p.line_no), '[]')
  from ledger_postings p where p.account_id = e.account_id and p.entry_no = e.entry_no)`);

/** Lists entries in the order of booking. */
export async function listEntries(cx: Reader, page: EntryQuery): Promise<JsonText> {
  const after = page.cursor === undefined ? 0n : BigInt(positionFrom(page.cursor, NUMBER).id);
  const rows = await findEntries(cx, after, page.limit + 1, page);
  const digits = await functionalDigits(cx);
  return pageByNumber(
    rows,
    page.limit,
    (row) => row.entry_no,
    (row) => jsonText(presentEntry(row, digits)),
  );
}

/** Returns the next entries after a number in the order of booking, as the API shows them. */
export async function entriesAfter(
  cx: Reader,
  after: bigint,
  limit: number,
  range: Pick<EntryQuery, "from" | "to">,
): Promise<z.output<typeof LedgerEntry>[]> {
  const rows = await findEntries(cx, after, limit, range);
  const digits = await functionalDigits(cx);
  return rows.map((row) => presentEntry(row, digits));
}

function findEntries(
  cx: Reader,
  after: bigint,
  limit: number,
  {
    from = null,
    to = null,
    account = null,
  }: Partial<Nullable<Omit<EntryQuery, "limit" | "cursor">>>,
): Promise<EntryRow[]> {
  return cx.rows<EntryRow>(sql`select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.text, e.currency, e.registered_at,
       e.registered_by, e.reverses_guid,
       case when e.rate_micro is not null then (select d.snapshot::json ->> 'rate_date'
         from issued_documents d where d.account_id = ${cx.caller.account_id} and d.document_id = e.guid) end as rate_date,
       ${POSTINGS_OF_ENTRY} as postings
     from ledger_entries e
     where e.account_id = ${cx.caller.account_id} and e.entry_no > ${after}
       and (${from}::date is null or e.entry_date >= ${from}) and (${to}::date is null or e.entry_date <= ${to})
       and (${account}::int is null or exists (select from ledger_postings p
            where p.account_id = ${cx.caller.account_id} and p.account_number = ${account} and p.entry_no = e.entry_no))
     order by e.entry_no limit ${limit}`);
}

type Nullable<Shape> = { readonly [Key in keyof Shape]: Shape[Key] | null };

function presentEntry(row: EntryRow, digits: number): z.output<typeof LedgerEntry> {
  const currency_digits = currencyDigits(row.currency);
  const [kind, ...id] = row.registered_by.split(":");
  return LedgerEntry.parse({
    object: "ledger_entry",
    entry_no: Number(row.entry_no),
    guid: row.guid,
    kind: row.kind,
    number: Number(row.number),
    date: row.entry_date,
    text: row.text,
    postings: row.postings.map(
      ({ account_number, amount, currency_amount, vat_code, customer_id }) => {
        const value = BigInt(amount);
        return {
          account_number,
          debit: scaledToNumber(value > 0n ? value : 0n, digits),
          credit: scaledToNumber(value < 0n ? -value : 0n, digits),
          customer_id,
          vat_code,
          currency_amount: scaledToNumber(BigInt(currency_amount), currency_digits),
        };
      },
    ),
    currency: row.currency,
    reverses_guid: row.reverses_guid,
    registered_at: row.registered_at,
    actor: { kind, id: id.join(":") },
    ...(row.rate_date === null ? {} : { rate_date: row.rate_date }),
  });
}

/** An account over a range of dates; amounts in minor units of the functional currency, debit above 0. */
export interface BalanceRow {
  readonly number: number;
  readonly name: string;
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Returns every account with a balance or movement through the last date, by number. */
export function balancesOf(cx: Reader, { from, to }: TrialBalanceQuery): Promise<BalanceRow[]> {
  return cx.rows<BalanceRow>(sql`select a.number, a.name,
       coalesce(sum(p.amount) filter (where e.entry_date < ${from ?? null}::date), 0)::bigint as opening,
       coalesce(sum(p.amount) filter (where p.amount > 0
         and (${from ?? null}::date is null or e.entry_date >= ${from ?? null})), 0)::bigint as debit,
       coalesce(-sum(p.amount) filter (where p.amount < 0
         and (${from ?? null}::date is null or e.entry_date >= ${from ?? null})), 0)::bigint as credit
     from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     join ledger_accounts a on a.account_id = p.account_id and a.number = p.account_number
     where p.account_id = ${cx.caller.account_id} and (${to ?? null}::date is null or e.entry_date <= ${to ?? null})
     group by a.number, a.name order by a.number`);
}

export async function trialBalance(cx: Reader, range: TrialBalanceQuery): Promise<JsonText> {
  const { from, to } = range;
  const rows = await balancesOf(cx, range);
  const digits = await functionalDigits(cx);
  return jsonText(
    TrialBalance.parse({
      object: "trial_balance",
      from: from ?? null,
      to: to ?? null,
      accounts: rows.map((row) => ({
        number: row.number,
        name: row.name,
        opening: scaledToNumber(row.opening, digits),
        debit: scaledToNumber(row.debit, digits),
        credit: scaledToNumber(row.credit, digits),
        closing: scaledToNumber(row.opening + row.debit - row.credit, digits),
      })),
    }),
  );
}

function pageByNumber<Row>(
  rows: readonly Row[],
  limit: number,
  numberOf: (row: Row) => number | bigint,
  present: (row: Row) => JsonText,
): JsonText {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: String(numberOf(last)), horizon: null }) : null;
  return envelope(shown.map(present), next);
}
