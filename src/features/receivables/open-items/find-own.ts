/** Finds what the built-in ledger booked, also after the books have moved: payments of it are recorded here (spec 13.9). */
import { Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/** Whether any payment may be recorded: the books are here, or the built-in ledger booked something before they moved. */
export async function recordsPayments(cx: Reader): Promise<boolean> {
  return cx.ledger?.transactional || (await hasOwn(cx, sql`true`));
}

/** Whether a payment of a customer may be recorded, or of any for null: the books are here, or something that was booked here is owed. */
export async function hasPayable(cx: Reader, customer_id: string | null): Promise<boolean> {
  const of_customer = sql`(${customer_id}::uuid is null or customer_id = ${customer_id})`;
  return (
    cx.ledger?.transactional ||
    (await hasOwn(cx, sql`open > 0 and not is_credit and ${of_customer}`))
  );
}

async function hasOwn(cx: Reader, which: Sql): Promise<boolean> {
  const row = await cx.row<{ has_own: boolean }>(sql`
    select exists (select from open_items where account_id = ${cx.caller.account_id} and ${which}) as has_own`);
  return row?.has_own ?? false;
}

/** Throws PAYMENTS_IN_LEDGER for a document that a connected ledger booked. */
export async function requireOwn(cx: Reader, id: string): Promise<void> {
  const row = await cx.row(
    sql`select id from ledger_items where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  if (row !== undefined) throw new Problem("PAYMENTS_IN_LEDGER");
}
