/**
 * Carrying out a booking in an external ledger. A lost answer is not a failure: only `rejected`
 * releases the document, only a booking that agrees with ours finishes it, and everything else leaves
 * the intent for the next attempt (spec 9.8).
 */

import { Problem } from "../../domain/base/problem.ts";
import type { Booked, BookingIntent, BookOutcome, Ledger, Patience } from "../../ledger/ledger.ts";
import type { CallOptions } from "../../ledger/outcome.ts";
import type { Context } from "../../platform/context.ts";
import { violatedConstraint } from "../../platform/database/database.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { type Tx, transact } from "../../platform/tx.ts";
import { attemptDelivery, type DeliveryListener } from "../deliveries/attempt.ts";
import {
  type AnyBookable,
  type Bookables,
  type BookingFacts,
  type Issued,
  textOf,
} from "./bookable.ts";
import {
  bookingOf,
  closeIntent,
  type Intent,
  postponeIntent,
  releaseIntent,
  takeDueIntent,
} from "./intents.ts";
import { refusalOf } from "./refusals.ts";

/** By how much a timer may fire before its time. */
const EARLY_MS = 5;

/** In all below the 20 s within which a caller gets an answer, and below the lease of 30 s. */
const usualPatience: Patience = { call_ms: 5_000, pause_ms: 300, rounds: 3, total_ms: 18_000 };

/**
 * Calls the ledger until it is known what became of the booking, a few times at most. The caller
 * holds the intent's lease. Throws LEDGER_REJECTED, PERIOD_LOCKED or LEDGER_NOT_CONNECTED when
 * nothing was booked and the document released, LEDGER_UNAVAILABLE when that is not known.
 */
export async function resumeIntent(
  caller: Context,
  intent: Intent,
  bookable: AnyBookable,
): Promise<Issued> {
  // Who asked first stays who did it, whoever goes on with it.
  const actor = { kind: intent.actor_kind, id: intent.actor_id };
  const cx: Context = { ...caller, caller: { ...caller.caller, actor } };
  if (cx.ledger === null || cx.ledger.transactional) {
    await postponeIntent(cx, intent, "not_connected");
    throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
  }
  const { ledger } = cx;
  const patience = ledger.patience ?? usualPatience;
  const deadline = Date.now() + patience.total_ms;
  const ask: Ask = (call) =>
    within(Math.min(patience.call_ms, deadline - Date.now()), (signal) =>
      call(ledger.connect(intent.account_id), { signal }),
    );
  const booking = bookingOf(intent);
  // Anything before this attempt may have reached the ledger.
  let may_be_booked = intent.attempts > 1;
  let last: BookOutcome = { state: "not_started" };
  for (let round = 1; round <= patience.rounds && Date.now() < deadline - EARLY_MS; round += 1) {
    if (round > 1) await pause(patience.pause_ms * 2 ** (round - 2));
    last = await bookOnce(ask, booking, may_be_booked);
    if (last.state === "booked") return finish(cx, intent, bookable, booking, last);
    const is_final = last.state === "rejected" || (last.state === "unauthorized" && !may_be_booked);
    if (is_final) return release(cx, intent, bookable, last);
    if (last.state === "unauthorized") break;
    may_be_booked ||= last.state === "unknown";
  }
  cx.log.warn({ document_id: intent.id, outcome: last.state }, "the ledger gave no answer");
  await postponeIntent(cx, intent, last.state);
  throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
}

/** After an unclear attempt the ledger is asked what it has before it is asked to book again. */
async function bookOnce(
  ask: Ask,
  booking: BookingIntent,
  may_be_booked: boolean,
): Promise<BookOutcome> {
  if (may_be_booked) {
    const found = await ask((ledger, options) => ledger.find(booking.kind, booking.guid, options));
    if (found.state === "booked") return checked(booking, found);
    if (found.state === "unknown") return found;
  }
  const outcome = await ask((ledger, options) => ledger.ensureBooked(booking, options));
  return outcome.state === "booked" ? checked(booking, outcome) : outcome;
}

type Unknown = { readonly state: "unknown"; readonly cause: unknown };

/** One call of the ledger, in what is left of the time. */
type Ask = <Outcome>(
  call: (ledger: Ledger, options: CallOptions) => Promise<Outcome>,
) => Promise<Outcome | Unknown>;

/** A booking that is not ours, or not what we asked for, is no answer: it needs a person, not a guess. */
function checked(booking: BookingIntent, booked: Booked): BookOutcome {
  const totals = booking.kind === "voucher" ? null : booking.document.totals;
  const agrees =
    booked.guid === booking.guid &&
    booked.number > 0n &&
    (booked.totals === null ||
      totals === null ||
      (booked.totals.net === totals.net &&
        booked.totals.vat === totals.vat &&
        booked.totals.gross === totals.gross));
  return agrees
    ? booked
    : { state: "unknown", cause: new Error("the ledger's booking is not ours") };
}

/** A call that throws or takes too long has an unknown outcome. Nothing waits for a late answer. */
async function within<Outcome>(
  call_ms: number,
  call: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | Unknown> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve({ state: "unknown", cause: new Error(`no answer in ${call_ms} ms`) });
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

/** Makes the document issued, once: who comes second finds it so. */
async function finish(
  cx: Context,
  intent: Intent,
  bookable: AnyBookable,
  booking: BookingIntent,
  booked: Booked,
): Promise<Issued> {
  try {
    return await transact(cx, async (tx) => {
      const facts = await readOne(tx, intent, bookable);
      if (facts.state === "booked") return { document: textOf(facts), delivery_id: null };
      if (!(await closeIntent(tx, intent))) throw new Error("a draft lost its intent");
      const outcome = { facts, booking: { intent: booking, payload: intent.payload }, booked };
      const [issued] = await bookable.booked(tx, [outcome]);
      if (issued === undefined) throw new Error("a booked document was not issued");
      return issued;
    });
  } catch (error) {
    const taken = violatedConstraint(error);
    if (taken === undefined || taken !== bookable.number_constraint) throw error;
    // As wrong as a booking that is not ours, and left to a person in the same way.
    cx.log.error({ document_id: intent.id, number: booked.number }, "the number is another's");
    await postponeIntent(cx, intent, "number_taken");
    throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
  }
}

/** Nothing was booked. Throws the refusal, unless another attempt has finished. */
async function release(
  cx: Context,
  intent: Intent,
  bookable: AnyBookable,
  outcome: Exclude<BookOutcome, Booked>,
): Promise<Issued> {
  cx.log.warn({ document_id: intent.id, outcome: outcome.state }, "the ledger refused a document");
  const reason = outcome.state === "rejected" ? outcome.code : outcome.state;
  const finished = await transact(cx, async (tx) => {
    const facts = await readOne(tx, intent, bookable);
    if (facts.state === "booked") return textOf(facts);
    // Whoever holds the lease by now learns the outcome from the ledger itself.
    if (!(await releaseIntent(tx, intent))) throw new Problem(bookable.in_progress);
    await bookable.refused(tx, facts, reason);
    return null;
  });
  if (finished !== null) return { document: finished, delivery_id: null };
  throw refusalOf(outcome);
}

async function readOne(tx: Tx, { id }: Intent, bookable: AnyBookable): Promise<BookingFacts> {
  const [facts] = await bookable.read(tx, [id]);
  if (facts === undefined) throw new Error("a document that is being booked is gone");
  return facts;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Takes one booking in an external ledger that is due and resumes it, after a crash or after the
 * ledger was away; answers whether there was one.
 */
export async function resumeDueIntent(
  services: Services,
  bookables: Bookables,
  told: DeliveryListener,
): Promise<boolean> {
  const intent = await takeDueIntent(services.db);
  if (intent === undefined) return false;
  const cx = await schedulerContext(services, intent.account_id);
  try {
    const { delivery_id } = await resumeIntent(cx, intent, bookables[intent.kind]);
    if (delivery_id !== null) await attemptDelivery(cx, delivery_id, true, told);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn({ document_id: intent.id, code: error.code }, "an intent is not settled");
  }
  return true;
}
