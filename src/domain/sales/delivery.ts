/** When a failed sending is tried again (spec 10.5), and what a ledger that sends itself tells of one (spec 10.7). */

/** Minutes to wait after the first, second … failed attempt; after the last one the failure is final. */
export const MINUTES_UNTIL_RETRY: readonly number[] = [1, 5, 30, 120, 480, 1440];

/** Minutes until a ledger is asked after a sending, and after the first, second … look: mail may come back days later. */
const MINUTES_UNTIL_LOOK: readonly number[] = [1, 9, 50, 300, 1080, 2880];

/** So often a ledger has to know nothing of a sending that may have happened before it is tried again. */
const LOOKS_IN_VAIN = 2;

/** What a look makes of a delivery; null minutes for no further look. */
interface Looked {
  readonly state: "accepted" | "unknown" | "failed_temporary" | "failed_permanent";
  readonly minutes_until_look: number | null;
}

/**
 * `looks` is how often the ledger was asked, this time included; `sending` what it knows, null for nothing. A delivery
 * without a confirmed handing over is `unknown`.
 */
export function afterLook(
  state: "accepted" | "unknown",
  looks: number,
  sending: "queued" | "sent" | "seen" | "failed" | null,
): Looked {
  const minutes_until_look = MINUTES_UNTIL_LOOK[looks] ?? null;
  if (sending === "failed") return { state: "failed_permanent", minutes_until_look: null };
  if (sending === "seen") return { state: "accepted", minutes_until_look: null };
  if (sending !== null) return { state: "accepted", minutes_until_look };
  if (state === "accepted") return { state, minutes_until_look };
  return looks < LOOKS_IN_VAIN
    ? { state, minutes_until_look: MINUTES_UNTIL_LOOK[0] ?? null }
    : { state: "failed_temporary", minutes_until_look: null };
}

/** The same after the handing over, before any look. */
export function beforeLooks(): number {
  return MINUTES_UNTIL_LOOK[0] ?? 1;
}
