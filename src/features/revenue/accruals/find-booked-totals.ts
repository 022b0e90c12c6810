/** Adds up the effective bookings of accruals: what the accounts of their roles have when every ledger has booked them. */
import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { AccountRole } from "../../../domain/revenue/accrual.ts";
import { positionOf } from "../../../domain/revenue/contract.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";

/**
 * Adds up the effective bookings of accrual months through `month`, netted within each contract of each customer. The exchange
 * difference is that of the months `own`, a condition on `accruals a`.
 */
export async function bookedTotals(
  cx: Reader,
  month: Month,
  own: Sql = sql`true`,
): Promise<Record<AccountRole, Money>> {
  const rows = await cx.rows<{ balance: bigint; exchange: bigint }>(sql`
    select sum(r.earned_functional - r.invoiced_functional + r.exchange_difference)::bigint as balance,
       coalesce(sum(r.exchange_difference) filter (where ${own}), 0)::bigint as exchange
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${month}
     where r.account_id = ${cx.caller.account_id}
     group by r.customer_id, coalesce(r.series_id, r.invoice_id)`);
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
