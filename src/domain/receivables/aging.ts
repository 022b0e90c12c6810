/** What is owed by age (spec 13.8), by the due date of each debit item. */
import { type CalendarDate, daysBetween } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";

/** Amounts in minor units of one currency. */
export interface Aging {
  readonly not_due: Money;
  readonly days_1_30: Money;
  readonly days_31_60: Money;
  readonly days_61_90: Money;
  readonly over_90: Money;
  readonly total: Money;
}

/** What is open of an item on the day, and when it was due. */
interface AgedItem {
  readonly due_date: CalendarDate;
  readonly open: Money;
}

type Age = Exclude<keyof Aging, "total">;

/** Returns what is open on a day by age: an item is not due through its due date. */
export function agingOn(day: CalendarDate, items: readonly AgedItem[]): Aging {
  const sums: Record<Age, Money> = {
    not_due: 0n,
    days_1_30: 0n,
    days_31_60: 0n,
    days_61_90: 0n,
    over_90: 0n,
  };
  for (const { due_date, open } of items) sums[ageOf(due_date, day)] += open;
  const total = Object.values(sums).reduce((sum, amount) => sum + amount, 0n);
  return { ...sums, total };
}

function ageOf(due_date: CalendarDate, day: CalendarDate): Age {
  if (due_date >= day) return "not_due";
  const days = daysBetween(due_date, day) - 1;
  if (days <= 30) return "days_1_30";
  if (days <= 60) return "days_31_60";
  return days <= 90 ? "days_61_90" : "over_90";
}
