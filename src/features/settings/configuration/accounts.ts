/** Reads and checks the ledger accounts of the configuration and of products (spec 7.3). */
import { invalidField } from "../../../domain/base/problem.ts";
import { accountsWithoutSales } from "../../../domain/sales/account-roles.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type {
  AccountType,
  Books,
  Connection,
  TransactionalLedger,
} from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { type Configuration, getConfiguration, roleAccounts } from "./queries.ts";

/** Returns the books of the connected ledger, for reading; undefined for an external ledger. */
export function booksOf(cx: Reader): Books | undefined {
  return cx.ledger?.transactional ? cx.ledger.books(cx, cx.caller.account_id) : undefined;
}

/** Returns the built-in ledger, whichever ledger has the account's books: what it booked stays there. */
export function ownLedger({ ledgers }: Reader): Extract<Connection, { transactional: true }> {
  const own = ledgers.get("builtin");
  if (!own?.transactional) throw new Error("there is no built-in ledger");
  return own;
}

/** Whether the built-in ledger has booked anything of the account, or books now. */
export async function hasOwnBooks(cx: Reader): Promise<boolean> {
  if (cx.ledger?.transactional) return true;
  const entry = await cx.row(
    sql`select from ledger_entries where account_id = ${cx.caller.account_id} limit 1`,
  );
  return entry !== undefined;
}

type Chart = Pick<Books, "vatCodes" | "sales_accounts">;

/** Returns our own chart, which decides the VAT of sales; undefined when an external ledger takes our account numbers. */
export function chartOf(cx: Reader): Chart | undefined {
  const { account_id } = cx.caller;
  const chart = cx.ledger?.transactional ? cx.ledger : cx.ledger?.chart;
  return chart?.books(cx, account_id);
}

/** Returns the VAT codes of the accounts of a condition, as `vatCodes` of our own chart does; none without that chart. */
export async function vatCodesBy(cx: Reader, which: Sql): Promise<Map<number, VatCode | null>> {
  if (chartOf(cx) === undefined) return new Map();
  const rows = await cx.rows<{ number: number; vat_code: VatCode | null }>(
    sql`select number, vat_code from ledger_accounts where account_id = ${cx.caller.account_id} and ${which}`,
  );
  return new Map(rows.map((row) => [row.number, row.vat_code]));
}

/** Returns the ledger inside this transaction; undefined when the connected ledger is external. */
export function ledgerWithin(tx: Tx): TransactionalLedger | undefined {
  return tx.ledger?.transactional ? tx.ledger.within(tx, tx.caller.account_id) : undefined;
}

/** Returns the names of the accounts of the built-in chart, by number; the names in an external ledger are not known. */
export async function accountNames(cx: Reader): Promise<Map<number, string>> {
  const rows = await cx.rows<{ number: number; name: string }>(
    sql`select number, name from ledger_accounts where account_id = ${cx.caller.account_id}`,
  );
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/**
 * Requires an account of one of the types, creating a missing one. Throws VALIDATION_FAILED with `unknown_account`
 * for another type. An external ledger that takes our account numbers checks them itself, when it books.
 */
export async function requireAccount(
  tx: Tx,
  number: number,
  types: readonly [AccountType, ...AccountType[]],
  field: string,
  vat_code: VatCode | null = null,
): Promise<void> {
  if (await mayBook(tx, number, types, vat_code)) return;
  throw invalidField(
    field,
    "unknown_account",
    `Account ${number} is not of type ${types.join(" or ")}.`,
  );
}

/** Returns whether an account has one of the types, creating a missing one; true for an external ledger with its own chart. */
export async function mayBook(
  tx: Tx,
  number: number,
  types: readonly [AccountType, ...AccountType[]],
  vat_code: VatCode | null = null,
): Promise<boolean> {
  const own = tx.ledger?.transactional ? tx.ledger : tx.ledger?.chart;
  const chart = own?.within(tx, tx.caller.account_id);
  return chart === undefined || chart.ensureAccount(number, types, vat_code);
}

/**
 * Requires an account for sales, creating a missing one. Throws VALIDATION_FAILED with `unknown_account` for one of another type,
 * and with `not_allowed` for that of a role on which nothing is sold.
 */
export async function requireSalesAccount(tx: Tx, number: number, field: string): Promise<void> {
  await requireAccount(tx, number, ["income"], field, "DK25");
  if (withoutSales(await getConfiguration(tx)).has(number)) {
    throw invalidField(field, "not_allowed", `Account ${number} is not for sales.`);
  }
}

/** Returns the numbers of the accounts on which nothing is sold. */
export function withoutSales(configuration: Configuration): ReadonlySet<number> {
  return accountsWithoutSales(roleAccounts(configuration));
}
