/** Decides whether an account is so new that its admins are welcomed. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

interface Newness {
  /** Whether the account has no customer, product and document, and is no example. */
  readonly is_empty: boolean;
  /** Whether it is empty, and its welcome was not put away. */
  readonly awaits_welcome: boolean;
}

/** Returns how new the account is. */
export async function findNewness(cx: Reader): Promise<Newness> {
  const { account_id } = cx.caller;
  const row = await cx.row<{ is_empty: boolean; is_put_away: boolean }>(sql`select not (
      exists (select from customers where account_id = ${account_id})
      or exists (select from products where account_id = ${account_id})
      or exists (select from invoices where account_id = ${account_id})
      or exists (select from recurring_series where account_id = ${account_id})
      or exists (select from studios where account_id = ${account_id})) as is_empty,
      exists (select from put_away_steps where account_id = ${account_id} and step = 'welcome') as is_put_away`);
  const is_empty = row?.is_empty ?? false;
  return { is_empty, awaits_welcome: is_empty && row?.is_put_away !== true };
}
