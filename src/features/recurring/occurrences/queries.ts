/** Reads occurrences: the periods of a series, computed when they are read (spec 4.5). */

import { addDays, addYears, type CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { type Line, netOf } from "../../../domain/sales/line.ts";
import { occurrenceLineId } from "../../../domain/series/line-id.ts";
import { countPeriods, periodsFrom, type SeriesPeriod } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findIssued } from "../../documents/issued/issued-documents.ts";
import { hoursByLine } from "../../sales/hours/queries.ts";
import { getInvoice } from "../../sales/invoices/queries.ts";
import { todayOf } from "../series/activate.ts";
import { linesOfPeriod, requirePeriod } from "../series/periods.ts";
import { getSeries } from "../series/queries.ts";
import { OccurrenceLine } from "../series/schemas.ts";
import {
  presentContent,
  type Series,
  shownPeriod,
  stateOf,
  uncancelled,
} from "../series/series.ts";
import { presentOccurrence } from "./present.ts";
import type { OccurrenceQuery } from "./schemas.ts";

/** Returns one occurrence. Throws NOT_FOUND, MALFORMED_REQUEST. */
export async function readOccurrence(cx: Reader, ref: string, text: string): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  return presentOccurrence(series, requirePeriod(series, text));
}

const INDEX = /^\d{1,6}$/;

/**
 * Returns a page of occurrences by period, ascending: those that start from `from` through `to`; by default from the start of
 * the series through the earlier of its end and twelve months from today. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export async function listOccurrences(
  cx: Reader,
  ref: string,
  page: OccurrenceQuery,
): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  const from = page.from ?? series.start_date;
  const to = page.to ?? (await lastShown(cx, series));
  const after = page.cursor === undefined ? -1 : Number(positionFrom(page.cursor, INDEX).id);
  const shown: SeriesPeriod[] = [];
  // The indexes are computed, so that periods outside of the range are not iterated.
  const whole = uncancelled(series);
  const first = Math.max(after + 1, countPeriods(whole, addDays(from, -1)));
  const end = countPeriods(whole, to);
  for (const period of periodsFrom(whole, first)) {
    if (period.index >= end) break;
    if (page.status !== undefined && stateOf(series, period) !== page.status) continue;
    shown.push(period);
    if (shown.length > page.limit) break;
  }
  const data = shown.slice(0, page.limit);
  const last = shown.length > page.limit ? data.at(-1) : undefined;
  return envelope(
    data.map((period) => presentOccurrence(series, period)),
    last ? cursorFrom({ id: String(last.index), horizon: null }) : null,
  );
}

async function lastShown(cx: Reader, series: Series): Promise<CalendarDate> {
  const in_a_year = addYears(await todayOf(cx), 1);
  const { end_date } = series;
  return end_date !== null && end_date < in_a_year ? end_date : in_a_year;
}

/** A line of an occurrence with its net amount in minor units: as booked, or by the current hours. */
export interface PricedLine {
  readonly series_line_id: string;
  readonly line: Line;
  readonly amount: Money;
}

/** Returns the lines of a period of a series with their amounts; those of an invoiced period as they were invoiced. */
export async function pricedLines(
  cx: Reader,
  series: Series,
  named: SeriesPeriod,
): Promise<PricedLine[]> {
  const period = shownPeriod(series, named);
  const digits = currencyDigits(series.currency);
  const period_event = series.period_events.get(named.index);
  const shown =
    period_event !== undefined && "invoice_id" in period_event
      ? await invoicedLines(cx, series, period, period_event.invoice_id)
      : linesOfPeriod(series, period);
  const amounts = await amountsOf(
    cx,
    shown.map(({ line }) => line),
    digits,
    period_event?.state === "issued" ? period_event.invoice_id : null,
  );
  return shown.map((one) => ({ ...one, amount: amounts.get(one.line.id) ?? 0n }));
}

/** Returns the lines of one occurrence with their amounts. Throws NOT_FOUND, MALFORMED_REQUEST. */
export async function readOccurrenceLines(
  cx: Reader,
  ref: string,
  text: string,
): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  const digits = currencyDigits(series.currency);
  const priced = await pricedLines(cx, series, requirePeriod(series, text));
  const lines = priced.map(({ series_line_id, line, amount }) =>
    jsonText(
      OccurrenceLine.parse({
        object: "occurrence_line",
        id: line.id,
        series_line_id,
        ...presentContent(line, series.currency),
        amount: scaledToNumber(amount, digits),
      }),
    ),
  );
  return envelope(lines, null);
}

/** Returns the lines of an occurrence as invoiced: later edits of the series do not affect these lines. */
async function invoicedLines(
  cx: Reader,
  series: Series,
  period: SeriesPeriod,
  invoice_id: string,
): Promise<{ readonly series_line_id: string; readonly line: Line }[]> {
  const { invoice } = await getInvoice(cx, invoice_id);
  const origins = new Map(
    series.lines.map((line) => [occurrenceLineId(line, period.key), line.line_id]),
  );
  return invoice.lines.map((line) => ({ series_line_id: origins.get(line.id) ?? "", line }));
}

/** Returns net amounts by line: as booked, or by the hours that are registered now. */
async function amountsOf(
  cx: Reader,
  lines: readonly Line[],
  currency_digits: number,
  issued_invoice_id: string | null,
): Promise<Map<string, bigint>> {
  const booked = issued_invoice_id === null ? undefined : await findIssued(cx, issued_invoice_id);
  if (booked) return new Map(booked.snapshot.lines.map(({ line_id, net }) => [line_id, net]));
  const ids = lines.map((line) => line.id);
  const hours = await hoursByLine(cx, ids);
  return new Map(lines.map((line) => [line.id, netOf(line, currency_digits, hours.get(line.id))]));
}
