/**
 * Decides the effect of an outcome on a booking in an external ledger, and the next call (spec 9.8). Computes only. A look is a
 * search for the document in the ledger. A document that may have been booked is never booked again, nor under another guid,
 * before two looks have found nothing. The first look counts only after the time limit of the call that may have arrived.
 */
import type { Booked, BookOutcome, FoundBooking } from "../../../ledger/ledger.ts";
import type { Rejected, Unauthorized } from "../../../ledger/outcome.ts";

export type OpenState = "booking" | "unknown" | "pending" | "parked";

/** Why a booking waits for a person. */
export type Doubt =
  | "GUID_CONFLICT"
  | "FOREIGN_GUID"
  | "NUMBER_MISSING"
  | "NUMBER_TAKEN"
  | "TOTAL_MISMATCH";

/** What is known of an intent between two calls. Times are milliseconds of one clock. */
export interface IntentProgress {
  readonly state: OpenState;
  /** The begin of the last call that may have booked; null when nothing can have been booked. */
  readonly called_at: number | null;
  /** The number of looks since the last call that count and found nothing. */
  readonly looks: number;
  /** Whether the ledger was searched since the last call; an early look that finds nothing proves nothing. */
  readonly has_glanced: boolean;
  /** Whether the next call has to be a look, as after a takeover. */
  readonly must_look: boolean;
  /** Whether a look has just found a draft that may be booked. */
  readonly has_draft: boolean;
  /** A refusal that is not final yet, because an earlier call may have booked. */
  readonly refused: Rejected | null;
  /** The fault of an outcome that another look has to confirm. */
  readonly doubt: Doubt | null;
  /** Whether the ledger keeps the guid of a deleted document, so that nothing can be booked under it. */
  readonly is_guid_used: boolean;
  /** The number of guids given up before the current one. */
  readonly former_guids: number;
  /** How often the ledger has accepted the booking and then returned it unbooked. */
  readonly returned: number;
}

export type Step =
  | { readonly to: "finish"; readonly booked: Booked }
  | { readonly to: "release"; readonly refusal: Rejected }
  | { readonly to: "park"; readonly reason: Doubt }
  /** Nothing is booked under the guid, and nothing can be: the booking is requested under another guid. */
  | { readonly to: "rename"; readonly known: IntentProgress }
  /** The next call follows, now or later; `is_news` is false for an outcome without information. */
  | { readonly to: "go_on"; readonly known: IntentProgress; readonly is_news: boolean }
  /** This attempt makes no further call. */
  | {
      readonly to: "wait";
      readonly known: IntentProgress;
      readonly outcome: Waiting;
    };

type Waiting = Unauthorized | { readonly state: "pending"; readonly poll_after_ms: number };

const LOOKS = 2;
/** The limit of guids given up: a ledger that reports even new guids as used is left to a person. */
const FORMER_GUIDS_AT_MOST = 3;
/** How often a booking that was accepted and returned is repeated; after that it counts as refused. */
const RETURNED_AT_MOST = 1;
const POLL_MS = 5_000;

/** Returns the next call, and its earliest time. */
export function nextCall(
  known: IntentProgress,
  now: number,
  call_ms: number,
): { readonly verb: "book" | "find"; readonly at: number } {
  const { state, called_at } = known;
  const is_asked_at_once = state === "parked" || state === "pending" || known.doubt !== null;
  if (is_asked_at_once) return { verb: "find", at: now };
  if (called_at === null) {
    return { verb: known.must_look || known.is_guid_used ? "find" : "book", at: now };
  }
  if (known.has_draft && known.refused === null) return { verb: "book", at: now };
  // A look finds a booking immediately, but proves that nothing was booked only after the time limit of the call.
  return { verb: "find", at: known.has_glanced ? Math.max(now, called_at + call_ms) : now };
}

/** Returns the effect of a booking call's outcome. `called_at` is its start, `before` the knowledge at that time. */
export function afterBooking(
  before: IntentProgress,
  outcome: BookOutcome,
  called_at: number,
  doubtOf: (booked: Booked) => Doubt | null,
): Step {
  const asked: IntentProgress = { ...before, has_draft: false, must_look: false };
  const may_be_booked: IntentProgress = {
    ...asked,
    state: "unknown",
    called_at,
    looks: 0,
    has_glanced: false,
  };
  switch (outcome.state) {
    case "booked": {
      const doubt = doubtOf(outcome);
      if (doubt === null) return { to: "finish", booked: outcome };
      return { to: "go_on", known: { ...may_be_booked, doubt }, is_news: true };
    }
    case "rejected":
      if (outcome.code === "GUID_CONFLICT") return { to: "park", reason: "GUID_CONFLICT" };
      if (before.called_at === null) return { to: "release", refusal: outcome };
      return {
        to: "go_on",
        known: { ...asked, state: "unknown", refused: outcome },
        is_news: true,
      };
    case "not_started":
      return { to: "go_on", known: asked, is_news: false };
    case "unknown":
      return { to: "go_on", known: may_be_booked, is_news: false };
    case "pending":
      return { to: "wait", known: { ...may_be_booked, state: "pending" }, outcome };
    case "guid_used":
      return { to: "go_on", known: { ...asked, looks: 0, is_guid_used: true }, is_news: true };
    case "unauthorized":
      return { to: "wait", known: asked, outcome };
  }
}

/** Returns the effect of the result of a look; `looked_at` is the begin of the look. */
export function afterLook(
  before: IntentProgress,
  found: FoundBooking,
  looked_at: number,
  call_ms: number,
  doubtOf: (booked: Booked) => Doubt | null,
): Step {
  if (found.state === "booked") {
    const doubt = doubtOf(found);
    return doubt === null ? { to: "finish", booked: found } : { to: "park", reason: doubt };
  }
  const known: IntentProgress = { ...before, has_draft: false, doubt: null, has_glanced: true };
  const counts = known.called_at === null || looked_at >= known.called_at + call_ms;
  const is_glance = !counts && !before.has_glanced;
  if ((found.state === "draft" || found.state === "absent") && wasAccepted(before)) {
    return afterGivenBack(known, found.state, counts);
  }
  switch (found.state) {
    case "unauthorized":
      return { to: "wait", known: before, outcome: found };
    case "not_started":
    case "unknown":
      return { to: "go_on", known: { ...before, has_glanced: true }, is_news: is_glance };
    case "pending":
      return {
        to: "wait",
        known: { ...known, state: "pending", looks: 0 },
        outcome: PENDING,
      };
    case "draft":
      if (known.refused !== null && counts) return { to: "release", refusal: known.refused };
      return {
        to: "go_on",
        known: {
          ...known,
          state: known.called_at === null ? "booking" : "unknown",
          must_look: false,
          has_draft: true,
          is_guid_used: false,
        },
        is_news: true,
      };
    case "absent":
      return known.is_guid_used
        ? afterNothingUnderUsed(known, counts, is_glance)
        : afterNothing({ ...known, must_look: false }, counts, is_glance);
  }
}

const PENDING: Waiting = { state: "pending", poll_after_ms: POLL_MS };

/** Whether the last call was accepted, or may have been after the ledger returned an accepted booking unbooked. */
function wasAccepted({ state, called_at, returned }: IntentProgress): boolean {
  return state === "pending" || (returned > 0 && called_at !== null);
}

/** Handles a booking that the ledger accepted and no longer works on: a second look confirms that it was not booked. */
function afterGivenBack(known: IntentProgress, found: "draft" | "absent", counts: boolean): Step {
  const looks = known.looks + (counts ? 1 : 0);
  if (looks < LOOKS) {
    const seen: IntentProgress = { ...known, looks };
    if (counts) return { to: "go_on", known: seen, is_news: true };
    return known.state === "pending"
      ? { to: "wait", known: seen, outcome: PENDING }
      : { to: "go_on", known: seen, is_news: false };
  }
  const refusal = known.refused ?? ({ state: "rejected", code: "VALIDATION" } as const);
  if (known.returned >= RETURNED_AT_MOST) return { to: "release", refusal };
  return {
    to: "go_on",
    known: {
      ...known,
      state: "booking",
      called_at: null,
      looks: 0,
      must_look: false,
      has_draft: found === "draft",
      returned: known.returned + 1,
    },
    is_news: true,
  };
}

/** Handles a used guid without a document: the guid is kept as long as a booking may have arrived under it. */
function afterNothingUnderUsed(known: IntentProgress, counts: boolean, is_glance: boolean): Step {
  const looks = known.looks + (counts ? 1 : 0);
  if (looks < LOOKS) {
    return { to: "go_on", known: { ...known, looks }, is_news: counts || is_glance };
  }
  if (known.former_guids >= FORMER_GUIDS_AT_MOST) return { to: "park", reason: "GUID_CONFLICT" };
  return {
    to: "rename",
    known: {
      ...known,
      state: "booking",
      called_at: null,
      looks: 0,
      must_look: false,
      is_guid_used: false,
      former_guids: known.former_guids + 1,
    },
  };
}

/** Handles a look that found nothing. The first look after a call does not use up a round, even when it is too early to count. */
function afterNothing(known: IntentProgress, counts: boolean, is_glance: boolean): Step {
  const looks = known.looks + (counts ? 1 : 0);
  const is_certain = known.called_at === null || looks >= LOOKS;
  if (is_certain && known.refused !== null) return { to: "release", refusal: known.refused };
  const after: IntentProgress = is_certain
    ? { ...known, state: "booking", called_at: null, looks: 0 }
    : { ...known, state: "unknown", looks };
  return { to: "go_on", known: after, is_news: counts || is_glance };
}
