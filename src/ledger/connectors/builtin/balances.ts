/** Reads balances of the built-in ledger: in minor units of the functional currency, debit above 0. */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import type { AccountType, LedgerReads } from "../../ledger.ts";

/** Returns account balances at the end of a date; an account without postings has 0. */
export async function balances(
  reads: LedgerReads,
  account_id: AccountId,
  numbers: readonly number[],
  through: CalendarDate,
): Promise<ReadonlyMap<number, Money>> {
  const posted = sql`p.account_number = any(${numbers})`;
  const found = await summed(reads, account_id, posted, through);
  return new Map(numbers.map((number) => [number, found.get(number) ?? 0n]));
}

/** Returns the balances at the end of a date, for the accounts of a type with postings up to that date. */
export function balancesOf(
  reads: LedgerReads,
  account_id: AccountId,
  type: AccountType,
  through: CalendarDate,
): Promise<ReadonlyMap<number, Money>> {
  const posted = sql`p.account_number in (
    select number from ledger_accounts where account_id = ${account_id} and type = ${type})`;
  return summed(reads, account_id, posted, through);
}

async function summed(
  reads: LedgerReads,
  account_id: AccountId,
  posted: Sql,
  through: CalendarDate,
): Promise<Map<number, Money>> {
  const rows = await reads.rows<{ account_number: number; balance: bigint }>(
    sql`select p.account_number, sum(p.amount)::bigint as balance from ledger_postings p
      join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
      where p.account_id = ${account_id} and ${posted} and e.entry_date <= ${through}
      group by p.account_number order by p.account_number`,
  );
  return new Map(rows.map((row) => [row.account_number, row.balance]));
}
