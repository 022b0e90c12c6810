/**
 * Carries out a booking in an external ledger. A lost response is not a failure (spec 9.8): only a refusal that no earlier call
 * can contradict releases the document, and only a booking that agrees with ours finishes it. A booking that disagrees waits for
 * a person. Any other outcome leaves the intent for the next attempt. `intent-state.ts` decides the effect of an outcome.
 */
import { Problem } from "../../../domain/base/problem.ts";
import { completedBy } from "../../../domain/sales/ledger-amounts.ts";
import type { Booked, BookingIntent } from "../../../ledger/ledger.ts";
import type { Rejected } from "../../../ledger/outcome.ts";
import { ledgerTitle } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { violatedConstraint } from "../../../platform/database/database.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import { attemptDelivery } from "../../documents/deliveries/attempt.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import {
  type AnyBookable,
  type Bookables,
  type BookingFacts,
  type FrozenBooking,
  type Issued,
  textOf,
} from "./bookable.ts";
import { askUntilSettled } from "./call-ledger.ts";
import type { Doubt } from "./intent-state.ts";
import {
  bookingOf,
  type Intent,
  type Postponed,
  postponeIntent,
  releaseIntent,
  settleIntent,
  takeDueIntent,
} from "./intents.ts";
import { refusalOf } from "./refusals.ts";

/**
 * Calls the ledger until the outcome of the booking is known, within the time limits of that ledger. The caller holds the
 * intent's lease. Throws LEDGER_REJECTED or PERIOD_LOCKED when nothing was booked and the document was released, LEDGER_REJECTED
 * also when the booking disagrees and waits for a person, LEDGER_NOT_CONNECTED when the connection does not work and the intent
 * waits for it, LEDGER_UNAVAILABLE when the outcome is unknown.
 */
export async function resumeIntent(
  caller: Context,
  intent: Intent,
  bookable: AnyBookable,
): Promise<Issued> {
  // The actor of the first request stays the actor, also when another process resumes the booking.
  const actor = { kind: intent.actor_kind, id: intent.actor_id };
  const cx: Context = { ...caller, caller: { ...caller.caller, actor } };
  const booking = bookingOf(intent);
  const ended = await askUntilSettled(cx, intent, booking);
  if (ended.to === "finish") return finish(cx, intent, bookable, booking, ended.booked);
  if (ended.to === "release") return release(cx, intent, bookable, booking, ended.refusal);
  if (ended.to === "park") throw await park(cx, intent, ended);
  cx.log.warn(
    { document_id: intent.document_id, outcome: ended.postponed.outcome },
    "a booking in the ledger is not settled",
  );
  await postponeIntent(cx, intent, ended.postponed);
  if (ended.outcome.state === "pending" && bookable.accepted) {
    const document = await bookable.accepted(cx, intent.document_id);
    return { document, delivery_id: null };
  }
  throw refusalOf(ended.outcome, refusedAs(cx, booking));
}

/** Issues the document once: a second process finds the document issued. */
async function finish(
  cx: Context,
  intent: Intent,
  bookable: AnyBookable,
  booking: BookingIntent,
  booked: Booked,
): Promise<Issued> {
  const { connection_id, payload } = intent;
  try {
    return await transact(cx, async (tx) => {
      const facts = await readOne(tx, intent, bookable);
      if (facts.state === "booked") return { document: textOf(facts), delivery_id: null };
      if (!(await settleIntent(tx, intent, booked))) throw new Error("a draft lost its intent");
      const notify = completed({ intent: booking, payload }, booked);
      const outcome = { facts, booking: notify, booked, connection_id };
      const [issued] = await bookable.booked(tx, [outcome]);
      if (issued === undefined) throw new Error("a booked document was not issued");
      return issued;
    });
  } catch (error) {
    const taken = violatedConstraint(error);
    if (taken === undefined || taken !== bookable.number_constraint) throw error;
    // A number that is already taken is as wrong as a booking that is not ours, and also left to a person.
    throw await park(cx, intent, { reason: "NUMBER_TAKEN", looks: intent.looks, is_booked: true });
  }
}

/** Returns the booking with the amounts and the rate of the ledger, frozen in this form from now on. */
function completed(frozen: FrozenBooking, booked: Booked): FrozenBooking {
  const { intent } = frozen;
  if (intent.kind === "voucher") return frozen;
  const document = completedBy(intent.document, booked);
  if (document === null || document === intent.document) return frozen;
  const payload = freeze(document);
  return { intent: { ...intent, document, payload_hash: sha256(payload) }, payload };
}

/** Releases a document that was not booked. Throws the refusal, unless another attempt has finished. */
async function release(
  cx: Context,
  intent: Intent,
  bookable: AnyBookable,
  booking: BookingIntent,
  refusal: Rejected,
): Promise<Issued> {
  const { document_id } = intent;
  cx.log.warn({ document_id, refusal }, "the ledger refused a document");
  const finished = await transact(cx, async (tx) => {
    const facts = await readOne(tx, intent, bookable);
    if (facts.state === "booked") return textOf(facts);
    // The process that now holds the lease gets the outcome from the ledger.
    if (!(await releaseIntent(tx, intent, refusal.code))) throw new Problem(bookable.in_progress);
    await bookable.refused(tx, facts, refusal.code);
    return null;
  });
  if (finished !== null) return { document: finished, delivery_id: null };
  throw refusalOf(refusal, refusedAs(cx, booking));
}

function refusedAs({ ledger }: Context, { document }: BookingIntent) {
  return { ledger: ledgerTitle(ledger), date: document.issue_date, currency: document.currency };
}

/** Why a booking is left to a person, and whether the ledger reported a booking. */
interface Parked {
  readonly reason: Doubt;
  readonly looks: number;
  readonly is_booked: boolean;
}

const OTHER_BOOKED = "The accounting system has booked something else than was sent.";
const OTHER_DOCUMENT =
  "The accounting system does not have the document as it was sent, and no booking of it was found.";

/** Leaves the booking to a person, with an audit event the first time; returns the refusal for the caller. */
async function park(
  cx: Context,
  intent: Intent,
  { reason, looks, is_booked }: Parked,
): Promise<Problem> {
  const { document_id, kind } = intent;
  cx.log.error({ document_id, reason }, "a booking in the ledger is left to a person");
  const known = { state: "parked", called_at: null, looks } as const;
  const postponed: Postponed = { known, outcome: reason, reason, pause_ms: null };
  await transact(cx, async (tx) => {
    if (!(await postponeIntent(tx, intent, postponed)) || intent.state === "parked") return;
    const type = kind === "voucher" ? "ledger_intent" : kind;
    const id = kind === "voucher" ? intent.id : document_id;
    tx.audit(type, id, "booking_parked", { before: null, after: null, reason });
  });
  const message = `${is_booked ? OTHER_BOOKED : OTHER_DOCUMENT} It is not booked again automatically: an admin has to check the accounting system.`;
  const details = { reason, intent_id: intent.id, state: "parked" };
  return new Problem("LEDGER_REJECTED", { message, details });
}

async function readOne(
  tx: Tx,
  { document_id }: Intent,
  bookable: AnyBookable,
): Promise<BookingFacts> {
  const [facts] = await bookable.read(tx, [document_id]);
  if (facts === undefined) throw new Error("a document that is being booked is gone");
  return facts;
}

/** Resumes a due booking in an account's external ledger, after a crash or downtime. Returns whether there was one. */
export async function resumeDueIntent(
  services: Services,
  account_id: string,
  bookables: Bookables,
  notify: DeliveryListener,
): Promise<boolean> {
  const intent = await takeDueIntent(services.db, account_id);
  if (intent === undefined) return false;
  const cx = await schedulerContext(services, account_id);
  try {
    const { delivery_id } = await resumeIntent(cx, intent, bookables[intent.kind]);
    if (delivery_id !== null) await attemptDelivery(cx, delivery_id, true, notify);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    services.log.warn(
      { document_id: intent.document_id, code: error.code },
      "an intent is not settled",
    );
  }
  return true;
}
