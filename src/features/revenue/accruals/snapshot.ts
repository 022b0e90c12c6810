/** An accrual with all details. A draft is computed on each read. A booking freezes its details (spec 3.12). */

import { type Month, monthOf } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import {
  type Accrual,
  type AccrualFigures,
  type AccrualRow,
  accrualFrom,
  accrualLines,
  type AccrualLine as DomainLine,
  firstOpenMonth,
  type LineBalanceKey,
} from "../../../domain/revenue/accrual.ts";
import type { RoleAccounts } from "../../../domain/revenue/accrual-booking.ts";
import { earnedByUser, type LineFacts } from "../../../domain/revenue/recognition.ts";
import type { Convention } from "../../../domain/revenue/spread.ts";
import type { EntryUnder } from "../../../domain/revenue/voucher-vat.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import type { CustomerPosition, LineBalanceAtMonth } from "../revenue-facts/positions.ts";

/** Increased when the same facts would give other amounts; old bookings stay as they are. */
const ENGINE_VERSION = 2;

export interface AccrualSnapshot {
  readonly engine_version: number;
  readonly convention: Convention;
  readonly functional_currency: string;
  readonly customer: { readonly id: string; readonly name: string };
  readonly month: Month;
  readonly original_month: Month | null;
  readonly lines: readonly SnapshotLine[];
  /** Null when a closing rate is missing. */
  readonly figures: Omit<AccrualFigures, "entries"> | null;
  readonly entries: readonly SnapshotEntry[];
  /** The closing rates used by the rows. */
  readonly rates: readonly UsedRate[];
}

export interface SnapshotLine extends LineBalanceKey {
  readonly earned_to_date: Money;
  readonly invoiced_to_date: Money;
  readonly balance_before: Money | null;
  readonly balance_after: Money | null;
  readonly rows: readonly SnapshotRow[];
}

interface SnapshotRow extends AccrualRow {
  /** The parts of the earned amount by user, in the line's currency; the user is null for revenue without a user. */
  readonly users: readonly UserPart[];
}

export type UserPart = readonly [user_id: string | null, amount: Money];

export type SnapshotEntry = EntryUnder;

interface UsedRate {
  readonly currency: string;
  readonly month: Month;
  readonly rate_micro: bigint;
}

/** Computes the accrual of an open month of a customer from current facts. */
export async function snapshotOf(
  { signal }: Pick<Reader, "signal">,
  position: CustomerPosition,
  configuration: Configuration,
  closed_through: Month | null,
  month: Month,
): Promise<AccrualSnapshot> {
  const slices = new Slices(signal);
  const known: DomainLine[] = [];
  for (const line of accrualLines(position.line_balances, closed_through, month)) {
    if (slices.isOver) await slices.next();
    known.push(line);
  }
  const accrual = accrualFrom(month, known);
  // Only the first open month can move the revenue of closed months between users.
  const is_first_open = firstOpenMonth(position.line_balances, closed_through) === month;
  const lines: SnapshotLine[] = [];
  for (const line of known) {
    if (slices.isOver) await slices.next();
    lines.push(lineOf(line, is_first_open));
  }
  return {
    engine_version: ENGINE_VERSION,
    convention: configuration.recognition_convention,
    functional_currency: configuration.functional_currency,
    customer: { id: position.customer_id, name: position.name },
    month,
    original_month: accrual.original_month,
    lines,
    figures: accrual.figures && withoutEntries(accrual.figures),
    entries: entriesOf(accrual, configuration),
    rates: accrual.lines.flatMap(ratesOf),
  };
}

function withoutEntries({
  entries: _,
  ...figures
}: AccrualFigures): Omit<AccrualFigures, "entries"> {
  return figures;
}

function lineOf(line: DomainLine, takes_closed: boolean): SnapshotLine {
  const line_balance = line.line_balance as LineBalanceAtMonth;
  const { line_id, invoice_id, series_id, opening_contract_id, period } = line_balance;
  const { product_id, account_number, currency } = line_balance;
  const rows = line.rows.map((row) => rowOf(row, usersOf(line_balance, row.month)));
  return {
    line_id,
    invoice_id,
    series_id,
    opening_contract_id,
    period,
    product_id,
    account_number,
    currency,
    earned_to_date: line.earned_to_date,
    invoiced_to_date: line.invoiced_to_date,
    balance_before: line.balance_before,
    balance_after: line.balance_after,
    rows: takes_closed ? [...rows, ...reattributed(line_balance, rows)] : rows,
  };
}

/** Builds a row with each field named: an object spread takes several times as long. */
function rowOf(row: AccrualRow, users: readonly UserPart[]): SnapshotRow {
  const { month, earned, invoiced, carried } = row;
  const { earned_functional, invoiced_functional, exchange_difference } = row;
  return {
    month,
    earned,
    invoiced,
    earned_functional,
    invoiced_functional,
    exchange_difference,
    carried,
    users,
  };
}

/** Returns rows of amount 0 that move revenue between users in booked months with unchanged amounts (spec 2.5). */
export function reattributed(
  line_balance: LineBalanceAtMonth,
  rows: readonly { readonly month: Month }[],
): SnapshotRow[] {
  // Issuing freezes the assignees; the row of the issue month shows changes before that.
  if (rows.length === 0 && line_balance.facts?.issue_date !== null) return [];
  const known = new Set(rows.map((row) => row.month));
  const textOf = shareText(line_balance.facts);
  const moved: SnapshotRow[] = [];
  let at = 0;
  for (const { month, users: booked } of line_balance.booked) {
    if (known.has(month)) continue;
    while ((line_balance.now[at]?.month ?? month) < month) at += 1;
    const now = line_balance.now[at];
    const earned = now?.month === month ? now.earned : 0n;
    // Most months still have the booked users: the texts are equal.
    if (booked.length === 1 && booked[0] === textOf?.(month, earned)) continue;
    const users = usersOf(line_balance, month);
    if (users.length > 0) moved.push({ ...NOTHING, month, carried: true, users });
  }
  return moved;
}

/**
 * Returns a function that gives the users of an earned amount of the line, as text in the form that rows store. Returns
 * undefined when the shares differ by month or are not known. Consecutive months often earn the same amount.
 */
function shareText(facts: LineFacts | null): ((month: Month, earned: Money) => string) | undefined {
  if (facts === null || facts.line.recognition_method === "hours") return undefined;
  let [last, text] = [0n, userPartsText([])];
  return (month, earned) => {
    if (earned !== last) {
      const parts = earnedByUser(facts, month, earned);
      [last, text] = [earned, userPartsText(parts.map((part) => [part.user_id, part.amount]))];
    }
    return text;
  };
}

const NOTHING = {
  earned: 0n,
  invoiced: 0n,
  earned_functional: 0n,
  invoiced_functional: 0n,
  exchange_difference: 0n,
} as const;

/** Returns the current users of a month's earnings, less the booked users. */
export function usersOf(line_balance: LineBalanceAtMonth, month: Month): UserPart[] {
  const earned = line_balance.now.findLast((one) => one.month === month)?.earned ?? 0n;
  const now = line_balance.facts === null ? [] : earnedByUser(line_balance.facts, month, earned);
  const booked = line_balance.effective.findLast((one) => one.month === month)?.users ?? [];
  if (booked.length === 0 && now.length < 2) return now.map((part) => [part.user_id, part.amount]);
  const parts = new Map<string | null, Money>();
  const add = (user_id: string | null, amount: Money): void => {
    parts.set(user_id, (parts.get(user_id) ?? 0n) + amount);
  };
  for (const part of now) add(part.user_id, part.amount);
  for (const text of booked) {
    for (const [user_id, amount] of userPartsFrom(text)) add(user_id, -amount);
  }
  return [...parts].filter(([, amount]) => amount !== 0n);
}

/** Parses `[[user, "minor units"]]`, the form in which rows store users. */
export function userPartsFrom(text: string): UserPart[] {
  const parts = JSON.parse(text) as [string | null, string][];
  return parts.map(([user_id, amount]) => [user_id, BigInt(amount)]);
}

export function userPartsText(parts: readonly UserPart[]): string {
  const texts = parts.map(([user_id, amount]) => `[${JSON.stringify(user_id)},"${amount}"]`);
  return `[${texts.join()}]`;
}

function entriesOf({ figures }: Accrual, configuration: Configuration): SnapshotEntry[] {
  const accounts = rolesOf(configuration);
  return (figures?.entries ?? []).map(({ account_role, account_number, amount }) => ({
    account_role,
    account_number: account_role === "revenue" ? account_number : accounts[account_role],
    amount,
  }));
}

/** Returns the account of each role; null for a role without an account. */
export function rolesOf(configuration: Configuration): RoleAccounts {
  return {
    contract_asset: configuration.contract_asset_account,
    contract_liability: configuration.contract_liability_account,
    exchange_difference: configuration.exchange_difference_account,
  };
}

/** Returns the closing rates of a line: amounts earned before the month of the issue are converted at these rates. */
function ratesOf(line: DomainLine): UsedRate[] {
  const { foreign, currency } = line.line_balance as LineBalanceAtMonth;
  if (foreign === null) return [];
  const issued_in = foreign.issue === null ? null : monthOf(foreign.issue.date);
  return line.rows.flatMap(({ month }) => {
    const rate_micro = issued_in === null || month < issued_in ? foreign.closingRate(month) : null;
    return rate_micro === null ? [] : [{ currency, month, rate_micro }];
  });
}
