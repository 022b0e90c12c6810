/** When a delivery that failed is tried again, and when it is given up. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after each failed attempt, in milliseconds; after the attempt behind the last one the delivery is dead. */
const WAITS_MS = [
  ...[5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, 24 * HOUR, 24 * HOUR],
];
/** A wait is up to this share longer or shorter, so that the retries of many deliveries do not arrive together. */
const SPREAD = 0.1;
const LONGEST_ASKED_MS = 24 * HOUR;
/** A clock that stands this far before the moment of an attempt was set back. */
const SET_BACK_MS = MINUTE;
/** An event that has waited this long is not sent any more. */
export const LONGEST_WAIT_MS = 30 * 24 * HOUR;

/**
 * Returns the milliseconds until the next attempt; null when none is left. `chance` is from 0 to 1. `asked_ms` is what `Retry-After`
 * asks for: at most 24 hours are waited for it, and it makes no wait shorter.
 */
export function waitAfter(
  attempts: number,
  chance: number,
  asked_ms: number | null,
): number | null {
  const planned = WAITS_MS[attempts - 1];
  if (planned === undefined) return null;
  const spread = Math.round(planned * (1 + SPREAD * (2 * chance - 1)));
  return Math.max(spread, Math.min(asked_ms ?? 0, LONGEST_ASKED_MS));
}

/**
 * Whether an attempt is due that was planned at one moment for a later one, in milliseconds of the same clock. A clock that was set
 * back makes it due: it does not wait until the clock is where it was.
 */
export function isDue(now: number, due_at: number, planned_at: number): boolean {
  return now >= due_at || now < planned_at - SET_BACK_MS;
}
