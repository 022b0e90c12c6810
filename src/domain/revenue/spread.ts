/** Computes the months of a service and their weights (spec 2.4). Results are cached: many lines share a service. */
import {
  type CalendarDate,
  daysInMonth,
  type Month,
  monthOf,
  monthsFrom,
} from "../base/calendar.ts";

/** How a straight line weighs its months: 1 for each whole month, or 1 for each day (spec 2.4). */
export const conventions = ["monthly", "daily"] as const;
export type Convention = (typeof conventions)[number];

/** The least common multiple of 28, 29, 30 and 31, so that the weight of a day is an integer in every month. */
export const MONTH_WEIGHT = 377_580;

/** The months in order, and their weights as running totals, in units of which a day is a whole number. */
interface Spread {
  readonly months: readonly Month[];
  readonly weights: ReadonlyMap<Month, bigint>;
  readonly whole: bigint;
}

/** The most months in the cache. */
const MOST_KEPT = 20_000;
const kept = new Map<string, Spread>();
let months_kept = 0;

/** Returns the spread of a service from the first through the last day; a service that ends before it begins has weight 0. */
export function spreadOf(from: CalendarDate, to: CalendarDate, convention: Convention): Spread {
  const key = `${from} ${to} ${convention}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const spread = weighed(from, to, convention);
  months_kept += spread.months.length;
  if (months_kept > MOST_KEPT) {
    kept.clear();
    months_kept = spread.months.length;
  }
  kept.set(key, spread);
  return spread;
}

function weighed(from: CalendarDate, to: CalendarDate, convention: Convention): Spread {
  const weights = new Map<Month, bigint>();
  const [first, last] = [monthOf(from), monthOf(to)];
  const months = monthsFrom(first, last);
  let weight = 0;
  for (const month of from <= to ? months : []) {
    const days = daysInMonth(month);
    const start = month === first ? Number(from.slice(8)) : 1;
    const end = month === last ? Number(to.slice(8)) : days;
    const covered = end - start + 1;
    weight += convention === "daily" ? covered : covered * (MONTH_WEIGHT / days);
    weights.set(month, BigInt(weight));
  }
  return { months, weights, whole: BigInt(weight) };
}
