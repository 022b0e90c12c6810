/**
 * Changes the currency of the default bank account when the functional currency changes, so that the bank of a new account is in
 * the currency of its books. Only possible while nothing is booked.
 */

import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

interface BankRow {
  readonly id: string;
  readonly document: JsonText;
}

/** Locks the default bank account, and returns it if it follows the currency: it has no other one, and no statements. */
export function lockFollowingBank(tx: Tx, currency: string): Promise<BankRow | undefined> {
  const { account_id } = tx.caller;
  tx.lock(sql`select from bank_accounts where account_id = ${account_id} and is_default
    for no key update`);
  return tx.row<BankRow>(sql`select id, document from bank_accounts where account_id = ${account_id}
    and is_default and currency = ${currency} and statements_through is null`);
}

/** Gives a bank account another currency, and stamps it. */
export function moveBankAccount(tx: Tx, { id, document }: BankRow, currency: string): void {
  const { account_id } = tx.caller;
  const after = jsonText({ ...(JSON.parse(document) as Record<string, unknown>), currency });
  tx.write(sql`update bank_accounts set currency = ${currency}, document = ${after},
      updated_at = ${stampedAnew(account_id)}
    where account_id = ${account_id} and id = ${id}`);
  tx.audit("bank_account", id, "updated", { before: document, after });
}
