/** The account that an opening entry posts against receivables. */
import { invalidField } from "../../../domain/base/problem.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { booksOf } from "../../settings/configuration/accounts.ts";
import { type Configuration, roleAccounts } from "../../settings/configuration/queries.ts";

/** Requires an account of the chart without another use. Throws VALIDATION_FAILED on `counter_account`. */
export async function requireCounter(
  tx: Tx,
  number: number,
  configuration: Configuration,
): Promise<void> {
  const control = booksOf(tx)?.control_accounts;
  const { default_revenue: _, ...accounts } = roleAccounts(configuration);
  const roles: readonly (number | null)[] = Object.values(accounts);
  if (number === control?.receivables || number === control?.vat || roles.includes(number)) {
    throw invalidField("counter_account", "not_allowed", `Account ${number} has another use.`);
  }
  const found = await tx.row(
    sql`select number from ledger_accounts where account_id = ${tx.caller.account_id} and number = ${number}`,
  );
  if (found === undefined) {
    throw invalidField("counter_account", "unknown_account", `There is no account ${number}.`);
  }
}
