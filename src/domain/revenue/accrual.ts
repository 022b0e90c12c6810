/**
 * Computes the accrual of a customer and month (spec 3): current line facts less booked amounts, as rows, positions and a
 * voucher. A closed month never changes: facts that arrive late are carried into the first open month.
 */
import { addToMonth, type Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { type Contract, contractOf, type Position, positionOf, positionsOf } from "./contract.ts";
import type { FunctionalMonth } from "./functional.ts";

export const accountRoles = [
  "contract_asset",
  "contract_liability",
  "exchange_difference",
] as const;
export type AccountRole = (typeof accountRoles)[number];
/** The role of an entry in an accrual's voucher. */
export type AccrualRole = AccountRole | "revenue";

/** The properties of a line other than its months. */
export interface LineBalanceKey {
  readonly line_id: string;
  /** Null for an occurrence without an invoice, and for an opening contract. */
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  /** What it invoices is booked by an entry of its own, never by an accrual. */
  readonly opening_contract_id: string | null;
  readonly period: string | null;
  readonly product_id: string;
  readonly account_number: number;
  readonly currency: string;
}

/** A line under one revenue account and in one currency. A draft whose change alters either has two line balances. */
export interface LineBalance extends LineBalanceKey {
  /** The current facts by month; empty for a line that no longer belongs to the customer. */
  readonly now: readonly FunctionalMonth[];
  /** The sums of all booked accruals, by month. */
  readonly booked: readonly BookedMonth[];
}

/** A month of a line as it was booked: all amounts are known. */
export interface BookedMonth extends FunctionalMonth {
  readonly earned_functional: Money;
  readonly exchange_difference: Money;
}

/** The difference between the current and the booked amounts. Amounts are null where a closing rate is missing. */
export interface AccrualRow extends FunctionalMonth {
  /** Whether the month is closed. */
  readonly carried: boolean;
}

export interface AccrualLine {
  readonly line_balance: LineBalance;
  readonly rows: readonly AccrualRow[];
  readonly earned_to_date: Money;
  readonly invoiced_to_date: Money;
  /** In functional currency: above 0, the line's part of a contract asset, below 0, of a liability. */
  readonly balance_before: Money | null;
  readonly balance_after: Money | null;
}

export interface AccrualContract extends Contract {
  readonly before: Position;
  readonly after: Position;
}

/** A posting of the voucher in functional currency: debit above 0. */
interface AccrualEntry {
  readonly account_role: AccrualRole;
  /** The account number of revenue; the accounts of other roles are in the configuration. */
  readonly account_number: number | null;
  readonly amount: Money;
}

export interface Accrual {
  readonly month: Month;
  /** The earliest closed month whose amounts are carried. */
  readonly original_month: Month | null;
  /** Lines with rows or a position. */
  readonly lines: readonly AccrualLine[];
  /** Null when a closing rate is missing: the accrual cannot be booked. */
  readonly figures: AccrualFigures | null;
}

export interface AccrualFigures {
  readonly earned: Money;
  readonly invoiced: Money;
  readonly exchange_difference: Money;
  readonly before: Position;
  readonly after: Position;
  readonly contracts: readonly AccrualContract[];
  readonly entries: readonly AccrualEntry[];
}

export function laterMonth(a: Month | null, b: Month | null): Month | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** Returns the first month in which the customer has a row, current or booked; null without one. */
export function firstMonth(line_balances: readonly LineBalance[]): Month | null {
  let first: Month | null = null;
  for (const { now, booked } of line_balances) {
    for (const month of [now[0]?.month, booked[0]?.month]) {
      if (month !== undefined && (first === null || month < first)) first = month;
    }
  }
  return first;
}

/** Returns the month after the last closed one, else the first month with a row (spec 3.3); null without either. */
export function firstOpenMonth(
  line_balances: readonly LineBalance[],
  closed_through: Month | null,
): Month | null {
  return closed_through === null ? firstMonth(line_balances) : addToMonth(closed_through, 1);
}

/** Returns the first open month before the given one with an unbooked difference; null when there is none. */
export function earlierOpenMonth(
  line_balances: readonly LineBalance[],
  closed_through: Month | null,
  month: Month,
): Month | null {
  const first_open = firstOpenMonth(line_balances, closed_through);
  if (first_open === null || first_open >= month) return null;
  let earliest: Month | null = null;
  for (const line_balance of line_balances) {
    for (const { accrual_month } of openRows(line_balance, first_open, addToMonth(month, -1))) {
      if (earliest === null || accrual_month < earliest) earliest = accrual_month;
    }
  }
  return earliest;
}

/** A difference of a line balance, with the open month in whose accrual it would be booked. */
interface OpenRow extends AccrualRow {
  readonly accrual_month: Month;
}

/** Returns the rows that the accruals of all open months through the last one would book for a line balance, in one pass. */
export function openRows(
  line_balance: LineBalance,
  first_open: Month | null,
  through: Month,
): OpenRow[] {
  if (first_open === null || first_open > through) return [];
  return differences(line_balance, through).map((row) => {
    const carried = row.month < first_open;
    return { ...row, carried, accrual_month: carried ? first_open : row.month };
  });
}

/** Yields the lines of the accrual of an open month. Only the first open month carries the differences of earlier months. */
export function* accrualLines(
  line_balances: readonly LineBalance[],
  closed_through: Month | null,
  month: Month,
): Generator<AccrualLine> {
  const is_first_open = firstOpenMonth(line_balances, closed_through) === month;
  for (const whole of line_balances) {
    const now = monthsThrough(whole.now, month);
    const line_balance = now === whole.now ? whole : { ...whole, now };
    const rows: AccrualRow[] = [];
    for (const row of differences(line_balance, month)) {
      if (row.month === month || is_first_open) rows.push(carriedOf(row, row.month < month));
    }
    const balance_before = is_first_open
      ? balanceOf(monthsThrough(line_balance.booked, month))
      : balanceOf([
          ...line_balance.now.filter((one) => one.month < month),
          ...broughtIn(line_balance, month),
        ]);
    const balance_after = balanceOf(line_balance.now);
    if (rows.length === 0 && balance_before === 0n && balance_after === 0n) continue;
    const { earned: earned_to_date, invoiced: invoiced_to_date } = sumOf(line_balance.now);
    yield { line_balance, rows, earned_to_date, invoiced_to_date, balance_before, balance_after };
  }
}

/** What an opening contract brings along or gives back in the month: its own entry has booked it before the accrual. */
function broughtIn({ opening_contract_id, now }: LineBalance, month: Month): FunctionalMonth[] {
  if (opening_contract_id === null) return [];
  return now
    .filter((one) => one.month === month && one.invoiced_functional !== 0n)
    .map((one) => ({ ...one, earned: 0n, earned_functional: 0n, exchange_difference: 0n }));
}

/** Copies a row field by field, for speed as in `functional.ts`. */
function carriedOf(row: FunctionalMonth, carried: boolean): AccrualRow {
  const { month, earned, invoiced } = row;
  const { earned_functional, invoiced_functional, exchange_difference } = row;
  return {
    month,
    earned,
    invoiced,
    earned_functional,
    invoiced_functional,
    exchange_difference,
    carried,
  };
}

/** Returns the accrual that consists of these lines. */
export function accrualFrom(month: Month, lines: readonly AccrualLine[]): Accrual {
  let original_month: Month | null = null;
  for (const { rows } of lines) {
    for (const row of rows) {
      const is_earlier = original_month === null || row.month < original_month;
      if (row.carried && is_earlier) original_month = row.month;
    }
  }
  return { month, original_month, lines, figures: figuresOf(lines) };
}

/** The months through the last one, from an ordered list. */
function monthsThrough<One extends { readonly month: Month }>(
  months: readonly One[],
  last: Month,
): readonly One[] {
  const latest = months.at(-1);
  return latest === undefined || latest.month <= last
    ? months
    : months.filter((one) => one.month <= last);
}

/** Whether every amount of a month is known and 0. */
export function isNothing(row: FunctionalMonth): boolean {
  return (
    row.earned === 0n &&
    row.invoiced === 0n &&
    row.earned_functional === 0n &&
    row.invoiced_functional === 0n &&
    row.exchange_difference === 0n
  );
}

/** Returns earned less invoiced, with exchange differences, in functional currency; null when an amount is unknown. */
export function balanceOf(months: readonly FunctionalMonth[]): Money | null {
  let balance = 0n;
  for (const { earned_functional, invoiced_functional, exchange_difference } of months) {
    if (earned_functional === null || exchange_difference === null) return null;
    balance += earned_functional;
    // Both are 0 in nearly all months.
    if (invoiced_functional !== 0n) balance -= invoiced_functional;
    if (exchange_difference !== 0n) balance += exchange_difference;
  }
  return balance;
}

/** Returns current less booked amounts by month, through the last one; months without a difference are left out. */
function differences({ now, booked }: LineBalance, through: Month): FunctionalMonth[] {
  const rows: FunctionalMonth[] = [];
  for (let [n, b] = [0, 0]; n < now.length || b < booked.length; ) {
    const [one, other] = [now[n], booked[b]];
    const takes_now = one !== undefined && (other === undefined || one.month <= other.month);
    const takes_booked = other !== undefined && (one === undefined || other.month <= one.month);
    if (takes_now) n += 1;
    if (takes_booked) b += 1;
    // Nearly all months are booked with their current amounts.
    if (takes_now && takes_booked && isSame(one, other)) continue;
    const row = difference(takes_now ? one : undefined, takes_booked ? other : undefined);
    if (row !== undefined && row.month <= through) rows.push(row);
  }
  return rows;
}

function isSame(now: FunctionalMonth, booked: BookedMonth): boolean {
  return (
    now.earned === booked.earned &&
    now.invoiced === booked.invoiced &&
    now.earned_functional === booked.earned_functional &&
    now.invoiced_functional === booked.invoiced_functional &&
    now.exchange_difference === booked.exchange_difference
  );
}

function difference(
  now: FunctionalMonth | undefined,
  booked: BookedMonth | undefined,
): FunctionalMonth | undefined {
  const month = now?.month ?? booked?.month;
  if (month === undefined) return undefined;
  const earned = (now?.earned ?? 0n) - (booked?.earned ?? 0n);
  const invoiced = (now?.invoiced ?? 0n) - (booked?.invoiced ?? 0n);
  const invoiced_functional =
    (now?.invoiced_functional ?? 0n) - (booked?.invoiced_functional ?? 0n);
  const earned_functional = lessOrNull(now?.earned_functional, booked?.earned_functional);
  const exchange_difference = lessOrNull(now?.exchange_difference, booked?.exchange_difference);
  const row = {
    month,
    earned,
    invoiced,
    earned_functional,
    invoiced_functional,
    exchange_difference,
  };
  return isNothing(row) ? undefined : row;
}

/** Subtracts a booked amount: an absent amount is 0, null is unknown. */
function lessOrNull(now: Money | null | undefined, booked: Money | undefined): Money | null {
  return now === null ? null : (now ?? 0n) - (booked ?? 0n);
}

function sumOf(months: readonly FunctionalMonth[]): { earned: Money; invoiced: Money } {
  let [earned, invoiced] = [0n, 0n];
  for (const one of months) {
    earned += one.earned;
    if (one.invoiced !== 0n) invoiced += one.invoiced;
  }
  return { earned, invoiced };
}

function figuresOf(lines: readonly AccrualLine[]): AccrualFigures | null {
  let [earned, invoiced, exchange_difference] = [0n, 0n, 0n];
  const before: (readonly [Contract, Money])[] = [];
  const after: (readonly [Contract, Money])[] = [];
  const revenue = new Map<number, Money>();
  for (const { line_balance, rows, balance_before, balance_after } of lines) {
    if (balance_before === null || balance_after === null) return null;
    const contract = contractOf(line_balance);
    before.push([contract, balance_before]);
    after.push([contract, balance_after]);
    for (const row of rows) {
      if (row.earned_functional === null || row.exchange_difference === null) return null;
      earned += row.earned_functional;
      invoiced += row.invoiced_functional;
      exchange_difference += row.exchange_difference;
      const moved = row.earned_functional - row.invoiced_functional;
      revenue.set(
        line_balance.account_number,
        (revenue.get(line_balance.account_number) ?? 0n) + moved,
      );
    }
  }
  const contracts = contractsOf(positionsOf(before), positionsOf(after));
  const totals = { before: total(contracts, "before"), after: total(contracts, "after") };
  return {
    earned,
    invoiced,
    exchange_difference,
    ...totals,
    contracts,
    entries: entriesOf(totals.before, totals.after, revenue, exchange_difference),
  };
}

function contractsOf(
  before: ReadonlyMap<string, Contract & { readonly balance: Money }>,
  after: ReadonlyMap<string, Contract & { readonly balance: Money }>,
): AccrualContract[] {
  return [...after].map(([key, { invoice_id, series_id, opening_contract_id, balance }]) => ({
    invoice_id,
    series_id,
    opening_contract_id,
    before: positionOf(before.get(key)?.balance ?? 0n),
    after: positionOf(balance),
  }));
}

function total(contracts: readonly AccrualContract[], when: "before" | "after"): Position {
  return contracts.reduce(
    (sum, contract) => ({
      asset: sum.asset + contract[when].asset,
      liability: sum.liability + contract[when].liability,
    }),
    { asset: 0n, liability: 0n },
  );
}

/** Returns the entries of the voucher of spec 3.5, without entries of zero. Their sum is 0. */
function entriesOf(
  before: Position,
  after: Position,
  revenue: ReadonlyMap<number, Money>,
  exchange_difference: Money,
): AccrualEntry[] {
  const role = (account_role: AccountRole, amount: Money): AccrualEntry => ({
    account_role,
    account_number: null,
    amount,
  });
  const entries: AccrualEntry[] = [
    role("contract_asset", after.asset - before.asset),
    role("contract_liability", before.liability - after.liability),
    ...[...revenue]
      .sort(([a], [b]) => a - b)
      .map(
        ([account_number, moved]): AccrualEntry => ({
          account_role: "revenue",
          account_number,
          amount: -moved,
        }),
      ),
    role("exchange_difference", -exchange_difference),
  ];
  return entries.filter((entry) => entry.amount !== 0n);
}
