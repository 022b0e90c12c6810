/** Amounts of periods of several series together, for lists that show more than the stored text. Nothing is locked. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { netOf } from "../../../domain/sales/line.ts";
import { type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { linesOfInvoices } from "../../sales/invoices/queries.ts";
import { todayOf } from "../series/activate.ts";
import { linesOfPeriod } from "../series/periods.ts";
import { findManySeries } from "../series/queries.ts";
import { type Series, stateOf } from "../series/series.ts";
import { type Upcoming, upcomingOf } from "./find-upcoming.ts";

/** A period of a series with its invoiced amount, or the amount that it would be invoiced with, in minor units. */
export interface PricedPeriod {
  readonly series: Series;
  readonly period: SeriesPeriod;
  readonly net: Money;
}

/** Returns the net amounts of periods, in order: as booked, or by the current lines and hours. Uses few queries. */
export async function pricedPeriods(
  cx: Reader,
  periods: readonly Omit<PricedPeriod, "net">[],
): Promise<PricedPeriod[]> {
  const lines = periods.map(({ series, period }) => linesOfPeriod(series, period));
  const invoice_ids = periods.flatMap(({ series, period }) => invoiceOf(series, period) ?? []);
  const line_ids = lines.flatMap((placed) => placed.map(({ line }) => line.id));
  const [hours, invoiced] = await Promise.all([
    hoursByLine(cx, line_ids),
    linesOfInvoices(cx, invoice_ids),
  ]);
  const booked = groupedBy(invoiced, (line) => line.invoice_id);
  return periods.map(({ series, period }, at) => {
    const digits = currencyDigits(series.currency);
    const invoice_id = invoiceOf(series, period);
    const amounts =
      invoice_id === null
        ? (lines[at] ?? []).map(({ line }) => netOf(line, digits, hours.get(line.id)))
        : (booked.get(invoice_id) ?? []).map((line) => line.booked ?? 0n);
    return { series, period, net: amounts.reduce((sum, amount) => sum + amount, 0n) };
  });
}

function invoiceOf(series: Series, period: SeriesPeriod): string | null {
  const period_event = series.period_events.get(period.index);
  return period_event?.state === "issued" ? period_event.invoice_id : null;
}

/** The next occurrence of a series, as lists show it. */
interface NextOccurrence {
  readonly period: string;
  readonly period_from: string;
  readonly period_to: string;
  readonly issue_date: string;
  readonly status: string;
  readonly net: number;
}

/** What lists show of a series: the occurrence that is invoiced next, and others in words (`waits 2025-11`). */
interface UpcomingOccurrences {
  readonly next: NextOccurrence | null;
  readonly apart: readonly string[];
}

/** The most occurrences that are named besides the next one. */
const MOST_APART = 6;

/** Returns the next occurrence of each series by the series' id, and the ones apart from it (`upcomingOf`). */
export async function upcomingOccurrences(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, UpcomingOccurrences>> {
  if (ids.length === 0) return new Map();
  const [many, today] = await Promise.all([findManySeries(cx, ids), todayOf(cx)]);
  const found = [...many.values()].map((series) => ({ series, ...upcomingOf(series, today) }));
  const priced = await pricedPeriods(
    cx,
    found.flatMap(({ series, next }) => (next === undefined ? [] : [{ series, period: next }])),
  );
  const next = new Map(priced.map((one) => [one.series.id, nextFrom(one)]));
  return new Map(
    found.map(({ series: { id }, apart }) => [
      id,
      { next: next.get(id) ?? null, apart: wordsApart(apart) },
    ]),
  );
}

function nextFrom({ series, period, net }: PricedPeriod): NextOccurrence {
  return {
    period: period.key,
    period_from: period.from,
    period_to: period.to,
    issue_date: timesOf(period, series.timing).issue_date,
    status: stateOf(series, period),
    net: scaledToNumber(net, currencyDigits(series.currency)),
  };
}

function wordsApart(apart: Upcoming["apart"]): string[] {
  const named = apart.slice(0, MOST_APART).map(({ state, period }) => `${state} ${period.key}`);
  const more = apart.length - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}
