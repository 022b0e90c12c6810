/** Decides when to retry a sending (spec 10.5), and interprets reports of a ledger that sends documents (spec 10.7). */

/** Minutes to wait after the first, second … failed attempt; after the last one the failure is final. */
export const MINUTES_UNTIL_RETRY: readonly number[] = [1, 5, 30, 120, 480, 1440];

/** Minutes until the ledger is queried after a sending, and after the first, second … check: mail may bounce days later. */
const MINUTES_UNTIL_LOOK: readonly number[] = [1, 9, 50, 300, 1080, 2880];

/** How often a ledger must report no sending before an uncertain sending is tried again. */
const LOOKS_IN_VAIN = 2;

/** The result of a check of a delivery; null minutes when no further check follows. */
interface Looked {
  readonly state: "accepted" | "unknown" | "failed_temporary" | "failed_permanent";
  readonly minutes_until_look: number | null;
}

/**
 * Interprets a check of a delivery. `looks` counts the checks including this one; `sending` is the ledger's report, null when
 * the ledger knows of no sending. A delivery that was not confirmed is `unknown`.
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

/** Minutes until the first check after the document was handed to the ledger. */
export function beforeLooks(): number {
  return MINUTES_UNTIL_LOOK[0] ?? 1;
}
