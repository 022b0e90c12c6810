/** Finds a period of a series, checks whether it waits for its invoice, and returns its lines. */

import { notFound, Problem } from "../../../domain/base/problem.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { linesById, occurrenceLineId, occurrenceLineIds } from "../../../domain/series/line-id.ts";
import { findPeriod, type SeriesPeriod } from "../../../domain/series/period.ts";
import {
  contentAt,
  linesAt,
  linesOver,
  occurrenceLine,
  type PlacedContent,
} from "../../../domain/series/series.ts";
import { type Series, stateOf, uncancelled } from "./series.ts";

/** Returns the period that a text names, which may be a dropped period. Throws MALFORMED_REQUEST or NOT_FOUND. */
export function requirePeriod(series: Series, text: string): SeriesPeriod {
  const period = findPeriod(uncancelled(series), text);
  if (period === "absent") throw notFound("occurrence", text);
  if (period === "malformed") {
    const message = `A period of a ${series.frequency} series is named by its key or its first day.`;
    throw new Problem("MALFORMED_REQUEST", { message });
  }
  return period;
}

/** Returns the lines of a period with the ids that its invoice's lines have or will have (spec 4.8). */
export function linesOfPeriod(
  series: Series,
  period: SeriesPeriod,
): { readonly series_line_id: string; readonly line: Line }[] {
  return linesAt(series.lines, period.index).map(({ content, ...line }) => ({
    series_line_id: line.line_id,
    line: occurrenceLine(content, occurrenceLineId(line, period.key), period),
  }));
}

/** Returns a function that gives the lines of one period, for several periods in order. Unwanted lines are never created. */
export function linesOfPeriods(
  series: Series,
): (
  period: SeriesPeriod,
  wants?: (line: PlacedContent, period: SeriesPeriod) => boolean,
) => { readonly series_line_id: string; readonly line: Line }[] {
  const linesIn = linesOver(series.lines);
  const idOf = occurrenceLineIds();
  return (period, wants) => {
    const lines = linesIn(period.index);
    const wanted = wants === undefined ? lines : lines.filter((line) => wants(line, period));
    return wanted.map((line) => ({
      series_line_id: line.line_id,
      line: occurrenceLine(line.content, idOf(line, period.key), period),
    }));
  };
}

/** Finds the line of a period by the id that its invoice's line has or will have; creates no other line. */
export function lineFinder({
  lines,
}: Pick<Series, "lines">): (period: SeriesPeriod, id: string) => Line | undefined {
  const find = linesById(lines);
  return (period, id) => {
    const line = find(id, period.key);
    const content = line === undefined ? null : contentAt(line, period.index);
    return content === null ? undefined : occurrenceLine(content, id as Line["id"], period);
  };
}

/**
 * Requires that the period waits to be invoiced, or was skipped or failed. Throws SERIES_CANCELLED, OCCURRENCE_DROPPED,
 * OCCURRENCE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS.
 */
export function requireWaiting(series: Series, period: SeriesPeriod): void {
  if (series.is_discarded) throw new Problem("SERIES_CANCELLED");
  const state = stateOf(series, period);
  if (state === "dropped") throw new Problem("OCCURRENCE_DROPPED");
  if (state === "issued") throw new Problem("OCCURRENCE_ALREADY_ISSUED");
  if (series.period_events.get(period.index)?.state === "pending") {
    throw new Problem("INVOICE_ISSUE_IN_PROGRESS");
  }
}
