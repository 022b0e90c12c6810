/** The share of a budget of hours that is used. */
import type { Fraction } from "../sales/line.ts";

/** The pace of a budget: `calm` up to 65 %, `warn` up to 90 %, `hot` above. */
export type BudgetPace = "calm" | "warn" | "hot";

const WARN_ABOVE = 65n;
const HOT_ABOVE = 90n;

/** Returns the pace by billable hours in 1/100, compared exactly with a budget in 1/100. */
export function paceOf(used: bigint, budget: Fraction): BudgetPace {
  const is_above = (percent: bigint): boolean => used * budget.whole * 100n > budget.part * percent;
  return is_above(HOT_ABOVE) ? "hot" : is_above(WARN_ABOVE) ? "warn" : "calm";
}

/** Returns how much of a bar of 100 is filled; an exceeded budget fills the bar completely. */
export function filledOf(used: bigint, budget: Fraction): number {
  if (budget.part === 0n) return used > 0n ? 100 : 0;
  const percent = (used * budget.whole * 100n) / budget.part;
  return Number(percent > 100n ? 100n : percent);
}
