/**
 * Sends documents. Booking queues the delivery, and a second commit attempts it. It becomes `sending` just before the
 * bytes are sent: a process that dies then leaves `unknown`, which is never resent automatically (spec 10.4).
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Timestamp } from "../../../domain/base/brand.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { raw, type Sql, sql, unsynced } from "../../../platform/database/sql.ts";
import { countMail, secondsUntilRoom } from "../../../platform/mail/limit.ts";
import { mintLink } from "../document-links/mint-link.ts";
import { inLedgerOf } from "../issued/find-booked-by.ts";
import { hasPdf, storedPdf } from "../issued/issued-documents.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { sendByLedger } from "../sending/send-by-ledger.ts";
import {
  type EinvoiceOutcome,
  mostWaitOf,
  NOT_CONFIGURED,
  type PreparedEinvoice,
  prepareEinvoice,
  submitEinvoice,
} from "../sending/send-einvoice.ts";
import { cannotLeave, isOwnEinvoice, type SendRefusal } from "./find-refusal.ts";
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
import { getDelivery, settle, type TakenRow } from "./store-attempt.ts";
import { type DeliveryListener, noteEvents } from "./store-outcome.ts";

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
  if (isOwnEinvoice(cx, delivery)) return sendEinvoice(cx, delivery, ahead, { held, notify });
  return sendTaken(cx, delivery, ahead, notify);
}

/**
 * Hands an e-invoice over that this attempt has taken. A caller that holds the delivery waits a few seconds for the outcome, which
 * is stored whenever it comes.
 */
async function sendEinvoice(
  cx: Context,
  delivery: TakenRow,
  { issued }: DeliveryAhead,
  { held, notify }: { readonly held: boolean; readonly notify: DeliveryListener | undefined },
): Promise<DeliveryRow> {
  const prepared = await preparing(cx, delivery, async () => {
    const snapshot = issued?.snapshot;
    if (snapshot?.kind !== "invoice" && snapshot?.kind !== "credit_note") return NOT_CONFIGURED;
    return prepareEinvoice(cx, delivery, snapshot);
  });
  if ("state" in prepared) return refuse(cx, delivery, prepared, notify);
  const started = await startSending(cx, delivery, { ...NO_MAIL, einvoice: prepared });
  if (started instanceof Problem) return postpone(cx, delivery, waitOf(started), notify);
  if (started !== "started") return getDelivery(cx, delivery.id);
  const { format, receiver: address } = prepared.submission;
  const sending = { ...delivery, address, format, file_sha256: prepared.file.sha256 };
  const settled = submitEinvoice(cx, prepared).then((outcome) =>
    settle(cx, { ...sending, state: "sending" }, outcome, notify),
  );
  if (!held) return settled;
  const waited = new AbortController();
  const later = delay(mostWaitOf(prepared), null, { signal: waited.signal }).catch(() => null);
  const first = await Promise.race([settled, later]);
  waited.abort();
  if (first !== null) return first;
  settled.catch((err: unknown) => {
    cx.log.error({ err, delivery_id: delivery.id }, "the outcome of a sending was not stored");
  });
  return getDelivery(cx, delivery.id);
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
      ? await preparing(cx, delivery, () => prepareMailTo(cx, delivery, ahead))
      : (cannotLeave(cx, delivery) ?? { raw: null, pdf: null, ledger });
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
  if (is_reserved && cannotLeave(cx, delivery) === null) return { ...delivery, number: 1 };
  return claim(cx, id, held);
}

/**
 * Counts an attempt of the delivery and begins its lease; undefined when it is done or another process has it. A crash of the database may
 * lose the claim: nothing has left before `startSending`, which only one attempt passes.
 */
async function claim(cx: Reader, id: string, held: boolean): Promise<TakenRow | undefined> {
  const claimed =
    await cx.row<AheadRow>(sql`update deliveries set attempt = attempt + 1, updated_at = (select clock_timestamp()),
       lease_until = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${cx.caller.account_id} and id = ${id} and state in ('queued', 'failed_temporary') and ${unsynced}
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
  if (delivery.is_counted || cannotLeave(cx, delivery) !== null) return null;
  const is_mail = !isOwnEinvoice(cx, delivery);
  return secondsUntilRoom(
    cx,
    counters.filter(({ subject }) => is_mail || subject !== "all"),
  );
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
  readonly einvoice?: PreparedEinvoice;
}

const NO_MAIL = { message: null, link: { hash: null, ends_at: null }, pdf: null } as const;

/** Thrown inside the transaction, to roll back what it counted. */
class NotStarted extends Error {}

/**
 * Counts the message, stores it with its PDF, and marks the delivery as being sent, all before a byte leaves. Returns the
 * refusal when the limit of mail is reached.
 */
async function startSending(
  cx: Context,
  { id, document_id, channel, attempt, number, is_counted, file_sha256 }: TakenRow,
  { message, link, pdf, einvoice }: Sending,
): Promise<"started" | "taken" | "pdf_exists" | Problem> {
  const { account_id } = cx.caller;
  const storing = pdf === null ? raw("") : sql`with ${storedPdf(cx, document_id, pdf)}`;
  const is_stored = pdf === null ? raw("") : sql`and exists (select from stored)`;
  const is_same = einvoice ? sql`and exists (${einvoice.file.stored_id})` : raw("");
  try {
    return await transact(cx, async (tx) => {
      const counted_as = einvoice === undefined ? { document_id } : { document_id, channel };
      const counting = is_counted ? undefined : countMail(tx, counted_as);
      if (einvoice?.file.storing) tx.write(einvoice.file.storing);
      const sending = tx.rows(sql`${storing} update deliveries
         set state = 'sending', attempt = ${number}, is_counted = true, message = ${message},
           link_hash = ${link.hash}, link_ends_at = ${link.ends_at}, lease_until = (select clock_timestamp() + ${raw(LEASE)})${columnsOf(einvoice)}
         where account_id = ${account_id} and id = ${id} and attempt = ${attempt}
           and state in ('queued', 'failed_temporary') ${is_stored} ${is_same} returning id`);
      const [counted, marked] = await Promise.allSettled([counting, sending]);
      if (counted.status === "rejected") throw counted.reason;
      if (marked.status === "rejected") throw marked.reason;
      if (marked.value.length === 0) throw new NotStarted();
      // A later attempt sends the same file again.
      if (einvoice !== undefined && einvoice.file.sha256 !== file_sha256)
        noteMade(tx, id, einvoice);
      return "started" as const;
    });
  } catch (error) {
    if (error instanceof Problem) return error;
    if (!(error instanceof NotStarted)) throw error;
    return pdf !== null && (await hasPdf(cx, document_id)) ? "pdf_exists" : "taken";
  }
}

/** Returns the columns that only the delivery of an e-invoice has, as a part of an update. */
function columnsOf(einvoice: PreparedEinvoice | undefined): Sql {
  if (einvoice === undefined) return raw("");
  const { submission, file, opened } = einvoice;
  return sql`, address = ${submission.receiver}, format = ${submission.format}, file_sha256 = ${file.sha256},
    einvoice_file_id = (${file.stored_id}), einvoice_connection_id = ${opened.connection_id}`;
}

function noteMade(tx: Tx, id: string, { submission, file }: PreparedEinvoice): void {
  const made = { kind: "made", code: submission.format, text: file.sha256, source: "us" } as const;
  noteEvents(tx, id, [made, { ...made, kind: "validated", text: null }]);
}

/** Leaves the delivery queued while mail is held back, without a lease: the first process that may send the delivery takes it. */
async function holdBack(cx: Reader, id: string, held: boolean): Promise<DeliveryRow> {
  if (held) {
    await cx.rows(sql`update deliveries set lease_until = null
       where account_id = ${cx.caller.account_id} and id = ${id} and state = 'queued' and attempt = 0`);
  }
  return getDelivery(cx, id);
}

async function prepareMailTo(
  cx: Reader,
  delivery: TakenRow,
  ahead: DeliveryAhead,
): Promise<PreparedMail | SendRefusal> {
  return cannotLeave(cx, delivery) ?? (await prepareMail(cx, delivery, ahead));
}

/** Prepares what is sent. A document that fails to render must not undo its booking: its delivery is tried again. */
async function preparing<Prepared>(
  cx: Reader,
  delivery: TakenRow,
  prepare: () => Promise<Prepared>,
): Promise<Prepared | SendRefusal> {
  try {
    return await prepare();
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
  refusal: SendRefusal | EinvoiceOutcome,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  const { id, attempt, number } = delivery;
  const claimed = attempt === number ? delivery : await claim(cx, id, true);
  return claimed === undefined ? getDelivery(cx, id) : settle(cx, claimed, refusal, notify);
}
