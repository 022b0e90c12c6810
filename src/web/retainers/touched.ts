/** Which periods a change of a line touches, by its scope, and what that does to their amounts. */
import type { Money } from "../../domain/base/money.ts";
import type { Scope } from "../../domain/series/series.ts";
import type { OccurrenceState } from "../../features/recurring/series/schemas.ts";

/** A period before and after a change. Amounts are in minor units. */
export interface ComparedPeriod {
  readonly index: number;
  readonly key: string;
  readonly state: OccurrenceState;
  readonly before: Money;
  readonly after: Money;
}

interface ChangeRange {
  readonly scope: Scope;
  /** The index of the period that the change names. */
  readonly start: number;
  /** The index of the first open period. */
  readonly first_open: number;
  /** The periods in which the line has a content of its own. */
  readonly overridden: ReadonlySet<number>;
}

/** Whether the change touches a period: an open one in the range of its scope (spec 4.8). */
export function isTouched(
  { scope, start, first_open, overridden }: ChangeRange,
  { index, state }: Pick<ComparedPeriod, "index" | "state">,
): boolean {
  if (state !== "scheduled" && state !== "failed") return false;
  if (scope === "this_only") return index === start;
  if (scope === "all") return index >= first_open;
  return index >= start && !overridden.has(index);
}

/** Returns the amount that most periods have; of amounts that are equally frequent the last one. Undefined for no period. */
export function usualOf<Amount>(amounts: readonly Amount[]): Amount | undefined {
  const counts = new Map<Amount, number>();
  for (const amount of amounts) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return amounts.findLast((amount) => counts.get(amount) === most);
}

/** Returns how much more the periods invoice after a change; below 0 it is less. */
export function differenceOf(periods: readonly Pick<ComparedPeriod, "before" | "after">[]): Money {
  return periods.reduce((sum, { before, after }) => sum + after - before, 0n);
}
