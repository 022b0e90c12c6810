/** Ledger accounts that the configuration and products name (spec 7.3). */
import { invalidField } from "../../domain/base/problem.ts";
import type { AccountType, TransactionalLedger } from "../../ledger/ledger.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { sqlOf } from "../../platform/database/transaction.ts";

/** The ledger inside this context's transaction; undefined when the connected one is elsewhere. */
export function ledgerWithin(cx: Context): TransactionalLedger | undefined {
  if (!cx.ledger?.transactional) return undefined;
  return cx.ledger.within(sqlOf(cx.db), cx.caller.account_id);
}

/** What the accounts of the built-in chart are called, by number; an external ledger keeps its names to itself. */
export async function accountNames(cx: Context): Promise<Map<number, string>> {
  const rows = await query<{ number: number; name: string }>(
    cx.db,
    "select number, name from ledger_accounts where account_id = $1",
    [cx.caller.account_id],
  );
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/**
 * Makes sure that the account exists with one of the types, creating what is missing. Throws
 * VALIDATION_FAILED with `unknown_account` for a number that has another type. An external ledger
 * judges its accounts itself, when it books.
 */
export async function requireAccount(
  cx: Context,
  number: number,
  types: readonly [AccountType, ...AccountType[]],
  field: string,
): Promise<void> {
  const chart = ledgerWithin(cx);
  if (chart === undefined || (await chart.ensureAccount(number, types))) return;
  throw invalidField(
    field,
    "unknown_account",
    `Account ${number} is not of type ${types.join(" or ")}.`,
  );
}
