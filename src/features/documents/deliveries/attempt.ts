/**
 * Sends documents. Booking queues the delivery, and a second commit attempts it. It becomes `sending` just before the
 * bytes are sent: a process that dies then leaves `unknown`, which is never resent automatically (spec 10.4).
 */

import { isMailAddress } from "../../../domain/base/mail-address.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { MINUTES_UNTIL_RETRY } from "../../../domain/sales/delivery.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { type MailOutcome, type RenderedMail, renderMail } from "../../../platform/mail/mail.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { linkIn, mintLink, offersLinks } from "../document-links/mint-link.ts";
import { findIssued, pdfOf } from "../issued/issued-documents.ts";
import { printingLedger } from "../issued/read-pdf.ts";
import { Delivery } from "../issued/schemas.ts";
import { messageOf } from "./mail-message.ts";
import { type LedgerSendOutcome, sendByLedger, sendsEinvoices } from "./send-by-ledger.ts";

export interface DeliveryRow {
  readonly id: string;
  readonly document_id: string;
  readonly channel: "email" | "einvoice";
  readonly address: string | null;
  readonly state: DeliveryState;
  readonly send_error: string | null;
  readonly at: string;
}

export const SHOWN = "id, document_id, channel, address, state, send_error, at";

/** The time during which an attempt belongs to the process that began it. */
export const LEASE = "interval '2 minutes'";

/** Attempts a delivery and returns it; never throws for failed mail. `held` is true for the caller that queued it. */
export async function attemptDelivery(
  cx: Context,
  id: string,
  held: boolean,
  notify?: DeliveryListener,
): Promise<DeliveryRow> {
  if (await cx.mail.hold.isHeld()) return holdBack(cx, id, held);
  const delivery = await claim(cx, id, held);
  if (delivery === undefined) return getDelivery(cx, id);
  const waiting = await waitIfLimited(cx, delivery, notify);
  if (waiting !== undefined) return waiting;
  const ledger = printingLedger(cx);
  const prepared =
    ledger === null
      ? await prepareSafely(cx, delivery)
      : (unreachable(cx, delivery) ?? { raw: null, ledger });
  if ("state" in prepared) return settle(cx, delivery, prepared, notify);
  const stored = prepared.raw;
  const link =
    stored === null ? { hash: null, ends_at: null } : mintLink(stored, id, cx.clock.now());
  const sending = await cx.row(sql`update deliveries set state = 'sending', message = ${stored},
       link_hash = ${link.hash}, link_ends_at = ${link.ends_at}, lease_until = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${cx.caller.account_id} and id = ${id} and attempt = ${delivery.attempt} returning id`);
  // Rendering took longer than the lease and another process has begun an attempt: only that process sends.
  if (sending === undefined) return getDelivery(cx, id);
  const outcome =
    "ledger" in prepared
      ? await sendByLedger(cx, prepared.ledger, delivery)
      : await cx.mail
          .transportFor(cx.caller)
          .send("raw" in link ? { ...prepared, raw: link.raw } : prepared);
  if ("cause" in outcome && outcome.cause) {
    cx.log.warn({ err: outcome.cause, delivery_id: id, code: outcome.error_code }, "mail failed");
  }
  return settle(cx, delivery, outcome, notify);
}

/** Is called with each outcome, in the transaction that stores the outcome. */
export type DeliveryListener = (tx: Tx, delivery: DeliveryRow) => Promise<void>;

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

/** Returns the `send_error` of the issue operations: null when the document has been sent. */
export function sendErrorOf(delivery: Pick<DeliveryRow, "state" | "send_error">): string | null {
  if (delivery.state === "accepted" || delivery.state === "written_to_outbox") return null;
  return delivery.send_error ?? "The document has not been sent yet; it will be tried again.";
}

export function presentDelivery(row: DeliveryRow): JsonText {
  return jsonText(Delivery.parse({ object: "delivery", ...row }));
}

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

type ClaimedRow = DeliveryRow & {
  readonly message: Buffer | null;
  readonly attempt: number;
  readonly is_counted: boolean;
};

/** Takes the delivery for one attempt; returns undefined when it is done or another process has it. */
function claim(cx: Reader, id: string, held: boolean): Promise<ClaimedRow | undefined> {
  return cx.row<ClaimedRow>(sql`update deliveries set attempt = attempt + 1, updated_at = (select clock_timestamp()),
       lease_until = (select clock_timestamp() + ${raw(LEASE)})
     where account_id = ${cx.caller.account_id} and id = ${id} and state in ('queued', 'failed_temporary')
       and ((${held} and attempt = 0) or lease_until is null or lease_until < (select clock_timestamp()))
     returning ${raw(SHOWN)}, message, attempt, is_counted`);
}

/**
 * Counts a delivery that is not counted yet. When the account has reached its limit, the delivery stays queued until there is
 * room again, without counting this attempt, and is returned in that state.
 */
async function waitIfLimited(
  cx: Context,
  delivery: ClaimedRow,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow | undefined> {
  if (delivery.is_counted || unreachable(cx, delivery) !== null) return undefined;
  const { document_id, id, attempt } = delivery;
  try {
    await transact(cx, async (tx) => {
      await countMail(tx, { document_id });
      tx.write(sql`update deliveries set is_counted = true
         where account_id = ${cx.caller.account_id} and id = ${id} and attempt = ${attempt}`);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const wait = error.extras.retry_after_seconds ?? 60;
    cx.log.warn(
      { delivery_id: id, seconds: wait },
      "a delivery waits: the limit of mail is reached",
    );
    return transact(cx, async (tx) => {
      const row =
        await tx.row<DeliveryRow>(sql`update deliveries set attempt = attempt - 1, lease_until = null,
           next_attempt_at = (select clock_timestamp() + make_interval(secs => ${wait}))
         where account_id = ${cx.caller.account_id} and id = ${id} and attempt = ${attempt} returning ${raw(SHOWN)}`);
      if (row !== undefined) await notify?.(tx, row);
      return row ?? getDelivery(tx, id);
    });
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
async function prepareSafely(cx: Reader, delivery: ClaimedRow): Promise<RenderedMail | Refusal> {
  try {
    return await prepare(cx, delivery);
  } catch (error) {
    cx.log.error({ err: error, delivery_id: delivery.id }, "a document could not be prepared");
    const error_text = "the document could not be prepared for sending";
    return { state: "failed_temporary", error_code: "not_prepared", error_text };
  }
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

/** Returns the message to send, with the same bytes at every attempt; or the reason why there is none. */
async function prepare(cx: Reader, delivery: ClaimedRow): Promise<RenderedMail | Refusal> {
  const refusal = unreachable(cx, delivery);
  if (refusal !== null) return refusal;
  const to = delivery.address ?? "";
  const issued = await findIssued(cx, delivery.document_id);
  if (issued === undefined) throw new Error(`document ${delivery.document_id} is not issued`);
  const { message } = delivery;
  // A repeated attempt needs the envelope again, but sends the bytes of the first attempt.
  const pdf = message ? Buffer.alloc(0) : await pdfOf(cx, delivery.document_id, issued);
  const { mail_texts, document_links } = await getConfiguration(cx);
  const has_link = message === null && offersLinks(cx, document_links);
  const link = has_link ? linkIn(cx.mail, delivery.id) : null;
  const envelope = {
    delivery_id: delivery.id,
    from: cx.mail.from,
    to,
    at: delivery.at,
    link,
  };
  const rendered = await renderMail(
    messageOf(issued.snapshot, issued.number, pdf, envelope, mail_texts),
  );
  return message ? { ...rendered, raw: message } : rendered;
}

/** Stores the outcome of an attempt with its audit event, unless a later attempt has begun. */
function settle(
  cx: Context,
  { id, attempt }: Pick<ClaimedRow, "id" | "attempt">,
  outcome: AttemptOutcome,
  notify: DeliveryListener | undefined,
): Promise<DeliveryRow> {
  return transact(cx, async (tx) => {
    tx.lock(
      sql`select from deliveries where account_id = ${cx.caller.account_id} and id = ${id} for no key update`,
    );
    const before = await getDelivery(tx, id);
    const failed = "error_code" in outcome;
    const looks_after = "looks_after" in outcome ? outcome.looks_after : null;
    const minutes = MINUTES_UNTIL_RETRY[attempt - 1] ?? null;
    // After the last retry a temporary failure becomes permanent.
    const is_last = outcome.state === "failed_temporary" && minutes === null;
    const state = is_last ? "failed_permanent" : outcome.state;
    const after = await tx.row<DeliveryRow>(sql`update deliveries set state = ${state},
         error_code = ${failed ? outcome.error_code : null}, send_error = ${failed ? outcome.error_text : null}, lease_until = null, updated_at = (select clock_timestamp()),
         next_attempt_at = (select clock_timestamp() + ${minutes}::int * interval '1 minute'),
         looks = 0, next_look_at = (select clock_timestamp() + ${looks_after}::int * interval '1 minute')
       where account_id = ${cx.caller.account_id} and id = ${id} and attempt = ${attempt} returning ${raw(SHOWN)}`);
    if (after === undefined) return before;
    await recordOutcome(tx, before, after, notify);
    return after;
  });
}

/** Notifies of a stored outcome, and records its audit event. */
export async function recordOutcome(
  tx: Tx,
  before: DeliveryRow,
  after: DeliveryRow,
  notify: DeliveryListener | undefined,
): Promise<void> {
  await notify?.(tx, after);
  tx.audit("delivery", after.id, after.state, {
    before: presentDelivery(before),
    after: presentDelivery(after),
  });
}

async function getDelivery(cx: Reader, id: string): Promise<DeliveryRow> {
  const row = await cx.row<DeliveryRow>(
    sql`select ${raw(SHOWN)} from deliveries where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
  if (!row) throw new Error(`there is no delivery ${id}`);
  return row;
}
