/** Amounts of periods of several series together, for lists that show more than the stored text. Nothing is locked. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { netOf } from "../../../domain/sales/line.ts";
import { type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { linesOfInvoices } from "../../sales/invoices/queries.ts";
import { linesOfPeriod } from "../series/periods.ts";
import { findManySeries } from "../series/queries.ts";
import { firstOpen, type Series, stateOf } from "../series/series.ts";

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

/** Returns the first open occurrence of each series by the series' id; series without an open occurrence have no entry. */
export async function nextOccurrences(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, NextOccurrence>> {
  const many = await findManySeries(cx, ids);
  const open = [...many.values()].flatMap((series) => {
    const period = firstOpen(series);
    return period === undefined ? [] : [{ series, period }];
  });
  const priced = await pricedPeriods(cx, open);
  return new Map(
    priced.map(({ series, period, net }) => [
      series.id,
      {
        period: period.key,
        period_from: period.from,
        period_to: period.to,
        issue_date: timesOf(period, series.timing).issue_date,
        status: stateOf(series, period),
        net: scaledToNumber(net, currencyDigits(series.currency)),
      },
    ]),
  );
}
