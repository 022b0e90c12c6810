/** Reads the accruals that booked or will book a line's month, under all accounts, currencies and customers. */

import type { Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { firstOpenMonth, isNothing, openRows } from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { closedThrough, currentMonth } from "../accruals/queries.ts";
import type { CustomerPosition } from "../revenue-facts/positions.ts";

/** The part of one accrual for a line and month, under one account and in one currency. */
export interface LineBooking {
  /** Null for a draft, which may change before it is booked. */
  readonly accrual_id: string | null;
  readonly accrual_month: Month;
  readonly customer_id: string;
  readonly account_number: number;
  readonly currency: string;
  readonly status: "draft" | "booked";
  /** Whether the booking was too late for the month to which its revenue belongs. */
  readonly carried: boolean;
  readonly earned: Money;
  readonly ledger_voucher_guid: string | null;
  readonly ledger_voucher_number: number | null;
}

/**
 * Returns the customers whose accruals may have the line: its current customer, then all customers with bookings of the line.
 * One index lookup for each customer: an index by line would cost every close more than these lookups cost their few callers.
 */
export async function bookingCustomers(
  cx: Reader,
  line_id: string,
  own: string | undefined,
): Promise<string[]> {
  const rows = await cx.rows<{ id: string }>(sql`
    select c.id from customers c where c.account_id = ${cx.caller.account_id}
       and (select 1 from accrual_rows r
         where r.account_id = ${cx.caller.account_id} and r.customer_id = c.id and r.line_id = ${line_id} limit 1) is not null
     order by c.id`);
  const all = rows.map((row) => row.id);
  return [...new Set(own === undefined ? all : [own, ...all])];
}

/** Returns the effective bookings of the line's month, by accrual month, then the bookings that drafts will add. */
export async function bookingsOf(
  cx: Reader,
  configuration: Configuration,
  positions: readonly CustomerPosition[],
  line_id: string,
  month: Month,
): Promise<LineBooking[]> {
  const drafts = positions.flatMap((position) =>
    draftsOf(cx, position, configuration, line_id, month),
  );
  const customer_ids = positions.map(({ customer_id }) => customer_id);
  return [...(await currentBookingsOf(cx, customer_ids, line_id, month)), ...drafts];
}

interface CurrentRow {
  readonly accrual_id: string;
  readonly accrual_month: Month;
  readonly customer_id: string;
  readonly account_number: number;
  readonly currency: string;
  readonly earned: bigint;
  readonly ledger_voucher_guid: string | null;
  readonly ledger_voucher_number: bigint | null;
}

async function currentBookingsOf(
  cx: Reader,
  customer_ids: readonly string[],
  line_id: string,
  month: Month,
): Promise<LineBooking[]> {
  const rows =
    await cx.rows<CurrentRow>(sql`select a.id as accrual_id, a.month as accrual_month, r.customer_id, r.account_number, r.currency,
       sum(r.earned)::bigint as earned, a.ledger_voucher_guid, a.ledger_voucher_number
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.status = 'booked'
     where r.account_id = ${cx.caller.account_id} and r.customer_id = any(${customer_ids}) and r.line_id = ${line_id} and r.month = ${month}
       and r.revision = a.revision
     group by a.id, a.month, r.customer_id, r.account_number, r.currency, a.ledger_voucher_guid,
       a.ledger_voucher_number
     order by a.month, a.id, r.currency, r.account_number`);
  return rows.map(({ ledger_voucher_number: number, ...row }) => ({
    ...row,
    status: "booked",
    carried: row.accrual_month !== month,
    ledger_voucher_number: number === null ? null : Number(number),
  }));
}

/** Returns the draft bookings of a line's month: those of the month's open accrual, or of the accrual that carries the month. */
function draftsOf(
  cx: Reader,
  { customer_id, line_balances, booked_through }: CustomerPosition,
  configuration: Configuration,
  line_id: string,
  month: Month,
): LineBooking[] {
  const closed_through = closedThrough(configuration, booked_through);
  const first_open = firstOpenMonth(line_balances, closed_through);
  if (first_open === null || month > currentMonth(cx, configuration)) return [];
  const accrual_month = month < first_open ? first_open : month;
  const own = line_balances.filter((line_balance) => line_balance.line_id === line_id);
  return own.flatMap((line_balance) => {
    const { account_number, currency } = line_balance;
    return openRows(line_balance, first_open, accrual_month)
      .filter((row) => row.month === month && !isNothing(row))
      .map((row) => ({
        accrual_id: null,
        accrual_month,
        customer_id,
        account_number,
        currency,
        status: "draft",
        carried: row.carried,
        earned: row.earned,
        ledger_voucher_guid: null,
        ledger_voucher_number: null,
      }));
  });
}
