/** Ledger accounts that the configuration and products name (decisions.md 29). */
import { invalidField } from "../../domain/problem.ts";
import type { AccountType, TransactionalLedger } from "../../ledger/ledger.ts";
import type { Context } from "../../platform/context.ts";
import { sqlOf } from "../../platform/database/transaction.ts";

/** The ledger inside this context's transaction; undefined when the connected one is elsewhere. */
export function ledgerWithin(cx: Context): TransactionalLedger | undefined {
  if (!cx.ledger?.transactional) return undefined;
  return cx.ledger.within(sqlOf(cx.db), cx.caller.account_id);
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
