/** How a payment is shared among the items that it pays (spec 13.3). */
import type { Money } from "../base/money.ts";

/** What is asked for an item, in minor units of its currency. */
export interface AskedShare {
  /** Null for as much as is open and the payment still has. */
  readonly amount: Money | null;
  readonly rounding: Money;
  /** What is open of the item. */
  readonly open: Money;
}

/** The shares in the order in which they were asked for: 0 for an item that gets nothing. */
interface Shares {
  readonly amounts: readonly Money[];
  /** What no item takes up; below 0 where the named amounts are above the payment's. */
  readonly remainder: Money;
}

/**
 * Returns the share of each item. Named amounts are taken as they are; the others get, in the order given, as much as is open and the
 * payment still has.
 */
export function sharesOf(amount: Money, asked: readonly AskedShare[]): Shares {
  const named = asked.reduce((sum, one) => sum + (one.amount ?? 0n), 0n);
  let left = amount - named;
  const amounts = asked.map((one) => {
    if (one.amount !== null) return one.amount;
    const share = least(one.open - one.rounding, left);
    if (share <= 0n) return 0n;
    left -= share;
    return share;
  });
  return { amounts, remainder: left };
}

function least(a: Money, b: Money): Money {
  return a < b ? a : b;
}
