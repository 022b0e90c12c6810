/** Presents an occurrence as the API shows it (spec 4.5). */
import type * as z from "zod";
import { type SeriesPeriod, timesOf } from "../../../domain/series/period.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type Series, shownPeriod, stateOf } from "../series/series.ts";
import { Occurrence } from "./schemas.ts";

/** Presents an occurrence as text; an issued occurrence has the dates of its invoice. */
export function presentOccurrence(series: Series, period: SeriesPeriod): JsonText {
  return jsonText(Occurrence.parse(shownOccurrence(series, period)));
}

/** Presents an occurrence as an object, for lists that add fields. */
export function shownOccurrence(series: Series, period: SeriesPeriod): z.input<typeof Occurrence> {
  const period_event = series.period_events.get(period.index);
  const shown = shownPeriod(series, period);
  const issued = period_event?.state === "issued" ? period_event : null;
  return {
    object: "occurrence",
    series_id: series.id,
    period: shown.key,
    period_from: shown.from,
    period_to: shown.to,
    issue_date: issued?.issue_date ?? timesOf(shown, series.timing).issue_date,
    is_final_partial: shown.is_final_partial,
    status: stateOf(series, period),
    invoice_id: issued?.invoice_id ?? null,
  };
}
