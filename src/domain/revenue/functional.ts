/**
 * Converts a line's earned revenue to the currency of the books (spec 2.7): at closing rates before the month of
 * issue, then at the rate of issue. The difference to earlier conversions is that month's exchange difference.
 */
import { type CalendarDate, type Month, monthOf } from "../base/calendar.ts";
import type { Money } from "../base/money.ts";
import { type Conversion, functional } from "../sales/totals.ts";
import type { EarnedMonth } from "./recognition.ts";

/** A month of a line in its own and in functional currency; null where a closing rate is missing. */
export interface FunctionalMonth extends EarnedMonth {
  readonly earned_functional: Money | null;
  readonly invoiced_functional: Money;
  /** A gain is above 0. */
  readonly exchange_difference: Money | null;
}

/** The data of the books about a line in a foreign currency. */
export interface ForeignLine {
  readonly from_digits: number;
  readonly to_digits: number;
  /** Functional units for one unit of the line's currency on the last day of a month, in millionths. */
  readonly closingRate: (month: Month) => bigint | null;
  /** Null until the line is issued. */
  readonly issue: {
    readonly date: CalendarDate;
    readonly rate_micro: bigint;
    /** The booked amount of the line, and the booked credits by their effective date. */
    readonly amount_functional: Money;
    readonly credits: readonly { readonly effective: CalendarDate; readonly functional: Money }[];
  } | null;
}

/** Returns the months of a line with their functional amounts; for a line in functional currency, both amounts are the same. */
export function functionalMonths(
  months: readonly EarnedMonth[],
  foreign: ForeignLine | null,
): FunctionalMonth[] {
  if (foreign === null) {
    // Copies each field by name: a close creates millions of these objects, and a spread takes ten times as long.
    return months.map(({ month, earned, invoiced }) => ({
      month,
      earned,
      invoiced,
      earned_functional: earned,
      invoiced_functional: invoiced,
      exchange_difference: 0n,
    }));
  }
  const running = new RunningTotals(foreign);
  return months.map((one) => running.next(one));
}

/** Processes the months of one line in order. */
class RunningTotals {
  readonly #foreign: ForeignLine;
  #earned: Money = 0n;
  #invoiced: Money = 0n;
  /** Revenue earned at closing rates before the issue; null after a missing rate. */
  #before_issue: Money | null = 0n;
  /** Revenue earned and invoiced through the previous month, at the rate of the issue. */
  #earned_functional: Money = 0n;
  #invoiced_functional: Money = 0n;

  constructor(foreign: ForeignLine) {
    this.#foreign = foreign;
  }

  next(one: EarnedMonth): FunctionalMonth {
    const { issue } = this.#foreign;
    const before = this.#earned;
    this.#earned += one.earned;
    this.#invoiced += one.invoiced;
    if (issue === null || one.month < monthOf(issue.date)) return this.#atClosingRate(one);
    const is_month_of_issue = one.month === monthOf(issue.date);
    if (is_month_of_issue) {
      this.#earned_functional = functional(before, this.#at(issue.rate_micro));
    }
    const earned_before = this.#earned_functional;
    const invoiced_before = this.#invoiced_functional;
    this.#invoiced_functional = this.#invoicedThrough(one.month);
    // Rounded credits may make the booked sum differ from the converted one: a fully earned and invoiced line must balance to the
    // last unit.
    this.#earned_functional =
      this.#earned === this.#invoiced
        ? this.#invoiced_functional
        : functional(this.#earned, this.#at(issue.rate_micro));
    const exchange_difference = !is_month_of_issue
      ? 0n
      : this.#before_issue === null
        ? null
        : earned_before - this.#before_issue;
    return {
      ...one,
      earned_functional: this.#earned_functional - earned_before,
      invoiced_functional: this.#invoiced_functional - invoiced_before,
      exchange_difference,
    };
  }

  #atClosingRate(one: EarnedMonth): FunctionalMonth {
    const rate = this.#foreign.closingRate(one.month);
    const earned_functional = rate === null ? null : functional(one.earned, this.#at(rate));
    this.#before_issue =
      this.#before_issue === null || earned_functional === null
        ? null
        : this.#before_issue + earned_functional;
    return { ...one, earned_functional, invoiced_functional: 0n, exchange_difference: 0n };
  }

  #invoicedThrough(month: Month): Money {
    const { issue } = this.#foreign;
    if (issue === null) return 0n;
    return issue.credits.reduce(
      (sum, credit) => (monthOf(credit.effective) <= month ? sum - credit.functional : sum),
      issue.amount_functional,
    );
  }

  #at(rate_micro: bigint): Conversion {
    const { from_digits, to_digits } = this.#foreign;
    return { rate_micro, from_digits, to_digits };
  }
}
