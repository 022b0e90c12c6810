/** Finds the bank accounts that statements are of, by what the file says, and locks them (spec 13.5). */

import { ibanFrom } from "../../../domain/base/iban.ts";
import { invalidField, notFound } from "../../../domain/base/problem.ts";
import { type BankAccount, isDanishIbanOf } from "../../../domain/receivables/bank-account.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { findBankAccount, listBankAccounts } from "../bank-accounts/queries.ts";
import type { ReadStatement } from "./statement-file.ts";

/** Returns the bank account that a reference names, or the default one. Throws NOT_FOUND. */
export async function namedAccount(cx: Reader, ref: string | undefined): Promise<BankAccount> {
  const found = await findBankAccount(cx, ref);
  if (found === undefined) throw notFound("bank_account", ref ?? "default");
  return found;
}

/**
 * Locks all bank accounts of the statements, and returns that of each statement. `named` is the one that the call named. Throws
 * VALIDATION_FAILED on `file`: `unknown_reference` for an account that is not kept, `invalid_value` for another currency.
 */
export async function lockAccountsOf(
  tx: Tx,
  statements: readonly ReadStatement[],
  named: BankAccount | null,
): Promise<readonly BankAccount[]> {
  const all = await listBankAccounts(tx);
  const ids = statements.map((statement) => accountOf(statement, all, named).id);
  tx.lock(sql`select from bank_accounts where account_id = ${tx.caller.account_id} and id = any(${ids})
    order by id for no key update`);
  // Read again under the lock: another import may have moved the days of its statements.
  const locked = new Map((await listBankAccounts(tx)).map((account) => [account.id, account]));
  return ids.map((id) => {
    const account = locked.get(id);
    if (account === undefined) throw new Error("a bank account has gone");
    return account;
  });
}

function accountOf(
  statement: ReadStatement,
  all: readonly BankAccount[],
  named: BankAccount | null,
): BankAccount {
  if (statement.format === "csv") {
    if (named === null) throw new Error("a CSV file names no bank account");
    return named;
  }
  const fitting = all.filter((account) => isOf(account, statement));
  const found =
    fitting.find(({ id }) => id === named?.id) ??
    (named === null ? choose(fitting, statement.currency) : undefined);
  if (found === undefined) {
    const shown = statement.iban ?? statement.other_id ?? "without a number";
    const message =
      named === null
        ? `There is no bank account ${shown.slice(0, 40)}.`
        : `The file is of the bank account ${shown.slice(0, 40)}.`;
    throw invalidField("file", "unknown_reference", message);
  }
  if (found.currency !== statement.currency) {
    const message = `The statement is in ${statement.currency}, the bank account in ${found.currency}.`;
    throw invalidField("file", "invalid_value", message);
  }
  return found;
}

/** Several accounts may share a number: the one in the currency of the statement counts, then an active one. */
function choose(fitting: readonly BankAccount[], currency: string): BankAccount | undefined {
  const same = fitting.filter((account) => account.currency === currency);
  return same.find(({ active }) => active) ?? same[0] ?? fitting[0];
}

function isOf(account: BankAccount, { iban, other_id }: ReadStatement): boolean {
  if (iban !== null) {
    const sent = ibanFrom(iban);
    if (account.iban !== null) return account.iban === sent;
    return sent !== undefined && isDanishIbanOf(sent, account);
  }
  if (other_id === null) return false;
  const { registration_number, account_number, external_id } = account;
  if (other_id === external_id) return true;
  if (account_number === null) return false;
  const sent = numberOf(other_id);
  return (
    sent === numberOf(account_number) ||
    sent === numberOf(`${registration_number ?? ""}${account_number}`)
  );
}

/** A number without blanks, signs and zeros before it. */
function numberOf(text: string): string {
  return text.replaceAll(/[^0-9A-Za-z]/g, "").replace(/^0+/, "");
}
