/**
 * Stores what a buyer, or the receiver's access point, answers to an e-invoice. It belongs to the newest delivery of the document
 * that it names, if that went to its sender. Nothing is booked, credited, paid or cancelled.
 */
import * as z from "zod";
import {
  isSameAddress,
  isSellersAddress,
  namedNumber,
  replacesAnswer,
} from "../../../domain/einvoice/buyer-answer.ts";
import {
  type DeliveryEvent,
  RECEIVER_REJECTED,
} from "../../../domain/einvoice/einvoice-delivery.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insert, raw, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { type DeliveryRow, SHOWN } from "../deliveries/read-ahead.ts";
import {
  auditDelivery,
  changedWith,
  type DeliveryListener,
  noteEvent,
  recordOutcome,
} from "../deliveries/store-outcome.ts";
import type { Arrived } from "./read-answer.ts";
import { InboundResource } from "./schemas.ts";

interface Given {
  readonly arrived: Arrived;
  readonly content: Uint8Array;
  /** The id of its envelope, as the access point names it; null without one. */
  readonly instance_id: string | null;
}

type Response = Extract<Arrived, { readonly kind: "response" }>;
type Status = Extract<Arrived, { readonly kind: "status" }>;

interface Decided {
  readonly outcome: InboundResource["outcome"];
  readonly delivery: DeliveryRow | null;
  /** Why it is refused; null for what is stored or known. */
  readonly message: string | null;
  /** Whether it is kept: the first time that a document arrives about a delivery. */
  readonly is_kept: boolean;
}

/** Defines the command that stores what arrived. `notify` learns of a delivery that was refused or confirmed. */
export function storingAnswer(notify: DeliveryListener) {
  return defineCommand({
    name: "store_einvoice_answer",
    access: "write",
    input: z.custom<Given>(),

    async plan(tx, given): Promise<{ readonly given: Given; readonly decided: Decided }> {
      return { given, decided: await decide(tx, given) };
    },

    async commit(tx, { given, decided }): Promise<JsonText> {
      const { outcome, delivery, message, is_kept } = decided;
      const { arrived } = given;
      if (is_kept && delivery !== null) {
        keep(tx, given, decided, delivery);
        if (arrived.kind === "response" && outcome === "stored")
          await answer(tx, delivery, arrived);
        else if (arrived.kind === "response") noteStranger(tx, delivery, arrived);
        else if (arrived.kind === "status") await settle(tx, delivery, arrived, notify);
      }
      return jsonText(
        InboundResource.parse({
          object: "einvoice_inbound",
          outcome,
          delivery_id: outcome === "refused" ? null : (delivery?.id ?? null),
          countryCodeC4: "DK",
          ...(message === null ? {} : { retry: "none", errorMessage: message }),
        }),
      );
    },
  });
}

async function decide(tx: Tx, given: Given): Promise<Decided> {
  const { arrived } = given;
  const refused = { outcome: "refused", delivery: null, is_kept: false } as const;
  if (arrived.kind === "other") return { ...refused, message: arrived.message };
  const delivery = await (arrived.kind === "response"
    ? deliveryOfDocument(tx, arrived)
    : deliveryOfInstance(tx, arrived));
  if (delivery === undefined) return { ...refused, message: NOT_SENT };
  // The delivery is locked: the same document that arrives twice at once is found here.
  const known = await tx.row<{ readonly outcome: string }>(sql`select outcome from einvoice_inbound
    where account_id = ${tx.caller.account_id} and identity = ${identityOf(given)}`);
  const is_from_receiver =
    arrived.kind === "status" ||
    (arrived.sender !== null && isSameAddress(arrived.sender, delivery.address ?? ""));
  if (!is_from_receiver) {
    return {
      outcome: "refused",
      delivery,
      is_kept: known === undefined,
      message: NOT_ITS_RECEIVER,
    };
  }
  const outcome = known === undefined ? "stored" : "known";
  return { outcome, delivery, is_kept: known === undefined, message: null };
}

const NOT_SENT = "No e-invoice of this seller has this number and type.";
const NOT_ITS_RECEIVER = "The e-invoice went to another receiver.";

/** Locks the newest e-invoice delivery of the document; one whose seller is another has none. */
async function deliveryOfDocument(
  tx: Tx,
  { document, receiver }: Response,
): Promise<DeliveryRow | undefined> {
  const { account_id } = tx.caller;
  const named = namedNumber(document.number);
  if (named === null) return undefined;
  const issued = await tx.row<{ readonly document_id: string; readonly snapshot: string }>(sql`
    select i.document_id, i.snapshot from issued_documents i
    where i.account_id = ${account_id} and i.kind = ${document.kind} and i.number = ${named.number}
      and i.ledger_year is not distinct from ${named.year}::int and exists (select from deliveries d
        where d.account_id = ${account_id} and d.document_id = i.document_id and d.channel = 'einvoice')
    order by i.document_id desc limit 1`);
  if (issued === undefined || receiver === null) return undefined;
  const { seller } = JSON.parse(issued.snapshot);
  if (!isSellersAddress(receiver, seller)) return undefined;
  return tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
    where account_id = ${account_id} and document_id = ${issued.document_id} and channel = 'einvoice'
    order by id desc limit 1 for no key update`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function deliveryOfInstance(
  tx: Tx,
  { instance_id }: Status,
): Promise<DeliveryRow | undefined> {
  if (!UUID.test(instance_id)) return undefined;
  return tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
    where account_id = ${tx.caller.account_id} and id = ${instance_id} and channel = 'einvoice'
    for no key update`);
}

function identityOf({ instance_id, content }: Given): Buffer {
  return instance_id === null ? sha256(content) : sha256(`instance\n${instance_id}`);
}

function keep(tx: Tx, given: Given, { outcome }: Decided, delivery: DeliveryRow): void {
  tx.write(
    insert("einvoice_inbound", {
      account_id: tx.caller.account_id,
      identity: identityOf(given),
      delivery_id: delivery.id,
      outcome: outcome === "refused" ? "refused" : "stored",
      content: Buffer.from(given.content),
      received_at: tx.clock.now(),
    }),
  );
}

async function answer(tx: Tx, before: DeliveryRow, { response }: Response): Promise<void> {
  const event = eventOf(response.code, wordsOf(response));
  const current = before.response === null ? null : JSON.parse(before.response).code;
  if (!replacesAnswer(response.code, current)) {
    noteEvent(tx, before.id, event);
    return;
  }
  const { code, ...rest } = response;
  const stored = JSON.stringify({ code, at: tx.clock.now(), ...rest });
  const update = sql`update deliveries set response = ${stored}, response_code = ${code},
      updated_at = (select clock_timestamp())
    where account_id = ${tx.caller.account_id} and id = ${before.id}`;
  const after = required(await tx.row<DeliveryRow>(changedWith(tx, update, event)));
  auditDelivery(tx, "answered", before, after);
}

function noteStranger(tx: Tx, delivery: DeliveryRow, { response, sender }: Response): void {
  const from = sender === null ? "a sender without an address" : sender;
  noteEvent(tx, delivery.id, eventOf(response.code, `Not of the receiver, but of ${from}`));
}

function eventOf(code: string, text: string | null): DeliveryEvent {
  return { kind: "response", code, text, source: "receiver" };
}

/** The buyer's words about a response; null without any. */
function wordsOf({ reasons, conditions, note }: Response["response"]): string | null {
  const texts = [
    ...reasons.map(({ code, text }) => (text === null ? code : `${code} ${text}`)),
    ...conditions.map(({ term, value }) => (value === null ? term : `${term} ${value}`)),
    ...(note === null ? [] : [note]),
  ];
  return texts.length === 0 ? null : texts.join("; ").slice(0, 500);
}

/** The states after which the receiver's access point may still refuse or confirm. */
const OPEN: readonly string[] = ["written_to_outbox", "accepted", "unknown"];

/** A status: `RE` refuses what was sent, `AP` confirms it; what is settled otherwise gets an event alone. */
async function settle(
  tx: Tx,
  before: DeliveryRow,
  { code, text }: Status,
  notify: DeliveryListener,
): Promise<void> {
  const { account_id } = tx.caller;
  const said = { code, text, source: "receiver" } as const;
  const is_open = OPEN.includes(before.state);
  if (code === "RE" && (is_open || before.state === "delivered")) {
    const reason = text ?? "the receiver's access point refused it";
    const update = sql`update deliveries set state = 'rejected', error_code = ${RECEIVER_REJECTED}, send_error = ${reason},
        next_look_at = null, updated_at = (select clock_timestamp())
      where account_id = ${account_id} and id = ${before.id}`;
    const event = { kind: "rejected", ...said, code: RECEIVER_REJECTED } as const;
    const after = required(await tx.row<DeliveryRow>(changedWith(tx, update, event)));
    await recordOutcome(tx, before, after, notify);
  } else if (code === "AP" && is_open) {
    const update = sql`update deliveries set state = 'delivered', error_code = null, send_error = null,
        delivered_at = ${tx.clock.now()}, next_look_at = null, updated_at = (select clock_timestamp())
      where account_id = ${account_id} and id = ${before.id}`;
    const event = { kind: "delivered", ...said } as const;
    const after = required(await tx.row<DeliveryRow>(changedWith(tx, update, event)));
    await recordOutcome(tx, before, after, notify);
  } else noteEvent(tx, before.id, { kind: "looked", ...said });
}

/** The changed row: it was locked, and so it is there. */
function required(row: DeliveryRow | undefined): DeliveryRow {
  if (row === undefined) throw new Error("the delivery is gone");
  return row;
}
