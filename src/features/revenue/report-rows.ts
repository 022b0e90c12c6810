/**
 * From customers to what their lines did by month, on either basis: by the month to which revenue
 * belongs, or by the month in whose accrual it is booked or will be.
 */

import { addToMonth, type Month, monthsFrom } from "../../domain/base/calendar.ts";
import { groupedBy } from "../../domain/base/group.ts";
import type { Money } from "../../domain/base/money.ts";
import { firstOpenMonth, openRows, type PieceOf } from "../../domain/revenue/accrual.ts";
import type { Reader } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { closedThrough, currentMonth } from "../accruals/queries.ts";
import { reattributed, type UserPart, userPartsFrom, usersOf } from "../accruals/snapshot.ts";
import type { Configuration } from "../configuration/queries.ts";
import {
  type CustomerPosition,
  type LinePiece,
  positionsFrom,
} from "../revenue-facts/positions.ts";
import { type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { forecastFrom, forecastPositions } from "./forecast.ts";
import {
  type Amounts,
  type EarnedToDate,
  type HoursByLineMonth,
  hoursByMonth,
  type LineMonth,
  lineMonth,
  usersOfBooked,
} from "./line-months.ts";
import type { Basis } from "./schemas.ts";

interface ReportRange {
  readonly from: Month;
  readonly to: Month;
  readonly basis: Basis;
}

/** Every line of the customers in every month of the range in which there is something to show. */
export async function lineMonthsOf(
  cx: Reader,
  configuration: Configuration,
  customer_ids: readonly string[],
  { from, to, basis }: ReportRange,
): Promise<LineMonth[]> {
  if (customer_ids.length === 0) return [];
  const facts = await factsOfCustomers(cx, customer_ids);
  const positions: CustomerPosition[] = [];
  for await (const one of positionsFrom(cx, configuration, facts, to)) positions.push(one);
  const ahead = await monthsAhead(cx, configuration, facts, { from, to, basis });
  if (basis === "work_month") {
    const hours = await hoursByMonth(cx, positions, from, to);
    return [...workMonths(positions, hours, from, to), ...ahead];
  }
  const booked = await bookedByAccrual(cx, customer_ids, to);
  const months = positions.flatMap((position) =>
    bookingMonths(position, configuration, booked.get(position.customer_id) ?? [], from, to),
  );
  return [...months, ...ahead];
}

/** What the months after the present one will have besides, from periods that have not begun. */
async function monthsAhead(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  { from, to, basis }: ReportRange,
): Promise<LineMonth[]> {
  const current = currentMonth(cx, configuration);
  if (to <= current) return [];
  const first = forecastFrom(configuration, basis, current, from);
  const positions = await forecastPositions(cx, configuration, facts, { current, from: first, to });
  const shown_from = from > current ? from : addToMonth(current, 1);
  if (basis === "work_month") return workMonths(positions, new Map(), shown_from, to);
  return positions.flatMap((position) =>
    bookingMonths(position, configuration, [], shown_from, to),
  );
}

function workMonths(
  positions: readonly CustomerPosition[],
  hours: HoursByLineMonth,
  from: Month,
  to: Month,
): LineMonth[] {
  return positions.flatMap(({ customer_id, pieces }) =>
    pieces.flatMap((piece) =>
      monthsFrom(from, to).flatMap((month) => lineMonth(customer_id, piece, month, hours) ?? []),
    ),
  );
}

/** What accruals booked of a line, or will book, in one accrual month. */
interface AccrualMonth extends PieceOf {
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

/** Standing bookings of accrual months through the last one, by customer, line and month. */
async function bookedByAccrual(
  cx: Reader,
  customer_ids: readonly string[],
  to: Month,
): Promise<Map<string, AccrualMonth[]>> {
  const rows =
    await cx.rows<BookedRow>(sql`select r.customer_id, a.month, r.line_id, r.account_number, r.currency, r.invoice_id, r.series_id,
       r.period, r.product_id, sum(r.earned)::bigint as earned, sum(r.invoiced)::bigint as invoiced,
       sum(r.earned_functional)::bigint as earned_functional,
       sum(r.invoiced_functional)::bigint as invoiced_functional,
       sum(r.exchange_difference)::bigint as exchange_difference, json_agg(r.users) as users
     from accrual_rows r
     join accruals a on a.account_id = ${cx.caller.account_id} and a.id = r.accrual_id and a.month <= ${to}
     where r.account_id = ${cx.caller.account_id} and r.customer_id = any(${customer_ids})
     group by r.customer_id, a.month, r.line_id, r.account_number, r.currency, r.invoice_id, r.series_id,
       r.period, r.product_id
     order by a.month`);
  const booked = new Map<string, AccrualMonth[]>();
  for (const { customer_id, users, ...row } of rows) {
    const known = booked.get(customer_id) ?? [];
    known.push({ ...row, users: users.flatMap(userPartsFrom) });
    booked.set(customer_id, known);
  }
  return booked;
}

function bookingMonths(
  position: CustomerPosition,
  configuration: Configuration,
  booked: readonly AccrualMonth[],
  from: Month,
  to: Month,
): LineMonth[] {
  const all = [...booked, ...drafts(position, configuration, to)];
  const facts = new Map(position.pieces.map((piece) => [pieceKey(piece), piece]));
  const by_piece = groupedBy(all, pieceKey);
  const found: LineMonth[] = [];
  for (const [key, rows] of by_piece) {
    const [first] = rows;
    if (first === undefined) continue;
    const by_month = groupedBy(rows, (row) => row.month);
    let before: Amounts = NOTHING;
    for (const month of monthsFrom(first.month, to)) {
      const amounts = sumOf(before, by_month.get(month) ?? []);
      before = amounts;
      const parts = (by_month.get(month) ?? []).flatMap((row) => row.users);
      const is_nothing = amounts.earned === 0n && amounts.invoiced === 0n && amounts.balance === 0n;
      if (month < from || (is_nothing && parts.length === 0)) continue;
      const piece = facts.get(key);
      const to_date = earnedToDate(piece, month);
      const users = usersOfBooked(piece?.facts ?? null, month, amounts, parts, to_date);
      // A line that is still there is told as it is now; one that is gone, as it was booked last.
      const told = piece ?? rows.at(-1) ?? first;
      found.push({ ...amounts, customer_id: position.customer_id, piece: told, month, users });
    }
  }
  return found;
}

/** What a line has earned through a month as it is now, or as it was booked when it is no more. */
function earnedToDate(piece: LinePiece | undefined, month: Month): EarnedToDate {
  const months = piece === undefined ? [] : piece.now.length > 0 ? piece.now : piece.booked;
  let [functional, own] = [0n, 0n];
  for (const one of months) {
    if (one.month > month) break;
    functional += one.earned_functional ?? 0n;
    own += one.earned;
  }
  return { functional, own };
}

const NOTHING: Amounts = {
  earned: 0n,
  invoiced: 0n,
  balance: 0n,
  functional: { earned: 0n, invoiced: 0n, balance: 0n },
  hours: 0n,
};

/** What the accruals of open months through the last one would book now. */
function drafts(
  position: CustomerPosition,
  configuration: Configuration,
  to: Month,
): AccrualMonth[] {
  const closed_through = closedThrough(configuration, position.booked_through);
  const first_open = firstOpenMonth(position.pieces, closed_through);
  return position.pieces.flatMap((piece) => {
    const rows = openRows(piece, first_open, to);
    const booked = rows.map((row) => ({
      ...piece,
      ...row,
      month: row.accrual_month,
      users: usersOf(piece, row.month),
    }));
    if (first_open === null || first_open > to) return booked;
    // Only the first open month can change whose the revenue of closed ones is.
    const carried = rows.filter((row) => row.carried || row.month === first_open);
    const moved = reattributed(piece, carried).filter((row) => row.month < first_open);
    return [...booked, ...moved.map((row) => ({ ...piece, ...row, month: first_open }))];
  });
}

function sumOf(before: Amounts, rows: readonly AccrualMonth[]): Amounts {
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

function pieceKey(piece: PieceOf): string {
  return `${piece.line_id} ${piece.account_number} ${piece.currency}`;
}
