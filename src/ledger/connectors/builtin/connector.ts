/**
 * The built-in ledger: double entry in our own database. It books inside the caller's transaction, so
 * that the document's status, its entry and its number commit together; the row of counters is locked
 * until then, which makes numbers gapless (spec 9.6).
 */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type {
  BookingIntent,
  BookOutcome,
  Chart,
  Connection,
  DocumentBooking,
  Found,
  Sql,
  SqlTransaction,
  TransactionalLedger,
  VoucherBooking,
} from "../../ledger.ts";
import {
  ACCOUNT_ROLES,
  DEFAULT_REVENUE,
  OUTPUT_VAT,
  RECEIVABLES,
  STANDARD_VERSION,
  salesAccounts,
  standardChart,
} from "./chart.ts";
import { appendEntries, bookedAs, type NewEntry } from "./journal.ts";
import { postingsOf } from "./postings.ts";
import { balances, balancesOf, ensureVouchers } from "./vouchers.ts";

export const builtinLedger: Connection = {
  kind: "builtin",
  transactional: true,
  default_revenue_account: DEFAULT_REVENUE,
  account_roles: ACCOUNT_ROLES,
  within: (tx, account_id) => ({ ...ledgerOf(tx, account_id), ...chartOf(tx.sql, account_id) }),
  prepare,
};

function ledgerOf(
  tx: SqlTransaction,
  account_id: AccountId,
): Omit<TransactionalLedger, keyof Chart> {
  return {
    find: (kind, guid) => find(tx.sql, account_id, kind, guid),
    ensureBooked: (intent) => ensureBooked(tx, account_id, intent),
    ensureVouchers: (intents) => ensureVouchers(tx, account_id, intents),
    balances: (numbers, through) => balances(tx.sql, account_id, numbers, through),
    balancesOf: (type, through) => balancesOf(tx.sql, account_id, type, through),
  };
}

async function find(sql: Sql, account_id: AccountId, kind: string, guid: string): Promise<Found> {
  const rows = await sql<{ number: bigint }>(
    "select number from ledger_entries where account_id = $1 and kind = $2 and guid = $3",
    [account_id, kind, guid],
  );
  return rows[0] ? bookedAs(guid, rows[0].number, null) : { state: "absent" };
}

async function ensureBooked(
  tx: SqlTransaction,
  account_id: AccountId,
  intent: BookingIntent,
): Promise<BookOutcome> {
  if (intent.kind === "voucher") return bookVoucher(tx, account_id, intent);
  const postings = postingsOf(intent.document);
  const numbers = await takeNumbers(tx.sql, account_id, intent);
  if (numbers === undefined) return replay(tx.sql, account_id, intent);
  const { totals, currency, rate_micro } = intent.document;
  const kind = intent.kind === "invoice" ? "Invoice" : "Credit note";
  const text = `${kind} ${numbers.number} ${intent.document.customer.name}`;
  const entry: NewEntry = { ...numbers, intent, text, currency, rate_micro, postings };
  await appendEntries(tx, account_id, numbers.head_hash, [entry]);
  return bookedAs(intent.guid, numbers.number, totals);
}

async function bookVoucher(
  tx: SqlTransaction,
  account_id: AccountId,
  intent: VoucherBooking,
): Promise<BookOutcome> {
  const [outcome] = await ensureVouchers(tx, account_id, [intent]);
  if (outcome === undefined) throw new Error("a voucher had no outcome");
  return outcome;
}

interface Numbers {
  readonly entry_no: bigint;
  readonly number: bigint;
  readonly head_hash: Buffer;
}

/** The same guid with the same content is the same booking; with other content it is refused. */
async function replay(
  sql: Sql,
  account_id: AccountId,
  intent: DocumentBooking,
): Promise<BookOutcome> {
  const rows = await sql<{ number: bigint; payload_hash: Buffer }>(
    "select number, payload_hash from ledger_entries where account_id = $1 and guid = $2",
    [account_id, intent.guid],
  );
  if (!rows[0]) throw new Error("the books of the account are missing");
  if (!rows[0].payload_hash.equals(intent.payload_hash)) {
    return { state: "rejected", code: "GUID_CONFLICT" };
  }
  return bookedAs(intent.guid, rows[0].number, intent.document.totals);
}

/**
 * Locks the account's counters until the transaction ends; undefined when the guid is booked already.
 * The lock is a statement of its own: one that waits would look the guid up as of before it waited.
 */
async function takeNumbers(
  sql: Sql,
  account_id: AccountId,
  intent: DocumentBooking,
): Promise<Numbers | undefined> {
  const counter = intent.kind === "invoice" ? "next_invoice_number" : "next_credit_note_number";
  const [, rows] = await Promise.all([
    sql("select 1 from ledger_books where account_id = $1 for no key update", [account_id]),
    sql<Numbers>(
      `update ledger_books set next_entry_no = next_entry_no + 1, ${counter} = ${counter} + 1
       where account_id = $1
         and not exists (select from ledger_entries e where e.account_id = $1 and e.guid = $2)
       returning next_entry_no - 1 as entry_no, ${counter} - 1 as number, head_hash`,
      [account_id, intent.guid],
    ),
  ]);
  return rows[0];
}

function chartOf(sql: Sql, account_id: AccountId): Chart {
  return {
    sales_accounts: salesAccounts,
    control_accounts: { receivables: RECEIVABLES, vat: OUTPUT_VAT },
    async ensureAccount(number, types) {
      const rows = await sql<{ type: string }>(
        `with made as (
           insert into ledger_accounts (account_id, number, name, type, vat_code)
           values ($1, $2, $3, $4, $5) on conflict (account_id, number) do nothing returning type)
         select type from made union all
         select type from ledger_accounts where account_id = $1 and number = $2`,
        [account_id, number, `Konto ${number}`, types[0], types[0] === "income" ? "DK25" : null],
      );
      // No row: another transaction made the account in between, with the type that this use implies or not.
      if (rows.length === 0) return chartOf(sql, account_id).ensureAccount(number, types);
      return types.some((type) => type === rows[0]?.type);
    },
    async vatCodes(numbers) {
      const rows = await sql<{ number: number; vat_code: VatCode | null }>(
        "select number, vat_code from ledger_accounts where account_id = $1 and number = any($2)",
        [account_id, [...new Set(numbers)]],
      );
      return new Map(rows.map((row) => [row.number, row.vat_code]));
    },
  };
}

async function prepare(sql: Sql, account_id: AccountId): Promise<void> {
  await sql("insert into ledger_books (account_id) values ($1)", [account_id]);
  await sql(
    `insert into ledger_accounts (account_id, number, name, type, standard_number, standard_version, vat_code)
     select $1, a.number, a.name, a.type, a.standard_number, $2, a.vat_code
     from unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::text[])
       as a (number, name, type, standard_number, vat_code)`,
    [
      account_id,
      STANDARD_VERSION,
      standardChart.map((account) => account.number),
      standardChart.map((account) => account.name),
      standardChart.map((account) => account.type),
      standardChart.map((account) => account.standard_number),
      standardChart.map((account) => account.vat_code),
    ],
  );
}
