/**
 * A cell of a week: what one person worked on one line on one day. It shows the sum of its registrations, in the order in
 * which they were made; who changes the sum changes the last of them.
 */
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

/** One registration of a cell as it shall be. */
export interface CellEntry {
  /** Null for one that is to be made. */
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
 * The entries of a cell whose sum is changed: none for 0; else the last one takes the difference, and goes when nothing is
 * left of it. `blank` is what is said of the first one of an empty cell. `below_others` when the others alone are more.
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

/** Whether two cells say the same, whichever registrations say it and in whatever order. */
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
  /** NOT_FOUND where the line is not there any more. */
  readonly code: WorkRefusal["code"] | "NOT_FOUND";
  /** The day from which the line takes work, or until which it did, where the day of the cell is outside of that. */
  readonly starts_on: CalendarDate | null;
  readonly ended_on: CalendarDate | null;
}

/** What may be done with a cell, each with the reason why not. */
export interface CellRights {
  /** Registering in it, or changing what is registered. */
  readonly change: CellLock | null;
  /** Deleting all that is registered; null for an empty cell. */
  readonly remove: CellLock | null;
}

/**
 * What the rules of work say of a cell whatever hours are typed into it, as the commands ask them. `target` is the line on
 * that day, null where it is gone; `place` is what its invoice or occurrence is ready for; `statuses` are those of what is
 * registered. Hours of a day are not judged here: they depend on what is typed.
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
