/** Vouchers of accruals: booked as they are, many at once, each under a number of its own without gaps. */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { VoucherSnapshot } from "../../../domain/revenue/voucher.ts";
import type {
  AccountType,
  BookOutcome,
  Sql,
  SqlTransaction,
  VoucherBooking,
} from "../../ledger.ts";
import { appendEntries, bookedAs, type NewEntry } from "./journal.ts";
import type { Posting } from "./postings.ts";

/** Books what is not booked yet; the outcomes are in the order of the intents, whose guids are distinct. */
export async function ensureVouchers(
  tx: SqlTransaction,
  account_id: AccountId,
  intents: readonly VoucherBooking[],
): Promise<BookOutcome[]> {
  const guids = intents.map((intent) => intent.guid);
  // The lock is a statement of its own: one that waits would look the guids up as of before it waited.
  const [, existing] = await Promise.all([
    tx.sql("select 1 from ledger_books where account_id = $1 for no key update", [account_id]),
    tx.sql<{ guid: string; number: bigint; payload_hash: Buffer }>(
      "select guid, number, payload_hash from ledger_entries where account_id = $1 and guid = any($2)",
      [account_id, guids],
    ),
  ]);
  const known = new Map(existing.map((row) => [row.guid, row]));
  const fresh = intents.filter((intent) => !known.has(intent.guid) && isEntry(intent.document));
  const numbers = await append(tx, account_id, fresh);
  return intents.map((intent): BookOutcome => {
    const found = known.get(intent.guid);
    if (found && !found.payload_hash.equals(intent.payload_hash)) {
      return { state: "rejected", code: "GUID_CONFLICT" };
    }
    const number = found?.number ?? numbers.get(intent.guid);
    if (number === undefined) return { state: "rejected", code: "VALIDATION" };
    return bookedAs(intent.guid, number, null);
  });
}

/** Balances at the end of a day; an account without postings has 0. */
export async function balances(
  sql: Sql,
  account_id: AccountId,
  numbers: readonly number[],
  through: CalendarDate,
): Promise<ReadonlyMap<number, Money>> {
  const rows = await sql<{ account_number: number; balance: bigint }>(
    `select p.account_number, sum(p.amount)::bigint as balance from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     where p.account_id = $1 and p.account_number = any($2) and e.entry_date <= $3
     group by p.account_number`,
    [account_id, [...numbers], through],
  );
  const found = new Map(rows.map((row) => [row.account_number, row.balance]));
  return new Map(numbers.map((number) => [number, found.get(number) ?? 0n]));
}

/** Balances at the end of a day of the accounts of a type that have postings by then. */
export async function balancesOf(
  sql: Sql,
  account_id: AccountId,
  type: AccountType,
  through: CalendarDate,
): Promise<ReadonlyMap<number, Money>> {
  const rows = await sql<{ account_number: number; balance: bigint }>(
    `select p.account_number, sum(p.amount)::bigint as balance from ledger_postings p
     join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
     join ledger_accounts a on a.account_id = p.account_id and a.number = p.account_number
     where p.account_id = $1 and a.type = $2 and e.entry_date <= $3
     group by p.account_number order by p.account_number`,
    [account_id, type, through],
  );
  return new Map(rows.map((row) => [row.account_number, row.balance]));
}

async function append(
  tx: SqlTransaction,
  account_id: AccountId,
  intents: readonly VoucherBooking[],
): Promise<Map<string, bigint>> {
  if (intents.length === 0) return new Map();
  const [taken] = await tx.sql<{ entry_no: bigint; number: bigint; head_hash: Buffer }>(
    `update ledger_books set next_entry_no = next_entry_no + $2,
       next_voucher_number = next_voucher_number + $2
     where account_id = $1
     returning next_entry_no - $2 as entry_no, next_voucher_number - $2 as number, head_hash`,
    [account_id, intents.length],
  );
  if (taken === undefined) throw new Error("the books of the account are missing");
  const entries = intents.map(
    (intent, index): NewEntry => ({
      entry_no: taken.entry_no + BigInt(index),
      number: taken.number + BigInt(index),
      intent,
      text: intent.document.text,
      currency: intent.document.currency,
      rate_micro: null,
      postings: postingsOf(intent.document),
    }),
  );
  await appendEntries(tx, account_id, taken.head_hash, entries);
  return new Map(entries.map((entry) => [entry.intent.guid, entry.number]));
}

function isEntry({ entries }: VoucherSnapshot): boolean {
  return entries.length >= 2 && entries.reduce((sum, entry) => sum + entry.amount, 0n) === 0n;
}

/** Accruals carry no VAT: it arose with the invoice. */
function postingsOf({ entries, customer }: VoucherSnapshot): Posting[] {
  return entries.map((entry) => ({
    account_number: entry.account_number,
    amount: entry.amount,
    currency_amount: entry.amount,
    vat_code: null,
    customer_id: customer.id,
  }));
}
