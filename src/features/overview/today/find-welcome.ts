/** Decides whether an account is so new that its admins are welcomed. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Whether the account has no customer, product and document, is no example, and its welcome was not put away. */
export async function awaitsWelcome(cx: Reader): Promise<boolean> {
  const { account_id } = cx.caller;
  const row = await cx.row<{ is_new: boolean }>(sql`select not (
      exists (select from customers where account_id = ${account_id})
      or exists (select from products where account_id = ${account_id})
      or exists (select from invoices where account_id = ${account_id})
      or exists (select from recurring_series where account_id = ${account_id})
      or exists (select from studios where account_id = ${account_id})
      or exists (select from put_away_steps where account_id = ${account_id} and step = 'welcome')) as is_new`);
  return row?.is_new ?? false;
}
