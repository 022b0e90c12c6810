/** A page of what customers owe today, which reads the items of its own customers only. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  type Balance,
  type BalanceFilters,
  findBalances,
  type PageOfBalances,
} from "./find-balances.ts";

/**
 * Returns what `findBalances` returns of a page, where payments are recorded here. Any day is right; it is fast where little has
 * changed since.
 */
export async function findPageToday(
  cx: Reader,
  day: CalendarDate,
  filters: BalanceFilters,
  page: PageOfBalances,
): Promise<Balance[]> {
  // One more, because nothing may be left of the customer after whom the page begins.
  const most = page.limit + 1;
  const customer_ids = await customersOwing(cx, day, filters, page.after?.[0] ?? null, most);
  const found = await findBalances(cx, day, { ...filters, customer_ids }, page);
  // Of some of these nothing is open on the day, and others may follow.
  const is_short = found.length < page.limit && customer_ids.length === most;
  return is_short ? findBalances(cx, day, filters, page) : found;
}

/**
 * Returns the customers of whom something is open at last, has changed after the day, or ended after it, the newest first: nothing is
 * open on the day of all others. `from` is the customer to begin with.
 */
async function customersOwing(
  cx: Reader,
  day: CalendarDate,
  { currency }: BalanceFilters,
  from: string | null,
  most: number,
): Promise<string[]> {
  const { account_id } = cx.caller;
  const of_currency = currency === undefined ? sql`` : sql`and i.currency = ${currency}`;
  // Steps from a customer to the next one in the index, past all items of the customer.
  const rows = await cx.rows<{ customer_id: string }>(sql`
    with recursive owing as (
      (select i.customer_id from open_items i
        where i.account_id = ${account_id} and i.open > 0 ${of_currency}
          and (${from}::uuid is null or i.customer_id <= ${from})
        order by i.customer_id desc limit 1)
      union all
      select (select i.customer_id from open_items i
        where i.account_id = ${account_id} and i.open > 0 ${of_currency} and i.customer_id < o.customer_id
        order by i.customer_id desc limit 1)
      from owing o where o.customer_id is not null)
    select c.customer_id from (
      (select o.customer_id from owing o where o.customer_id is not null limit ${most}::int)
      union
      select i.customer_id from allocations a
      join open_items i on i.account_id = ${account_id} and i.id in (a.debit_id, a.credit_id)
      where a.account_id = ${account_id} and greatest(a.date, a.reversed_on) > ${day}
      union
      select i.customer_id from open_items i where i.account_id = ${account_id} and i.ended_on > ${day}) c
    where ${from}::uuid is null or c.customer_id <= ${from}
    order by c.customer_id desc limit ${most}::int`);
  return rows.map(({ customer_id }) => customer_id);
}
