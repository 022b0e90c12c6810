/** Adds up the effective bookings of accruals: what the accounts of their roles have when every ledger has booked them. */
import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { AccountRole } from "../../../domain/revenue/accrual.ts";
import { positionOf } from "../../../domain/revenue/contract.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { BROUGHT_MONTHS } from "../revenue-facts/booked-facts.ts";

/**
 * Adds up the effective bookings of accrual months through `month`, with the entries of opening contracts, netted within each contract of each customer. The exchange
 * difference is that of the months `own`, a condition on `accruals a`.
 */
export async function bookedTotals(
  cx: Reader,
  month: Month,
  own: Sql = sql`true`,
): Promise<Record<AccountRole, Money>> {
  const rows = await cx.rows<{ balance: bigint; exchange: bigint }>(sql`
    select sum(b.balance)::bigint as balance, sum(b.exchange)::bigint as exchange from (
       select r.customer_id, coalesce(r.series_id, r.invoice_id, r.opening_contract_id) as contract_id,
         r.earned_functional - r.invoiced_functional + r.exchange_difference as balance,
         case when ${own} then r.exchange_difference else 0 end as exchange
       from accrual_rows r
       join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${month}
       where r.account_id = ${cx.caller.account_id}
       union all
       select o.customer_id, o.id, -m.functional, 0
       from opening_contracts o cross join lateral ${raw(BROUGHT_MONTHS)} m
       where o.account_id = ${cx.caller.account_id} and m.month <= ${month}) b
     group by b.customer_id, b.contract_id`);
  const totals = { contract_asset: 0n, contract_liability: 0n, exchange_difference: 0n };
  for (const { balance, exchange } of rows) {
    const { asset, liability } = positionOf(balance);
    totals.contract_asset += asset;
    totals.contract_liability += liability;
    // A gain is a credit on the account.
    totals.exchange_difference -= exchange;
  }
  return totals;
}
