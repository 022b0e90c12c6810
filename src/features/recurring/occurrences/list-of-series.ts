/** Lists all occurrences of some series for files, which have no pages. */
import type * as z from "zod";
import { addYears, type CalendarDate } from "../../../domain/base/calendar.ts";
import { countPeriods, periodsFrom } from "../../../domain/series/period.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { todayOf } from "../series/activate.ts";
import { findManySeries } from "../series/queries.ts";
import { uncancelled } from "../series/series.ts";
import { shownRow } from "./list-all.ts";
import { type PricedPeriod, pricedPeriods } from "./price-periods.ts";
import type { OccurrenceRow } from "./schemas.ts";

/** The number of periods that are priced together. */
const PRICED_TOGETHER = 100;

/**
 * Yields the occurrences of series in the order of their ids, each by period: from the start of the series through its end,
 * as far as they start within a year from today. Those that a cancellation dropped are among them, but none of a discarded draft.
 * With `starts_after` only those that start later.
 */
export async function* occurrencesOf(
  cx: Reader,
  series_ids: readonly string[],
  starts_after: CalendarDate | null = null,
): AsyncGenerator<readonly z.output<typeof OccurrenceRow>[]> {
  const many = await findManySeries(cx, series_ids);
  const last_start = addYears(await todayOf(cx), 1);
  let some: Omit<PricedPeriod, "net">[] = [];
  const priced = async () => (await pricedPeriods(cx, some)).map(shownRow);
  for (const id of series_ids) {
    const series = many.get(id);
    if (series === undefined || series.is_discarded) continue;
    const whole = uncancelled(series);
    const end = countPeriods(whole, last_start);
    const first = starts_after === null ? 0 : countPeriods(whole, starts_after);
    for (const period of periodsFrom(whole, first)) {
      if (period.index >= end) break;
      some.push({ series, period });
      if (some.length < PRICED_TOGETHER) continue;
      yield await priced();
      some = [];
    }
  }
  if (some.length > 0) yield await priced();
}
