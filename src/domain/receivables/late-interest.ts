/** Interest on overdue amounts (spec 13.7, renteloven § 5): by day, on what was open at its end. */
import { addDays, type CalendarDate, daysBetween } from "../base/calendar.ts";
import { type Money, round, scaledFromChecked } from "../base/money.ts";
import { daysOfChange, type OpenItem, openOn } from "./open-item.ts";
import type { ReminderSettings } from "./reminder-settings.ts";

/** Hundredths of a percent a year. */
type YearlyRate = bigint;

/** Interest in minor units of the item's currency, and the last day for which it is charged. */
interface Interest {
  readonly amount: Money;
  /** Null where nothing is charged: those days wait for a later reminder. */
  readonly through: CalendarDate | null;
  /** Whether days are left out because the reference rate of their half-year is missing. */
  readonly is_rate_missing: boolean;
}

const DAYS_OF_YEAR = 365n;
const WHOLE_RATE = 100_00n;
const RATE_DECIMALS = 2;

/**
 * Returns the yearly rate of each day by the settings: null where the reference rate of its half-year is missing, and never below
 * 0. The reference rates are in hundredths of a percent, by the first day of their half-year. Rates change on these days alone.
 */
export function yearlyRates(
  { interest, statutory_margin }: Pick<ReminderSettings, "interest" | "statutory_margin">,
  reference: ReadonlyMap<string, number>,
): (day: CalendarDate) => YearlyRate | null {
  if (interest === "none") return () => 0n;
  if (interest !== "statutory") {
    const own = scaledFromChecked(interest.rate, RATE_DECIMALS);
    return () => own;
  }
  const margin = scaledFromChecked(statutory_margin, RATE_DECIMALS);
  return (day) => {
    const known = reference.get(halfYearOf(day));
    if (known === undefined) return null;
    const rate = BigInt(known) + margin;
    return rate > 0n ? rate : 0n;
  };
}

/**
 * Returns the interest on an item from the day after the last one that was charged (or after the due date) through a day:
 * `round(Σ open × rate ÷ 365)`. It ends before the first day whose rate is missing; those days wait for a later reminder.
 */
export function interestOf(
  item: OpenItem,
  charged_through: CalendarDate,
  through: CalendarDate,
  rateOn: (day: CalendarDate) => YearlyRate | null,
): Interest {
  let sum = 0n;
  let last: CalendarDate | null = null;
  const starts = daysThatBegin(item, addDays(charged_through, 1), through);
  for (const [at, start] of starts.entries()) {
    const rate = rateOn(start);
    if (rate === null) return interest(sum, last, true);
    const next = starts[at + 1];
    last = next === undefined ? through : addDays(next, -1);
    sum += openOn(item, start).open * rate * BigInt(daysBetween(start, last));
  }
  return interest(sum, last, false);
}

/** Returns the days on which what is open, or the rate, may begin to differ: the first day, changes of the item, half-years. */
function daysThatBegin(item: OpenItem, first: CalendarDate, last: CalendarDate): CalendarDate[] {
  if (first > last) return [];
  const changes = daysOfChange(item).filter((day) => day > first && day <= last);
  const half_years: CalendarDate[] = [];
  for (let day = nextHalfYear(first); day <= last; day = nextHalfYear(day)) half_years.push(day);
  return [...new Set([first, ...changes, ...half_years])].sort();
}

function halfYearOf(day: CalendarDate): CalendarDate {
  return `${day.slice(0, 4)}-${day.slice(5) < "07" ? "01" : "07"}-01` as CalendarDate;
}

function nextHalfYear(day: CalendarDate): CalendarDate {
  const year = Number.parseInt(day.slice(0, 4), 10);
  return (day.slice(5) < "07" ? `${day.slice(0, 4)}-07-01` : `${year + 1}-01-01`) as CalendarDate;
}

function interest(sum: bigint, last: CalendarDate | null, is_rate_missing: boolean): Interest {
  const amount = round(sum, DAYS_OF_YEAR * WHOLE_RATE);
  return { amount, through: amount > 0n ? last : null, is_rate_missing };
}
