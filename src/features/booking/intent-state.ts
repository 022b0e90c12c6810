/**
 * What an answer makes of a booking in an external ledger, and what is asked next (spec 9.8). Computes only. What may have
 * been booked is never booked again before two looks have found nothing, the first not before the call that may have
 * arrived has run out.
 */
import type { Booked, BookOutcome, Found } from "../../ledger/ledger.ts";
import type { Rejected, Unauthorized } from "../../ledger/outcome.ts";

export type OpenState = "booking" | "unknown" | "pending" | "parked";

/** Why a booking waits for a person. */
export type Doubt =
  | "GUID_CONFLICT"
  | "FOREIGN_GUID"
  | "NUMBER_MISSING"
  | "NUMBER_TAKEN"
  | "TOTAL_MISMATCH";

/** What is known of an intent between two calls. Moments are milliseconds of one clock. */
export interface Known {
  readonly state: OpenState;
  /** When the last call began that may have booked; null where nothing can have been booked. */
  readonly called_at: number | null;
  /** Looks since then that count and found nothing. */
  readonly looks: number;
  /** Whether it was looked for since that call, which may be at once and then says nothing when it finds nothing. */
  readonly has_glanced: boolean;
  /** Whether the ledger is to be looked at before anything else, as after a takeover. */
  readonly must_look: boolean;
  /** Whether a look has just found a draft, which may be booked. */
  readonly has_draft: boolean;
  /** A refusal that is not believed yet, because something else may have been booked. */
  readonly refused: Rejected | null;
  /** What was wrong with an answer that is looked at once more. */
  readonly doubt: Doubt | null;
}

export type Step =
  | { readonly to: "finish"; readonly booked: Booked }
  | { readonly to: "release"; readonly refusal: Rejected }
  | { readonly to: "park"; readonly reason: Doubt }
  /** Asked again, at once or later; `is_news` is false for an answer that says nothing. */
  | { readonly to: "go_on"; readonly known: Known; readonly is_news: boolean }
  /** Not asked again by this attempt. */
  | {
      readonly to: "wait";
      readonly known: Known;
      readonly outcome: Waiting;
    };

type Waiting = Unauthorized | { readonly state: "pending"; readonly poll_after_ms: number };

const LOOKS = 2;
const POLL_MS = 5_000;

/** The next call, and when it may go at the earliest. */
export function nextCall(
  known: Known,
  now: number,
  call_ms: number,
): { readonly verb: "book" | "find"; readonly at: number } {
  const { state, called_at } = known;
  const is_asked_at_once = state === "parked" || state === "pending" || known.doubt !== null;
  if (is_asked_at_once) return { verb: "find", at: now };
  if (called_at === null) return { verb: known.must_look ? "find" : "book", at: now };
  if (known.has_draft && known.refused === null) return { verb: "book", at: now };
  // What was booked is found at once; that nothing was is known when the call has run out.
  return { verb: "find", at: known.has_glanced ? Math.max(now, called_at + call_ms) : now };
}

/** What the answer to a booking makes of it; `called_at` is when it was asked for. `before` was known then. */
export function afterBooking(
  before: Known,
  outcome: BookOutcome,
  called_at: number,
  doubtOf: (booked: Booked) => Doubt | null,
): Step {
  const asked: Known = { ...before, has_draft: false, must_look: false };
  const may_be_booked: Known = {
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
    case "unauthorized":
      return { to: "wait", known: asked, outcome };
  }
}

/** What a look makes of it; `looked_at` is when it began. */
export function afterLook(
  before: Known,
  found: Found,
  looked_at: number,
  call_ms: number,
  doubtOf: (booked: Booked) => Doubt | null,
): Step {
  if (found.state === "booked") {
    const doubt = doubtOf(found);
    return doubt === null ? { to: "finish", booked: found } : { to: "park", reason: doubt };
  }
  const known: Known = { ...before, has_draft: false, doubt: null, has_glanced: true };
  const counts = known.called_at === null || looked_at >= known.called_at + call_ms;
  const is_glance = !counts && !before.has_glanced;
  switch (found.state) {
    case "unauthorized":
      return { to: "wait", known: before, outcome: found };
    case "not_started":
    case "unknown":
      return { to: "go_on", known: { ...before, has_glanced: true }, is_news: is_glance };
    case "pending":
      return {
        to: "wait",
        known: { ...known, state: "pending" },
        outcome: { state: "pending", poll_after_ms: POLL_MS },
      };
    case "draft":
      if (known.refused !== null && counts) return { to: "release", refusal: known.refused };
      return {
        to: "go_on",
        known: { ...known, state: atWork(known), must_look: false, has_draft: true },
        is_news: true,
      };
    case "absent":
      return afterNothing({ ...known, must_look: false }, counts, is_glance);
  }
}

/** A look that found nothing. The first one is no round, be it too early to count. */
function afterNothing(known: Known, counts: boolean, is_glance: boolean): Step {
  const looks = known.looks + (counts ? 1 : 0);
  const is_certain = known.called_at === null || looks >= LOOKS;
  if (is_certain && known.refused !== null) return { to: "release", refusal: known.refused };
  const after: Known = is_certain
    ? { ...known, state: "booking", called_at: null, looks: 0 }
    : { ...known, state: "unknown", looks };
  return { to: "go_on", known: after, is_news: counts || is_glance };
}

/** One that was pending and is a draft again was not booked by then. */
function atWork({ state, called_at }: Known): OpenState {
  return state === "pending" || called_at !== null ? "unknown" : "booking";
}
