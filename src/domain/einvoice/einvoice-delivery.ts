/** Decides what becomes of a delivery after it was handed over: its events, and what a person may say about its fate (spec 10.4). */
import { Problem } from "../base/problem.ts";

/** What happens to a delivery, in no order. */
export const deliveryEventKinds = [
  "queued",
  "made",
  "validated",
  "handed_over",
  "looked",
  "delivered",
  "rejected",
  "failed",
  "response",
  "resolved",
  "sent_again",
] as const;

/** Who says so: this service, what sends the document, the side of its receiver, or a person of the account. */
export const deliveryEventSources = ["us", "engine", "receiver", "person"] as const;

export interface DeliveryEvent {
  readonly kind: (typeof deliveryEventKinds)[number];
  readonly code: string | null;
  readonly text: string | null;
  readonly source: (typeof deliveryEventSources)[number];
}

/** The codes of failures that are found before anything is handed over. */
const FOUND_BY_US: readonly string[] = [
  "einvoice_not_configured",
  "einvoice_incomplete",
  "no_address",
  "not_prepared",
];

interface Settled {
  readonly state: string;
  readonly error_code: string | null;
  readonly send_error: string | null;
}

/** Returns the event that a stored outcome is shown as. */
export function eventOfOutcome({ state, error_code, send_error }: Settled): DeliveryEvent {
  const found = { code: error_code, text: send_error };
  switch (state) {
    case "delivered":
      return { kind: "delivered", ...found, source: "engine" };
    case "rejected":
      return { kind: "rejected", ...found, source: "receiver" };
    case "failed_temporary":
    case "failed_permanent": {
      const is_own = error_code !== null && FOUND_BY_US.includes(error_code);
      return { kind: "failed", ...found, source: is_own ? "us" : "engine" };
    }
    case "queued":
      return { kind: "queued", ...found, source: "us" };
    default:
      return { kind: "handed_over", ...found, source: "us" };
  }
}

/** The `send_error` of an e-invoice in doubt. */
export const UNCONFIRMED = "the sending is unconfirmed: the access point is asked";

/** The code of an e-invoice that the receiver's side refused after it was sent (Message Level Status `RE`). */
export const RECEIVER_REJECTED = "receiver_rejected";

/** Seconds until a connection is checked that a submission found unusable once, twice … in a row; then as the last one. */
const SECONDS_UNTIL_CHECK: readonly number[] = [5, 60, 300, 1800, 7200];

/**
 * Returns the seconds until the next check of a connection. `pauses` counts the submissions in a row that found it unusable although
 * its check had gone well: an access point may answer checks and refuse to send.
 */
export function secondsUntilCheck(pauses: number): number {
  const last = SECONDS_UNTIL_CHECK.length - 1;
  return SECONDS_UNTIL_CHECK[Math.min(pauses, last)] ?? 0;
}

/** The states of an e-invoice that may have reached its receiver, or still may. */
export const STATES_UNDER_WAY = [
  "queued",
  "sending",
  "written_to_outbox",
  "accepted",
  "delivered",
  "unknown",
] as const;

/** The failure of an e-invoice that waited for another attempt when its document was sent again. */
export const REPLACED = {
  error_code: "einvoice_replaced",
  send_error: "a later sending of the document has taken its place",
} as const;

/** Seconds until the first, second … look after an e-invoice was handed over; then daily. */
const SECONDS_UNTIL_LOOK: readonly number[] = [10, 60, 300, 1800, 7200, 21_600];
const DAY_SECONDS = 86_400;
const DAYS = 14;

/** Returns the seconds until the next look after a number of looks; null after the last one. */
export function secondsUntilLook(looks: number): number | null {
  const is_over = looks >= SECONDS_UNTIL_LOOK.length + DAYS;
  return SECONDS_UNTIL_LOOK[looks] ?? (is_over ? null : DAY_SECONDS);
}

/** Seconds from the end of the call to the first look that counts when it finds nothing, and from that one to the second. */
const FIRST_ABSENT_SECONDS = 120;
const SECOND_ABSENT_SECONDS = 300;

/** The states of an e-invoice that is looked at, in the order in which it moves through them. */
const STATES_IN_ORDER = ["unknown", "written_to_outbox", "accepted", "delivered"] as const;
type LookedAtState = (typeof STATES_IN_ORDER)[number];

/** Whether an e-invoice in this state is looked at. */
export function isLookedAt(state: string): state is LookedAtState {
  return STATES_IN_ORDER.some((one) => one === state);
}

/** An e-invoice that is looked at. */
export interface LookedAtDelivery {
  readonly state: LookedAtState;
  readonly send_error: string | null;
  /** The number of looks, including this one. */
  readonly looks: number;
  readonly seconds_since_call: number;
  /** Since the first look that counted and found nothing; null before it. */
  readonly seconds_since_absent: number | null;
  /** Whether the original of this restored copy may have handed it over. */
  readonly is_copied: boolean;
  /** Whether a submission can be found by its id, and whether the other side reports what becomes of it. */
  readonly finds: boolean;
  readonly reports: boolean;
}

/** What a look has found; its cases are those of the port's `LookOutcome`, without the look that was not answered. */
export type LookFound =
  | { readonly state: "prepared" | "absent" | "gone" | "written" | "accepted" }
  | { readonly state: "delivered"; readonly at: string | null; readonly is_final: boolean }
  | { readonly state: "rejected"; readonly text: string }
  | { readonly state: "failed"; readonly code: string; readonly text: string };

/** The delivery after a look. `queued` is handed over again under the same id. */
export interface Looked {
  readonly state: LookedAtState | "queued" | "rejected" | "failed_permanent";
  readonly error_code: string | null;
  readonly send_error: string | null;
  /** Null where the look has found no receipt. */
  readonly delivered_at: string | null;
  readonly seconds_until_look: number | null;
  /** Whether this look counts as the first that has found nothing. */
  readonly counts_as_absent: boolean;
}

/**
 * Decides what follows from a look. Nothing that is in doubt is handed over again before two looks have found nothing, the second
 * five minutes after the first, and never where a submission cannot be found by its id. A state never moves backwards.
 */
export function decideLook(before: LookedAtDelivery, found: LookFound): Looked {
  const next = secondsUntilLook(before.looks);
  const is_unknown = before.state === "unknown";
  switch (found.state) {
    case "prepared":
      return is_unknown ? HANDED_OVER_AGAIN : unchanged(before, next);
    case "absent":
      return is_unknown && before.finds ? decideAbsent(before, next) : unchanged(before, next);
    case "gone":
      // The reader of the original's folder may have taken the file, or the file was never there.
      if (is_unknown && before.is_copied) return unchanged(before, null);
      return moved(before, "accepted", before.reports ? next : null);
    case "written":
      return moved(before, "written_to_outbox", next);
    case "accepted":
      return moved(before, "accepted", before.reports ? next : null);
    case "delivered": {
      const looked = moved(before, "delivered", found.is_final ? null : next);
      return { ...looked, delivered_at: found.at };
    }
    case "rejected":
      return ended("rejected", RECEIVER_REJECTED, found.text);
    case "failed":
      return before.state === "delivered"
        ? unchanged(before, next)
        : ended("failed_permanent", found.code, found.text);
  }
}

/** Returns the event that a look with a new result is shown as. */
export function eventOfLook(found: LookFound): DeliveryEvent {
  switch (found.state) {
    case "delivered":
      return { kind: "delivered", code: null, text: null, source: "engine" };
    case "rejected":
      return { kind: "rejected", code: RECEIVER_REJECTED, text: found.text, source: "receiver" };
    case "failed":
      return { kind: "failed", code: found.code, text: found.text, source: "engine" };
    default:
      return { kind: "looked", code: found.state, text: null, source: "engine" };
  }
}

function decideAbsent(before: LookedAtDelivery, next: number | null): Looked {
  const { seconds_since_call, seconds_since_absent } = before;
  const early = FIRST_ABSENT_SECONDS - seconds_since_call;
  if (early > 0) return unchanged(before, Math.min(next ?? early, early));
  if (seconds_since_absent === null) {
    return { ...unchanged(before, SECOND_ABSENT_SECONDS), counts_as_absent: true };
  }
  const left = SECOND_ABSENT_SECONDS - seconds_since_absent;
  return left > 0 ? unchanged(before, left) : HANDED_OVER_AGAIN;
}

const HANDED_OVER_AGAIN: Looked = {
  state: "queued",
  error_code: null,
  send_error: null,
  delivered_at: null,
  seconds_until_look: null,
  counts_as_absent: false,
};

function unchanged(
  { state, send_error }: LookedAtDelivery,
  seconds_until_look: number | null,
): Looked {
  const error_code = send_error === null ? null : "unconfirmed";
  return { ...HANDED_OVER_AGAIN, state, error_code, send_error, seconds_until_look };
}

function moved(
  before: LookedAtDelivery,
  to: LookedAtState,
  seconds_until_look: number | null,
): Looked {
  const is_behind = STATES_IN_ORDER.indexOf(before.state) < STATES_IN_ORDER.indexOf(to);
  return is_behind
    ? { ...HANDED_OVER_AGAIN, state: to, seconds_until_look }
    : unchanged(before, seconds_until_look);
}

function ended(state: "rejected" | "failed_permanent", error_code: string, text: string): Looked {
  return { ...HANDED_OVER_AGAIN, state, error_code, send_error: text.slice(0, MOST_TEXT) };
}

/** The longest text of another system that is stored. */
const MOST_TEXT = 500;

/** What a person has found out about a delivery. */
export const resolutions = ["delivered", "not_delivered"] as const;
type Resolution = (typeof resolutions)[number];

/** The states that a person may resolve: in doubt, waiting in a folder, or carried elsewhere in another way. */
const RESOLVABLE: readonly string[] = ["unknown", "written_to_outbox", "failed_permanent"];

/** Whether a person may say what has become of a delivery in this state. */
export function isResolvable(state: string): boolean {
  return RESOLVABLE.includes(state);
}

/** Returns the state after a person has resolved a delivery. Throws DELIVERY_NOT_RESOLVABLE. */
export function decideResolution(
  state: string,
  outcome: Resolution,
): { readonly state: "delivered" | "failed_permanent"; readonly send_error: string | null } {
  if (!isResolvable(state)) {
    throw new Problem("DELIVERY_NOT_RESOLVABLE", { details: { state } });
  }
  return outcome === "delivered"
    ? { state: "delivered", send_error: null }
    : { state: "failed_permanent", send_error: "a person has found that it did not arrive" };
}
