/**
 * The spacing of requests to one organisation: even, a little below its limit, with a small burst. Only the
 * arithmetic; the database keeps the turns (`queue-turn.ts`).
 */

export interface Pace {
  /** Milliseconds between two requests of a continuous sequence. */
  readonly interval_ms: number;
  /** How much earlier than its even time a request may be sent. */
  readonly tolerance_ms: number;
}

const MINUTE_MS = 60_000;
/** Requests arrive a little closer together than they were sent. */
const MARGIN_MS = 500;
/** The burst for a limit that has room for it: the requests of one document, for a person who issues a single one. */
const OF_ONE_DOCUMENT = 3;
const ROOM_FROM = 40;
/** For a large limit the burst is this share: a waiting bulk call does not poll often enough to use every even turn. */
const AT_ONCE_SHARE = 0.03;

/**
 * The pace at which no minute, wherever it begins, has more requests than the limit: the burst is taken from
 * the even requests.
 */
export function paceOf(per_minute: number): Pace {
  const at_once =
    per_minute < ROOM_FROM ? 1 : Math.max(OF_ONE_DOCUMENT, Math.floor(per_minute * AT_ONCE_SHARE));
  const even = per_minute - at_once + 1;
  // In whole microseconds, as the database counts, rounded up.
  const interval_ms = Math.ceil(((MINUTE_MS + MARGIN_MS) * 1000) / even) / 1000;
  return { interval_ms, tolerance_ms: (at_once - 1) * interval_ms };
}

const DAY_MS = 86_400_000;

/** The pause that a ledger asks for with a 429: seconds or a moment; a minute by default, a day at most. */
export function retryAfterMs(header: string | undefined, now_ms: number): number {
  const text = header?.trim() ?? "";
  const stated_ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isFinite(stated_ms) && stated_ms > 0 ? Math.min(stated_ms, DAY_MS) : MINUTE_MS;
}
