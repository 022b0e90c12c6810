/**
 * Defines an invoice line, one promise to the customer (spec 2): the form that a client sends, and its price.
 * `line-from.ts` converts sent lines. A line keeps a snapshot of its product, so product changes do not affect it.
 */
import type { LineId, ProductId, UserId } from "../base/brand.ts";
import { addYears, type CalendarDate } from "../base/calendar.ts";
import {
  lessDiscount,
  type Money,
  type Percent,
  round,
  scaledFromChecked,
  WHOLE,
} from "../base/money.ts";
import type { FieldCode, FieldError } from "../base/problem.ts";
import type { DocumentRow } from "./document.ts";

export const recognitionMethods = ["value", "hours", "progress", "milestone", "on_issue"] as const;
export type RecognitionMethod = (typeof recognitionMethods)[number];

/** Decimals of hours and quantities, of hourly rates and unit prices, of percentages. */
export const HOURS_DECIMALS = 2;
export const RATE_DECIMALS = 4;
export const PERCENT_DECIMALS = 2;

interface Assignee {
  readonly user_id: UserId;
  readonly distribution_percentage: Percent | null;
  /** In 1/10000 of the document's currency. */
  readonly hourly_rate_override: bigint | null;
}

export interface Line {
  readonly id: LineId;
  readonly product_id: ProductId;
  readonly recognition_method: RecognitionMethod;
  /** Minor units; for `hours` an estimate that has no effect. */
  readonly agreed_value: Money | null;
  /** In 1/10000 of the currency unit. Only information when the method has a fixed price. */
  readonly hourly_rate: bigint | null;
  readonly discount: Percent;
  readonly description_override: string | null;
  readonly position: number;
  readonly assignees: readonly Assignee[];
  readonly service_from: CalendarDate | null;
  readonly service_to: CalendarDate | null;
  /** In 1/100 of an hour; for a partial occurrence its rounded share, which is shown but not used in calculations. */
  readonly budget_hours: number | null;
  /**
   * In 1/100 of an hour: the budget of the whole period, of which a partial occurrence has its `share`. Absent on other lines,
   * and on lines from before it was stored, whose rounded budget counts.
   */
  readonly nominal_budget?: number;
  readonly product_name: string;
  readonly product_number: string | null;
  readonly account_number: number;
  /**
   * The account for domestic sales, when the product names no account: the chart then chooses the account by the customer's VAT
   * treatment. Absent when the account is fixed, as on every line from before the chart chose.
   */
  readonly domestic_account?: number;
  readonly unit: string;
  /** The part of a period that a partial occurrence bills, by days; absent for a whole one. */
  readonly share?: { readonly days: number; readonly of: number };
  /** Present if `agreed_value` (by hours `hourly_rate`) came from the product. Older lines without it count as sent. */
  readonly price_from_product?: true;
}

/** A line as a client sends it: JSON numbers, absent fields undefined. */
export interface LineInput {
  readonly product_id: string;
  readonly recognition_method: RecognitionMethod;
  readonly agreed_value?: number | null | undefined;
  readonly hourly_rate?: number | null | undefined;
  readonly discount?: number | null | undefined;
  readonly description_override?: string | null | undefined;
  readonly position?: number | undefined;
  readonly assignees?: readonly AssigneeInput[] | undefined;
  readonly service_from?: CalendarDate | null | undefined;
  readonly service_to?: CalendarDate | null | undefined;
  readonly budget_hours?: number | null | undefined;
}

interface AssigneeInput {
  readonly user_id: string;
  readonly distribution_percentage?: number | null | undefined;
  readonly hourly_rate_override?: number | null | undefined;
}

/** Billable hours of one user on a line, in 1/100 of an hour. */
export interface UserHours {
  readonly user_id: UserId;
  readonly hours: bigint;
  /** The dates of the first and the last of these hours. */
  readonly first_day?: CalendarDate;
  readonly last_day?: CalendarDate;
}

/** Returns faults that need no look-up: positions, repeated users, shares, service periods, budgets (spec 2.1). */
export function lineFaults(
  lines: readonly LineInput[],
  nameOf = (index: number): string => `lines[${index}]`,
): FieldError[] {
  const positions = new Set<number>();
  return lines.flatMap((line, index) => {
    const at = nameOf(index);
    const faults = [...shareFaults(line, at), ...periodFaults(line, at), ...budgetFaults(line, at)];
    const position = line.position ?? index + 1;
    if (positions.has(position)) {
      faults.push(fault(`${at}.position`, "duplicate", "Another line has this position."));
    }
    positions.add(position);
    if (line.recognition_method === "hours" && line.hourly_rate === 0) {
      faults.push(fault(`${at}.hourly_rate`, "too_small", "An hourly rate must be more than 0."));
    }
    return faults;
  });
}

/**
 * Returns the priced rows of a line (spec 2.2): one row for a method with a fixed price, one for each distinct rate with hours,
 * in the order of the first assignee with that rate, then by descending rate.
 */
export function rowsOf(
  line: Line,
  currency_digits: number,
  hours: readonly UserHours[] = [],
): DocumentRow[] {
  if (line.recognition_method !== "hours") {
    const price =
      (line.agreed_value ?? 0n) * 10n ** BigInt(Math.max(0, RATE_DECIMALS - currency_digits));
    return [
      {
        quantity: 100,
        unit_price_scaled: ofPeriod(line, price),
        discount: line.discount,
        net: fixedNet(line),
      },
    ];
  }
  return ratesOf(line, hours).map(({ rate, quantity }) => ({
    quantity: Number(quantity),
    unit_price_scaled: rate,
    discount: line.discount,
    net: hoursAmount(quantity, rate, line.discount, currency_digits),
  }));
}

/** Returns the net amount of a line by a method with a fixed price. */
function fixedNet(line: Line): Money {
  return ofPeriod(line, lessDiscount(line.agreed_value ?? 0n, line.discount));
}

function ofPeriod({ share }: Line, amount: bigint): bigint {
  return share === undefined ? amount : round(amount * BigInt(share.days), BigInt(share.of));
}

/** An exact fraction: `part` of `whole`, neither negative. */
export interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

/** Returns the exact budget of a line in 1/100 of an hour: a partial period has its share by days (spec 4.6). */
export function budgetOf(line: Line): Fraction | null {
  if (line.budget_hours === null) return null;
  if (line.nominal_budget === undefined || line.share === undefined) {
    return { part: BigInt(line.budget_hours), whole: 1n };
  }
  return { part: BigInt(line.nominal_budget * line.share.days), whole: BigInt(line.share.of) };
}

/** Returns the net amount of a line in minor units with its hours, including its share of a partial period. */
export function netOf(
  line: Line,
  currency_digits: number,
  hours: readonly UserHours[] | undefined,
): Money {
  if (line.recognition_method !== "hours") return fixedNet(line);
  return rowsOf(line, currency_digits, hours).reduce((sum, row) => sum + row.net, 0n);
}

/** Returns the amount of hours (1/100) at a rate (1/10000) less a discount, in minor units, rounded once. */
export function hoursAmount(
  hours: bigint,
  rate: bigint,
  discount: Percent,
  currency_digits: number,
): Money {
  const numerator = hours * rate * BigInt(WHOLE - discount) * 10n ** BigInt(currency_digits);
  return round(numerator, 10n ** BigInt(HOURS_DECIMALS + RATE_DECIMALS) * BigInt(WHOLE));
}

/** Returns the hourly price of a user on a line by hours, in 1/10000: their own rate on the line, else the line's. */
export function rateOfUser(line: Pick<Line, "assignees" | "hourly_rate">, user_id: string): bigint {
  const own = line.assignees.find((assignee) => assignee.user_id === user_id);
  return own?.hourly_rate_override ?? line.hourly_rate ?? 0n;
}

function ratesOf(line: Line, hours: readonly UserHours[]): { rate: bigint; quantity: bigint }[] {
  const rateOf = (user_id: UserId): bigint => rateOfUser(line, user_id);
  const quantities = new Map<bigint, bigint>();
  for (const entry of hours) {
    const rate = rateOf(entry.user_id);
    quantities.set(rate, (quantities.get(rate) ?? 0n) + entry.hours);
  }
  const assigned = [...new Set(line.assignees.map((assignee) => rateOf(assignee.user_id)))];
  const others = [...quantities.keys()]
    .filter((rate) => !assigned.includes(rate))
    .sort((a, b) => (a < b ? 1 : -1));
  return [...assigned, ...others].flatMap((rate) => {
    const quantity = quantities.get(rate) ?? 0n;
    return quantity === 0n ? [] : [{ rate, quantity }];
  });
}

function shareFaults(line: LineInput, at: string): FieldError[] {
  const assignees = line.assignees ?? [];
  const seen = new Set<string>();
  const faults = assignees.flatMap((assignee, index) => {
    const twice = seen.has(assignee.user_id);
    seen.add(assignee.user_id);
    const field = `${at}.assignees[${index}].user_id`;
    return twice ? [fault(field, "duplicate", "The user is assigned twice.")] : [];
  });
  if (line.recognition_method === "hours") return faults;
  const shares = assignees.flatMap(({ distribution_percentage }) =>
    distribution_percentage === null || distribution_percentage === undefined
      ? []
      : [scaledFromChecked(distribution_percentage, PERCENT_DECIMALS)],
  );
  const sum = shares.reduce((total, share) => total + share, 0n);
  const complete = shares.length === assignees.length && sum === BigInt(WHOLE);
  if (shares.length > 0 && !complete) {
    const message =
      "Either no assignee has a percentage, or all have one and the percentages add up to 100.";
    faults.push(fault(`${at}.assignees`, "sum_not_100", message));
  }
  return faults;
}

function periodFaults(line: LineInput, at: string): FieldError[] {
  const from = line.service_from ?? null;
  const to = line.service_to ?? null;
  if (from === null && to === null) return [];
  if (line.recognition_method !== "value") {
    const field = from === null ? "service_to" : "service_from";
    const message = "Only lines recognised by value have a service period.";
    return [fault(`${at}.${field}`, "not_allowed", message)];
  }
  if (from === null) return [fault(`${at}.service_from`, "required", "The period needs a start.")];
  if (to === null) return [fault(`${at}.service_to`, "required", "The period needs an end.")];
  if (to < from) {
    return [fault(`${at}.service_to`, "too_small", "The period ends before it starts.")];
  }
  if (to >= addYears(from, 10)) {
    return [
      fault(`${at}.service_to`, "too_large", "A service period can be at most 10 years long."),
    ];
  }
  return [];
}

function budgetFaults(line: LineInput, at: string): FieldError[] {
  const budget = line.budget_hours ?? null;
  if (line.recognition_method === "progress") {
    return budget === null
      ? [fault(`${at}.budget_hours`, "required", "A line by progress needs a budget of hours.")]
      : [];
  }
  if (budget === null) return [];
  return [fault(`${at}.budget_hours`, "not_allowed", "Only lines by progress have a budget.")];
}

function fault(field: string, code: FieldCode, message: string): FieldError {
  return { field, code, message };
}
