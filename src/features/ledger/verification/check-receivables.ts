/**
 * Checks open items against the books (spec 13.2): at the end of each month they add up to receivables and to customer credit, nothing is
 * open below 0 on any day, what is stored as open is what allocations leave, and each entry of money is worked out a second time.
 */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { hasOwnBooks, ownLedger } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { checkOf } from "./check-books.ts";
import { MOST_FAULTS } from "./check-documents.ts";
import { faultsOfMoney } from "./check-money.ts";
import { selectEnds, selectTakes } from "./find-changes.ts";
import { findPlaces } from "./find-role-accounts.ts";
import type { Check, Fault } from "./schemas.ts";

/** Checks the items of the built-in ledger; an external ledger keeps its own. */
export async function checkReceivables(cx: Reader): Promise<Check> {
  if (!(await hasOwnBooks(cx))) return checkOf("receivables", 0n, []);
  const books = ownLedger(cx).books(cx, cx.caller.account_id);
  const { receivables } = books.control_accounts;
  const places = await findPlaces(cx, receivables);
  const faults = [
    ...(await monthsThatDiffer(cx, receivables, places.creditAccounts)),
    ...(await itemsBelowZero(cx)),
    ...(await itemsThatDiffer(cx)),
    ...(await takesThatDiffer(cx)),
    ...(await faultsOfMoney(cx, places)),
  ];
  const row = await cx.row<{ count: bigint }>(
    sql`select count(*) as count from open_items where account_id = ${cx.caller.account_id}`,
  );
  return checkOf("receivables", row?.count ?? 0n, faults.slice(0, MOST_FAULTS));
}

/** The changes of what is open of each item, by day; the end of an item takes what was open then. */
function changes(cx: Reader): Sql {
  const { account_id } = cx.caller;
  return sql`${selectTakes(cx)}, ${selectEnds(cx)}, changes as (
    select id, amount, functional, date from open_items where account_id = ${account_id}
    union all
    select id, -amount, -functional, date from ends
    union all
    select id, -amount, -functional, date from takes
    union all
    select id, amount, functional, reversed_on from takes where reversed_on is not null)`;
}

/** Compares sums at the end of each month in which something changes. */
function monthsThatDiffer(
  cx: Reader,
  receivables: number,
  customer_credit: readonly number[],
): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with ${changes(cx)}, moved as (
      select c.date, case when i.kind in ('payment', 'refund') then 'customer credit' else 'receivables' end as place,
        case when i.is_credit then -c.functional else c.functional end as open, 0::bigint as posted
      from changes c join open_items i on i.account_id = ${account_id} and i.id = c.id
      union all
      select e.entry_date, case when p.account_number = ${receivables} then 'receivables' else 'customer credit' end, 0, p.amount
      from ledger_postings p join ledger_entries e on e.account_id = p.account_id and e.entry_no = p.entry_no
      where p.account_id = ${account_id} and (p.account_number = ${receivables} or p.account_number = any(${customer_credit}))),
    months as (
      select place, to_char(date, 'YYYY-MM') as month, sum(open) as open, sum(posted) as posted from moved group by 1, 2),
    sums as (
      select place, month, sum(open) over (partition by place order by month) as open,
        sum(posted) over (partition by place order by month) as posted
      from months)
    select month as at, place || ' are ' || posted || ' in the books, open items come to ' || open as what
    from sums where open <> posted order by month, place limit ${raw(MOST_FAULTS)}`);
}

/** Returns the items of which less than nothing is open at the end of a day. */
function itemsBelowZero(cx: Reader): Promise<Fault[]> {
  return cx.rows<Fault>(sql`with ${changes(cx)}, days as (
      select id, date, sum(amount) as amount, sum(functional) as functional from changes group by id, date),
    sums as (
      select id, date, sum(amount) over (partition by id order by date) as open,
        sum(functional) over (partition by id order by date) as functional
      from days)
    select distinct on (id) id::text as at, 'less than nothing is open on ' || date as what
    from sums where open < 0 or functional < 0 order by id, date limit ${raw(MOST_FAULTS)}`);
}

/** Returns the items whose stored open amount is not what their allocations leave. */
function itemsThatDiffer(cx: Reader): Promise<Fault[]> {
  const { account_id } = cx.caller;
  return cx.rows<Fault>(sql`with ${selectTakes(cx)}, sides as (
      select id, amount - open as amount, functional - functional_open as functional, open, ended_on is not null as has_ended
      from open_items where account_id = ${account_id}
      union all
      select id, -amount, -functional, 0, false from takes where reversed_on is null)
    select id::text as at, 'its stored open amount differs from its allocations' as what from sides group by id
    having case when bool_or(has_ended) then sum(open) <> 0 else sum(amount) <> 0 or sum(functional) <> 0 end
    order by id limit ${raw(MOST_FAULTS)}`);
}

/**
 * Returns the allocations whose functional amounts cannot be: a rounding has its share, and what is in functional currency has its own
 * amount.
 */
async function takesThatDiffer(cx: Reader): Promise<Fault[]> {
  const { account_id } = cx.caller;
  const { functional_currency } = await getConfiguration(cx);
  return cx.rows<Fault>(sql`select a.id::text as at, 'its functional amounts do not follow from its amounts' as what
    from allocations a
    join open_items d on d.account_id = ${account_id} and d.id = a.debit_id
    join open_items c on c.account_id = ${account_id} and c.id = a.credit_id
    where a.account_id = ${account_id} and (
      a.currency <> d.currency or a.currency <> c.currency or d.is_credit or not c.is_credit
      or a.date < d.date or a.date < c.date
      or a.rounding_functional <> round(d.functional::numeric * a.rounding / d.amount)
      or a.credit_functional + a.rounding_functional <> a.debit_functional + a.exchange_difference
      or (a.currency = ${functional_currency} and (a.exchange_difference <> 0 or a.credit_functional <> a.amount)))
    order by a.id limit ${raw(MOST_FAULTS)}`);
}
