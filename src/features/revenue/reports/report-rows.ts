/** Computes lines of customers by the month of their revenue, or by the month whose accrual books or will book it. */

import { addToMonth, type Month, monthsFrom } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Money } from "../../../domain/base/money.ts";
import {
  firstMonth,
  firstOpenMonth,
  type LineBalanceKey,
  openRows,
} from "../../../domain/revenue/accrual.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { closedThrough, currentMonth } from "../accruals/queries.ts";
import { reattributed, type UserPart, userPartsFrom, usersOf } from "../accruals/snapshot.ts";
import { BROUGHT_MONTHS } from "../revenue-facts/booked-facts.ts";
import { type LineBalanceAtMonth, lineBalancesOf } from "../revenue-facts/positions.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { forecastFrom, forecastPositions } from "./forecast.ts";
import {
  type EarnedToDate,
  hoursByMonth,
  type LineMonth,
  type LineMonthAmounts,
  lineMonths,
  usersOfBooked,
} from "./line-months.ts";
import type { Basis } from "./schemas.ts";

interface ReportRange {
  readonly from: Month;
  readonly to: Month;
  readonly basis: Basis;
}

/** The number of lines for which bookings and work are read together. */
const LINE_BALANCES_AT_A_TIME = 1_000;

/** A line balance of a customer. */
interface CustomerLineBalance {
  readonly customer_id: string;
  readonly line_balance: LineBalanceAtMonth;
  /** The first open month of the customer; null when there is none, and when the basis does not need it. */
  readonly first_open: Month | null;
}

/**
 * Yields the lines of the customers, or only the `wanted` ones, in every month of the range with something to show.
 * Each batch has the months of one line under one account, in any order. Few lines are in memory at a time.
 */
export async function* lineMonthsOf(
  cx: Reader,
  configuration: Configuration,
  customer_ids: readonly string[],
  range: ReportRange,
  wanted: ReadonlySet<string> | null = null,
): AsyncGenerator<readonly LineMonth[]> {
  if (customer_ids.length === 0) return;
  // By booking month, all lines of a customer are needed, because the next booking depends on them.
  const only = range.basis === "work_month" ? wanted : null;
  const facts = await factsOfCustomers(cx, customer_ids, only);
  const slices = new Slices(cx.signal);
  let some: CustomerLineBalance[] = [];
  for (const customer of facts.customers) {
    const { customer_id } = customer;
    const first_open = await firstOpenOf(cx, configuration, facts, customer, range);
    for (const line_balance of lineBalancesOf(cx, configuration, facts, customer, range.to, {
      only,
    })) {
      if (slices.isOver) await slices.next();
      if (wanted !== null && !wanted.has(line_balance.line_id)) continue;
      some.push({ customer_id, line_balance, first_open });
      if (some.length < LINE_BALANCES_AT_A_TIME) continue;
      yield* monthsOf(cx, some, range, slices);
      some = [];
    }
  }
  yield* monthsOf(cx, some, range, slices);
  yield* monthsAhead(cx, configuration, facts, range, wanted);
}

/** Returns the first open month of a customer; null when there is none. Throws the reason of an aborted signal. */
async function firstOpenOf(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  customer: CustomerFacts,
  { to, basis }: ReportRange,
): Promise<Month | null> {
  const closed_through = closedThrough(configuration, customer.booked_through);
  if (basis === "work_month" || closed_through !== null) return firstOpenMonth([], closed_through);
  const slices = new Slices(cx.signal);
  let first: Month | null = null;
  for (const line_balance of lineBalancesOf(cx, configuration, facts, customer, to)) {
    if (slices.isOver) await slices.next();
    const begun = firstMonth([line_balance]);
    if (begun !== null && (first === null || begun < first)) first = begun;
  }
  return first;
}

/** Yields the months of some lines. */
async function* monthsOf(
  cx: Reader,
  line_balances: readonly CustomerLineBalance[],
  { from, to, basis }: ReportRange,
  slices: Slices,
): AsyncGenerator<readonly LineMonth[]> {
  if (line_balances.length === 0) return;
  const line_ids = line_balances.map(({ line_balance }) => line_balance.line_id);
  if (basis === "work_month") {
    const hours = await hoursByMonth(cx, line_ids, from, to);
    const months = monthsFrom(from, to);
    for (const { customer_id, line_balance } of line_balances) {
      if (slices.isOver) await slices.next();
      yield lineMonths(customer_id, line_balance, months, hours);
    }
    return;
  }
  const customer_ids = [...new Set(line_balances.map(({ customer_id }) => customer_id))];
  const booked = await bookedByAccrual(cx, customer_ids, line_ids, to);
  for (const one of line_balances) {
    if (slices.isOver) await slices.next();
    const known = booked.get(`${one.customer_id} ${lineBalanceKey(one.line_balance)}`) ?? [];
    yield bookingMonths(one, known, from, to);
  }
}

/** Yields lines in months after the current one, from periods that have not begun. */
async function* monthsAhead(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  { from, to, basis }: ReportRange,
  wanted: ReadonlySet<string> | null,
): AsyncGenerator<readonly LineMonth[]> {
  const current = currentMonth(cx, configuration);
  if (to <= current) return;
  const first = forecastFrom(configuration, basis, current, from);
  const positions = await forecastPositions(cx, configuration, facts, { current, from: first, to });
  const shown_from = from > current ? from : addToMonth(current, 1);
  const months = monthsFrom(shown_from, to);
  const slices = new Slices(cx.signal);
  for (const { customer_id, line_balances, booked_through } of positions) {
    const closed_through = closedThrough(configuration, booked_through);
    const first_open = firstOpenMonth(line_balances, closed_through);
    for (const line_balance of line_balances) {
      if (slices.isOver) await slices.next();
      if (wanted !== null && !wanted.has(line_balance.line_id)) continue;
      if (basis === "work_month") yield lineMonths(customer_id, line_balance, months, new Map());
      else yield bookingMonths({ customer_id, line_balance, first_open }, [], shown_from, to);
    }
  }
}

/** The rows of a line in one accrual month, booked or still to be booked. */
interface AccrualMonth extends LineBalanceKey {
  readonly month: Month;
  readonly earned: Money;
  readonly invoiced: Money;
  readonly earned_functional: Money | null;
  readonly invoiced_functional: Money;
  readonly exchange_difference: Money | null;
  readonly users: readonly UserPart[];
}

type BookedRow = Omit<AccrualMonth, "users"> & {
  readonly customer_id: string;
  readonly users: readonly string[];
};

/** Returns the effective bookings of lines, and the entries of opening contracts, through the last month, by customer and line balance, in order of months. */
async function bookedByAccrual(
  cx: Reader,
  customer_ids: readonly string[],
  line_ids: readonly string[],
  to: Month,
): Promise<Map<string, AccrualMonth[]>> {
  const rows =
    await cx.rows<BookedRow>(sql`select r.customer_id, a.month, r.line_id, r.account_number, r.currency, r.invoice_id, r.series_id,
       r.opening_contract_id, r.period, r.product_id, sum(r.earned)::bigint as earned, sum(r.invoiced)::bigint as invoiced,
       sum(r.earned_functional)::bigint as earned_functional,
       sum(r.invoiced_functional)::bigint as invoiced_functional,
       sum(r.exchange_difference)::bigint as exchange_difference, json_agg(r.users) as users
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${to}
     where r.account_id = ${cx.caller.account_id} and r.customer_id = any(${customer_ids}) and r.line_id = any(${line_ids})
     group by r.customer_id, a.month, r.line_id, r.account_number, r.currency, r.invoice_id, r.series_id,
       r.opening_contract_id, r.period, r.product_id
     union all
     select o.customer_id, m.month, o.line_id, o.account_number, o.currency, null, null, o.id, null, o.product_id, 0,
       m.invoiced, 0, m.functional, 0, '[]'::json
     from opening_contracts o cross join lateral ${raw(BROUGHT_MONTHS)} m
     where o.account_id = ${cx.caller.account_id} and o.customer_id = any(${customer_ids}) and o.line_id = any(${line_ids})
       and m.month <= ${to}
     order by month`);
  const booked = new Map<string, AccrualMonth[]>();
  for (const { customer_id, users, ...row } of rows) {
    const key = `${customer_id} ${lineBalanceKey(row)}`;
    const known = booked.get(key) ?? [];
    known.push({ ...row, users: users.flatMap(userPartsFrom) });
    booked.set(key, known);
  }
  return booked;
}

function bookingMonths(
  { customer_id, line_balance, first_open }: CustomerLineBalance,
  booked: readonly AccrualMonth[],
  from: Month,
  to: Month,
): LineMonth[] {
  const rows = [...booked, ...drafts(line_balance, first_open, to)];
  // A reopened accrual is later than what its month and those before it would book now.
  const [first] = rows.map((row) => row.month).sort();
  if (first === undefined) return [];
  const found: LineMonth[] = [];
  const by_month = groupedBy(rows, (row) => row.month);
  let before: LineMonthAmounts = NOTHING;
  for (const month of monthsFrom(first, to)) {
    const amounts = sumOf(before, by_month.get(month) ?? []);
    before = amounts;
    const parts = (by_month.get(month) ?? []).flatMap((row) => row.users);
    const is_nothing = amounts.earned === 0n && amounts.invoiced === 0n && amounts.balance === 0n;
    if (month < from || (is_nothing && parts.length === 0)) continue;
    const users = () =>
      usersOfBooked(line_balance.facts, month, amounts, parts, earnedToDate(line_balance, month));
    found.push({ ...amounts, customer_id, line_balance, month, users });
  }
  return found;
}

/** Adds up the earnings of a line through a month: current earnings, or for a removed line the booked ones. */
function earnedToDate(line_balance: LineBalanceAtMonth, month: Month): EarnedToDate {
  const months = line_balance.now.length > 0 ? line_balance.now : line_balance.booked;
  let [functional, own] = [0n, 0n];
  for (const one of months) {
    if (one.month > month) break;
    functional += one.earned_functional ?? 0n;
    own += one.earned;
  }
  return { functional, own };
}

const NOTHING: LineMonthAmounts = {
  earned: 0n,
  invoiced: 0n,
  balance: 0n,
  functional: { earned: 0n, invoiced: 0n, balance: 0n },
  hours: 0n,
};

/** Returns the rows of a line that the accruals of open months, through month `to`, would book now. */
function drafts(
  line_balance: LineBalanceAtMonth,
  first_open: Month | null,
  to: Month,
): AccrualMonth[] {
  const rows = openRows(line_balance, first_open, to);
  const booked = rows.map((row) => ({
    ...line_balance,
    ...row,
    month: row.accrual_month,
    users: usersOf(line_balance, row.month),
  }));
  if (first_open === null || first_open > to) return booked;
  // Only the first open month can move the revenue of closed months between users.
  const carried = rows.filter((row) => row.carried || row.month === first_open);
  const moved = reattributed(line_balance, carried).filter((row) => row.month < first_open);
  return [...booked, ...moved.map((row) => ({ ...line_balance, ...row, month: first_open }))];
}

function sumOf(before: LineMonthAmounts, rows: readonly AccrualMonth[]): LineMonthAmounts {
  let [earned, invoiced] = [0n, 0n];
  let functional = before.functional && { ...before.functional, earned: 0n, invoiced: 0n };
  for (const row of rows) {
    earned += row.earned;
    invoiced += row.invoiced;
    const { earned_functional, invoiced_functional, exchange_difference } = row;
    if (functional === null || earned_functional === null || exchange_difference === null) {
      functional = null;
      continue;
    }
    functional = {
      earned: functional.earned + earned_functional,
      invoiced: functional.invoiced + invoiced_functional,
      balance: functional.balance + earned_functional - invoiced_functional + exchange_difference,
    };
  }
  return { earned, invoiced, balance: before.balance + earned - invoiced, functional, hours: 0n };
}

function lineBalanceKey(line_balance: LineBalanceKey): string {
  return `${line_balance.line_id} ${line_balance.account_number} ${line_balance.currency}`;
}
