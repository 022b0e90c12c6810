/**
 * Sends documents. Booking queues the delivery, and a second commit attempts it. It becomes `sending` just before the
 * bytes are sent: a process that dies then leaves `unknown`, which is never resent automatically (spec 10.4).
 */

import type { Timestamp } from "../../../domain/base/brand.ts";
import { isMailAddress } from "../../../domain/base/mail-address.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { eventOfOutcome } from "../../../domain/einvoice/einvoice-delivery.ts";
import { MINUTES_UNTIL_RETRY } from "../../../domain/sales/delivery.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { countMail, secondsUntilRoom } from "../../../platform/mail/limit.ts";
import type { MailOutcome } from "../../../platform/mail/mail.ts";
import { mintLink } from "../document-links/mint-link.ts";
import { inLedgerOf } from "../issued/find-booked-by.ts";
import { hasPdf, storedPdf } from "../issued/issued-documents.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { sendErrorOf } from "./present.ts";
import {
  AHEAD,
  type AheadRow,
  type DeliveryAhead,
  type DeliveryRow,
  type PreparedMail,
  prepareMail,
  readAhead,
  SHOWN,
} from "./read-ahead.ts";
import { type LedgerSendOutcome, sendByLedger, sendsEinvoices } from "./send-by-ledger.ts";
import { changedWith, type DeliveryListener, recordOutcome } from "./store-outcome.ts";

/** The time during which an attempt belongs to the process that began it. */
export const LEASE = "interval '2 minutes'";

/**
 * Attempts a delivery and returns it; never throws for failed mail. `held` is true for the caller that queued it. The ledger that
 * booked the document sends it, where it sends documents.
 */
export async function attemptDelivery(
  caller: Context,
  id: string,
  held: boolean,
  notify?: DeliveryListener,
): Promise<DeliveryRow> {
  const reads = asOneStatement(caller);
  const [is_held, ahead] = await Promise.all([
    caller.mail.hold.isHeld(reads),
    readAhead(reads, id),
  ]);
  const cx = inLedgerOf(caller, ahead.booked_by);
  if (is_held) return holdBack(cx, id, held);
  const delivery = await take(cx, id, held, ahead);
  if (delivery === undefined) return getDelivery(cx, id);
  const full = fullUntil(cx, delivery, ahead);
  if (full !== null) return postpone(cx, delivery, full, notify);
  return sendTaken(cx, delivery, ahead, notify);
}

/** Prepares and sends a delivery that this attempt has taken. */
async function sendTaken(
  cx: Context,
  delivery: TakenRow,
  ahead: DeliveryAhead,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  const { id } = delivery;
  // Letters are never those of a ledger.
  const kind = ahead.issued?.snapshot.kind;
  const ledger = kind === "statement" || kind === "reminder" ? null : printingLedger(cx);
  const prepared =
    ledger === null
      ? await prepareSafely(cx, delivery, ahead)
      : (unreachable(cx, delivery) ?? { raw: null, pdf: null, ledger });
  if ("state" in prepared) return refuse(cx, delivery, prepared, notify);
  const stored = prepared.raw;
  const link =
    stored === null ? { hash: null, ends_at: null } : mintLink(stored, id, cx.clock.now());
  const { pdf } = prepared;
  const started = await startSending(cx, delivery, { message: stored, link, pdf });
  if (started instanceof Problem) return postpone(cx, delivery, waitOf(started), notify);
  if (started === "pdf_exists") {
    // Another attempt has stored the PDF first, which is the document: the message is made again with it.
    return sendTaken(cx, delivery, await readAhead(asOneStatement(cx), id), notify);
  }
  // Preparing took longer than the lease and another process has begun an attempt: only that process sends.
  if (started === "taken") return getDelivery(cx, id);
  const outcome =
    "ledger" in prepared
      ? await sendByLedger(cx, prepared.ledger, delivery)
      : await cx.mail
          .transportFor(cx.caller)
          .send("raw" in link ? { ...prepared, raw: link.raw } : prepared);
  if ("cause" in outcome && outcome.cause) {
    cx.log.warn({ err: outcome.cause, delivery_id: id, code: outcome.error_code }, "mail failed");
  }
  return settle(cx, { ...delivery, state: "sending" }, outcome, notify);
}

/** Tries to deliver a document that was just booked; returns the `send_error` for the response to the booking. */
export async function trySend(
  cx: Context,
  delivery_id: string,
  notify?: DeliveryListener,
): Promise<string | null> {
  try {
    const delivery = await attemptDelivery(cx, delivery_id, true, notify);
    if (delivery.state === "queued" && (await cx.mail.hold.isHeld())) return HELD;
    return sendErrorOf(delivery);
  } catch (error) {
    // A booked document stays booked when its sending fails.
    cx.log.error({ err: error, delivery_id }, "a delivery could not be attempted");
    return "The document has not been sent yet; it will be tried again.";
  }
}

const HELD = "The document waits: mail is held back until background work is resumed.";

/** Returns the newest attempt to send a document; undefined when the document was never to be sent. */
export function latestDelivery(cx: Reader, document_id: string): Promise<DeliveryRow | undefined> {
  return cx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries where account_id = ${cx.caller.account_id} and document_id = ${document_id}
     order by id desc limit 1`);
}

type AttemptOutcome = MailOutcome | Refusal | LedgerSendOutcome;

/** A failure known before anything is handed to a transport. */
interface Refusal {
  readonly state: "failed_permanent" | "failed_temporary";
  readonly error_code: "einvoice_not_configured" | "no_address" | "not_prepared";
  readonly error_text: string;
}

/** A delivery for one attempt. */
interface TakenRow extends AheadRow {
  /** The number of this attempt. */
  readonly number: number;
}

/**
 * Takes the delivery for one attempt; undefined when it is done or another process has it. Its own lease reserves a delivery
 * that this process has just queued: its attempt is counted when the sending starts.
 */
async function take(
  cx: Reader,
  id: string,
  held: boolean,
  { delivery }: DeliveryAhead,
): Promise<TakenRow | undefined> {
  if (delivery === undefined) return undefined;
  const is_reserved = held && delivery.attempt === 0 && delivery.state === "queued";
  if (is_reserved && unreachable(cx, delivery) === null) return { ...delivery, number: 1 };
  return claim(cx, id, held);
}

/** Counts an attempt of the delivery and begins its lease; undefined when it is done or another process has it. */
async function claim(cx: Reader, id: string, held: boolean): Promise<TakenRow | undefined> {
  const claimed =
    await cx.row<AheadRow>(sql`update deliveries set attempt = attempt + 1, updated_at = (select clock_timestamp()),
       lease_until = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${cx.caller.account_id} and id = ${id} and state in ('queued', 'failed_temporary')
       and ((${held} and attempt = 0) or lease_until is null or lease_until < (select clock_timestamp()))
     returning ${raw(AHEAD)}`);
  return claimed && { ...claimed, number: claimed.attempt };
}

/** Returns the seconds to wait when the limit of mail is reached before the attempt; null when it is not, or does not apply. */
function fullUntil(
  cx: Context,
  delivery: TakenRow,
  { counters }: Pick<DeliveryAhead, "counters">,
): number | null {
  if (delivery.is_counted || unreachable(cx, delivery) !== null) return null;
  return secondsUntilRoom(cx, counters);
}

const waitOf = ({ extras }: Problem): number => extras.retry_after_seconds ?? 60;

/** Leaves a delivery queued until there is room for more mail, without counting this attempt. */
function postpone(
  cx: Context,
  { id, attempt, number }: TakenRow,
  seconds: number,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  cx.log.warn({ delivery_id: id, seconds }, "a delivery waits: the limit of mail is reached");
  return transact(cx, async (tx) => {
    const row =
      await tx.row<DeliveryRow>(sql`update deliveries set attempt = ${number - 1}, lease_until = null,
         next_attempt_at = (select clock_timestamp() + make_interval(secs => ${seconds}))
       where account_id = ${cx.caller.account_id} and id = ${id} and attempt = ${attempt} returning ${raw(SHOWN)}`);
    if (row !== undefined) await notify?.(tx, row);
    return row ?? getDelivery(tx, id);
  });
}

interface Sending {
  readonly message: Buffer | null;
  readonly link: { readonly hash: Buffer | null; readonly ends_at: Timestamp | null };
  /** The PDF in the message when it is not stored yet. */
  readonly pdf: Buffer | null;
}

/** Thrown inside the transaction, to roll back what it counted. */
class NotStarted extends Error {}

/**
 * Counts the message, stores it with its PDF, and marks the delivery as being sent, all before a byte leaves. Returns the
 * refusal when the limit of mail is reached.
 */
async function startSending(
  cx: Context,
  { id, document_id, attempt, number, is_counted }: TakenRow,
  { message, link, pdf }: Sending,
): Promise<"started" | "taken" | "pdf_exists" | Problem> {
  const { account_id } = cx.caller;
  const storing = pdf === null ? raw("") : sql`with ${storedPdf(cx, document_id, pdf)}`;
  const is_stored = pdf === null ? raw("") : sql`and exists (select from stored)`;
  try {
    return await transact(cx, async (tx) => {
      const counting = is_counted ? undefined : countMail(tx, { document_id });
      const sending = tx.rows(sql`${storing} update deliveries
         set state = 'sending', attempt = ${number}, is_counted = true, message = ${message},
           link_hash = ${link.hash}, link_ends_at = ${link.ends_at}, lease_until = (select clock_timestamp() + ${raw(LEASE)})
         where account_id = ${account_id} and id = ${id} and attempt = ${attempt} ${is_stored} returning id`);
      const [counted, marked] = await Promise.allSettled([counting, sending]);
      if (counted.status === "rejected") throw counted.reason;
      if (marked.status === "rejected") throw marked.reason;
      if (marked.value.length === 0) throw new NotStarted();
      return "started" as const;
    });
  } catch (error) {
    if (error instanceof Problem) return error;
    if (!(error instanceof NotStarted)) throw error;
    return pdf !== null && (await hasPdf(cx, document_id)) ? "pdf_exists" : "taken";
  }
}

/** Leaves the delivery queued while mail is held back, without a lease: the first process that may send the delivery takes it. */
async function holdBack(cx: Reader, id: string, held: boolean): Promise<DeliveryRow> {
  if (held) {
    await cx.rows(sql`update deliveries set lease_until = null
       where account_id = ${cx.caller.account_id} and id = ${id} and state = 'queued' and attempt = 0`);
  }
  return getDelivery(cx, id);
}

/** Prepares the message. A document that fails to render must not undo its booking: its delivery is tried again. */
async function prepareSafely(
  cx: Reader,
  delivery: TakenRow,
  ahead: DeliveryAhead,
): Promise<PreparedMail | Refusal> {
  try {
    return unreachable(cx, delivery) ?? (await prepareMail(cx, delivery, ahead));
  } catch (error) {
    cx.log.error({ err: error, delivery_id: delivery.id }, "a document could not be prepared");
    const error_text = "the document could not be prepared for sending";
    return { state: "failed_temporary", error_code: "not_prepared", error_text };
  }
}

/** Stores a failure that is known before anything is sent. A reserved delivery is claimed first, to count the attempt. */
async function refuse(
  cx: Context,
  delivery: TakenRow,
  refusal: Refusal,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  const { id, attempt, number } = delivery;
  const claimed = attempt === number ? delivery : await claim(cx, id, true);
  return claimed === undefined ? getDelivery(cx, id) : settle(cx, claimed, refusal, notify);
}

/** Returns why nothing can be sent to a recipient, known before the booking; null when sending is possible. */
export function unreachable(
  cx: Reader,
  { channel, address }: Pick<DeliveryRow, "channel" | "address">,
): Refusal | null {
  if (channel === "einvoice") {
    if (sendsEinvoices(cx)) return null;
    const error_text = "e-invoice sending is not configured";
    return { state: "failed_permanent", error_code: "einvoice_not_configured", error_text };
  }
  if (isMailAddress(address ?? "")) return null;
  const error_text = "the customer has no e-mail address";
  return { state: "failed_permanent", error_code: "no_address", error_text };
}

/** Stores the outcome of an attempt with its audit event, unless a later attempt has begun. */
function settle(
  cx: Context,
  taken: TakenRow,
  outcome: AttemptOutcome,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  return transact(cx, async (tx) => {
    const expected = shownOf(taken);
    const stored = await storeOutcome(tx, expected, taken.number, outcome);
    if (stored !== undefined) {
      await recordOutcome(tx, expected, stored, notify);
      return stored;
    }
    // The delivery has another state by now: it was taken for abandoned.
    tx.lock(
      sql`select from deliveries where account_id = ${cx.caller.account_id} and id = ${taken.id} for no key update`,
    );
    const before = await getDelivery(tx, taken.id);
    const after = await storeOutcome(tx, before, taken.number, outcome);
    if (after === undefined) return before;
    await recordOutcome(tx, before, after, notify);
    return after;
  });
}

/** Writes the outcome of an attempt; undefined when the delivery has another state or a later attempt. */
function storeOutcome(
  tx: Tx,
  { id, state }: DeliveryRow,
  number: number,
  outcome: AttemptOutcome,
): Promise<DeliveryRow | undefined> {
  const failed = "error_code" in outcome;
  const looks_after = "looks_after" in outcome ? outcome.looks_after : null;
  const minutes = MINUTES_UNTIL_RETRY[number - 1] ?? null;
  // After the last retry a temporary failure becomes permanent.
  const is_last = outcome.state === "failed_temporary" && minutes === null;
  const settled = {
    state: is_last ? ("failed_permanent" as const) : outcome.state,
    error_code: failed ? outcome.error_code : null,
    send_error: failed ? outcome.error_text : null,
  };
  const update = sql`update deliveries set state = ${settled.state},
       error_code = ${settled.error_code}, send_error = ${settled.send_error},
       lease_until = null, updated_at = (select clock_timestamp()),
       next_attempt_at = (select clock_timestamp() + make_interval(mins => ${minutes}::int)),
       looks = 0, next_look_at = (select clock_timestamp() + make_interval(mins => ${looks_after}::int))
     where account_id = ${tx.caller.account_id} and id = ${id} and attempt = ${number} and state = ${state}`;
  return tx.row<DeliveryRow>(changedWith(tx, update, eventOfOutcome(settled)));
}

/** Returns a delivery without the fields that only an attempt needs. */
function shownOf({ message: _, attempt: __, is_counted: ___, number: ____, ...row }: TakenRow) {
  return row;
}

async function getDelivery(cx: Reader, id: string): Promise<DeliveryRow> {
  const row = await cx.row<DeliveryRow>(
    sql`select ${raw(SHOWN)} from deliveries where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  if (!row) throw new Error(`there is no delivery ${id}`);
  return row;
}
