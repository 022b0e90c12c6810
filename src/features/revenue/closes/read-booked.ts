/** Reads the booked vouchers of a month with the lines behind each. Amounts are in minor units of the functional currency. */
import type { Month } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** The most lines that are returned of a voucher: those that move the most. */
const MOST_LINES = 20;

/** A line of a booked voucher: what it earned less what it invoiced in a month. */
export interface BookedVoucherLine {
  readonly line_id: string;
  /** Another month than that of the voucher for an amount that was carried. */
  readonly month: Month;
  readonly text: string;
  readonly moved: Money;
}

interface BookedRow {
  readonly id: string;
  readonly customer_id: string;
  readonly customer: string;
  readonly voucher_guid: string | null;
  /** Null for a voucher that the ledger does not number. */
  readonly voucher_number: bigint | null;
  readonly earned: Money;
  readonly invoiced: Money;
  readonly line_count: number;
}

/** A booked voucher with at most 20 of its lines; `line_count` is the number of all. */
export interface BookedVoucher extends BookedRow {
  readonly lines: readonly BookedVoucherLine[];
}

/** Returns the first booked vouchers of a month, by the customer's name. */
export async function listBookedVouchers(
  cx: Reader,
  month: Month,
  limit: number,
): Promise<readonly BookedVoucher[]> {
  const { account_id } = cx.caller;
  const vouchers = await cx.rows<BookedRow>(sql`select a.id, a.customer_id, c.name as customer,
      a.ledger_voucher_guid as voucher_guid, a.ledger_voucher_number as voucher_number, r.earned,
      r.invoiced, r.line_count
    from accruals a
    join customers c on c.account_id = ${account_id} and c.id = a.customer_id
    cross join lateral (
      select coalesce(sum(r.earned_functional + r.exchange_difference), 0)::bigint as earned,
        coalesce(sum(r.invoiced_functional), 0)::bigint as invoiced,
        count(distinct (r.line_id, r.month))::int as line_count
      from accrual_rows r
      where r.account_id = ${account_id} and r.accrual_id = a.id and r.revision = a.revision) r
    where a.account_id = ${account_id} and a.month = ${month} and a.status = 'booked'
      and a.ledger_voucher_guid is not null
    order by c.name, c.id limit ${limit}`);
  const lines = groupedBy(await linesOf(cx, vouchers), ({ accrual_id }) => accrual_id);
  return vouchers.map((voucher) => ({ ...voucher, lines: lines.get(voucher.id) ?? [] }));
}

/** Returns the lines of vouchers, those that move the most first. */
async function linesOf(
  cx: Reader,
  vouchers: readonly BookedRow[],
): Promise<(BookedVoucherLine & { readonly accrual_id: string })[]> {
  if (vouchers.length === 0) return [];
  const { account_id } = cx.caller;
  return cx.rows(sql`select a.id as accrual_id, r.line_id, r.month,
      coalesce(l.description_override, l.product_name, p.name) as text, r.moved
    from accruals a
    cross join lateral (
      select r.line_id, r.month, (array_agg(r.product_id))[1] as product_id,
        sum(r.earned_functional + r.exchange_difference - r.invoiced_functional)::bigint as moved
      from accrual_rows r
      where r.account_id = ${account_id} and r.accrual_id = a.id and r.revision = a.revision
      group by r.line_id, r.month
      order by abs(sum(r.earned_functional + r.exchange_difference - r.invoiced_functional)) desc, r.line_id
      limit ${MOST_LINES}) r
    left join invoice_lines l on l.account_id = ${account_id} and l.id = r.line_id
    join products p on p.account_id = ${account_id} and p.id = r.product_id
    where a.account_id = ${account_id} and a.id = any(${vouchers.map(({ id }) => id)})
    order by a.id, abs(r.moved) desc, r.line_id`);
}
