/** The state of a month on its way to the close, as pages show it (spec 3.10). */
import type { Month } from "../base/calendar.ts";

/**
 * `locked` is a month without a close before the lock date; `partial` one whose close ended with failures; `ready` the month
 * to close next; `open` another month that has ended and is not closed; `current` the month that contains the current date.
 */
export type MonthState =
  | "closed"
  | "locked"
  | "closing"
  | "partial"
  | "reopened"
  | "ready"
  | "open"
  | "current"
  | "future";

export interface MonthFacts {
  /** The state of the month's last close; null for a month that was never closed. */
  readonly close: "running" | "completed" | "partial" | "reopened" | null;
  /** The last locked month; null without a lock. */
  readonly locked_through: Month | null;
  /** The month to close next; null when none waits. */
  readonly ready: Month | null;
  readonly current: Month;
}

/** Returns the state of a month. A close decides before the lock date, and the lock date before the calendar. */
export function stateOfMonth(
  month: Month,
  { close, locked_through, ready, current }: MonthFacts,
): MonthState {
  if (close === "running") return "closing";
  if (close === "completed") return "closed";
  if (close !== null) return close;
  if (month > current) return "future";
  if (month === current) return "current";
  if (locked_through !== null && month <= locked_through) return "locked";
  return month === ready ? "ready" : "open";
}

/** Whether the month has ended and has no close in effect or in progress. An earlier open month may still prevent its close. */
export function isClosable(state: MonthState): boolean {
  return state === "ready" || state === "open" || state === "partial" || state === "reopened";
}

/** Whether the month cannot change any more: it is closed, or before the lock date. */
export function isClosedState(state: MonthState): boolean {
  return state === "closed" || state === "locked";
}
