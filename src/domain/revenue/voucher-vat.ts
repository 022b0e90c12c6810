/**
 * Splits a voucher's revenue by VAT code: a ledger may keep the sales of one of our accounts on several by VAT
 * treatment, and an accrual posts to those to which the documents were posted. The voucher has no VAT (spec 9.2).
 */
import type { Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import type { VatCode } from "../sales/vat-code.ts";
import type { AccrualRole } from "./accrual.ts";
import type { FunctionalMonth } from "./functional.ts";

/** An entry of a voucher, in minor units of the functional currency: debit above 0, credit below. */
export interface EntryUnder {
  readonly account_role: AccrualRole;
  /** Null while the role has no account. */
  readonly account_number: number | null;
  /** The VAT code of revenue in a connected ledger, which separates sales by VAT code. */
  readonly vat_code?: VatCode;
  readonly amount: Money;
}

/** The sum of an account's sales under a VAT code, in minor units of the functional currency. */
export interface RevenueUnder {
  readonly account_number: number;
  readonly vat_code: VatCode;
  readonly amount: Money;
}

/** A line with earned or invoiced amounts, and the VAT code of its sale. */
interface SoldUnder {
  readonly account_number: number;
  readonly vat_code: VatCode;
  readonly now: readonly FunctionalMonth[];
}

/** Returns earned less invoiced through the month of the accrual, by account and code; null when a closing rate is missing. */
export function revenueUnder(lines: Iterable<SoldUnder>, through: Month): RevenueUnder[] | null {
  const sums: RevenueUnder[] = [];
  for (const { account_number, vat_code, now } of lines) {
    let amount = 0n;
    for (const { month, earned_functional, invoiced_functional } of now) {
      if (month > through) break;
      if (earned_functional === null) return null;
      amount += earned_functional - invoiced_functional;
    }
    sums.push({ account_number, vat_code, amount });
  }
  return sums;
}

/**
 * Splits the entries of revenue by VAT code: the current balance of the lines under each code, less the amounts that the
 * effective vouchers have moved under it. So a line whose treatment has changed moves its booked amounts from one account to the
 * other. An account is not split when the difference of these two sums does not equal its entry: the entry then has another
 * cause.
 */
export function splitByVat(
  entries: readonly EntryUnder[],
  now: readonly RevenueUnder[],
  booked: readonly RevenueUnder[],
): EntryUnder[] {
  const whole = new Map<number, Money>();
  for (const { account_role, account_number, amount } of entries) {
    if (account_role === "revenue" && account_number !== null) whole.set(account_number, amount);
  }
  const parts = movedBetween(now, booked);
  const fits = (account_number: number): boolean => {
    const own = parts.filter((part) => part.account_number === account_number);
    const sum = own.reduce((total, { amount }) => total + amount, 0n);
    return sum === (whole.get(account_number) ?? 0n);
  };
  const split = parts.filter(({ account_number }) => fits(account_number));
  const replaced = new Set(split.map(({ account_number }) => account_number));
  const kept = entries.filter(
    ({ account_role, account_number }) =>
      account_role !== "revenue" || account_number === null || !replaced.has(account_number),
  );
  return [...kept, ...split];
}

/** Returns the difference by account and code, in the order of the accounts. */
function movedBetween(
  now: readonly RevenueUnder[],
  booked: readonly RevenueUnder[],
): (EntryUnder & { readonly account_number: number })[] {
  const moved = new Map<string, RevenueUnder>();
  const add = ({ account_number, vat_code, amount }: RevenueUnder): void => {
    const key = `${account_number} ${vat_code}`;
    const known = moved.get(key)?.amount ?? 0n;
    moved.set(key, { account_number, vat_code, amount: known + amount });
  };
  for (const one of now) add(one);
  for (const one of booked) add({ ...one, amount: -one.amount });
  return [...moved.values()]
    .filter(({ amount }) => amount !== 0n)
    .sort((a, b) => a.account_number - b.account_number || (a.vat_code < b.vat_code ? -1 : 1))
    .map(({ account_number, vat_code, amount }) => ({
      account_role: "revenue",
      account_number,
      vat_code,
      amount: -amount,
    }));
}
