/**
 * Which line an edit means: a series line by its permanent id, or by the id of its line in one
 * occurrence, a shorthand for `this_only` in that period (spec 4.8).
 */

import { invalidField, notFound } from "../../domain/base/problem.ts";
import { periodsFrom, type SeriesPeriod } from "../../domain/series/period.ts";
import type { Scope, SeriesLine } from "../../domain/series/series.ts";
import { derivedId } from "../../platform/id.ts";
import { requirePeriod } from "./periods.ts";
import { firstOpen, type Series, standingIndex, uncancelled } from "./series.ts";

/** The series line that an edit means. */
interface NamedLine {
  readonly line: SeriesLine;
  readonly kind: "series" | "occurrence";
  /** The period that was named, be it by the id of its line. */
  readonly period: SeriesPeriod | undefined;
}

/**
 * A line by its own id, or by that of its line in one occurrence. Throws NOT_FOUND, MALFORMED_REQUEST,
 * and VALIDATION_FAILED where scope or period do not fit the occurrence's line.
 */
export function requireLine(
  series: Series,
  id: string,
  scope: Scope,
  text: string | undefined,
): NamedLine {
  const named = text === undefined ? undefined : requirePeriod(series, text);
  const line = series.lines.find((candidate) => candidate.line_id === id);
  if (line) return { line, kind: "series", period: named };
  const found = findOccurrenceLine(series, id);
  if (scope !== "this_only") {
    const message = "The line of one occurrence is changed with the scope this_only.";
    throw invalidField("scope", "not_allowed", message);
  }
  if (named !== undefined && named.index !== found.period.index) {
    throw invalidField("period", "not_allowed", "The line is that of another period.");
  }
  return { ...found, kind: "occurrence" };
}

/** The series line and period whose ids make the id (UUIDv5). Throws NOT_FOUND. */
function findOccurrenceLine(series: Series, id: string) {
  // No other version of UUID is made from a name.
  if (id[14] !== "5") throw notFound("series_line", id);
  for (const period of periodsAround(series)) {
    const line = series.lines.find(({ line_id }) => derivedId(line_id, period.key) === id);
    if (line) return { line, period };
  }
  throw notFound("series_line", id);
}

/** The periods whose lines a client may have looked at: around the first that is open. */
function* periodsAround(series: Series): Generator<SeriesPeriod> {
  const middle = firstOpen(series)?.index ?? standingIndex(series);
  const last = middle + MOST_PERIODS_AROUND;
  for (const period of periodsFrom(
    uncancelled(series),
    Math.max(0, middle - MOST_PERIODS_AROUND),
  )) {
    if (period.index > last) return;
    yield period;
  }
}

/** Ten years of weeks, or more. */
const MOST_PERIODS_AROUND = 520;
