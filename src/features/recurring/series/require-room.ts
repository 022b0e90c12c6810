/**
 * Enforces the limit of waiting lines of an account. Every report and every list of work processes these lines, so a change of a
 * series or of a sandbox's clock may not increase their number beyond the limit. Time alone may.
 */
import { type CalendarDate, lastDayOf, monthOf } from "../../../domain/base/calendar.ts";
import {
  countWaitingLines,
  MOST_WAITING_LINES,
  requireClockFits,
  requireRoom,
} from "../../../domain/series/bounds.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { lockConfiguration } from "../../settings/configuration/save.ts";
import { countWaiting, estimatedWaiting } from "./count-waiting.ts";
import type { Series } from "./series.ts";

/** An increase by more lines than this waits for other such increases of the account: each must see the lines of the others. */
const MOST_AT_THE_SAME_TIME = 1_000;

/**
 * Requires room in the account for the waiting lines that a change of a series adds by the end of the current month. Throws
 * VALIDATION_FAILED with `too_many` for `field`.
 */
export async function requireRoomFor(
  tx: Tx,
  before: Series,
  after: Series,
  today: CalendarDate,
  field: string,
): Promise<void> {
  const through = lastDayOf(monthOf(today));
  const [waited, waits] = [linesIn(before, through), linesIn(after, through)];
  if (waits <= waited) return;
  if (waits - waited > MOST_AT_THE_SAME_TIME) await lockConfiguration(tx);
  const counted = { through, except_id: after.id };
  const others = await countAtLeast(tx, counted, MOST_WAITING_LINES - waits);
  requireRoom(others, waited, waits, field);
}

/** Requires room for waiting lines when the account clock moves. Throws VALIDATION_FAILED with `too_many` for `now`. */
export async function requireRoomAt(
  cx: Reader,
  today: CalendarDate,
  then: CalendarDate,
): Promise<void> {
  const through = lastDayOf(monthOf(then));
  if ((await estimated(cx, { through })) <= MOST_WAITING_LINES) return;
  const after = await countWaiting(cx, { through }, Number.POSITIVE_INFINITY);
  const now = { through: lastDayOf(monthOf(today)) };
  const before = new Map(
    (await countWaiting(cx, now, Number.POSITIVE_INFINITY)).map(({ id, lines }) => [id, lines]),
  );
  requireClockFits(
    after.map(({ id, external_id, lines }) => ({
      name: external_id ?? id,
      before: before.get(id) ?? 0,
      after: lines,
    })),
  );
}

type Counted = Parameters<typeof countWaiting>[1];

/** Returns the upper bound of other series' waiting lines up to `enough`, else an exact count that stops above it. */
async function countAtLeast(cx: Reader, counted: Counted, enough: number): Promise<number> {
  const at_most = await estimated(cx, counted);
  if (at_most <= enough) return at_most;
  const series = await countWaiting(cx, counted, enough);
  return series.reduce((sum, { lines }) => sum + lines, 0);
}

async function estimated(cx: Reader, counted: Counted): Promise<number> {
  const row = await cx.row<{ lines: number }>(
    sql`select ${estimatedWaiting(cx, counted)} as lines`,
  );
  return row?.lines ?? 0;
}

/** Counts the waiting lines of a series in memory. */
function linesIn(series: Series, through: CalendarDate): number {
  if (series.status !== "active" || series.is_discarded) return 0;
  const settled = [...series.period_events].flatMap(([index, { state }]) =>
    state === "failed" ? [] : [index],
  );
  return countWaitingLines(
    series,
    settled.sort((a, b) => a - b),
    through,
  );
}
