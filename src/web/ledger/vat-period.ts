/** The period of a VAT return in an address: a quarter such as `2026-Q1`, or a month such as `2026-03`. */
import {
  addToMonth,
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  month as monthFrom,
  monthOf,
} from "../../domain/base/calendar.ts";

export interface VatPeriod {
  /** `2026-Q1` or `2026-03`. */
  readonly key: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The year and the quarter; null for a month. */
  readonly quarter: { readonly year: string; readonly number: number } | null;
  readonly before: string;
  readonly after: string;
}

/** Returns the period that a text names; undefined for other texts. */
function vatPeriod(text: string | undefined): VatPeriod | undefined {
  const [, year, number] = /^(\d{4})-Q([1-4])$/.exec(text ?? "") ?? [];
  if (year === undefined || number === undefined) return ofMonth(monthFrom(text ?? ""));
  const quarter = { year, number: Number(number) };
  const first = monthFrom(`${year}-${String(quarter.number * 3 - 2).padStart(2, "0")}`);
  if (first === undefined) return undefined;
  return {
    key: `${year}-Q${number}`,
    from: firstDayOf(first),
    to: lastDayOf(addToMonth(first, 2)),
    quarter,
    before: quarterOf(addToMonth(first, -3)),
    after: quarterOf(addToMonth(first, 3)),
  };
}

function ofMonth(month: Month | undefined): VatPeriod | undefined {
  if (month === undefined) return undefined;
  const [before, after] = [addToMonth(month, -1), addToMonth(month, 1)];
  return {
    key: month,
    from: firstDayOf(month),
    to: lastDayOf(month),
    quarter: null,
    before,
    after,
  };
}

/** Returns the key of the quarter that a month is in. */
export function quarterOf(month: Month): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`;
}

/** Returns the period in the address; the quarter of `today` where it has none. */
export function vatPeriodIn(text: string | undefined, today: CalendarDate): VatPeriod {
  const found = vatPeriod(text) ?? vatPeriod(quarterOf(monthOf(today)));
  if (found === undefined) throw new Error(`${today} is in no quarter`);
  return found;
}
