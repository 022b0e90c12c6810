/**
 * What was said of single periods when the header of a series moves its periods (spec 4.8 and 4.9):
 * it stays with the period of the same key, not with its place in the series. With another frequency
 * there is no such period any more, and only standing lines remain, each from its day on.
 */
import { indexContaining, periodAt, type Recurrence } from "./period.ts";
import type { LineContent, SeriesLine } from "./series.ts";

export interface Move {
  /** Where a version that began with a period begins now. */
  readonly versionAt: (index: number) => number;
  /** Where a single period is now; undefined when it is gone. */
  readonly periodAt: (index: number) => number | undefined;
}

/** How the periods move; undefined when they stay where they are. */
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
    // What stands from the first period on goes on doing so.
    versionAt: (index) => (index === 0 ? 0 : Math.max(0, index + shift)),
    periodAt: (index) => (index + shift < 0 ? undefined : index + shift),
  };
}

/** The lines after a move. Of versions that come to begin in one period, the latest counts. */
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

function inOrder<Content>(pieces: ReadonlyMap<number, Content>): (readonly [number, Content])[] {
  return [...pieces].sort(([a], [b]) => a - b);
}

/** The first period that starts on or after the first day of an old one. */
function firstFrom(now: Recurrence, old: Recurrence, index: number): number {
  if (index === 0) return 0;
  const day = periodAt(old, index)?.from;
  const within = day === undefined ? undefined : indexContaining(now, day);
  if (within === undefined) return 0;
  return periodAt(now, within)?.from === day ? within : within + 1;
}

/** What is to be added to an old index: one period starts in each calendar unit, in both. */
function distance(old: Recurrence, now: Recurrence): number {
  const earlier = old.start_date < now.start_date ? old : now;
  const later = earlier === old ? now : old;
  // The period that has the key starts in the same unit: it contains the day, or is the next.
  const within = indexContaining(earlier, later.start_date) ?? 0;
  const has_key = periodAt(earlier, within)?.key === periodAt(later, 0)?.key;
  const periods = has_key ? within : within + 1;
  return later === now ? -periods : periods;
}
