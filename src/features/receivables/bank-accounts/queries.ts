/** The SQL queries of bank accounts. */

import { notFound } from "../../../domain/base/problem.ts";
import { type BankAccount, shownBankAccount } from "../../../domain/receivables/bank-account.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { activeConditions, type Condition } from "../../../platform/database/page.ts";
import {
  columnOfRef,
  lockRow,
  stamped,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import { insert, raw, type Sql, sql, update } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type BankAccountQuery, BankAccountResource } from "./schemas.ts";

/** Presents a bank account as the API shows it. */
export function presentBankAccount(account: BankAccount): JsonText {
  return jsonText(BankAccountResource.parse(shownBankAccount(account)));
}

/** Returns the read of a page of bank accounts, the newest first: active ones, unless the page asks for others. */
export function readBankAccounts(page: BankAccountQuery): StoredRead {
  const conditions: Condition[] = activeConditions(page.active);
  if (page.external_id !== undefined) conditions.push(["external_id =", page.external_id]);
  return readPage("bank_accounts", conditions, page);
}

/** Locks the bank account that a reference names and returns it. Throws NOT_FOUND. */
export async function lockBankAccount(tx: Tx, ref: string): Promise<BankAccount> {
  lockRow(tx, "bank_accounts", ref);
  return getBankAccount(tx, ref);
}

/** Returns the bank account that a reference names. Throws NOT_FOUND. */
export async function getBankAccount(cx: Reader, ref: string): Promise<BankAccount> {
  const [column, value] = columnOfRef(ref);
  const found = await bankAccountBy(cx, sql`${raw(column)} = ${value}`);
  if (found === undefined) throw notFound("bank_account", ref);
  return found;
}

/** Returns the bank account that a reference names, without one the default; undefined when there is none. */
export function findBankAccount(
  cx: Reader,
  ref: string | undefined,
): Promise<BankAccount | undefined> {
  if (ref === undefined) return bankAccountBy(cx, sql`is_default`);
  const [column, value] = columnOfRef(ref);
  return bankAccountBy(cx, sql`${raw(column)} = ${value}`);
}

/** Locks the default bank account and returns it; undefined while there is none. */
export function lockDefault(tx: Tx): Promise<BankAccount | undefined> {
  tx.lock(sql`select from bank_accounts where account_id = ${tx.caller.account_id} and is_default
    for no key update`);
  return bankAccountBy(tx, sql`is_default`);
}

/** Returns all bank accounts of the account. */
export function listBankAccounts(cx: Reader): Promise<BankAccount[]> {
  return bankAccountsBy(cx, sql`true`);
}

async function bankAccountBy(cx: Reader, which: Sql): Promise<BankAccount | undefined> {
  const [found] = await bankAccountsBy(cx, which);
  return found;
}

async function bankAccountsBy(cx: Reader, which: Sql): Promise<BankAccount[]> {
  const rows = await cx.rows<Selectable<Tables["bank_accounts"]>>(sql`select * from bank_accounts
      where account_id = ${cx.caller.account_id} and ${which} order by id`);
  return rows.map(
    ({ account_id: _, document: __, updated_at: ___, request_hash: ____, ...account }) => account,
  );
}

export function insertBankAccount(tx: Tx, account: BankAccount, request_hash: Buffer): void {
  const { account_id } = tx.caller;
  const updated_at = stamped(account_id);
  const row = { ...storedFields(account), account_id, request_hash, updated_at };
  tx.write(insert("bank_accounts", row));
}

export function updateBankAccount(tx: Tx, account: BankAccount): void {
  const { account_id } = tx.caller;
  const { id, ...fields } = storedFields(account);
  const stored = { ...fields, updated_at: stampedAnew(account_id) };
  tx.write(sql`${update("bank_accounts", stored)} where account_id = ${account_id} and id = ${id}`);
}

function storedFields(account: BankAccount) {
  const { csv_profile } = account;
  return {
    ...account,
    csv_profile: csv_profile && JSON.stringify(csv_profile),
    document: presentBankAccount(account),
  };
}
