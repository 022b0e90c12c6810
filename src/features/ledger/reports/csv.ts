/** `/ledger/entries.csv`, one row for each posting, and `/ledger/trial-balance.csv`, one row for each account. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText, RATE_DECIMALS } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  CSV_PORTION,
  type CsvColumn,
  defineCsvFile,
  number,
  priceText,
  text,
} from "../../../platform/http/csv-file.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type BalanceRow, balancesOf } from "./queries.ts";
import { EntryQuery, TrialBalanceQuery } from "./schemas.ts";

interface PostingRow {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: string;
  readonly number: bigint;
  readonly entry_date: CalendarDate;
  readonly text: string;
  /** Null, like the whole posting, if there is none: the document has no value in the functional currency. */
  readonly line_no: number | null;
  readonly account_number: number | null;
  readonly account_name: string | null;
  readonly amount: bigint | null;
  readonly currency: string;
  readonly currency_amount: bigint | null;
  readonly rate_micro: bigint | null;
  readonly vat_code: string | null;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly registered_at: string;
  /** `kind:id`. */
  readonly registered_by: string;
  readonly actor_name: string | null;
  readonly reverses_guid: string | null;
}

type Posting = PostingRow & { readonly books: string };

const aboveZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

const entryColumns: readonly CsvColumn<Posting>[] = [
  number("entry_no", "In the order of booking.", (row) => row.entry_no),
  text(
    "guid",
    "The id of the invoice, the credit note or the voucher; of other kinds, of the entry.",
    (row) => row.guid,
  ),
  text(
    "kind",
    "`invoice`, `credit_note`, `voucher`, `payment`, `reminder` or `opening`.",
    (row) => row.kind,
  ),
  number("number", "Of the document, in a series of each kind.", (row) => row.number),
  text("date", "The date on which it counts.", (row) => row.entry_date),
  text("text", "", (row) => row.text),
  number("line", "The place of the posting in its entry.", (row) => row.line_no),
  number("account_number", "", (row) => row.account_number),
  text("account_name", "As it is now.", (row) => row.account_name),
  text("functional_currency", "Of debit and credit: that of the books.", (row) => row.books),
  number("debit", "0 where the posting is a credit.", (row) =>
    decimalText(aboveZero(row.amount ?? 0n), currencyDigits(row.books)),
  ),
  number("credit", "0 where the posting is a debit.", (row) =>
    decimalText(aboveZero(-(row.amount ?? 0n)), currencyDigits(row.books)),
  ),
  text("currency", "Of the document.", (row) => row.currency),
  number("currency_amount", "In the document's currency; credit below 0.", (row) =>
    decimalText(row.currency_amount ?? 0n, currencyDigits(row.currency)),
  ),
  number("exchange_rate", "Units of the books' currency for one of `currency`.", (row) =>
    row.rate_micro === null ? null : priceText(row.rate_micro, RATE_DECIMALS, 0),
  ),
  text("vat_code", "Of sales and their VAT.", (row) => row.vat_code),
  text("customer_id", "", (row) => row.customer_id),
  text("customer_name", "As it is now.", (row) => row.customer_name),
  text(
    "registered_at",
    "When it was booked, by the clock of the service.",
    (row) => row.registered_at,
  ),
  text("actor_kind", "Who had it booked: `user`, `api_key`, `scheduler` or `operator`.", (row) =>
    row.registered_by.replace(/:.*/s, ""),
  ),
  text("actor_id", "", (row) => row.registered_by.replace(/^[^:]*:?/, "")),
  text("actor_name", "Of a user or key, as it is now.", (row) => row.actor_name),
  text("reverses_guid", "Of the entry that this one reverses.", (row) => row.reverses_guid),
];

export const entriesCsv = defineCsvFile({
  path: "/ledger/entries.csv",
  operation: "ledger.export_entries",
  summary: "Entries as a file, posting by posting",
  description:
    "One posting in a row, in the order of booking, with the filters of `GET /ledger/entries`. `debit` and `credit` add up to the same; with `account` whole entries are shown, so that they do then, too. A document that is worth nothing in the books' currency has one row without an account. What is booked while the file is sent is not in it.",
  query: EntryQuery.omit({ limit: true, cursor: true }),
  columns: entryColumns,
  example: {
    entry_no: "1",
    guid: "019a5d2d-1b2c-7d3e-8f40-516273849506",
    kind: "invoice",
    number: "1001",
    date: "2026-03-31",
    text: "Invoice 1001, Acme A/S",
    line: "1",
    account_number: "6100",
    account_name: "Trade receivables",
    functional_currency: "DKK",
    debit: "11250.00",
    credit: "0.00",
    currency: "DKK",
    currency_amount: "11250.00",
    customer_name: "Acme A/S",
    registered_at: "2026-03-31T08:00:00.000Z",
    actor_kind: "api_key",
    actor_name: "Nightly invoicing",
  },
  async *rows(cx, page) {
    const { functional_currency: books } = await getConfiguration(cx);
    const head = await cx.row<{ last: bigint | null }>(
      sql`select max(entry_no) as last from ledger_entries where account_id = ${cx.caller.account_id}`,
    );
    const last = head?.last ?? 0n;
    for (let after = 0n; after < last; ) {
      const { rows, through } = await postingsAfter(cx, page, after, last);
      yield rows.map((row): Posting => ({ ...row, books }));
      after = through;
    }
  },
});

type EntryFilters = Pick<EntryQuery, "from" | "to" | "account">;

/** Returns the next entries' postings and the number of the last entry read, or `last` if there are none. */
async function postingsAfter(
  cx: Reader,
  { from, to, account }: EntryFilters,
  after: bigint,
  last: bigint,
): Promise<{ readonly rows: readonly PostingRow[]; readonly through: bigint }> {
  const rows = await cx.rows<PostingRow>(sql`with entries as (
       select * from ledger_entries e
       where e.account_id = ${cx.caller.account_id} and e.entry_no > ${after} and e.entry_no <= ${last}
         and (${from ?? null}::date is null or e.entry_date >= ${from ?? null}) and (${to ?? null}::date is null or e.entry_date <= ${to ?? null})
         and (${account ?? null}::int is null or exists (select from ledger_postings p
              where p.account_id = ${cx.caller.account_id} and p.account_number = ${account ?? null} and p.entry_no = e.entry_no))
       order by e.entry_no limit ${CSV_PORTION})
     select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.text, p.line_no, p.account_number,
       a.name as account_name, p.amount, e.currency, p.currency_amount, e.rate_micro, p.vat_code,
       p.customer_id, c.name as customer_name, e.registered_at, e.registered_by,
       coalesce(u.name, k.name) as actor_name, e.reverses_guid
     from entries e
     left join ledger_postings p on p.account_id = ${cx.caller.account_id} and p.entry_no = e.entry_no
     left join ledger_accounts a on a.account_id = ${cx.caller.account_id} and a.number = p.account_number
     left join customers c on c.account_id = ${cx.caller.account_id} and c.id = p.customer_id
     left join users u on u.account_id = ${cx.caller.account_id} and e.registered_by = 'user:' || u.id
     left join api_keys k on k.account_id = ${cx.caller.account_id} and e.registered_by = 'api_key:' || k.id
     order by e.entry_no, p.line_no`);
  return { rows, through: rows.at(-1)?.entry_no ?? last };
}

type Balance = BalanceRow & { readonly books: string };

const balanceColumns: readonly CsvColumn<Balance>[] = [
  number("account_number", "", (row) => row.number),
  text("account_name", "", (row) => row.name),
  text("functional_currency", "Of all amounts: that of the books.", (row) => row.books),
  number("opening", "Before the first day; debit above 0, credit below.", (row) =>
    decimalText(row.opening, currencyDigits(row.books)),
  ),
  number("debit", "", (row) => decimalText(row.debit, currencyDigits(row.books))),
  number("credit", "", (row) => decimalText(row.credit, currencyDigits(row.books))),
  number("closing", "Opening and debit less credit.", (row) =>
    decimalText(row.opening + row.debit - row.credit, currencyDigits(row.books)),
  ),
];

export const trialBalanceCsv = defineCsvFile({
  path: "/ledger/trial-balance.csv",
  operation: "ledger.export_trial_balance",
  summary: "The trial balance as a file",
  description:
    "One account in a row, with the filters of `GET /ledger/trial-balance`. `debit` and `credit` add up to the same, `opening` and `closing` to 0; there is no row of sums.",
  query: TrialBalanceQuery,
  columns: balanceColumns,
  example: {
    account_number: "1000",
    account_name: "Sales of goods and services with VAT",
    functional_currency: "DKK",
    opening: "-12000.00",
    debit: "400.00",
    credit: "9000.00",
    closing: "-20600.00",
  },
  async *rows(cx, range) {
    const { functional_currency: books } = await getConfiguration(cx);
    yield (await balancesOf(cx, range)).map((row): Balance => ({ ...row, books }));
  },
});
