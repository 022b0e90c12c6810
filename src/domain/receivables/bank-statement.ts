/**
 * A bank statement as a file has it: whether its balances agree, by what each line is known again, and what is missing between
 * statements (spec 13.5).
 */

import type { CalendarDate } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";

/** One movement; the amount is above 0 for money in. */
export interface StatementLine {
  readonly date: CalendarDate;
  readonly value_date: CalendarDate | null;
  readonly amount: Money;
  readonly instructed_amount: Money | null;
  readonly instructed_currency: string | null;
  readonly text: string;
  readonly reference: string | null;
  readonly end_to_end_id: string | null;
  readonly counterparty_name: string | null;
  readonly counterparty_account: string | null;
  /** Whether the bank calls it the reversal of an earlier line. */
  readonly is_reversal: boolean;
  /** The bank's own reference of the line. */
  readonly bank_reference: string | null;
}

interface Balances {
  readonly opening_balance: Money | null;
  readonly closing_balance: Money | null;
}

/** A statement without its lines: its days, both included, and its balances. */
export interface StatementDays extends Balances {
  readonly first_day: CalendarDate;
  readonly last_day: CalendarDate;
}

/** Whether opening balance and lines do not add up to the closing balance. Without one of the balances they may. */
export function hasWrongBalance(
  { opening_balance, closing_balance }: Balances,
  amounts: readonly Money[],
): boolean {
  if (opening_balance === null || closing_balance === null) return false;
  return amounts.reduce((sum, amount) => sum + amount, opening_balance) !== closing_balance;
}

/**
 * Returns the text by which each line of a file is known again within its bank account, in order: its day and amount, the bank's
 * reference or else text and counterparty, and its place among equal lines of that day in the file.
 */
export function identitiesOf(lines: readonly StatementLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const { bank_reference, text, counterparty_name, counterparty_account } = line;
    const said = bank_reference ?? [text, counterparty_name, counterparty_account];
    const content = JSON.stringify([line.date, `${line.amount}`, said]);
    const place = (seen.get(content) ?? 0) + 1;
    seen.set(content, place);
    return `${place} ${content}`;
  });
}

/**
 * Whether lines are missing before or after a statement: the balance of the neighbour is not its own. `others` are the statements
 * of the same bank account. Statements that overlap do not tell.
 */
export function hasGap(own: StatementDays, others: readonly StatementDays[]): boolean {
  const [before] = others
    .filter(({ first_day }) => first_day < own.first_day)
    .toSorted((a, b) => compare(b.last_day, a.last_day));
  const [after] = others
    .filter(({ last_day }) => last_day > own.last_day)
    .toSorted((a, b) => compare(a.first_day, b.first_day));
  return (
    (before !== undefined && before.last_day < own.first_day && differ(before, own)) ||
    (after !== undefined && after.first_day > own.last_day && differ(own, after))
  );
}

function differ({ closing_balance }: Balances, { opening_balance }: Balances): boolean {
  return (
    closing_balance !== null && opening_balance !== null && closing_balance !== opening_balance
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The largest amount that a file may have, in minor units. */
const LARGEST: Money = 10n ** 15n;

/** Reads a decimal text without sign, such as `1250.5`, as minor units; undefined where it has more decimals or is too large. */
export function minorFrom(text: string, digits: number): Money | undefined {
  const [, whole, fraction = ""] = /^(\d{1,18})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const decimals = fraction.replace(/0+$/, "");
  if (decimals.length > digits) return undefined;
  const minor = BigInt(whole + decimals.padEnd(digits, "0"));
  return minor <= LARGEST ? minor : undefined;
}
