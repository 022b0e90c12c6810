/**
 * The built-in ledger: double entry in our own database. It books inside the caller's transaction, so that the document's status,
 * its entry and its number commit together; the counter row stays locked until then, which makes numbers gapless (spec 9.6).
 */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import { insert, sql, tableOf } from "../../../platform/database/sql.ts";
import type {
  AccountType,
  Books,
  Connection,
  LedgerReads,
  LedgerTransaction,
} from "../../ledger.ts";
import { balances, balancesOf } from "./balances.ts";
import {
  ACCOUNT_ROLES,
  DEFAULT_REVENUE,
  OUTPUT_VAT,
  RECEIVABLES,
  STANDARD_VERSION,
  salesAccounts,
  standardChart,
} from "./chart.ts";
import { bookedAs, ensureBooked } from "./journal.ts";
import { postingsOf } from "./postings.ts";

export const builtinLedger: Connection = {
  kind: "builtin",
  transactional: true,
  default_revenue_account: DEFAULT_REVENUE,
  account_roles: ACCOUNT_ROLES,
  books: booksOf,
  within: (tx, account_id) => ({
    ...booksOf(tx, account_id),
    ensureBooked: (intents) => ensureBooked(tx, account_id, intents),
    ensureAccount: (number, types, vat_code) =>
      ensureAccount(tx, account_id, { number, types, vat_code }),
  }),
  prepare,
};

function booksOf(reads: LedgerReads, account_id: AccountId): Books {
  return {
    sales_accounts: salesAccounts,
    control_accounts: { receivables: RECEIVABLES, vat: OUTPUT_VAT },
    balances: (numbers, through) => balances(reads, account_id, numbers, through),
    balancesOf: (type, through) => balancesOf(reads, account_id, type, through),
    async ahead(document) {
      const next = await reads.row<{ number: bigint }>(
        sql`select case when ${document.kind} = 'invoice' then next_invoice_number
            else next_credit_note_number end as number
          from ledger_books where account_id = ${account_id}`,
      );
      if (next === undefined) throw new Error("the books of the account are missing");
      return { number: next.number, postings: postingsOf(document) };
    },
    async find(kind, guid) {
      const found = await reads.row<{ number: bigint }>(
        sql`select number from ledger_entries
          where account_id = ${account_id} and kind = ${kind} and guid = ${guid}`,
      );
      return found ? bookedAs(guid, found.number, null) : { state: "absent" };
    },
    async vatCodes(numbers) {
      const rows = await reads.rows<{ number: number; vat_code: VatCode | null }>(
        sql`select number, vat_code from ledger_accounts
          where account_id = ${account_id} and number = any(${[...new Set(numbers)]})`,
      );
      return new Map(rows.map((row) => [row.number, row.vat_code]));
    },
  };
}

async function ensureAccount(
  tx: LedgerTransaction,
  account_id: AccountId,
  wanted: {
    readonly number: number;
    readonly types: readonly [AccountType, ...AccountType[]];
    readonly vat_code: VatCode | null;
  },
): Promise<boolean> {
  const { number, types, vat_code } = wanted;
  const account = { account_id, number, name: `Konto ${number}`, type: types[0], vat_code };
  const found = await tx.row<{ type: AccountType }>(
    sql`with made as (
        ${insert("ledger_accounts", account)} on conflict (account_id, number) do nothing returning type)
      select type from made union all
      select type from ledger_accounts where account_id = ${account_id} and number = ${number}`,
  );
  // No row: another transaction has created the account in the meantime, with a type that may differ.
  if (found === undefined) return ensureAccount(tx, account_id, wanted);
  return types.includes(found.type);
}

function prepare(tx: LedgerTransaction, account_id: AccountId): void {
  tx.write(insert("ledger_books", { account_id }));
  const { columns, table } = tableOf(standardChart, {
    number: ["int", (account) => account.number],
    name: ["text", (account) => account.name],
    type: ["text", (account) => account.type],
    standard_number: ["int", (account) => account.standard_number],
    vat_code: ["text", (account) => account.vat_code],
  });
  tx.write(sql`insert into ledger_accounts (account_id, standard_version, ${columns})
    select ${account_id}, ${STANDARD_VERSION}, a.* from ${table} as a`);
}
