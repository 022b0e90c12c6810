/**
 * Moves line versions and overrides with the periods of a changed series (spec 4.8 and 4.9). An override stays with
 * its period's key, not its index. A change of frequency keeps only versions, each from its first day on.
 */
import { indexContaining, periodAt, type Recurrence } from "./period.ts";
import type { LineContent, SeriesLine } from "./series.ts";

export interface Move {
  /** Returns the new index of the period in which a version begins. */
  readonly versionAt: (index: number) => number;
  /** Returns the new index of a single period; undefined when the period no longer exists. */
  readonly periodAt: (index: number) => number | undefined;
}

/** Returns how the periods move; undefined when they do not move. */
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
    // A version that applied from the first period on still does so.
    versionAt: (index) => (index === 0 ? 0 : Math.max(0, index + shift)),
    periodAt: (index) => (index + shift < 0 ? undefined : index + shift),
  };
}

/** Returns a line after a move. When several versions begin in one period after the move, the latest applies. */
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

/** Returns the index of the first period that starts on or after the first day of an old period. */
function firstFrom(now: Recurrence, old: Recurrence, index: number): number {
  if (index === 0) return 0;
  const day = periodAt(old, index)?.from;
  const within = day === undefined ? undefined : indexContaining(now, day);
  if (within === undefined) return 0;
  return periodAt(now, within)?.from === day ? within : within + 1;
}

/** Returns the difference between new and old indexes: in both series, one period starts in each calendar unit. */
function distance(old: Recurrence, now: Recurrence): number {
  const earlier = old.start_date < now.start_date ? old : now;
  const later = earlier === old ? now : old;
  // The period with the key starts in the same unit: it is the one that contains the day, or the next.
  const within = indexContaining(earlier, later.start_date) ?? 0;
  const has_key = periodAt(earlier, within)?.key === periodAt(later, 0)?.key;
  const periods = has_key ? within : within + 1;
  return later === now ? -periods : periods;
}
