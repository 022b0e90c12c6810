/** Sends an issued document again: a new delivery with an id of its own (spec 10.4 and 14.6). */

import * as z from "zod";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import { REPLACED } from "../../../domain/einvoice/einvoice-delivery.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import { SendDocumentBody } from "../issued/schemas.ts";
import {
  type EinvoiceSending,
  einvoiceUnderWay,
  requireEinvoiceSending,
} from "../sending/require-einvoice-sending.ts";
import { attemptDelivery } from "./attempt.ts";
import { isOwnEinvoice, unreachable } from "./find-refusal.ts";
import { presentDelivery, queuedDelivery } from "./present.ts";
import { type Addressed, queueDeliveries, recipientOf } from "./queue.ts";
import { type DeliveryListener, noteEvent } from "./store-outcome.ts";

/** A document that may be sent. */
interface IssuedDocument {
  readonly id: string;
  readonly customer_id: string;
}

const Asked = z.object({
  ref: Ref,
  ...SendDocumentBody.shape,
  /** The newest sending that a page has shown: `again` sends another one only while it is the newest. */
  seen: z.uuid().optional(),
});

type Asked = z.output<typeof Asked>;

/** What is sent, and how it differs from the frozen document. */
interface Sending {
  readonly delivery: Addressed;
  /** Whether there is anything to send it to; a sending without is stored as failed. */
  readonly has_recipient: boolean;
  readonly is_own_einvoice: boolean;
  readonly differs: EinvoiceSending["differs"];
  readonly again: boolean;
}

/**
 * Defines the command that resends an issued document: by e-mail to the given address, as an e-invoice with corrected references, or
 * else to the customer, as `recipient` says. It returns the delivery after one attempt. It throws VALIDATION_FAILED, RATE_LIMITED,
 * EINVOICE_NOT_CONNECTED, EINVOICE_BY_LEDGER, EINVOICE_UNDER_WAY, EINVOICE_INCOMPLETE and the errors of `lockIssued`.
 */
export function defineSending(
  name: string,
  lockIssued: (tx: Tx, ref: string) => Promise<IssuedDocument>,
  notify?: DeliveryListener,
  recipient: typeof recipientOf = recipientOf,
) {
  return defineCommand({
    name,
    access: "issue",
    input: Asked,

    async plan(tx, { ref, ...asked }): Promise<Sending> {
      const { id: document_id, customer_id } = await lockIssued(tx, ref);
      const { address } = asked;
      const channel = asked.channel ?? (address === undefined ? undefined : "email");
      const found =
        address === undefined
          ? await recipient(tx, document_id, customer_id, channel)
          : { document_id, customer_id, channel: "email" as const, address };
      requireArguments(asked, channel ?? found.channel);
      return planned(tx, { document_id, customer_id, ...asked }, found);
    },

    async commit(tx, sending): Promise<string> {
      const { delivery, has_recipient, is_own_einvoice, differs } = sending;
      const { document_id } = delivery;
      const counted_as = is_own_einvoice
        ? { document_id, channel: "einvoice" as const }
        : { document_id };
      if (has_recipient) await countMail(tx, counted_as);
      const is_first = (await findEarlier(tx, document_id)) === undefined;
      const [id = ""] = queueDeliveries(tx, [delivery], has_recipient);
      if (is_own_einvoice && has_recipient) await replaceWaiting(tx, id, sending);
      const row = queuedDelivery({ id, ...delivery, at: tx.clock.now() });
      if (!is_first) noteEvent(tx, id, sentAgain(differs));
      tx.audit("delivery", id, "queued", {
        before: differs && jsonText(differs.before),
        after: differs === null ? presentDelivery(row) : withDiffering(row, differs.after),
        customer_id: row.customer_id,
      });
      return id;
    },

    async after(cx, id: string): Promise<JsonText> {
      return presentDelivery(await attemptDelivery(cx, id, true, notify));
    },
  });
}

/** Throws VALIDATION_FAILED for arguments of the other channel. */
function requireArguments(asked: Omit<Asked, "ref">, channel: Addressed["channel"]): void {
  const refused = channel === "einvoice" ? OF_EMAIL : OF_EINVOICES;
  const faults = refused.flatMap((field): FieldError[] =>
    asked[field] === undefined ? [] : [{ field, code: "not_allowed", message: MESSAGES[channel] }],
  );
  requireValid(faults);
}

const OF_EMAIL = ["address"] as const;
const OF_EINVOICES = [
  "receiver",
  "buyer_reference",
  "order_reference",
  "accounting_cost",
  "again",
] as const;
const MESSAGES = {
  email: "Only an e-invoice has this: the document is sent by e-mail.",
  einvoice: "An e-invoice goes to its receiver, not to an e-mail address.",
} as const;

/** Decides how the document is sent to its recipient. */
async function planned(
  tx: Tx,
  asked: Omit<Asked, "ref"> & { readonly document_id: string; readonly customer_id: string },
  delivery: Addressed,
): Promise<Sending> {
  const in_its_ledger = await inItsLedger(tx, asked.document_id);
  const is_own_einvoice = isOwnEinvoice(in_its_ledger, delivery);
  const has_recipient = (await unreachable(in_its_ledger, delivery)) === null;
  const sending = { delivery, has_recipient, is_own_einvoice, differs: null };
  const { channel, again = false, ...corrected } = asked;
  if (delivery.channel === "email") return { ...sending, again };
  const corrects = OF_EINVOICES.some(
    (field) => field !== "again" && corrected[field] !== undefined,
  );
  if (!has_recipient) {
    if (channel !== undefined || corrects) throw new Problem("EINVOICE_NOT_CONNECTED");
    return { ...sending, again };
  }
  if (!is_own_einvoice) {
    // The ledger sends what it has booked, to where it knows.
    if (corrects) throw new Problem("EINVOICE_BY_LEDGER");
    return { ...sending, again };
  }
  const required = await requireEinvoiceSending(tx, asked);
  const { receiver: address, corrections, differs } = required;
  return { ...sending, delivery: { ...delivery, address, corrections }, differs, again };
}

/**
 * Ends the e-invoices of the document that wait for another attempt, so that only the new delivery is handed over. Throws
 * EINVOICE_UNDER_WAY when an attempt of one has begun meanwhile. Waits for no lock: a process that stores an outcome waits for ours.
 */
async function replaceWaiting(tx: Tx, id: string, { delivery, again }: Sending): Promise<void> {
  const { account_id } = tx.caller;
  const waiting = sql`account_id = ${account_id} and document_id = ${delivery.document_id} and channel = 'einvoice'
      and state in ('queued', 'failed_temporary') and id <> ${id}`;
  const free = await tx.rows<{ id: string }>(sql`select id from deliveries where ${waiting}
      and (lease_until is null or lease_until < clock_timestamp()) order by id for no key update skip locked`);
  const { error_code: code, send_error: text } = REPLACED;
  tx.write(sql`update deliveries set state = 'failed_permanent', error_code = ${code}, send_error = ${text},
      attempt = attempt + 1, next_attempt_at = null, lease_until = null, updated_at = (select clock_timestamp())
    where account_id = ${account_id} and id = any(${free.map((one) => one.id)})`);
  for (const one of free) {
    noteEvent(tx, one.id, { kind: "failed", code, text, source: "person" });
  }
  const begun = await tx.row<{ id: string; state: string }>(
    sql`select id, state from deliveries where ${waiting} order by id desc limit 1`,
  );
  if (begun !== undefined && !again) throw einvoiceUnderWay(begun);
}

function findEarlier(tx: Tx, document_id: string): Promise<object | undefined> {
  return tx.row(sql`select 1 from deliveries
    where account_id = ${tx.caller.account_id} and document_id = ${document_id} limit 1`);
}

/** Returns the event of a document that was sent before: its text names what differs from the frozen document. */
function sentAgain(differs: Sending["differs"]) {
  const parts = Object.entries(differs?.after ?? {}).map(
    ([field, value]) => `${field} ${value ?? "–"}`,
  );
  const text = parts.length === 0 ? null : parts.join("; ").slice(0, LONGEST_EVENT);
  return { kind: "sent_again", code: null, text, source: "person" } as const;
}

const LONGEST_EVENT = 500;

/** Returns the delivery as the audit trail keeps it, with what it corrects. */
function withDiffering(row: ReturnType<typeof queuedDelivery>, differing: object): JsonText {
  return jsonText({ ...JSON.parse(presentDelivery(row)), ...differing });
}
