/** Lines of an invoice and their histories in a short notation, for tests about revenue. */
import type { LineId, ProductId, UserId } from "../../../src/domain/base/brand.ts";
import type { CalendarDate, Month } from "../../../src/domain/base/calendar.ts";
import { type Money, scaledToNumber } from "../../../src/domain/base/money.ts";
import {
  earnedByUser,
  earnedMonths,
  type LineFacts,
  lineAmount,
} from "../../../src/domain/revenue/recognition.ts";
import type { Convention } from "../../../src/domain/revenue/spread.ts";
import type { Line, RecognitionMethod } from "../../../src/domain/sales/line.ts";

export interface GivenLine {
  readonly method: RecognitionMethod;
  readonly digits?: number;
  /** Minor units. */
  readonly agreed?: Money;
  /** Units of the currency for an hour. */
  readonly rate?: number;
  readonly discount?: number;
  readonly share?: { readonly days: number; readonly of: number };
  readonly assignees?: readonly (readonly [user: string, percent?: number | null, rate?: number])[];
  readonly service?: readonly [from: string, to: string];
  readonly budget?: number;
  /** The budget of the whole period, of which the line has its share. */
  readonly nominal_budget?: number;
  readonly completed?: string;
  readonly worked?: readonly (readonly [user: string, date: string, hours: number])[];
  readonly idle?: readonly (readonly [user: string, date: string, hours: number])[];
  readonly issued?: string;
  readonly credits?: readonly (readonly [date: string, amount: Money, service_to?: string])[];
}

const scaled = (value: number, factor: number) => Math.round(value * factor);

export function lineOf(given: GivenLine): Line {
  const [service_from, service_to] = given.service ?? [null, null];
  return {
    id: "line" as LineId,
    product_id: "product" as ProductId,
    recognition_method: given.method,
    agreed_value: given.method === "hours" ? null : (given.agreed ?? 0n),
    hourly_rate: given.rate === undefined ? null : BigInt(scaled(given.rate, 10_000)),
    discount: scaled(given.discount ?? 0, 100),
    description_override: null,
    position: 1,
    assignees: (given.assignees ?? []).map(([user_id, percent, rate]) => ({
      user_id: user_id as UserId,
      distribution_percentage:
        percent === undefined || percent === null ? null : scaled(percent, 100),
      hourly_rate_override: rate === undefined ? null : BigInt(scaled(rate, 10_000)),
    })),
    service_from: service_from as CalendarDate | null,
    service_to: service_to as CalendarDate | null,
    budget_hours: given.budget === undefined ? null : scaled(given.budget, 100),
    product_name: "Advice",
    product_number: null,
    account_number: 1000,
    unit: "parts",
    ...(given.share === undefined ? {} : { share: given.share }),
    ...(given.nominal_budget === undefined
      ? {}
      : { nominal_budget: scaled(given.nominal_budget, 100) }),
  };
}

/** The facts of a line; an issued line keeps its amount at the issue. */
export function factsOf(given: GivenLine): LineFacts {
  const registered = (billable: boolean) => (entry: readonly [string, string, number]) => ({
    user_id: entry[0] as UserId,
    date: entry[1] as CalendarDate,
    hours: scaled(entry[2], 100),
    billable,
  });
  const issued = given.issued ?? "";
  const facts: LineFacts = {
    line: lineOf(given),
    currency_digits: given.digits ?? 2,
    issue_date: (given.issued ?? null) as CalendarDate | null,
    amount: null,
    completed_on: (given.completed ?? null) as CalendarDate | null,
    worked: [
      ...(given.worked ?? []).map(registered(true)),
      ...(given.idle ?? []).map(registered(false)),
    ],
    credits: (given.credits ?? []).map(([date, amount, service_to]) => ({
      effective: (date > issued ? date : issued) as CalendarDate,
      amount,
      new_service_to: (service_to ?? null) as CalendarDate | null,
    })),
    measured: null,
  };
  return given.issued === undefined ? facts : { ...facts, amount: lineAmount(facts) };
}

export const LATEST = "2039-12" as Month;

/** Month, earned, earned to date, invoiced to date; in units of the currency. */
export function schedule(
  given: GivenLine,
  convention: Convention = "monthly",
): [month: string, earned: number, earned_to_date: number, invoiced_to_date: number][] {
  const units = (amount: Money) => scaledToNumber(amount, given.digits ?? 2);
  let [earned_to_date, invoiced_to_date] = [0n, 0n];
  return earnedMonths(factsOf(given), convention, LATEST).map(({ month, earned, invoiced }) => {
    earned_to_date += earned;
    invoiced_to_date += invoiced;
    return [month, units(earned), units(earned_to_date), units(invoiced_to_date)];
  });
}

/** Earned revenue of each month, in units of the currency; months without any are left out. */
export function earned(
  given: GivenLine,
  convention: Convention = "monthly",
): Record<string, number> {
  const months = schedule(given, convention).filter(([, amount]) => amount !== 0);
  return Object.fromEntries(months.map(([month, amount]) => [month, amount]));
}

/** The users of each month with their earned revenue, in units of the currency. */
export function earnedBy(given: GivenLine): [month: string, users: Record<string, number>][] {
  const facts = factsOf(given);
  return earnedMonths(facts, "monthly", LATEST)
    .filter((one) => one.earned !== 0n)
    .map((one) => {
      const users = earnedByUser(facts, one.month, one.earned).map(({ user_id, amount }) => [
        user_id ?? "unassigned",
        scaledToNumber(amount, given.digits ?? 2),
      ]);
      return [one.month, Object.fromEntries(users)];
    });
}

export function sumOf(amounts: readonly Money[]): Money {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
