/**
 * Lists the lines of periods that wait for their invoice (spec 3.2). A series that was never invoiced has hundreds of thousands
 * of such lines: each line is created on request, and lines that cannot have any effect yet are skipped before they are created.
 */
import { lastDayOf, type Month, monthOf } from "../../../domain/base/calendar.ts";
import { isHashed, readLineId } from "../../../domain/series/line-id.ts";
import { periodsFrom, type SeriesPeriod } from "../../../domain/series/period.ts";
import type { PlacedContent } from "../../../domain/series/series.ts";
import { linesOfPeriods } from "../../recurring/series/periods.ts";
import { firstUnsettled, isOpen, type Series, stateOf } from "../../recurring/series/series.ts";
import type { CustomerFacts } from "./read-facts.ts";
import type { InvoicedLine } from "./shapes.ts";

/** A line of an invoice or opening contract, or of an occurrence without an invoice. */
export type EffectiveLine = InvoicedLine;

/** Returns a line of a period of a series without an invoice, in the form of an invoiced line. */
export function notInvoiced(
  line: EffectiveLine["line"],
  series_id: string,
  period: string,
  currency: string,
): EffectiveLine {
  return {
    line,
    invoice_id: null,
    series_id,
    opening_contract_id: null,
    period,
    currency,
    issue_date: null,
    rate_micro: null,
    amount: null,
    amount_functional: null,
    completed_on: null,
    measured: null,
    credits: NO_CREDITS,
  };
}

const NO_CREDITS: EffectiveLine["credits"] = [];

/** Yields the periods of a series that have begun by the end of the month and have no invoice. */
export function* waitingPeriods(series: Series, begun: Month): Generator<SeriesPeriod> {
  const last_day = lastDayOf(begun);
  for (const period of periodsFrom(series, firstUnsettled(series))) {
    if (period.from > last_day) return;
    const has_invoice = series.period_events.get(period.index)?.state === "pending";
    if (!isOpen(series, period.index) || has_invoice) continue;
    if (stateOf(series, period) !== "dropped") yield period;
  }
}

/**
 * Yields the lines of waiting periods that have begun by the end of the month. With `through`, lines without any effect by the
 * end of that month and without bookings or work are left out; with `only`, all lines except these.
 */
export function* waitingLines(
  customer: CustomerFacts,
  begun: Month,
  through: Month | null,
  only: ReadonlySet<string> | null = null,
): Generator<EffectiveLine> {
  const isWanted = only === null ? () => true : periodsWith([...only]);
  const isTouched = through === null ? () => true : touchedPeriods(customer);
  for (const series of customer.series) {
    const linesOf = linesOfPeriods(series);
    const { id: series_id, currency } = series;
    for (const period of waitingPeriods(series, begun)) {
      if (!isWanted(period.key)) continue;
      const wants = isTouched(period.key) ? undefined : earnsBy(period, through);
      for (const { line } of linesOf(period, wants)) {
        if (only !== null && !only.has(line.id)) continue;
        yield notInvoiced(line, series_id, period.key, currency);
      }
    }
  }
}

/** Returns a function that selects the lines of a period that earn by time alone and have begun to earn. */
function earnsBy(period: SeriesPeriod, through: Month | null): (line: PlacedContent) => boolean {
  const has_begun = through === null || monthOf(period.from) <= through;
  return ({ content }) => has_begun && content.recognition_method === "value";
}

/** Returns a function that decides whether a period with the key may have bookings or work. */
function touchedPeriods({ booked, worked }: CustomerFacts): (key: string) => boolean {
  const has_work = periodsWith([...worked.keys()]);
  const has_bookings = new Set(booked.map(({ origin }) => origin?.period));
  return (key) => has_bookings.has(key) || has_work(key);
}

/** Returns a filter of period keys that may have one of the lines. It passes all if an id contains no period. */
function periodsWith(line_ids: readonly string[]): (key: string) => boolean {
  if (line_ids.some(isHashed)) return () => true;
  const keys = new Set(line_ids.map((line_id) => readLineId(line_id)?.key));
  return (key) => keys.has(key);
}
