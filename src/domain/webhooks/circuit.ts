/**
 * The circuit of an endpoint: after five failures in a row it is failing, and one event probes it while the others wait. It recovers
 * with the first success, slowly at first; after five days it is disabled. Times are milliseconds of one clock.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MOST_FAILURES = 5;
const FIRST_PROBE_MS = MINUTE;
const LONGEST_PROBE_MS = HOUR;
const MAIL_AFTER_MS = DAY;
const DISABLED_AFTER_MS = 5 * DAY;
const RAMP_FROM = 5;
const RAMP_DOUBLES_MS = 10_000;
/** An answer after this time makes an endpoint slow. */
const SLOW_MS = 2_000;

export interface Circuit {
  readonly status: "enabled" | "failing" | "disabled";
  readonly disabled_reason: "gone" | "failing" | null;
  readonly failures_in_row: number;
  readonly failing_since: number | null;
  readonly probe_at: number | null;
  readonly probe_wait_ms: number | null;
  /** The begin of the ramp after a failure. */
  readonly recovered_at: number | null;
  /** When the admins were mailed that it is failing. */
  readonly mailed_at: number | null;
}

/** Whether events are sent to an endpoint with this status. */
export function isSentTo({ status }: { readonly status: Circuit["status"] | "paused" }): boolean {
  return status === "enabled" || status === "failing";
}

/**
 * What an outcome changes: an event of the endpoint, a mail that it has been failing for a day, or only the time of the next probe.
 */
export type CircuitNews =
  | "failing"
  | "recovered"
  | "disabled"
  | "still_failing"
  | "probe_failed"
  | null;

export const CLOSED: Circuit = {
  status: "enabled",
  disabled_reason: null,
  failures_in_row: 0,
  failing_since: null,
  probe_at: null,
  probe_wait_ms: null,
  recovered_at: null,
  mailed_at: null,
};

interface Failure {
  readonly at: number;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** What `Retry-After` asks for; null without it. */
  readonly asked_ms: number | null;
  /** Whether it was begun while the endpoint was failing; others that end then change no probe. */
  readonly is_probe: boolean;
}

/** Returns the circuit after a failed attempt, and what is new. The status 410 disables at once. */
export function afterFailure(
  circuit: Circuit,
  { at, status, asked_ms, is_probe }: Failure,
): { readonly circuit: Circuit; readonly news: CircuitNews } {
  const failures_in_row = circuit.failures_in_row + 1;
  if (status === 410) return disabled({ ...circuit, failures_in_row }, "gone");
  if (circuit.failing_since === null) {
    if (failures_in_row < MOST_FAILURES)
      return { circuit: { ...circuit, failures_in_row }, news: null };
    const opened = {
      ...{ ...CLOSED, status: "failing" as const, failures_in_row, failing_since: at },
      ...probeAfter(at, FIRST_PROBE_MS, asked_ms),
    };
    return { circuit: opened, news: "failing" };
  }
  if (!is_probe) return { circuit: { ...circuit, failures_in_row }, news: null };
  const failed_for = at - circuit.failing_since;
  if (failed_for >= DISABLED_AFTER_MS) return disabled({ ...circuit, failures_in_row }, "failing");
  const wait_ms = Math.min(2 * (circuit.probe_wait_ms ?? FIRST_PROBE_MS), LONGEST_PROBE_MS);
  const waiting = { ...circuit, failures_in_row, ...probeAfter(at, wait_ms, asked_ms) };
  if (failed_for < MAIL_AFTER_MS || circuit.mailed_at !== null) {
    return { circuit: waiting, news: "probe_failed" };
  }
  return { circuit: { ...waiting, mailed_at: at }, news: "still_failing" };
}

/** Returns the circuit after a success, and whether the endpoint has recovered. */
export function afterSuccess(
  circuit: Circuit,
  at: number,
): { readonly circuit: Circuit; readonly news: CircuitNews } {
  if (circuit.failing_since === null)
    return { circuit: { ...circuit, failures_in_row: 0 }, news: null };
  return { circuit: { ...CLOSED, recovered_at: at }, news: "recovered" };
}

/** Returns the attempts a second that are allowed: after a recovery 5, doubling every 10 seconds up to the endpoint's own limit. */
export function allowedPerSecond(now: number, recovered_at: number | null, most: number): number {
  if (recovered_at === null || now < recovered_at) return most;
  return Math.min(most, RAMP_FROM * 2 ** Math.floor((now - recovered_at) / RAMP_DOUBLES_MS));
}

/** Returns the usual duration of an endpoint's attempts after one more, in milliseconds. */
export function usualDuration(usual_ms: number | null, duration_ms: number): number {
  return usual_ms === null ? duration_ms : (usual_ms + duration_ms) / 2;
}

/** Whether an endpoint with this usual duration is slow. */
export function isSlow(usual_ms: number | null): boolean {
  return usual_ms !== null && usual_ms > SLOW_MS;
}

function disabled(circuit: Circuit, disabled_reason: "gone" | "failing") {
  const after: Circuit = { ...circuit, status: "disabled", disabled_reason, probe_at: null };
  return { circuit: after, news: "disabled" } as const;
}

function probeAfter(at: number, wait_ms: number, asked_ms: number | null) {
  const asked = Math.min(asked_ms ?? 0, DAY);
  return { probe_at: at + Math.max(wait_ms, asked), probe_wait_ms: wait_ms };
}
