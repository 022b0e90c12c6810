/**
 * When amounts that are not earned yet are expected to be earned: the release of a contract liability, and remaining performance
 * obligations (IFRS 15.120). Amounts are in minor units of one currency.
 */
import type { Month } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";

/** What a line is expected to earn in a month. */
export interface ExpectedMonth {
  readonly month: Month;
  readonly earned: Money;
}

interface ExpectedRelease {
  /** In ascending order; only months with an amount. */
  readonly months: readonly { readonly month: Month; readonly amount: Money }[];
  /** The part without a date: a milestone, hours or progress that no one can date. */
  readonly undated: Money;
}

/**
 * Returns the months in which a contract's liability is expected to be earned: the earliest expected revenue of its invoiced
 * lines releases it first, and never more than there is.
 */
export function releaseOf(liability: Money, expected: readonly ExpectedMonth[]): ExpectedRelease {
  const by_month = new Map<Month, Money>();
  for (const { month, earned } of expected) {
    by_month.set(month, (by_month.get(month) ?? 0n) + earned);
  }
  let rest = liability;
  const months: { month: Month; amount: Money }[] = [];
  for (const [month, earned] of [...by_month].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const amount = earned < 0n ? 0n : earned < rest ? earned : rest;
    if (amount === 0n) continue;
    months.push({ month, amount });
    rest -= amount;
  }
  return { months, undated: rest };
}

/** Returns the rest of a line's price by the year in which it is expected to be earned; what has no date is apart. */
export function remainingOf(
  rest: Money,
  expected: readonly ExpectedMonth[],
): { readonly years: ReadonlyMap<string, Money>; readonly undated: Money } {
  const years = new Map<string, Money>();
  let undated = rest;
  for (const { month, earned } of expected) {
    const year = month.slice(0, 4);
    years.set(year, (years.get(year) ?? 0n) + earned);
    undated -= earned;
  }
  return { years, undated };
}
