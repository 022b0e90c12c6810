/**
 * How the requests to one organisation are spread: evenly, a little below its limit, with a few at once. The arithmetic
 * alone; whose turn it is stands in the database (`queue-turn.ts`).
 */

export interface Pace {
  /** Milliseconds between two requests that go on and on. */
  readonly interval_ms: number;
  /** How much before its even time a request may go. */
  readonly tolerance_ms: number;
}

const MINUTE_MS = 60_000;
/** Requests arrive a little closer together than they were sent. */
const MARGIN_MS = 500;
/** So many go at once of a limit that has room for them: what one document takes, for somebody who issues a single one. */
const OF_ONE_DOCUMENT = 3;
const ROOM_FROM = 40;
/** Of a large limit it is this part: nobody looks often enough to take every turn of it by itself. */
const AT_ONCE_SHARE = 0.03;

/**
 * The pace at which no minute, wherever it begins, sees more requests than the limit: those that go at once are taken from
 * the even ones.
 */
export function paceOf(per_minute: number): Pace {
  const at_once =
    per_minute < ROOM_FROM ? 1 : Math.max(OF_ONE_DOCUMENT, Math.floor(per_minute * AT_ONCE_SHARE));
  const even = per_minute - at_once + 1;
  // In whole microseconds, as the database counts, and never a shorter one.
  const interval_ms = Math.ceil(((MINUTE_MS + MARGIN_MS) * 1000) / even) / 1000;
  return { interval_ms, tolerance_ms: (at_once - 1) * interval_ms };
}

const DAY_MS = 86_400_000;

/** How long a ledger wants to be left alone after a 429: seconds or a moment; a minute where it does not say, a day at most. */
export function retryAfterMs(header: string | undefined, now_ms: number): number {
  const text = header?.trim() ?? "";
  const told = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isFinite(told) && told > 0 ? Math.min(told, DAY_MS) : MINUTE_MS;
}
