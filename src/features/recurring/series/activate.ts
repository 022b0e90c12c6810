/** Activates a series: the customer has agreed to the series, and the scheduler issues its periods from now on (spec 4.1). */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { requireSeriesFits } from "../../../domain/series/bounds.ts";
import { periodsFrom } from "../../../domain/series/period.ts";
import { contentsFrom } from "../../../domain/series/series.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { lockSeries } from "./queries.ts";
import { requireRoomFor } from "./require-room.ts";
import { ActivateBody } from "./schemas.ts";
import type { PeriodEvent, Series } from "./series.ts";
import { updateSeries } from "./store-series.ts";

/**
 * Activates a series; `past_periods` decides whether periods that ended before today wait (`keep`) or are skipped (`skip`).
 * Returns the series. Throws NOT_FOUND, SERIES_CANCELLED, SERIES_ALREADY_ACTIVE, SERIES_INCOMPLETE, VALIDATION_FAILED.
 */
export const activateSeries = defineCommand({
  name: "activate_series",
  access: "write",
  input: z.object({ ref: Ref, past_periods: ActivateBody.shape.past_periods }),

  async plan(tx, { ref, past_periods }) {
    const { series, document } = await lockSeries(tx, ref);
    if (series.cancelled_at !== null) throw new Problem("SERIES_CANCELLED");
    if (series.status === "active") throw new Problem("SERIES_ALREADY_ACTIVE");
    // A line that was removed from every period does not count.
    if (contentsFrom(series.lines, 0).length === 0) throw new Problem("SERIES_INCOMPLETE");
    const today = await todayOf(tx);
    const skipped = past_periods === "skip" ? pastPeriods(series, today) : [];
    const after = activated(series, today, skipped);
    await requireRoomFor(tx, series, after, today, "lines");
    return { document, skipped, after };
  },

  async commit(tx, { document, skipped, after }): Promise<JsonText> {
    if (skipped.length > 0) {
      tx.write(sql`insert into occurrences (account_id, series_id, period_index, state, reason)
         select ${tx.caller.account_id}, ${after.id}, i, 'skipped', 'past_period' from unnest(${skipped}::int[]) as i
         on conflict (account_id, series_id, period_index) do update
           set state = 'skipped', reason = 'past_period', next_attempt_at = null`);
    }
    const changed = await updateSeries(tx, after);
    tx.audit("recurring_series", after.id, "activated", { before: document, after: changed });
    return changed;
  },
});

/**
 * Returns the series as active from a date on, with the periods of the given indexes skipped. Nothing is written. Throws
 * VALIDATION_FAILED for a series that would then have too many waiting lines.
 */
export function activated(
  series: Series,
  today: CalendarDate,
  skipped: readonly number[] = [],
): Series {
  requireSeriesFits(null, series, today, "lines");
  const period_events = new Map<number, PeriodEvent>(series.period_events);
  for (const index of skipped) period_events.set(index, { state: "skipped" });
  return { ...series, status: "active", activated_on: today, period_events };
}

/** Returns today's date in the account's time zone, by its clock (spec 0.4). */
export async function todayOf(cx: Reader): Promise<CalendarDate> {
  return todayIn(cx.clock, (await getConfiguration(cx)).time_zone);
}

function pastPeriods(series: Series, today: CalendarDate): number[] {
  const past: number[] = [];
  for (const period of periodsFrom(series, 0)) {
    if (period.to >= today) break;
    if (!series.period_events.has(period.index)) past.push(period.index);
  }
  return past;
}
