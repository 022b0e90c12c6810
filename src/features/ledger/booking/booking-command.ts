/**
 * Books a document: immediately in the built-in ledger, through an intent in an external ledger. A booking in progress is
 * resumed, never begun again. A booked document is then sent, and stays booked when its mail fails (spec 5.3, 9.8).
 */
import type * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { BookingIntent } from "../../../ledger/ledger.ts";
import { type Command, defineCommand } from "../../../platform/commands/command.ts";
import type { Caller, Context } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { freeze, type JsonText, sha256 } from "../../../platform/runtime/json.ts";
import { trySend } from "../../documents/deliveries/attempt.ts";
import type { DeliveryListener } from "../../documents/deliveries/store-outcome.ts";
import { ledgerWithin } from "../../settings/configuration/accounts.ts";
import { requireMapped } from "../connections/require-mapped.ts";
import {
  type Bookable,
  type BookingFacts,
  type Decision,
  type FrozenBooking,
  type Issued,
  textOf,
} from "./bookable.ts";
import { findIntent, type Intent, openIntent, takeIntent } from "./intents.ts";
import { requireBooked } from "./refusals.ts";
import { resumeIntent } from "./resume-intent.ts";

/** A document that is booked already, or whose booking at an external ledger has begun. */
export type Begun = Issued | { readonly intent: Intent };

/** The booked document, and the reason why it was not sent. */
export interface SentDocument {
  readonly document: JsonText;
  readonly send_error: string | null;
}

/** The plan of a booking command: to book, to resume a booking, or to do nothing for a repetition. */
export type BookingPlan<Decided> =
  | { readonly decided: Decided }
  | { readonly resume: Intent }
  | { readonly repeat: Issued };

/** The result of the commit, with the data kept for the response: null unless the command began the booking. */
export type Committed<Carried> = Begun & { readonly kept: Carried | null };

interface BookingSpec<
  Input,
  Facts extends BookingFacts,
  Decided extends Decision<Facts>,
  Carried,
  Result,
> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly bookable: Bookable<Facts, Decided>;
  /** Locks and reads the facts of the decision. */
  read(tx: Tx, input: Input): Promise<Facts>;
  /** Whether a call for a booked document counts as a repetition and returns the document. */
  readonly repeats?: boolean;
  /** Computes additions to the response before anything is booked. */
  keep?(tx: Tx, decided: NoInfer<Decided>): Promise<Carried>;
  readonly notify?: DeliveryListener;
  answer(cx: Context, sent: SentDocument, kept: Carried | null): Promise<Result> | Result;
}

/** Defines a command to book a document. It throws refusals of the decision and the ledger, and LEDGER_UNAVAILABLE. */
export function bookingCommand<
  Input,
  Facts extends BookingFacts,
  Decided extends Decision<Facts>,
  Carried,
  Result,
>(
  spec: BookingSpec<Input, Facts, Decided, Carried, Result>,
): Command<Input, BookingPlan<Decided & { kept: Carried | null }>, Committed<Carried>, Result> {
  const { name, input, bookable, notify } = spec;
  return defineCommand({
    name,
    access: "issue",
    input,

    async plan(tx: Tx, given: Input): Promise<BookingPlan<Decided & { kept: Carried | null }>> {
      const facts = await spec.read(tx, given);
      if (facts.state === "booked" && spec.repeats) {
        return { repeat: { document: textOf(facts), delivery_id: null } };
      }
      const planned = await planBooking(tx, bookable, facts);
      if ("resume" in planned) return planned;
      const kept = (await spec.keep?.(tx, planned.decided)) ?? null;
      return { decided: { ...planned.decided, kept } };
    },

    async commit(tx: Tx, plan): Promise<Committed<Carried>> {
      if ("repeat" in plan) return { ...plan.repeat, kept: null };
      const kept = "decided" in plan ? plan.decided.kept : null;
      return { ...(await carryOutBooking(tx, bookable, plan)), kept };
    },

    is_begun: isOpen,

    async after(cx: Context, committed: Committed<Carried>): Promise<Result> {
      const { kept, ...begun } = asNow(committed);
      return spec.answer(cx, await complete(cx, bookable, begun as Begun, notify), kept ?? null);
    },
  });
}

/** The form in which earlier versions stored a credit note's result under its idempotency key, which is kept for a day. */
type CarriedBefore<Carried> = Partial<{
  begun: Issued;
  is_new: boolean;
  repeat: JsonText;
  kept: Carried;
}>;

function asNow<Carried>(committed: Committed<Carried>): Committed<Carried> {
  const { begun, is_new, repeat } = committed as CarriedBefore<Carried>;
  // New credit notes had warnings, which the response to a credit note does not show.
  if (begun) return { ...begun, kept: is_new ? ([] as unknown as Carried) : null };
  return repeat ? { document: repeat, delivery_id: null, kept: null } : committed;
}

/** Whether an external ledger has to be called: a repetition finds the intent and resumes the booking. */
export function isOpen(begun: Begun): begun is { readonly intent: Intent } {
  return "intent" in begun;
}

/** Plans the booking of a document. Throws the document's refusal, also when it is booked already. */
export async function planBooking<Facts extends BookingFacts, Decided extends Decision<Facts>>(
  tx: Tx,
  { done, decide }: Bookable<Facts, Decided>,
  facts: Facts,
): Promise<{ readonly decided: Decided } | { readonly resume: Intent }> {
  if (facts.state === "booked") throw new Problem(done);
  if (facts.state === "booking") return { resume: await findIntent(tx, facts.guid) };
  const decided = decide(facts);
  if (decided.snapshot !== null) await requireMapped(tx, [decided.snapshot]);
  return { decided };
}

/** Books the planned document, begins its booking, or takes over a booking that has begun. */
export async function carryOutBooking<Facts extends BookingFacts, Decided extends Decision<Facts>>(
  tx: Tx,
  bookable: Bookable<Facts, Decided>,
  plan: { readonly decided: Decided } | { readonly resume: Intent },
): Promise<Begun> {
  if ("resume" in plan) return { intent: await takeOver(tx, plan.resume, bookable) };
  const [begun] = await book(tx, bookable, [plan.decided]);
  if (begun === undefined) throw new Error("a booking has no outcome");
  return begun;
}

/** Takes over an open intent. Throws the `in_progress` refusal while another call is making an attempt. */
async function takeOver(
  tx: Tx,
  { account_id, id }: Intent,
  { in_progress }: Pick<Bookable<BookingFacts, Decision<BookingFacts>>, "in_progress">,
): Promise<Intent> {
  const taken = await takeIntent(tx, account_id, id);
  if (taken === undefined) throw new Problem(in_progress);
  return taken;
}

/** Books, or begins bookings at an external ledger. Throws LEDGER_REJECTED, PERIOD_LOCKED, LEDGER_MAPPING_MISSING. */
export async function book<Facts extends BookingFacts, Decided extends Decision<Facts>>(
  tx: Tx,
  bookable: Bookable<Facts, Decided>,
  decided: readonly Decided[],
): Promise<Begun[]> {
  const bookings = decided.map(({ snapshot }) => snapshot && frozen(tx.caller, snapshot));
  const wanted = bookings.filter((booking) => booking !== null);
  const ledger = ledgerWithin(tx);
  if (wanted.length > 0 && ledger === undefined) {
    if (wanted.length < decided.length) throw new Error("an external ledger is asked one by one");
    const documents = wanted.map(({ intent }) => intent.document);
    const accounts = await requireMapped(tx, documents);
    bookable.begun?.(tx, decided);
    const intents = wanted.map(({ intent, payload }, at) =>
      openIntent(tx, { ...intent, accounts: accounts[at] ?? [] }, payload),
    );
    return (await Promise.all(intents)).map((intent) => ({ intent }));
  }
  const outcomes =
    wanted.length === 0 ? [] : await ledger?.ensureBooked(wanted.map(({ intent }) => intent));
  const by_guid = new Map(wanted.map(({ intent }, at) => [intent.guid, outcomes?.[at]]));
  return bookable.booked(
    tx,
    decided.map(({ facts }, index) => {
      const booking = bookings[index] ?? null;
      const outcome = booking === null ? null : by_guid.get(booking.intent.guid);
      if (outcome === undefined) throw new Error("a booking has no outcome");
      return { facts, booking, booked: outcome && requireBooked(outcome), connection_id: null };
    }),
  );
}

/** Calls an external ledger, then sends the document, after and outside of any transaction. Never throws for mail. */
export async function complete(
  cx: Context,
  bookable: Parameters<typeof resumeIntent>[2],
  begun: Begun,
  notify?: DeliveryListener,
): Promise<SentDocument> {
  const issued = isOpen(begun) ? await resumeIntent(cx, begun.intent, bookable) : begun;
  const { document, delivery_id } = issued;
  const send_error = delivery_id === null ? null : await trySend(cx, delivery_id, notify);
  return { document, send_error };
}

function frozen({ actor }: Caller, document: BookingIntent["document"]): FrozenBooking {
  const payload = freeze(document);
  const intent = {
    kind: document.kind,
    guid: document.document_id,
    payload_hash: sha256(payload),
    document,
    requested_by: `${actor.kind}:${actor.id}`,
    accounts: [],
  } as BookingIntent;
  return { intent, payload };
}
