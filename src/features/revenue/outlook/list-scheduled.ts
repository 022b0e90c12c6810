/**
 * Lists what series will invoice in the current month and later ones beyond what reports have as invoiced: waiting periods of
 * active series by the date that their invoice will have, priced by their current lines and hours, net of VAT.
 */
import { addDays, lastDayOf, type Month, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { Money } from "../../../domain/base/money.ts";
import { amountByUser, type UserAmount } from "../../../domain/sales/amount-by-user.ts";
import { type Line, netOf, type UserHours } from "../../../domain/sales/line.ts";
import { functional } from "../../../domain/sales/totals.ts";
import { MOST_OFFSET_DAYS } from "../../../domain/series/forecast.ts";
import { periodsToInvoice } from "../../../domain/series/scheduled.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { todayOf } from "../../recurring/series/activate.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import { isOpen, type Series, stateOf } from "../../recurring/series/series.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { isForecast } from "../reports/forecast.ts";
import type { MonthsAhead, RowKind } from "../reports/report.ts";
import { factsWithSeries, type ReportScope } from "../reports/report-candidates.ts";
import { type Entry, placeOf } from "../reports/report-groups.ts";
import type { Facts } from "../revenue-facts/read-facts.ts";

interface ScheduledLine {
  readonly customer_id: string;
  readonly series: Series;
  readonly period: string;
  readonly line: Line;
  readonly month: Month;
  /** Whether it is invoiced in the current month, before the month in which the forecast counts it as invoiced. */
  readonly is_ahead: boolean;
}

/** Returns the rows that have something scheduled, each with this amount alone, in no order. */
export async function scheduledEntries(
  cx: Reader,
  configuration: Configuration,
  scope: ReportScope,
  kind: RowKind,
  months: MonthsAhead,
): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  const started_by = addDays(lastDayOf(months.to), MOST_OFFSET_DAYS);
  for await (const facts of factsWithSeries(cx, scope, started_by)) {
    const lines = await scheduledLines(cx, facts, scope, months);
    const by_hours = lines.filter(({ line }) => line.recognition_method === "hours");
    const hours = await hoursByLine(
      cx,
      by_hours.map(({ line }) => line.id),
    );
    const inBooks = converterOf(configuration, facts);
    const is_own = kind === "line_of_user";
    for (const one of lines) {
      const currency = is_own ? one.series.currency : configuration.functional_currency;
      for (const { user_id, amount } of partsOf(one, hours.get(one.line.id), scope)) {
        const added = is_own ? amount : inBooks(amount, one.series.currency, one.month);
        // A small share of a small amount is nothing, and has no row.
        if (added === 0n) continue;
        const entry = entryOf(one, user_id, kind, currency);
        const place = placeOf(entry);
        entries.set(place, withAmount(entries.get(place) ?? entry, added, one.is_ahead));
      }
    }
  }
  return [...entries.values()];
}

function withAmount(entry: Entry, added: Money | null, is_ahead: boolean): Entry {
  const { scheduled = 0n, scheduled_ahead = 0n } = entry;
  if (added === null || scheduled === null) return { ...entry, scheduled: null };
  return {
    ...entry,
    scheduled: scheduled + added,
    scheduled_ahead: scheduled_ahead + (is_ahead ? added : 0n),
  };
}

async function scheduledLines(
  cx: Reader,
  { customers }: Facts,
  scope: ReportScope,
  { from, to }: MonthsAhead,
): Promise<ScheduledLine[]> {
  const today = await todayOf(cx);
  const current = monthOf(today);
  const begun = lastDayOf(current);
  const found: ScheduledLine[] = [];
  const slices = new Slices(cx.signal);
  for (const { customer_id, series: own } of customers) {
    for (const series of own) {
      if (scope.series_id !== null && scope.series_id !== series.id) continue;
      const linesOf = linesOfPeriods(series);
      const { timing, activated_on } = series;
      if (activated_on === null) continue;
      const [failed, given_up] = failedPeriods(series);
      for (const one of periodsToInvoice(series, timing, activated_on, failed, today, to)) {
        const { period, month } = one;
        if (slices.isOver) await slices.next();
        const waits = isOpen(series, period.index) && !given_up.has(period.index);
        if (month < from || !waits || stateOf(series, period) === "dropped") continue;
        for (const { line } of linesOf(period)) {
          if (scope.product_id !== null && scope.product_id !== line.product_id) continue;
          const is_forecast = period.from > begun && isForecast(line);
          // The forecast has it as invoiced in this month.
          if (is_forecast && month > current) continue;
          found.push({
            customer_id,
            series,
            period: period.key,
            line,
            month,
            is_ahead: is_forecast,
          });
        }
      }
    }
  }
  return found;
}

/** Returns the indexes of failed periods that are tried again, and of those that are not. */
function failedPeriods({ period_events }: Series): readonly [Set<number>, Set<number>] {
  const [retried, given_up] = [new Set<number>(), new Set<number>()];
  for (const [index, one] of period_events) {
    if (one.state !== "failed") continue;
    (one.next_attempt_at === null ? given_up : retried).add(index);
  }
  return [retried, given_up];
}

/** Returns the parts of a line that the filters select; none of a line without an amount. */
function partsOf(
  { line, series }: ScheduledLine,
  hours: readonly UserHours[] | undefined,
  { user_id }: ReportScope,
): UserAmount[] {
  const net = netOf(line, currencyDigits(series.currency), hours);
  if (net === 0n) return [];
  const parts = amountByUser(line, net, hours);
  return user_id === null ? parts : parts.filter((part) => part.user_id === user_id);
}

/** Returns a function that converts an amount at the last known rate of a month; null while there is none. */
function converterOf(
  { functional_currency }: Configuration,
  { rates }: Facts,
): (amount: Money, currency: string, month: Month) => Money | null {
  return (amount, currency, month) => {
    if (currency === functional_currency) return amount;
    const known = rates.get(currency)?.findLast((rate) => rate.month <= month);
    if (known === undefined) return null;
    const from_digits = currencyDigits(currency);
    const to_digits = currencyDigits(functional_currency);
    return functional(amount, { rate_micro: known.rate_micro, from_digits, to_digits });
  };
}

/** Returns the row of a line, or of the group to which it belongs, without any amount. */
function entryOf(
  { customer_id, series, period, line, month }: ScheduledLine,
  user_id: string | null,
  kind: RowKind,
  currency: string,
): Entry {
  const { id: line_id, product_id, account_number } = line;
  const ids = { customer_id, invoice_id: null, series_id: series.id, period, line_id, product_id };
  const rows = {
    line_of_user: [`${line_id} ${user_id ?? "-"} ${customer_id} ${account_number}`, ids],
    line: [line_id, ids],
    customer: [customer_id, { customer_id }],
    product: [product_id, { product_id }],
    user: [user_id ?? "-", { user_id }],
    month: ["-", {}],
  } as const;
  const [key, known] = rows[kind];
  return {
    month,
    key,
    ids: kind === "line_of_user" ? { ...known, user_id } : known,
    account_number: kind === "line_of_user" ? account_number : null,
    currency,
    earned: 0n,
    invoiced: 0n,
    asset: 0n,
    liability: 0n,
    hours: 0n,
  };
}
