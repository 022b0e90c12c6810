/**
 * Calls an external ledger for one booking and records each call. The calls follow each other, as `intent-state.ts` decides,
 * until the outcome of the booking is known or the time limit is reached. Nothing here changes a document.
 */
import { completedBy } from "../../../domain/sales/ledger-amounts.ts";
import type {
  Booked,
  BookingIntent,
  BookOutcome,
  Ledger,
  Timeouts,
} from "../../../ledger/ledger.ts";
import type {
  CallOptions,
  Failure,
  LedgerCall,
  NotStarted,
  Rejected,
  Unauthorized,
} from "../../../ledger/outcome.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { requireKnown } from "../../catalogue/links/push-link.ts";
import { inTurn } from "./await-turn.ts";
import { heldBack, noteAnswer } from "./circuit.ts";
import {
  afterBooking,
  afterLook,
  type Doubt,
  type IntentProgress,
  nextCall,
  type Step,
} from "./intent-state.ts";
import {
  holdsIntent,
  type Intent,
  knownOf,
  markCalled,
  noteCalls,
  type Postponed,
  renameIntent,
} from "./intents.ts";
import type { Unsettled } from "./refusals.ts";

/** How early a timer may fire. */
const EARLY_MS = 5;
const LONGEST_POLL_MS = 60_000;

/** The total is below the 20 s within which a caller gets a response, and below the lease of 30 s. */
const usualTimeouts: Timeouts = { call_ms: 5_000, pause_ms: 300, rounds: 3, total_ms: 18_000 };

/** The result of the calls of one attempt. */
type Ended =
  | { readonly to: "finish"; readonly booked: Booked }
  | { readonly to: "release"; readonly refusal: Rejected }
  | {
      readonly to: "park";
      readonly reason: Doubt;
      readonly looks: number;
      /** Whether the ledger reported a booking. */
      readonly is_booked: boolean;
    }
  | {
      readonly to: "wait";
      readonly outcome: Unsettled;
      readonly postponed: Postponed;
    };

/** Calls the ledger of the intent, whose lease the caller holds. Throws only errors that are not outcomes of the ledger. */
export async function askUntilSettled(
  cx: Context,
  intent: Intent,
  booking: BookingIntent,
): Promise<Ended> {
  const known = knownOf(intent);
  if (cx.ledger === null || cx.ledger.transactional) {
    return waiting(intent, known, { state: "not_started" }, "not_connected", null);
  }
  const held = await heldBack(cx, intent);
  if (held === "unauthorized") return waiting(intent, known, { state: held }, held, null);
  if (held !== null) return waiting(intent, known, { state: "not_started" }, held, null);
  const { ledger } = cx;
  const timeouts = ledger.timeouts ?? usualTimeouts;
  const { in_list } = cx;
  const deadline = Math.min(Date.now() + timeouts.total_ms, in_list?.until_ms ?? Infinity);
  const urgency = cx.pool === "background" || in_list ? "bulk" : "interactive";
  const reported: LedgerCall[] = [];
  const ask: Ask = (call) =>
    within(Math.min(timeouts.call_ms, deadline - Date.now()), (signal) =>
      call(ledger.connect(intent.account_id), {
        signal,
        urgency,
        notify: (one) => reported.push(one),
      }),
    );
  const takes_turns = ledger.capabilities?.concurrent_bookings === 1;
  const line: Line = { ask, reported, urgency, takes_turns };
  return new Attempt(cx, intent, booking, line, timeouts, deadline).run(known);
}

/** Makes one call of the ledger, limited to the remaining time. */
type Ask = <Outcome>(
  call: (ledger: Ledger, options: CallOptions) => Promise<Outcome>,
) => Promise<Outcome | NoAnswer>;

type NoAnswer = {
  readonly state: "unknown";
  readonly reason?: "timeout";
  readonly cause: unknown;
};

/** The way to call the ledger, and the requests reported since requests were last recorded. */
interface Line {
  readonly ask: Ask;
  readonly reported: LedgerCall[];
  readonly urgency: "interactive" | "bulk";
  /** Whether the ledger books one document at a time. */
  readonly takes_turns: boolean;
}

class Attempt {
  readonly #cx: Context;
  readonly #intent: Intent;
  #booking: BookingIntent;
  readonly #line: Line;
  readonly #timeouts: Timeouts;
  readonly #deadline: number;
  /** The last outcome that was not a booking. */
  #last: Failure | Rejected = { state: "not_started" };
  #answered_looks = 0;
  /** Whether the last outcome that concerned the booking reported it as booked. */
  #is_booked = false;
  /** Whether the circuit is open, so that no process calls the ledger. */
  #is_down = false;

  constructor(
    cx: Context,
    intent: Intent,
    booking: BookingIntent,
    line: Line,
    timeouts: Timeouts,
    deadline: number,
  ) {
    this.#cx = cx;
    this.#intent = intent;
    this.#booking = booking;
    this.#line = line;
    this.#timeouts = timeouts;
    this.#deadline = deadline;
  }

  async run(begun: IntentProgress): Promise<Ended> {
    const { call_ms, pause_ms, rounds } = this.#timeouts;
    let known = begun;
    let pause = 0;
    for (let without_news = 0; without_news < rounds; ) {
      const { verb, at } = nextCall(known, Date.now() + pause, call_ms);
      if (at >= this.#deadline - EARLY_MS) break;
      await until(at);
      const step = verb === "find" ? await this.#look(known) : await this.#book(known);
      if (step === null) break;
      if (step.to === "rename") {
        const guid = await renameIntent(this.#cx, this.#intent);
        if (guid === undefined) break;
        this.#booking = { ...this.#booking, guid };
        known = step.known;
        continue;
      }
      const ended = this.#ended(known, step);
      if (ended !== null) return ended;
      if (step.to !== "go_on") throw new Error("a step goes nowhere");
      known = step.known;
      if (this.#is_down) break;
      // A ledger that names the time of the next call is called at that time, as often as the time limit allows.
      const retry_after_ms = step.is_news ? undefined : this.#retryAfter();
      if (!step.is_news && retry_after_ms === undefined) without_news += 1;
      const usual_ms = pause_ms * 2 ** Math.max(0, without_news - 1);
      pause = retry_after_ms ?? (step.is_news && known.looks === 0 ? 0 : usual_ms);
    }
    const last = this.#last.state === "rejected" ? ({ state: "unknown" } as const) : this.#last;
    return waiting(this.#intent, known, last, this.#last.state, this.#retryAfter() ?? null);
  }

  #retryAfter(): number | undefined {
    return this.#last.state === "not_started" ? this.#last.retry_after_ms : undefined;
  }

  /** Returns the end of the attempt, or null if it continues. Only a booking by the ledger ends the parked state. */
  #ended(before: IntentProgress, step: Step): Ended | null {
    if (step.to === "finish" || step.to === "release") return step;
    const was_parked = before.state === "parked";
    const looks = (was_parked ? this.#intent.looks : 0) + this.#answered_looks;
    const is_booked = this.#is_booked;
    if (step.to === "park") return { ...step, looks, is_booked };
    if (was_parked && before.doubt !== null) {
      return { to: "park", reason: before.doubt, looks, is_booked };
    }
    if (step.to !== "wait") return null;
    const { outcome, known } = step;
    const pause_ms =
      outcome.state === "pending" ? pollAfter(outcome.poll_after_ms, this.#intent.attempts) : null;
    return waiting(this.#intent, known, outcome, outcome.state, pause_ms);
  }

  async #look(known: IntentProgress): Promise<Step> {
    const { kind, guid } = this.#booking;
    const looked_at = Date.now();
    const found = await this.#line.ask((ledger, options) => ledger.find(kind, guid, options));
    await this.#note("find", found, looked_at);
    if (found.state === "not_started" || found.state === "unknown") this.#last = found;
    else if (found.state !== "unauthorized") {
      this.#answered_looks += 1;
      this.#is_booked = found.state === "booked";
    }
    return afterLook(known, found, looked_at, this.#timeouts.call_ms, this.#doubtOf);
  }

  /** Requests the booking. Returns null when another process has taken the intent, or when the ledger's turn has not come. */
  #book(known: IntentProgress): Promise<Step | null> {
    const { urgency, takes_turns } = this.#line;
    if (!takes_turns) return this.#bookNow(known);
    const times = { call_ms: this.#timeouts.call_ms, deadline: this.#deadline };
    return inTurn(this.#cx, this.#intent, urgency, times, () => this.#bookNow(known));
  }

  async #bookNow(known: IntentProgress): Promise<Step | null> {
    const began_at = Date.now();
    const refusal = await this.#introduce();
    if (refusal !== null) {
      await this.#note("book", refusal, began_at);
      this.#last = refusal;
      return afterBooking(known, refusal, began_at, this.#doubtOf);
    }
    if (!(await markCalled(this.#cx, this.#intent, known.returned))) return null;
    const called_at = Date.now();
    const mayBook = () => holdsIntent(this.#cx, this.#intent);
    const outcome = await this.#line.ask((ledger, options) =>
      ledger.ensureBooked(this.#booking, { ...options, mayBook }),
    );
    await this.#note("book", outcome, called_at);
    if (isNoBooking(outcome)) this.#last = outcome;
    this.#is_booked =
      outcome.state === "booked" || (outcome.state === "rejected" && outcome.is_booked === true);
    return afterBooking(known, outcome, called_at, this.#doubtOf);
  }

  /** Makes sure that the ledger knows the customer before the document; returns null when it does. */
  async #introduce(): Promise<Rejected | NotStarted | Unauthorized | null> {
    const { document } = this.#booking;
    if (document.kind === "voucher") return null;
    const known = await this.#line.ask(async ({ more }, options) =>
      more === undefined ? null : requireKnown(this.#cx, more, document.customer.id, options),
    );
    // No booking was requested, whatever the outcome of the call for the customer.
    return known?.state === "unknown" ? { ...known, state: "not_started" } : known;
  }

  readonly #doubtOf = (booked: Booked): Doubt | null => doubtOf(this.#booking, booked);

  async #note(verb: "book" | "find", outcome: Answer, began_at: number): Promise<void> {
    const { state } = outcome;
    const status = outcome.code ?? outcome.reason ?? null;
    const ms = Date.now() - began_at;
    const requests = this.#line.reported.splice(0).map((one) => ({
      ...one,
      status: one.status === null ? null : String(one.status),
    }));
    const call = { verb, outcome: state, status, ms };
    await noteCalls(this.#cx, this.#intent, [...requests, call]);
    this.#is_down = await noteAnswer(this.#cx, this.#intent, outcome);
  }
}

/** Whether an outcome neither books the document nor changes what is known about its booking. */
function isNoBooking(outcome: BookOutcome | NoAnswer): outcome is Failure | Rejected {
  return !["booked", "pending", "guid_used"].includes(outcome.state);
}

type Answer = {
  readonly state: string;
  readonly code?: string;
  readonly reason?: string;
};

/** Returns the pause before the next look. It grows with each attempt, because a look uses up a ledger request. */
function pollAfter(poll_after_ms: number, attempts: number): number {
  return Math.min(LONGEST_POLL_MS, poll_after_ms * 2 ** Math.min(10, Math.max(0, attempts - 3)));
}

function waiting(
  intent: Intent,
  known: IntentProgress,
  outcome: Unsettled,
  word: string,
  pause_ms: number | null,
): Ended {
  const reason = known.state === "parked" ? intent.reason : null;
  return { to: "wait", outcome, postponed: { known, outcome: word, reason, pause_ms } };
}

/** Returns why a booking is not accepted: it has another guid, no number, or other totals. A person then has to decide. */
function doubtOf(booking: BookingIntent, booked: Booked): Doubt | null {
  if (booked.guid !== booking.guid) return "FOREIGN_GUID";
  if (booked.number <= 0n) return "NUMBER_MISSING";
  if (booking.kind === "voucher") return null;
  return completedBy(booking.document, booked) === null ? "TOTAL_MISMATCH" : null;
}

/** Limits a call in time. A call that throws or takes too long has an unknown outcome; its late result is ignored. */
async function within<Outcome>(
  call_ms: number,
  call: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | NoAnswer> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<NoAnswer>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      const cause = new Error(`no answer in ${call_ms} ms`);
      resolve({ state: "unknown", reason: "timeout", cause });
    }, call_ms);
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } catch (cause) {
    return { state: "unknown", cause };
  } finally {
    clearTimeout(timer);
  }
}

async function until(moment: number): Promise<void> {
  for (let left = moment - Date.now(); left > 0; left = moment - Date.now()) {
    const ms = left;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
