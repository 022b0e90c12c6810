/** Finds a series line by its permanent id, or by the computed id in an occurrence, which contains its origin. */

import { groupedBy } from "../../../domain/base/group.ts";
import { invalidField, notFound } from "../../../domain/base/problem.ts";
import { type LineIdentity, occurrenceLineId, readLineId } from "../../../domain/series/line-id.ts";
import {
  periodAt,
  periodWithKey,
  type Recurrence,
  type SeriesPeriod,
} from "../../../domain/series/period.ts";
import type { Scope, SeriesLine } from "../../../domain/series/series.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { requirePeriod } from "./periods.ts";
import { type Series, uncancelled } from "./series.ts";

interface OccurrenceLine {
  readonly series_id: string;
  readonly line_id: string;
  /** The period of the series as if it had no end. */
  readonly period: SeriesPeriod;
}

interface FoundRow extends LineIdentity, Recurrence {
  readonly series_id: string;
  /** The id that was asked for, or the bits that an id has of its line. */
  readonly asked: string;
  /** The key of the period, for an id that is a hash. */
  readonly period: string | null;
}

/** Returns the origin of the id of an occurrence's line; undefined when the account has no such line or period. */
export async function findOccurrenceLine(
  cx: Reader,
  id: string,
): Promise<OccurrenceLine | undefined> {
  return (await findOccurrenceLines(cx, [id])).get(id);
}

/** Returns `findOccurrenceLine` of many ids, by id; ids without such a line or period are left out. */
export async function findOccurrenceLines(
  cx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OccurrenceLine>> {
  const { account_id } = cx.caller;
  const parts = ids.map((id) => ({ id, ...readLineId(id) }));
  const line_bits = parts.flatMap((part) => part.line_bits ?? []);
  const rows =
    await cx.rows<FoundRow>(sql`select l.line_id, l.hashed_periods, l.series_id, s.frequency, s.alignment, s.start_date,
      null::date as end_date, f.asked, f.period
    from (
      select line_id, id::text as asked, period from hashed_line_ids where account_id = ${account_id} and id = any(${ids}::uuid[])
      union all
      select line_id, right(line_id::text, 17), null from series_lines
      where account_id = ${account_id} and right(line_id::text, 17) = any(${line_bits}::text[])) f
    join series_lines l on l.account_id = ${account_id} and l.line_id = f.line_id
    join recurring_series s on s.account_id = l.account_id and s.id = l.series_id`);
  const by = groupedBy(rows, ({ asked }) => asked);
  const found = new Map<string, OccurrenceLine>();
  for (const { id, key = "", line_bits: bits = "" } of parts) {
    // The last digits of another line's id may be equal by chance.
    const row = [...(by.get(id) ?? []), ...(by.get(bits) ?? [])].find(
      (one) => occurrenceLineId(one, one.period ?? key) === id,
    );
    const period = row && periodWithKey(row, row.period ?? key);
    if (period) found.set(id, { series_id: row.series_id, line_id: row.line_id, period });
  }
  return found;
}

/** The series line that an edit names. */
interface NamedLine {
  readonly line: SeriesLine;
  readonly kind: "series" | "occurrence";
  /** The named period, which may come from the id of the line. */
  readonly period: SeriesPeriod | undefined;
}

/**
 * Returns the line of an edit by its permanent id, or by its id in one occurrence, a shorthand for `this_only` in
 * that period (spec 4.8). Throws NOT_FOUND, MALFORMED_REQUEST, and VALIDATION_FAILED for another scope or period.
 */
export async function requireLine(
  cx: Reader,
  series: Series,
  id: string,
  scope: Scope,
  text: string | undefined,
): Promise<NamedLine> {
  const named = text === undefined ? undefined : requirePeriod(series, text);
  const line = series.lines.find((candidate) => candidate.line_id === id);
  if (line) return { line, kind: "series", period: named };
  const found = await findOccurrenceLine(cx, id);
  const origin = series.lines.find((candidate) => candidate.line_id === found?.line_id);
  const period = found && periodAt(uncancelled(series), found.period.index);
  if (origin === undefined || period === undefined) throw notFound("series_line", id);
  if (scope !== "this_only") {
    const message = "The line of one occurrence is changed with the scope this_only.";
    throw invalidField("scope", "not_allowed", message);
  }
  if (named !== undefined && named.index !== period.index) {
    throw invalidField("period", "not_allowed", "The line belongs to another period.");
  }
  return { line: origin, kind: "occurrence", period };
}
