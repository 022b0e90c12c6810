/**
 * Finds a customer's revenue by VAT code, for the vouchers of a connected ledger: the code that a document froze, or else the
 * code that a sale of the line would have now; and the movements of effective vouchers.
 */

import {
  type RevenueUnder,
  revenueUnder,
  splitByVat,
} from "../../../domain/revenue/voucher-vat.ts";
import { determineVat } from "../../../domain/sales/vat.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { chartOf } from "../../settings/configuration/accounts.ts";
import { type Configuration, vatSettings } from "../../settings/configuration/queries.ts";
import type { CustomerPosition } from "../revenue-facts/positions.ts";
import type { AccrualSnapshot } from "./snapshot.ts";

/** Returns the accrual with its revenue by VAT code. */
export async function withVatCodes(
  cx: Reader,
  position: CustomerPosition,
  configuration: Configuration,
  snapshot: AccrualSnapshot,
): Promise<AccrualSnapshot> {
  const codes = await vatCodesOf(cx, position, configuration);
  const now = revenueUnder(
    position.line_balances.map((line_balance) => ({
      account_number: line_balance.account_number,
      vat_code: codes(line_balance),
      now: line_balance.now,
    })),
    snapshot.month,
  );
  if (now === null) return snapshot;
  const booked = await bookedRevenue(cx, position.customer_id);
  return { ...snapshot, entries: splitByVat(snapshot.entries, now, booked) };
}

type CodeOf = (line_balance: CustomerPosition["line_balances"][number]) => VatCode;

/** Returns a function for a line's VAT code: the code frozen in its issued document, or else the current code. */
async function vatCodesOf(
  cx: Reader,
  { customer_id, line_balances }: CustomerPosition,
  configuration: Configuration,
): Promise<CodeOf> {
  const ids = line_balances.map(({ line_id }) => line_id);
  const [frozen, accounts, customer] = await Promise.all([
    cx.rows<{ id: string; vat_code: VatCode | null }>(sql`select id, vat_code from invoice_lines
       where account_id = ${cx.caller.account_id} and id = any(${ids})
       union all
       select line_id, vat_code from opening_contracts
       where account_id = ${cx.caller.account_id} and line_id = any(${ids})`),
    chartOf(cx)?.vatCodes(line_balances.map(({ account_number }) => account_number)) ?? new Map(),
    cx.row<{ country_key: string; is_person: boolean; vat_number: string | null }>(
      sql`select country_key, is_person, vat_number from customers
        where account_id = ${cx.caller.account_id} and id = ${customer_id}`,
    ),
  ]);
  if (customer === undefined) throw new Error("the customer of an accrual is gone");
  const settings = vatSettings(configuration);
  const codes = new Map(frozen.map(({ id, vat_code }) => [id, vat_code]));
  return ({ line_id, account_number }) =>
    codes.get(line_id) ?? determineVat(accounts.get(account_number) ?? null, customer, settings);
}

/** Returns the movements of a customer's effective vouchers by account and VAT code, signed as earned less invoiced. */
async function bookedRevenue(cx: Reader, customer_id: string): Promise<RevenueUnder[]> {
  return cx.rows<RevenueUnder>(sql`
    select (e.entry ->> 'account_number')::int as account_number, e.entry ->> 'vat_code' as vat_code,
      -sum(rtrim(e.entry ->> 'amount', 'n')::numeric)::bigint as amount
    from accruals a join accrual_bookings b on b.account_id = a.account_id and b.accrual_id = a.id
      and b.state in ('booked', 'reversing')
    cross join lateral json_array_elements(b.snapshot::json -> 'entries') as e (entry)
    where a.account_id = ${cx.caller.account_id} and a.customer_id = ${customer_id}
      and e.entry ->> 'account_role' = 'revenue' and e.entry ->> 'vat_code' is not null
    group by 1, 2`);
}
