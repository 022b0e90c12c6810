/** A cell of a week: a person's work on a line and day. It sums registrations; a change alters the last created one. */
import type { CalendarDate } from "../base/calendar.ts";
import {
  changingRefused,
  type HolderState,
  registeringRefused,
  sourceState,
  type Work,
  type WorkFacts,
  type WorkRefusal,
  type WorkState,
  type WorkTarget,
} from "./work.ts";

/** One registration of a cell after a change. */
export interface CellEntry {
  /** Null for a registration that is to be created. */
  readonly id: string | null;
  /** In 1/100 of an hour, more than 0. */
  readonly hours: bigint;
  readonly billable: boolean;
  readonly note: string | null;
}

export function sumOfCell(entries: readonly Pick<CellEntry, "hours">[]): bigint {
  return entries.reduce((sum, { hours }) => sum + hours, 0n);
}

/**
 * Returns a cell's entries for a new sum: none for 0, else the last takes the difference and is removed if empty.
 * `blank` completes the first entry of an empty cell. Returns `below_others` if the other entries exceed the sum.
 */
export function cellWithSum(
  entries: readonly CellEntry[],
  sum: bigint,
  blank: Pick<CellEntry, "billable" | "note">,
): readonly CellEntry[] | "below_others" {
  if (sum === 0n) return [];
  const last = entries.at(-1);
  if (last === undefined) return [{ id: null, hours: sum, ...blank }];
  const others = entries.slice(0, -1);
  const hours = sum - sumOfCell(others);
  if (hours < 0n) return "below_others";
  return hours === 0n ? others : [...others, { ...last, hours }];
}

/** Whether two cells have the same content, whichever registrations have it and in any order. */
export function isSameCell(a: readonly CellEntry[], b: readonly CellEntry[]): boolean {
  const said = (entries: readonly CellEntry[]): string =>
    entries
      .map(({ hours, billable, note }) => JSON.stringify([`${hours}`, billable, note]))
      .sort()
      .join();
  return said(a) === said(b);
}

/** Why a cell is locked. */
export interface CellLock {
  /** NOT_FOUND when the line no longer exists. */
  readonly code: WorkRefusal["code"] | "NOT_FOUND";
  /** The first or the last day on which the line takes work, when the day of the cell is outside that range. */
  readonly starts_on: CalendarDate | null;
  readonly ended_on: CalendarDate | null;
}

/** The allowed changes of a cell; a reason where a change is not allowed. */
export interface CellRights {
  /** Registering work in the cell, or changing its registrations. */
  readonly change: CellLock | null;
  /** Deleting all registrations; null for an empty cell. */
  readonly remove: CellLock | null;
}

/**
 * The rules of work for a cell, for any number of hours, as the commands apply them. `target` is the line on that day, null when
 * it no longer exists; `place` is the state of its invoice or occurrence; `statuses` are those of the registrations. The limit of
 * hours per day is not checked here, because it depends on the entered hours.
 */
export function rightsOfCell(
  target: WorkTarget | null,
  place: HolderState,
  work: Pick<Work, "user_id" | "date">,
  statuses: readonly WorkState[],
  facts: Omit<WorkFacts, "hours_of_day">,
): CellRights {
  const none = { ...work, hours: 0 };
  const edit = { is_move: false, is_edit: true, is_fully_credited: false };
  const refusedOf = (status: WorkState): WorkRefusal | null =>
    changingRefused(sourceState(status, place), none, edit, facts);
  const refusals = statuses.map(refusedOf);
  const lockFor = (refusal: WorkRefusal | null): CellLock | null =>
    refusal && lockOf(refusal, target, work.date);
  const change =
    target === null
      ? { code: "NOT_FOUND" as const, starts_on: null, ended_on: null }
      : lockFor(refusals.at(-1) ?? registeringRefused(target, none, { ...facts, hours_of_day: 0 }));
  return { change, remove: lockFor(refusals.find((one) => one !== null) ?? null) };
}

function lockOf({ code }: WorkRefusal, target: WorkTarget | null, date: CalendarDate): CellLock {
  const period = target?.period ?? null;
  const is_outside = code === "WORK_DATE_OUTSIDE_PERIOD" && period !== null && period !== "none";
  return {
    code,
    starts_on: is_outside && date < period.from ? period.from : null,
    ended_on: is_outside && date > period.to ? period.to : null,
  };
}
