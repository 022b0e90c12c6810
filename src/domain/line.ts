/**
 * A line of an invoice: one promise to the customer (domain.md 2). What a client may send, what it
 * becomes, and what it costs. A line keeps a snapshot of its product, so that a later change of the
 * product changes no existing line.
 */
import type { LineId, ProductId, UserId } from "./brand.ts";
import { addYears, type CalendarDate } from "./calendar.ts";
import type { DocumentRow } from "./document.ts";
import {
  LARGEST_LINE,
  lessDiscount,
  type Money,
  type Percent,
  round,
  scaledFromNumber,
  WHOLE,
} from "./money.ts";
import type { FieldCode, FieldError } from "./problem.ts";

export const recognitionMethods = ["value", "hours", "progress", "milestone", "on_issue"] as const;
export type RecognitionMethod = (typeof recognitionMethods)[number];

/** Decimals of hours and quantities, of hourly rates and unit prices, of percentages. */
export const HOURS_DECIMALS = 2;
export const RATE_DECIMALS = 4;
export const PERCENT_DECIMALS = 2;

export interface Assignee {
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
  /** In 1/10000 of the document's currency; for fixed methods information only. */
  readonly hourly_rate: bigint | null;
  readonly discount: Percent;
  readonly description_override: string | null;
  readonly position: number;
  readonly assignees: readonly Assignee[];
  readonly service_from: CalendarDate | null;
  readonly service_to: CalendarDate | null;
  /** In 1/100 of an hour. */
  readonly budget_hours: number | null;
  readonly product_name: string;
  readonly product_number: string | null;
  readonly account_number: number;
  readonly unit: string;
  /** The part of a period that a partial occurrence bills, by days; absent for a whole one. */
  readonly share?: { readonly days: number; readonly of: number };
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

export interface AssigneeInput {
  readonly user_id: string;
  readonly distribution_percentage?: number | null | undefined;
  readonly hourly_rate_override?: number | null | undefined;
}

/** What a line takes from its product. Prices in 1/10000, quantity in 1/100. */
export interface PricedProduct {
  readonly id: ProductId;
  readonly name: string;
  readonly product_number: string | null;
  readonly account_number: number;
  readonly unit: string;
  readonly default_price: bigint;
  readonly quantity: bigint;
}

/** Billable hours of one user on a line, in 1/100 of an hour. */
export interface UserHours {
  readonly user_id: UserId;
  readonly hours: bigint;
}

/**
 * What is wrong with lines as sent that can be told without looking anything up: positions, users
 * named twice, shares, service periods, budgets (domain.md 2.1).
 */
export function lineFaults(lines: readonly LineInput[]): FieldError[] {
  const positions = new Set<number>();
  return lines.flatMap((line, index) => {
    const at = `lines[${index}]`;
    const faults = [...shareFaults(line, at), ...periodFaults(line, at), ...budgetFaults(line, at)];
    const position = line.position ?? index + 1;
    if (positions.has(position)) {
      faults.push(fault(`${at}.position`, "duplicate", "Another line has this position."));
    }
    positions.add(position);
    if (line.recognition_method === "hours" && line.hourly_rate === 0) {
      faults.push(fault(`${at}.hourly_rate`, "too_small", "An hourly rate is more than 0."));
    }
    return faults;
  });
}

/**
 * Turns a sent line into a line in a currency, with its defaults from the product; answers the
 * faults instead when there are any (decimals of the currency, missing prices, domain.md 2.1).
 */
export function lineFrom(
  input: LineInput,
  id: LineId,
  index: number,
  product: PricedProduct,
  currency_digits: number,
): Line | FieldError[] {
  const at = `lines[${index}]`;
  const faults: FieldError[] = [];
  const agreed_value = agreedValue(input, product, currency_digits, at, faults);
  const hourly_rate = hourlyRate(input, product, at, faults);
  if (faults.length > 0) return faults;
  return {
    id,
    product_id: product.id,
    recognition_method: input.recognition_method,
    agreed_value,
    hourly_rate,
    discount: Number(scaled(input.discount ?? 0, PERCENT_DECIMALS)),
    description_override: input.description_override ?? null,
    position: input.position ?? index + 1,
    assignees: (input.assignees ?? []).map((assignee) => ({
      user_id: assignee.user_id as UserId,
      distribution_percentage: scaledOrNull(assignee.distribution_percentage, PERCENT_DECIMALS),
      hourly_rate_override: bigScaledOrNull(assignee.hourly_rate_override, RATE_DECIMALS),
    })),
    service_from: input.service_from ?? null,
    service_to: input.service_to ?? null,
    budget_hours: scaledOrNull(input.budget_hours, HOURS_DECIMALS),
    product_name: product.name,
    product_number: product.product_number,
    account_number: product.account_number,
    unit: product.unit,
  };
}

/**
 * The line's numbers in a currency with other decimals: changing the currency converts nothing
 * (domain.md 5.2). Answers a fault where the currency lacks the decimals or the value grows too large.
 */
export function rescaleLine(
  line: Line,
  from_digits: number,
  to_digits: number,
): Line | Omit<FieldError, "field"> {
  if (line.agreed_value === null || from_digits === to_digits) return line;
  const value = line.agreed_value * 10n ** BigInt(to_digits);
  const unit = 10n ** BigInt(from_digits);
  if (value % unit !== 0n) {
    return { code: "too_many_decimals", message: `The currency has ${to_digits} decimals.` };
  }
  if (value / unit > LARGEST_LINE) {
    return { code: "too_large", message: "A line is at most 10^12 minor units." };
  }
  return { ...line, agreed_value: value / unit };
}

/**
 * The priced rows of a line (domain.md 2.2): one for a fixed method, one for each distinct rate with
 * hours, in the order of the first assignee with that rate, then by descending rate.
 */
export function rowsOf(
  line: Line,
  currency_digits: number,
  hours: readonly UserHours[] = [],
): DocumentRow[] {
  if (line.recognition_method !== "hours") {
    const agreed = line.agreed_value ?? 0n;
    const { days, of } = line.share ?? { days: 1, of: 1 };
    const ofPeriod = (amount: bigint): bigint => round(amount * BigInt(days), BigInt(of));
    const price = agreed * 10n ** BigInt(Math.max(0, RATE_DECIMALS - currency_digits));
    return [
      {
        quantity: 100,
        unit_price_scaled: ofPeriod(price),
        discount: line.discount,
        net: ofPeriod(lessDiscount(agreed, line.discount)),
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

/** The net amount of a line in minor units with its hours, its share of a partial period included. */
export function netOf(
  line: Line,
  currency_digits: number,
  hours: readonly UserHours[] | undefined,
): Money {
  return rowsOf(line, currency_digits, hours).reduce((sum, row) => sum + row.net, 0n);
}

/** Amount of hours (1/100) at a rate (1/10000) less a discount, in minor units, rounded once. */
export function hoursAmount(
  hours: bigint,
  rate: bigint,
  discount: Percent,
  currency_digits: number,
): Money {
  const numerator = hours * rate * BigInt(WHOLE - discount) * 10n ** BigInt(currency_digits);
  return round(numerator, 10n ** BigInt(HOURS_DECIMALS + RATE_DECIMALS) * BigInt(WHOLE));
}

/** What an hour of a user costs on a line by hours, in 1/10000: their own rate there, else the line's. */
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

function agreedValue(
  input: LineInput,
  product: PricedProduct,
  currency_digits: number,
  at: string,
  faults: FieldError[],
): Money | null {
  const field = `${at}.agreed_value`;
  if (input.agreed_value !== undefined && input.agreed_value !== null) {
    const value = scaledFromNumber(input.agreed_value, currency_digits);
    if (typeof value === "string") {
      faults.push(fault(field, value, `The currency has ${currency_digits} decimals.`));
      return null;
    }
    if (value > LARGEST_LINE) {
      faults.push(fault(field, "too_large", "A line is at most 10^12 minor units."));
      return null;
    }
    return value;
  }
  if (input.recognition_method === "hours") return null;
  const price = round(
    product.default_price * product.quantity * 10n ** BigInt(currency_digits),
    10n ** BigInt(RATE_DECIMALS + HOURS_DECIMALS),
  );
  if (price <= 0n) {
    faults.push(fault(field, "required", "The product has no price; give the agreed value."));
    return null;
  }
  if (price > LARGEST_LINE) {
    faults.push(fault(field, "too_large", "A line is at most 10^12 minor units."));
    return null;
  }
  return price;
}

function hourlyRate(
  input: LineInput,
  product: PricedProduct,
  at: string,
  faults: FieldError[],
): bigint | null {
  const sent = bigScaledOrNull(input.hourly_rate, RATE_DECIMALS);
  if (sent !== null || input.recognition_method !== "hours") return sent;
  if (product.unit === "hours" && product.default_price > 0n) return product.default_price;
  faults.push(fault(`${at}.hourly_rate`, "required", "A line by hours needs an hourly rate."));
  return null;
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
      : [scaled(distribution_percentage, PERCENT_DECIMALS)],
  );
  const sum = shares.reduce((total, share) => total + share, 0n);
  const complete = shares.length === assignees.length && sum === BigInt(WHOLE);
  if (shares.length > 0 && !complete) {
    const message = "Either no assignee has a percentage, or all have one and they add up to 100.";
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
    return [fault(`${at}.service_to`, "too_large", "A service period is at most 10 years long.")];
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

/** For numbers whose decimals the schema has checked already. */
function scaled(value: number, decimals: number): bigint {
  const result = scaledFromNumber(value, decimals);
  return typeof result === "string" ? 0n : result;
}

function bigScaledOrNull(value: number | null | undefined, decimals: number): bigint | null {
  return value === null || value === undefined ? null : scaled(value, decimals);
}

function scaledOrNull(value: number | null | undefined, decimals: number): number | null {
  return value === null || value === undefined ? null : Number(scaled(value, decimals));
}
