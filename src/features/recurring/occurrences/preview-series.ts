/** Previews a series until a date: periods, dates and amounts. Nothing is stored. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { netOf } from "../../../domain/sales/line.ts";
import type { Warning } from "../../../domain/sales/warning.ts";
import { requirePreviewFits } from "../../../domain/series/bounds.ts";
import { periodsFrom, type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { hoursByLine, openWorkOfSeries } from "../../sales/hours/queries.ts";
import { factsOf } from "../../sales/invoices/issue-inputs.ts";
import { warningsOfDraft } from "../../sales/invoices/warnings.ts";
import { linesOfPeriods } from "../series/periods.ts";
import { getSeries } from "../series/queries.ts";
import { firstUnsettled, isOpen, type Series, settledPeriods, stateOf } from "../series/series.ts";
import { draftOf } from "./issue-occurrence.ts";
import { Preview } from "./schemas.ts";

/**
 * Returns the open periods that start on or before the date, in order, with dates and net amounts by line. Throws NOT_FOUND, and
 * VALIDATION_FAILED for more periods or lines than a preview shows.
 */
export async function previewSeries(
  cx: Reader,
  ref: string,
  until: CalendarDate,
): Promise<JsonText> {
  const { series } = await getSeries(cx, ref);
  if (!series.is_discarded) requirePreviewFits(series, settledPeriods(series), until);
  const digits = currencyDigits(series.currency);
  const money = (amount: bigint): number => scaledToNumber(amount, digits);
  const worked = await openWorkOfSeries(cx, series.id);
  const line_ids = worked.map(({ line_id }) => line_id);
  const hours = await hoursByLine(cx, line_ids);
  const occurrences = [];
  const linesOf = linesOfPeriods(series);
  const slices = new Slices(cx.signal);
  let first: SeriesPeriod | undefined;
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (period.from > until || series.is_discarded) break;
    if (!isOpen(series, period.index)) continue;
    first ??= period;
    if (slices.isOver) await slices.next();
    const lines = linesOf(period).map(({ series_line_id, line }) => ({
      series_line_id,
      description: line.description_override ?? line.product_name,
      recognition_method: line.recognition_method,
      net: netOf(line, digits, hours.get(line.id)),
    }));
    occurrences.push({
      period: period.key,
      period_from: period.from,
      period_to: period.to,
      issue_date: timesOf(period, series.timing).issue_date,
      is_final_partial: period.is_final_partial,
      status: stateOf(series, period),
      net: money(lines.reduce((sum, line) => sum + line.net, 0n)),
      lines: lines.map(({ net, ...line }) => ({ ...line, amount: money(net) })),
    });
  }
  return jsonText(
    Preview.parse({
      object: "series_preview",
      series_id: series.id,
      currency: series.currency,
      until,
      occurrences,
      warnings: first === undefined ? [] : await warningsOfPeriod(cx, series, first),
    }),
  );
}

/** Returns the warnings of the next invoice; later invoices have the same warnings. */
async function warningsOfPeriod(
  cx: Reader,
  series: Series,
  period: SeriesPeriod,
): Promise<Warning[]> {
  const invoice = draftOf(series, period);
  const dateFrom = () => timesOf(period, series.timing).issue_date;
  const facts = await factsOf(cx, invoice, { dateFrom });
  // Hours of a period that has not ended are not known yet; nor are rates of future dates.
  const to_come = new Set([
    ...(period.to < facts.today ? [] : ["LINE_WITHOUT_HOURS"]),
    ...(facts.issue_date <= facts.today ? [] : ["RATE_OLD"]),
  ]);
  return warningsOfDraft(invoice, facts)
    .filter(({ code }) => !to_come.has(code))
    .map((warning) => {
      const is_of_line = warning.field?.startsWith("lines[") ?? false;
      return is_of_line ? { ...warning, field: `occurrences[0].${warning.field}` } : warning;
    });
}
