/**
 * The versions and overrides of lines when a change of the header moves a series' periods (spec 4.8 and 4.9): an override stays
 * with the period of the same key, not with its index. After a change of frequency there is no such period any more, and only
 * versions remain, each from its day on.
 */
import { indexContaining, periodAt, type Recurrence } from "./period.ts";
import type { LineContent, SeriesLine } from "./series.ts";

export interface Move {
  /** The period in which a version begins now. */
  readonly versionAt: (index: number) => number;
  /** The index of a single period now; undefined when the period no longer exists. */
  readonly periodAt: (index: number) => number | undefined;
}

/** How the periods move; undefined when they do not move. */
export function moveOf(before: Recurrence, after: Recurrence): Move | undefined {
  const [old, now] = [before, after].map((one) => ({ ...one, end_date: null })) as [
    Recurrence,
    Recurrence,
  ];
  if (old.frequency !== now.frequency) {
    return { versionAt: (index) => firstFrom(now, old, index), periodAt: () => undefined };
  }
  if (old.start_date === now.start_date) return undefined;
  const shift = distance(old, now);
  if (shift === 0) return undefined;
  return {
    // A version that applies from the first period on still does.
    versionAt: (index) => (index === 0 ? 0 : Math.max(0, index + shift)),
    periodAt: (index) => (index + shift < 0 ? undefined : index + shift),
  };
}

/** A line after a move. When several versions now begin in one period, the latest applies. */
export function movedLine(line: SeriesLine, move: Move): SeriesLine {
  const versions = new Map<number, LineContent | null>();
  for (const [index, content] of inOrder(line.versions)) {
    versions.set(move.versionAt(index), content);
  }
  const overrides = new Map<number, LineContent | null>();
  for (const [index, content] of inOrder(line.overrides)) {
    const at = move.periodAt(index);
    if (at !== undefined) overrides.set(at, content);
  }
  return { ...line, versions, overrides };
}

function inOrder<Content>(
  versions_by_index: ReadonlyMap<number, Content>,
): (readonly [number, Content])[] {
  return [...versions_by_index].sort(([a], [b]) => a - b);
}

/** The first period that starts on or after the first day of an old one. */
function firstFrom(now: Recurrence, old: Recurrence, index: number): number {
  if (index === 0) return 0;
  const day = periodAt(old, index)?.from;
  const within = day === undefined ? undefined : indexContaining(now, day);
  if (within === undefined) return 0;
  return periodAt(now, within)?.from === day ? within : within + 1;
}

/** The difference between new and old indexes: in both series, one period starts in each calendar unit. */
function distance(old: Recurrence, now: Recurrence): number {
  const earlier = old.start_date < now.start_date ? old : now;
  const later = earlier === old ? now : old;
  // The period with the key starts in the same unit: it is the one that contains the day, or the next.
  const within = indexContaining(earlier, later.start_date) ?? 0;
  const has_key = periodAt(earlier, within)?.key === periodAt(later, 0)?.key;
  const periods = has_key ? within : within + 1;
  return later === now ? -periods : periods;
}
