/**
 * Forecasts revenue of future months from periods that have not begun, as if each period were invoiced on its planned date with
 * the current lines. Only reports of future months use the forecast; it does not affect begun periods.
 */

import { addToMonth, type Month, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { lockedThrough } from "../../../domain/revenue/accrual-booking.ts";
import { earnedMonths } from "../../../domain/revenue/recognition.ts";
import { type Line, netOf } from "../../../domain/sales/line.ts";
import { functional } from "../../../domain/sales/totals.ts";
import { type ForecastPeriod, periodsAhead } from "../../../domain/series/forecast.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import { isOpen, type Series, stateOf } from "../../recurring/series/series.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { type EffectiveLine, notInvoiced } from "../revenue-facts/list-waiting.ts";
import {
  type CustomerPosition,
  type LineBalanceAtMonth,
  lineFacts,
  liveLineBalance,
  type Policy,
} from "../revenue-facts/positions.ts";
import type { CustomerFacts, Facts } from "../revenue-facts/read-facts.ts";
import type { MonthRate } from "../revenue-facts/shapes.ts";
import type { Basis } from "./schemas.ts";

/** The months of a forecast: the requested ones after the current month. */
export interface Ahead {
  readonly current: Month;
  readonly from: Month;
  readonly to: Month;
}

/** A line of a future period, and the part of its period that the forecast counts. */
interface LineAhead {
  readonly line: Line;
  readonly series: Series;
  readonly counted: ForecastPeriod;
}

/** Forecasts positions of customers from scheduled periods, apart from current positions. Nothing in it is booked. */
export async function forecastPositions(
  { signal }: Pick<Reader, "signal">,
  policy: Policy,
  { customers, rates }: Facts,
  ahead: Ahead,
): Promise<CustomerPosition[]> {
  const positions: CustomerPosition[] = [];
  const slices = new Slices(signal);
  for (const customer of customers) {
    const line_balances: LineBalanceAtMonth[] = [];
    for (const one of linesAhead(customer, ahead)) {
      if (slices.isOver) await slices.next();
      const known = rates.get(one.series.currency) ?? [];
      const effective = issuedAhead(one, policy, known);
      line_balances.push(
        liveLineBalance(effective, [], policy, known, customer, ahead.to, undefined),
      );
    }
    if (line_balances.length === 0) continue;
    const { customer_id, name, booked_through } = customer;
    positions.push({ customer_id, name, booked_through, line_balances });
  }
  return positions;
}

/** Yields the lines of scheduled periods that earn or are invoiced in future months, except lines that earn by work. */
export function* linesAhead(
  customer: Pick<CustomerFacts, "series">,
  { current, from, to }: Ahead,
): Generator<LineAhead> {
  for (const series of customer.series) {
    const linesOf = linesOfPeriods(series);
    for (const counted of periodsAhead(series, series.timing, current, from, to)) {
      const { period } = counted;
      const has_invoice = series.period_events.get(period.index)?.state === "pending";
      const waits = isOpen(series, period.index) && stateOf(series, period) !== "dropped";
      if (!waits || has_invoice) continue;
      for (const { line } of linesOf(period, ({ content }) => isForecast(content))) {
        yield { line, series, counted };
      }
    }
  }
}

/** Whether a line earns or is invoiced without work that no one knows in advance. */
export function isForecast({ recognition_method }: Pick<Line, "recognition_method">): boolean {
  return recognition_method === "value" || recognition_method === "on_issue";
}

/** Returns the line as if issued on its planned date, at the last known rate. */
function issuedAhead(
  { line, series, counted }: LineAhead,
  policy: Policy,
  rates: readonly MonthRate[],
): EffectiveLine {
  const { currency } = series;
  const { issue_date, period } = counted;
  const digits = currencyDigits(currency);
  const amount = netOf(line, digits, undefined);
  const whole = { ...notInvoiced(line, series.id, period.key, currency), issue_date, amount };
  const effective = { ...whole, ...partThatCounts(whole, counted, policy) };
  if (currency === policy.functional_currency) return effective;
  const month = monthOf(issue_date);
  const rate_micro = rates.findLast((rate) => rate.month <= month)?.rate_micro ?? null;
  if (rate_micro === null) return effective;
  const to_digits = currencyDigits(policy.functional_currency);
  const conversion = { rate_micro, from_digits: digits, to_digits };
  return { ...effective, rate_micro, amount_functional: functional(effective.amount, conversion) };
}

/** Returns the part of a renewal that the forecast counts, without the earnings before it; other lines stay complete. */
function partThatCounts(
  effective: EffectiveLine & { readonly amount: bigint },
  { period, counts_from }: ForecastPeriod,
  policy: Policy,
): { readonly line: Line; readonly amount: bigint } {
  const { line, amount } = effective;
  if (counts_from === period.from || line.service_from === null) return { line, amount };
  const before = addToMonth(monthOf(counts_from), -1);
  const left_out = earnedMonths(
    lineFacts(effective, []),
    policy.recognition_convention,
    before,
  ).reduce((sum, month) => sum + month.earned, 0n);
  return { line: { ...line, service_from: counts_from }, amount: amount - left_out };
}

/**
 * Returns the first month whose future lines may have rows in a month. This is the month itself, except when accruals are
 * requested and the books are locked ahead, because rows of locked months are carried into later months.
 */
export function forecastFrom(
  { period_lock_date }: Pick<Configuration, "period_lock_date">,
  basis: Basis,
  current: Month,
  month: Month,
): Month {
  const next = addToMonth(current, 1);
  const locked = lockedThrough(period_lock_date);
  const carries = basis === "booking_month" && locked !== null && locked >= next;
  return carries || month < next ? next : month;
}
