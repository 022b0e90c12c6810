/** Skips a period, and undoes the skip (spec 4.5). */

import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { SeriesPeriod } from "../../../domain/series/period.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { countsByPeriod, openWorkOfSeries } from "../../sales/hours/queries.ts";
import { todayOf } from "../series/activate.ts";
import { requirePeriod, requireWaiting } from "../series/periods.ts";
import { lockSeries } from "../series/queries.ts";
import { requireRoomFor } from "../series/require-room.ts";
import { type PeriodEvent, type Series, stateOf } from "../series/series.ts";
import { updateSeries } from "../series/store-series.ts";
import { presentOccurrence } from "./present.ts";
import { ReasonBody } from "./schemas.ts";

const SkipInput = z.object({ ref: Ref, period: z.string(), reason: ReasonBody.shape.reason });

/**
 * Marks a period as not to be invoiced and returns the occurrence (spec 4.5). Throws NOT_FOUND,
 * MALFORMED_REQUEST, SERIES_CANCELLED, OCCURRENCE_ALREADY_ISSUED, OCCURRENCE_DROPPED,
 * INVOICE_ISSUE_IN_PROGRESS, OCCURRENCE_HAS_REGISTRATIONS.
 */
export const skipOccurrence = defineCommand({
  name: "skip_occurrence",
  access: "write",
  input: SkipInput,

  async plan(tx, { ref, period: text, reason }) {
    const { series } = await lockSeries(tx, ref);
    const period = requirePeriod(series, text);
    requireWaiting(series, period);
    if (stateOf(series, period) !== "skipped") await requireNoWorkIn(tx, series, period);
    return { series, period, reason: reason ?? null };
  },

  commit: (cx, { series, period, reason }) => change(cx, series, period, "skipped", reason),
});

/**
 * Makes a skipped period wait again and returns the occurrence. Throws NOT_FOUND, MALFORMED_REQUEST,
 * OCCURRENCE_NOT_SKIPPED, VALIDATION_FAILED.
 */
export const unskipOccurrence = defineCommand({
  name: "unskip_occurrence",
  access: "write",
  input: SkipInput,

  async plan(tx, { ref, period: text, reason }) {
    const { series } = await lockSeries(tx, ref);
    const period = requirePeriod(series, text);
    if (stateOf(series, period) !== "skipped") throw new Problem("OCCURRENCE_NOT_SKIPPED");
    const period_events = new Map(series.period_events);
    period_events.delete(period.index);
    await requireRoomFor(tx, series, { ...series, period_events }, await todayOf(tx), "period");
    return { series, period, reason: reason ?? null };
  },

  commit: (cx, { series, period, reason }) => change(cx, series, period, "scheduled", reason),
});

async function requireNoWorkIn(cx: Reader, series: Series, period: SeriesPeriod): Promise<void> {
  const counts = countsByPeriod(await openWorkOfSeries(cx, series.id));
  const work_registrations = counts.get(period.index) ?? 0;
  if (work_registrations === 0) return;
  throw new Problem("OCCURRENCE_HAS_REGISTRATIONS", { details: { work_registrations } });
}

async function change(
  tx: Tx,
  series: Series,
  period: SeriesPeriod,
  state: "skipped" | "scheduled",
  reason: string | null,
): Promise<JsonText> {
  const before = presentOccurrence(series, period);
  const period_events = new Map<number, PeriodEvent>(series.period_events);
  if (state === "skipped") {
    await markSkipped(tx, series.id, period.index, reason);
    period_events.set(period.index, { state });
  } else {
    tx.write(
      sql`delete from occurrences where account_id = ${tx.caller.account_id} and series_id = ${series.id} and period_index = ${period.index}`,
    );
    period_events.delete(period.index);
  }
  const after_series: Series = { ...series, period_events };
  const after = presentOccurrence(after_series, period);
  if (before === after) return after;
  await updateSeries(tx, after_series);
  tx.audit(
    "occurrence",
    `${series.id}/${period.key}`,
    state === "skipped" ? "skipped" : "unskipped",
    { before, after, reason, customer_id: series.customer_id },
  );
  return after;
}

/** Stores the skip of a period, by its index and with a reason; the caller writes the series and the audit event. */
async function markSkipped(
  tx: Tx,
  series_id: string,
  index: number,
  reason: string | null,
): Promise<void> {
  tx.write(sql`insert into occurrences (account_id, series_id, period_index, state, reason)
     values (${tx.caller.account_id}, ${series_id}, ${index}, 'skipped', ${reason})
     on conflict (account_id, series_id, period_index) do update
       set state = 'skipped', reason = ${reason}, failure_code = null, next_attempt_at = null`);
}
