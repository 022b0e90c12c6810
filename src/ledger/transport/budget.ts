/** Spaces an organisation's requests evenly below its limit, with a small burst. `queue-turn.ts` stores the turns. */

export interface Pace {
  /** Milliseconds between two requests of a continuous sequence. */
  readonly interval_ms: number;
  /** How much earlier than its even time a request may be sent. */
  readonly tolerance_ms: number;
}

const MINUTE_MS = 60_000;
/** Added to the minute, because requests arrive a little closer together than they were sent. */
const MARGIN_MS = 500;
/** The burst if the limit has room: the requests that book one document, for a person who issues a single one. */
const OF_ONE_DOCUMENT = 3;
const ROOM_FROM = 40;
/** The burst of a large limit as a share of that limit: a waiting bulk call does not poll often enough to use every even turn. */
const AT_ONCE_SHARE = 0.03;

/** Returns the pace at which no minute, wherever it begins, exceeds the limit. The burst reduces the even requests. */
export function paceOf(per_minute: number): Pace {
  const at_once =
    per_minute < ROOM_FROM ? 1 : Math.max(OF_ONE_DOCUMENT, Math.floor(per_minute * AT_ONCE_SHARE));
  const even = per_minute - at_once + 1;
  // In whole microseconds, as the database counts, rounded up.
  const interval_ms = Math.ceil(((MINUTE_MS + MARGIN_MS) * 1000) / even) / 1000;
  return { interval_ms, tolerance_ms: (at_once - 1) * interval_ms };
}

const DAY_MS = 86_400_000;

/** Returns the pause that a ledger requests with a 429: seconds or a timestamp; a minute by default, 24 hours at most. */
export function retryAfterMs(header: string | undefined, now_ms: number): number {
  const text = header?.trim() ?? "";
  const stated_ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now_ms;
  return Number.isFinite(stated_ms) && stated_ms > 0 ? Math.min(stated_ms, DAY_MS) : MINUTE_MS;
}
