/**
 * Lists the accruals of a month of all customers with their amounts: as booked, and as a close would book them now. Amounts are in
 * minor units of the currency of the books.
 */

import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Month } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { bookedAhead } from "./explain-difference.ts";

/** The accrual of one customer: what its rows add to earned and to invoiced revenue, corrections of earlier months included. */
export interface AccrualOfCustomer {
  readonly customer_id: string;
  readonly status: "booked" | "draft";
  /** Null for a draft, and for an accrual without a voucher. */
  readonly voucher_number: bigint | null;
  readonly earned: Money;
  readonly invoiced: Money;
}

/** A booking of an accrual, with its reopening if there was one. */
export interface BookingOfAccrual {
  readonly customer_id: string;
  readonly revision: number;
  readonly voucher_number: bigint | null;
  /** Null for an attempt that the ledger has not answered. */
  readonly booked_at: Timestamp | null;
  readonly reversal_number: bigint | null;
  readonly reopened_at: Timestamp | null;
  readonly reason: string | null;
}

/** Returns the accruals of a month by customer; null if there are too many customers to compute the drafts. */
export async function listAccrualsOfMonth(
  cx: Reader,
  month: Month,
): Promise<readonly AccrualOfCustomer[] | null> {
  const { account_id } = cx.caller;
  const ahead = await bookedAhead(cx, await getConfiguration(cx), month);
  if (ahead === null) return null;
  const booked = await cx.rows<Omit<AccrualOfCustomer, "status">>(sql`
    select a.customer_id, a.ledger_voucher_number as voucher_number,
      coalesce(sum(r.earned_functional), 0)::bigint as earned,
      coalesce(sum(r.invoiced_functional), 0)::bigint as invoiced
    from accruals a
    left join accrual_rows r on r.account_id = ${account_id} and r.accrual_id = a.id
      and r.revision = a.revision
    where a.account_id = ${account_id} and a.month = ${month} and a.status = 'booked'
    group by a.customer_id, a.ledger_voucher_number`);
  const drafts = [...ahead.snapshots].map(([customer_id, { lines }]) => {
    let [earned, invoiced] = [0n, 0n];
    for (const row of lines.flatMap(({ rows }) => rows)) {
      earned += row.earned_functional ?? 0n;
      invoiced += row.invoiced_functional;
    }
    return { customer_id, status: "draft" as const, voucher_number: null, earned, invoiced };
  });
  return [...booked.map((one) => ({ ...one, status: "booked" as const })), ...drafts];
}

/** Returns the bookings of the accruals of a month by customer, the oldest first; of one customer or of all. */
export async function listBookingsOfMonth(
  cx: Reader,
  month: Month,
  customer_id: string | null,
): Promise<ReadonlyMap<string, readonly BookingOfAccrual[]>> {
  const { account_id } = cx.caller;
  const rows = await cx.rows<BookingOfAccrual>(sql`
    select a.customer_id, b.revision, b.voucher_number, b.booked_at, b.reversal_number, b.reopened_at,
      b.reason
    from accruals a
    join accrual_bookings b on b.account_id = ${account_id} and b.accrual_id = a.id
    where a.account_id = ${account_id} and a.month = ${month} and b.state <> 'pending'
      and (${customer_id}::uuid is null or a.customer_id = ${customer_id})
    order by a.customer_id, b.revision`);
  return groupedBy(rows, (one) => one.customer_id);
}
