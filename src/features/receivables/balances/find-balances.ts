/**
 * What customers owe on a day, by customer, currency and age, added up by the database. It reads what is open at last and what has
 * changed since the day, so that a recent day takes as long as today.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { REPLANNED } from "../../../platform/database/database.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { takenOn } from "../open-items/find-open.ts";
import type { OwedSources } from "../open-items/require-begun.ts";

/** Amounts by age in minor units of one currency. `balance` is the total less both kinds of credit. */
export interface OwedSums {
  readonly not_due: Money;
  readonly days_1_30: Money;
  readonly days_31_60: Money;
  readonly days_61_90: Money;
  readonly over_90: Money;
  readonly total: Money;
  readonly credit_notes: Money;
  readonly customer_credit: Money;
  readonly balance: Money;
}

/** What a customer owes in a currency, in that currency and in the functional one. */
export interface Balance {
  readonly customer_id: string;
  readonly currency: string;
  readonly oldest_due_date: CalendarDate | null;
  readonly sums: OwedSums;
  readonly functional: OwedSums;
}

/** The amounts of an age or a kind of credit: open, and that in functional currency. */
interface PartRow {
  readonly part: (typeof PARTS)[number];
  readonly open: Money;
  readonly functional: Money;
}

export interface PartOfBalance extends PartRow {
  readonly customer_id: string;
  readonly currency: string;
  readonly oldest_due_date: CalendarDate | null;
}

/** Restricts a report to some customers, a currency, or both. */
export interface BalanceFilters {
  readonly sources: OwedSources;
  readonly customer_ids?: readonly string[] | undefined;
  readonly currency?: string | undefined;
}

/** The rows of a page: those after a customer and currency, and at most so many. */
export interface PageOfBalances {
  readonly after: readonly [customer_id: string, currency: string] | null;
  readonly limit: number;
}

/** Begins each statement that adds up: a plan for any account would sort a hundred thousand items on disk, as if they were few. */
export const PLANNED = raw(REPLANNED);

/** Returns the balances on a day of customers of whom something is open, by customer from the newest, then by currency. */
export async function findBalances(
  cx: Reader,
  day: CalendarDate,
  filters: BalanceFilters,
  page: PageOfBalances | null = null,
): Promise<Balance[]> {
  const [after_id, after_currency] = page?.after ?? [null, null];
  const rows = await cx.rows<PartOfBalance>(sql`${PLANNED}
    with sums as materialized (${sumsOn(cx, day, filters)})
    select s.customer_id, s.currency, s.part, s.oldest_due_date, s.open, s.functional
    from (
      select distinct d.customer_id, d.currency from sums d
      where ${after_id}::uuid is null or d.customer_id < ${after_id}
        or (d.customer_id = ${after_id} and d.currency > ${after_currency}::text)
      order by d.customer_id desc, d.currency limit ${page?.limit ?? null}::int) p
    join sums s on s.customer_id = p.customer_id and s.currency = p.currency
    order by s.customer_id desc, s.currency`);
  return balancesFrom(rows);
}

/** Returns a balance for each customer and currency, in the order of the rows. */
export function balancesFrom(rows: readonly PartOfBalance[]): Balance[] {
  const groups = new Map<string, PartOfBalance[]>();
  for (const row of rows) {
    const key = `${row.customer_id} ${row.currency}`;
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].flatMap((group) => balanceOf(group) ?? []);
}

/** The sums of all customers in a currency, in that currency and in the functional one. */
export type TotalsOfCurrency = Pick<Balance, "currency" | "sums" | "functional">;

/** Returns the sums of all customers on a day by currency, in that currency and in the functional one. */
export async function findTotals(
  cx: Reader,
  day: CalendarDate,
  sources: OwedSources,
): Promise<TotalsOfCurrency[]> {
  const rows = await cx.rows<PartRow & { readonly currency: string }>(sql`${PLANNED}
    select o.currency, o.part, sum(o.open)::bigint as open, sum(o.functional_open)::bigint as functional
    from (${partsOn(cx, day, { sources })}) o group by o.currency, o.part order by o.currency`);
  return totalsFrom(rows);
}

/** Returns the sums of each currency, in the order of the rows. */
export function totalsFrom(
  rows: readonly (PartRow & { readonly currency: string })[],
): TotalsOfCurrency[] {
  const codes = [...new Set(rows.map(({ currency }) => currency))];
  return codes.map((code) => ({
    currency: code,
    ...bothSums(rows.filter(({ currency }) => currency === code)),
  }));
}

/** Selects the sums of each customer, currency and part of a balance on a day. */
export function sumsOn(cx: Reader, day: CalendarDate, filters: BalanceFilters): Sql {
  return sql`select o.customer_id, o.currency, o.part, min(o.due_date) as oldest_due_date, sum(o.open)::bigint as open,
      sum(o.functional_open)::bigint as functional
    from (${partsOn(cx, day, filters)}) o
    group by o.customer_id, o.currency, o.part`;
}

/** Selects the items of which something is open on a day, each with the part of a balance that it belongs to. */
function partsOn(cx: Reader, day: CalendarDate, filters: BalanceFilters): Sql {
  return sql`select i.customer_id, i.currency, case
      when i.kind = 'payment' then 'customer_credit' when i.is_credit then 'credit_notes'
      when i.due_date >= ${day} then 'not_due' when i.due_date >= ${day}::date - 30 then 'days_1_30'
      when i.due_date >= ${day}::date - 60 then 'days_31_60' when i.due_date >= ${day}::date - 90 then 'days_61_90'
      else 'over_90' end as part,
    case when not i.is_credit then i.due_date end as due_date, i.open, i.functional_open
  from (${allOpenOn(cx, day, filters)}) i
  where i.open <> 0 or i.functional_open <> 0`;
}

/** Adds up amounts; all of one currency. */
export function sumOf(all: readonly OwedSums[]): OwedSums {
  const of = (name: keyof OwedSums): Money => all.reduce((sum, one) => sum + one[name], 0n);
  return sumsFrom(PARTS.map((part) => [part, of(part)]));
}

const PARTS = [
  "not_due",
  "days_1_30",
  "days_31_60",
  "days_61_90",
  "over_90",
  "credit_notes",
  "customer_credit",
] as const;

function balanceOf(rows: readonly PartOfBalance[]): Balance | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const { customer_id, currency } = first;
  const due = rows.flatMap(({ oldest_due_date }) => oldest_due_date ?? []).sort();
  return { customer_id, currency, oldest_due_date: due[0] ?? null, ...bothSums(rows) };
}

function bothSums(rows: readonly PartRow[]): Pick<Balance, "sums" | "functional"> {
  return {
    sums: sumsFrom(rows.map(({ part, open }) => [part, open])),
    functional: sumsFrom(rows.map(({ part, functional }) => [part, functional])),
  };
}

function sumsFrom(parts: readonly (readonly [PartRow["part"], Money])[]): OwedSums {
  const by_part = new Map(parts);
  const of = (part: PartRow["part"]): Money => by_part.get(part) ?? 0n;
  const ages = {
    not_due: of("not_due"),
    days_1_30: of("days_1_30"),
    days_31_60: of("days_31_60"),
    days_61_90: of("days_61_90"),
    over_90: of("over_90"),
  };
  const total = Object.values(ages).reduce((sum, amount) => sum + amount, 0n);
  const credits = { credit_notes: of("credit_notes"), customer_credit: of("customer_credit") };
  const balance = total - credits.credit_notes - credits.customer_credit;
  return { ...ages, total, ...credits, balance };
}

/** Selects what is open on a day of our own items, of documents by what their connected ledger reported, or of both. */
function allOpenOn(
  cx: Reader,
  day: CalendarDate,
  { sources: { is_known, connection_id }, customer_ids, currency }: BalanceFilters,
): Sql {
  const which = sql`${customer_ids === undefined ? sql`` : sql`and i.customer_id = any(${customer_ids})`}
    ${currency === undefined ? sql`` : sql`and i.currency = ${currency}`}`;
  if (connection_id === null) return openOn(cx, day, which);
  const reported = sql`select i.customer_id, i.currency, i.kind, i.kind = 'credit_note' as is_credit, i.due_date, i.remaining as open,
      round(i.functional::numeric * i.remaining / i.amount)::bigint as functional_open
    from ledger_items i
    where i.account_id = ${cx.caller.account_id} and i.connection_id = ${connection_id}
      and i.state in ('open', 'partly_paid') and i.remaining > 0 ${which}`;
  return is_known
    ? sql`${reported} union all select * from (${openOn(cx, day, which)}) b`
    : reported;
}

/**
 * Selects the items of which something is open on a day: those open at last that have not changed since, those that have, and those that
 * ended later. Items are joined before they are added up, so that few are left for a day long ago.
 */
function openOn(cx: Reader, day: CalendarDate, which: Sql): Sql {
  const { account_id } = cx.caller;
  const later = sql`a.account_id = ${account_id} and greatest(a.date, a.reversed_on) > ${day}
        and ((a.date > ${day} and a.reversed_on is null) or (a.date <= ${day} and a.reversed_on > ${day}))`;
  return sql`with changed as materialized (
      select i.id, i.customer_id, i.currency, i.kind, i.is_credit, i.due_date, i.open + sum(t.sign * t.amount)::bigint as open,
        i.functional_open + sum(t.sign * t.functional)::bigint as functional_open
      from (
        select a.debit_id as id, a.amount + a.rounding as amount, a.debit_functional as functional,
          case when a.date > ${day} then 1 else -1 end as sign
        from allocations a where ${later}
        union all
        select a.credit_id, a.amount, a.credit_functional, case when a.date > ${day} then 1 else -1 end
        from allocations a where ${later}) t
      join open_items i on i.account_id = ${account_id} and i.id = t.id
      where i.date <= ${day} and i.ended_on is null ${which}
      group by i.account_id, i.id)
    select i.customer_id, i.currency, i.kind, i.is_credit, i.due_date, i.open, i.functional_open
    from open_items i
    where i.account_id = ${account_id} and i.open > 0 and i.date <= ${day} ${which}
      and not exists (select from changed c where c.id = i.id)
    union all
    select c.customer_id, c.currency, c.kind, c.is_credit, c.due_date, c.open, c.functional_open from changed c
    union all
    select i.customer_id, i.currency, i.kind, i.is_credit, i.due_date, i.amount - t.amount, i.functional - t.functional
    from open_items i cross join lateral (${takenOn(cx, day)}) t
    where i.account_id = ${account_id} and i.ended_on > ${day} and i.date <= ${day} ${which}`;
}
