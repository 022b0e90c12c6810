/** Moves skips, failures and lines with their periods when the header of a series changes. */

import { type Move, movedLine, moveOf } from "../../../domain/series/reschedule.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { PeriodEvent, Series } from "./series.ts";
import { replaceLine } from "./store-series.ts";

/** Returns the series with the header of `after`, and with skips, failures and lines at the new index of their period. */
export function rescheduled(before: Series, after: Series): Series {
  const move = moveOf(before, after);
  if (move === undefined) return after;
  const period_events = new Map<number, PeriodEvent>();
  for (const [index, entry] of before.period_events) {
    const at = move.periodAt(index);
    if (at !== undefined) period_events.set(at, entry);
  }
  return { ...after, period_events, lines: after.lines.map((line) => movedLine(line, move)) };
}

/** Writes the moves of `rescheduled`; nothing is issued yet. */
export async function storeRescheduled(tx: Tx, before: Series, after: Series): Promise<void> {
  const move = moveOf(before, after);
  if (move === undefined) return;
  for (const line of after.lines) await replaceLine(tx, line);
  await moveOccurrences(tx, after.id, move);
}

interface OccurrenceRow {
  readonly period_index: number;
  readonly state: string;
  readonly reason: string | null;
  readonly failure_code: string | null;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
}

async function moveOccurrences(tx: Tx, series_id: string, move: Move): Promise<void> {
  const rows =
    await tx.rows<OccurrenceRow>(sql`delete from occurrences where account_id = ${tx.caller.account_id} and series_id = ${series_id}
     returning period_index, state, reason, failure_code, attempts, next_attempt_at`);
  const moved = rows.flatMap((row) => {
    const period_index = move.periodAt(row.period_index);
    return period_index === undefined ? [] : [{ ...row, period_index }];
  });
  if (moved.length === 0) return;
  tx.write(sql`insert into occurrences (account_id, series_id, period_index, state, reason, failure_code, attempts,
       next_attempt_at)
     select ${tx.caller.account_id}, ${series_id}, o.period_index, o.state, o.reason, o.failure_code, o.attempts, o.next_attempt_at
     from json_to_recordset(${JSON.stringify(moved)}::json) as o (period_index int, state text, reason text,
       failure_code text, attempts int, next_attempt_at timestamptz)`);
}
