/** Computes customers' positions for all revenue reports and bookings: each line's earnings and bookings by month. */

import { type Month, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { isNothing, type LineBalance } from "../../../domain/revenue/accrual.ts";
import { type ForeignLine, functionalMonths } from "../../../domain/revenue/functional.ts";
import {
  earnedMonths,
  type LineFacts,
  measuredWork,
  type WorkedHours,
} from "../../../domain/revenue/recognition.ts";
import type { Line } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { type BookedLine, type EffectiveMonth, effectiveMonths } from "./booked-facts.ts";
import { type EffectiveLine, waitingLines } from "./list-waiting.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "./read-facts.ts";
import type { MonthRate } from "./shapes.ts";

/** A line balance with the facts from which it is computed; the facts are null for a line of which only bookings remain. */
export interface LineBalanceAtMonth extends LineBalance {
  readonly facts: LineFacts | null;
  readonly foreign: ForeignLine | null;
  readonly booked: readonly EffectiveMonth[];
  /** The booked months, including the reopened ones. */
  readonly effective: readonly EffectiveMonth[];
}

export interface CustomerPosition {
  readonly customer_id: string;
  readonly name: string;
  /** The last month with an effective booking. */
  readonly booked_through: Month | null;
  readonly line_balances: readonly LineBalanceAtMonth[];
}

/** The part of the configuration that decides amounts. */
export type Policy = Pick<
  Configuration,
  "functional_currency" | "recognition_convention" | "time_zone"
>;

/**
 * Returns the positions of customers with the earnings through the end of a month. Includes occurrences begun by the
 * current month: work may be dated before the period that bills it, and every month must use the same lines.
 */
export async function positionsOf(
  cx: Reader,
  policy: Policy,
  customer_ids: readonly string[],
  through: Month,
  which: LineBalanceOptions = {},
): Promise<CustomerPosition[]> {
  if (customer_ids.length === 0) return [];
  const positions: CustomerPosition[] = [];
  const facts = await factsOfCustomers(cx, customer_ids);
  const each = positionsFrom(cx, policy, facts, through, which);
  for await (const one of each) positions.push(one);
  return positions;
}

/** Yields the positions of `positionsOf`, each on request: those of many months are much larger than their facts. */
export async function* positionsFrom(
  cx: Reader,
  policy: Policy,
  facts: Facts,
  through: Month,
  which: LineBalanceOptions = {},
): AsyncGenerator<CustomerPosition> {
  const slices = new Slices(cx.signal);
  for (const customer of facts.customers) {
    const line_balances: LineBalanceAtMonth[] = [];
    for (const line_balance of lineBalancesOf(cx, policy, facts, customer, through, which)) {
      if (slices.isOver) await slices.next();
      line_balances.push(line_balance);
    }
    const { customer_id, name, booked_through } = customer;
    yield { customer_id, name, booked_through, line_balances };
  }
}

/** Selects line balances of a customer: by default all with any effect. */
interface LineBalanceOptions {
  /** Also includes lines without any effect by the end of the month, and without bookings or work. */
  readonly is_whole?: boolean;
  /** Includes only these lines; the facts are limited to these lines too. */
  readonly only?: ReadonlySet<string> | null;
}

/** Yields the line balances of one customer, each computed on request; none is kept in memory. */
export function* lineBalancesOf(
  { clock }: Pick<Reader, "clock">,
  policy: Policy,
  { rates }: Facts,
  customer: CustomerFacts,
  through: Month,
  { is_whole = false, only = null }: LineBalanceOptions = {},
): Generator<LineBalanceAtMonth> {
  const begun = monthOf(todayIn(clock, policy.time_zone));
  const booked = new Map<string, BookedLine>();
  for (const one of customer.booked) {
    booked.set(keyOf(one.line_id, one.account_number, one.currency), one);
  }
  function* balancesOfLines(lines: Iterable<EffectiveLine>): Generator<LineBalanceAtMonth> {
    for (const effective of lines) {
      const { line, currency } = effective;
      const worked = customer.worked.get(line.id) ?? NO_WORK;
      const known = rates.get(currency) ?? [];
      const key = booked.size === 0 ? "" : keyOf(line.id, line.account_number, currency);
      yield liveLineBalance(effective, worked, policy, known, customer, through, booked.get(key));
      booked.delete(key);
    }
  }
  yield* balancesOfLines(customer.lines);
  yield* balancesOfLines(waitingLines(customer, begun, is_whole ? null : through, only));
  for (const one of booked.values()) {
    const { line_id, account_number, currency, origin } = one;
    if (origin === null) throw new Error("a line that is there is not among the customer's");
    const known = { line_id, account_number, currency, ...origin };
    yield { ...known, now: [], ...bookedOf(effectiveMonths(one)), ...NO_FACTS };
  }
}

/** Returns the balance of a current line: its earnings through a month, and its effective bookings. */
export function liveLineBalance(
  effective: EffectiveLine,
  worked: readonly WorkedHours[],
  policy: Policy,
  rates: readonly MonthRate[],
  customer: CustomerFacts,
  through: Month,
  booked: BookedLine | undefined,
): LineBalanceAtMonth {
  const { line, currency } = effective;
  const facts = lineFacts(effective, worked);
  const foreign = foreignOf(effective, policy, rates, customer);
  const earned = earnedMonths(facts, policy.recognition_convention, through);
  return {
    line_id: line.id,
    invoice_id: effective.invoice_id,
    series_id: effective.series_id,
    opening_contract_id: effective.opening_contract_id,
    period: effective.period,
    product_id: line.product_id,
    account_number: line.account_number,
    currency,
    now: functionalMonths(earned, foreign),
    ...bookedOf(effectiveMonths(booked)),
    facts,
    foreign,
  };
}

const NO_WORK: readonly WorkedHours[] = [];
const NO_FACTS = { facts: null, foreign: null } as const;

/** Returns the facts of a line for the rules of recognition; the work is measured once, here. */
export function lineFacts(effective: EffectiveLine, worked: readonly WorkedHours[]): LineFacts {
  const facts: LineFacts = {
    line: effective.line,
    currency_digits: currencyDigits(effective.currency),
    issue_date: effective.issue_date,
    amount: effective.issue_date === null ? null : effective.amount,
    completed_on: effective.completed_on,
    worked,
    credits: effective.credits,
    measured: effective.measured,
    ...(effective.opening_contract_id !== null && { is_brought_along: true }),
  };
  return measuresWork(effective.line) && facts.measured === null
    ? { ...facts, measured: measuredWork(facts) }
    : facts;
}

/** Whether the earnings of the line follow from hours. */
function measuresWork(line: Pick<Line, "recognition_method">): boolean {
  return line.recognition_method === "hours" || line.recognition_method === "progress";
}

function foreignOf(
  effective: EffectiveLine,
  policy: Policy,
  rates: readonly MonthRate[],
  customer: CustomerFacts,
): ForeignLine | null {
  const { currency, issue_date, rate_micro, amount_functional, credits } = effective;
  if (currency === policy.functional_currency) return null;
  return {
    from_digits: currencyDigits(currency),
    to_digits: currencyDigits(policy.functional_currency),
    closingRate: (month) =>
      customer.booked_rates.get(`${currency} ${month}`) ??
      rates.findLast((rate) => rate.month <= month)?.rate_micro ??
      null,
    issue:
      issue_date === null || rate_micro === null
        ? null
        : {
            date: issue_date,
            rate_micro,
            amount_functional: amount_functional ?? 0n,
            credits: credits.map(({ effective, functional }) => ({
              effective,
              functional: functional ?? 0n,
            })),
          },
  };
}

/** Returns the bookings of a line without reopened months, which count as never booked. */
function bookedOf(
  effective: readonly EffectiveMonth[],
): Pick<LineBalanceAtMonth, "booked" | "effective"> {
  return {
    booked: effective.some(isNothing) ? effective.filter((month) => !isNothing(month)) : effective,
    effective,
  };
}

function keyOf(line_id: string, account_number: number, currency: string): string {
  return `${line_id} ${account_number} ${currency}`;
}
