/** Queues deliveries: finds the recipients of documents, and stores deliveries in the requesting transaction. */
import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { LEASE, trySend } from "./attempt.ts";
import { queuedDelivery, sendErrorOf } from "./present.ts";
import type { DeliveryRow } from "./read-ahead.ts";
import { auditDelivery, type DeliveryListener } from "./store-outcome.ts";

/** A document with its channel and address. */
export interface Addressed
  extends Pick<DeliveryRow, "document_id" | "customer_id" | "channel" | "address"> {
  /** The references of the buyer that an e-invoice corrects, JSON. */
  readonly corrections?: string | null;
}

/** The most deliveries that the process that queued them attempts; larger numbers wait for the worker. */
const MOST_HELD = 20;

/**
 * Queues deliveries of issued documents, in the requesting transaction; returns their ids in the same order. A lease reserves a
 * few for this process, which attempts them right after the commit. A sending that a caller requests is counted before
 * (`countMail`). Any other sending is counted at its first attempt, and waits when the account has reached its limit.
 */
export function queueDeliveries(
  tx: Tx,
  deliveries: readonly Addressed[],
  is_counted = false,
): string[] {
  const queued = deliveries.map((delivery) => ({ id: newId<string>(), ...delivery }));
  if (queued.length === 0) return [];
  const { columns, table } = tableOf(queued, {
    id: ["uuid", ({ id }) => id],
    document_id: ["uuid", ({ document_id }) => document_id],
    customer_id: ["uuid", ({ customer_id }) => customer_id],
    channel: ["text", ({ channel }) => channel],
    address: ["text", ({ address }) => address],
    corrections: ["text", ({ corrections }) => corrections ?? null],
  });
  tx.write(sql`insert into deliveries (account_id, state, at, is_counted, next_attempt_at, lease_until, ${columns})
     select ${tx.caller.account_id}, 'queued', ${tx.clock.now()}, ${is_counted}, clock_timestamp(),
       case when ${queued.length <= MOST_HELD} then clock_timestamp() + ${raw(LEASE)} end, d.* from ${table} as d`);
  return queued.map(({ id }) => id);
}

/** Records that deliveries were queued with their documents, whose ids `queueDeliveries` has returned in the same order. */
export function auditQueued(
  tx: Tx,
  deliveries: readonly Addressed[],
  ids: readonly string[],
): void {
  const at = tx.clock.now();
  for (const [place, { corrections: _, ...delivery }] of deliveries.entries()) {
    const id = ids[place];
    if (id === undefined) throw new Error("a delivery was not queued");
    auditDelivery(tx, "queued", null, queuedDelivery({ id, ...delivery, at }));
  }
}

/** A document and its customer. */
interface Document {
  readonly document_id: string;
  readonly customer_id: string;
}

/** How a customer gets documents. */
export interface Recipient {
  readonly send_method: "email" | "einvoice";
  readonly email: string | null;
}

/**
 * Returns the recipients of documents by the current send method of their customers (spec 5.3), or by the given channel. `known` are
 * customers that the caller has read; only others are read.
 */
export async function recipientsOf(
  cx: Reader,
  documents: readonly Document[],
  known: ReadonlyMap<string, Recipient> = new Map(),
  asked?: Addressed["channel"],
): Promise<Addressed[]> {
  const all = new Set(documents.map(({ customer_id }) => customer_id));
  const ids = [...all].filter((id) => !known.has(id));
  const read = ids.length === 0 ? [] : await findRecipients(cx, sql`c.id = any(${ids})`);
  const customers = new Map([...known, ...read]);
  return documents.map(({ document_id, customer_id }) => {
    const { send_method = "email", email = null } = customers.get(customer_id) ?? {};
    const channel = asked ?? send_method;
    return { document_id, customer_id, channel, address: channel === "email" ? email : null };
  });
}

/** Returns how the customers (alias `c`) of a condition get documents, by their ids. */
export async function findRecipients(cx: Reader, which: Sql): Promise<Map<string, Recipient>> {
  const rows = await cx.rows<Recipient & { readonly id: string }>(
    sql`select c.id, c.send_method, c.email from customers c
      where c.account_id = ${cx.caller.account_id} and ${which}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the recipient of one document, by the given channel or by the send method of the customer. */
export async function recipientOf(
  cx: Reader,
  document_id: string,
  customer_id: string,
  channel?: Addressed["channel"],
): Promise<Addressed> {
  const [recipient] = await recipientsOf(cx, [{ document_id, customer_id }], new Map(), channel);
  return recipient ?? { document_id, customer_id, channel: "email", address: null };
}

/** Returns a document's recipient and locks the customer, so that the document goes to the confirmed recipient. */
export function holdRecipient(
  tx: Tx,
  document_id: string,
  customer_id: string,
): Promise<Addressed> {
  tx.lock(
    sql`select from customers where account_id = ${tx.caller.account_id} and id = ${customer_id} for share`,
  );
  return recipientOf(tx, document_id, customer_id);
}

/**
 * Attempts the deliveries that this process has queued, if they are few, until the deadline. Returns for each the reason why it
 * has not been sent, or null when it has. Deliveries that are not attempted are free for the worker immediately.
 */
export async function sendQueued(
  cx: Context,
  ids: readonly string[],
  deadline: number,
  notify?: DeliveryListener,
): Promise<Map<string, string | null>> {
  const errors = new Map<string, string | null>();
  const attempted = ids.length > MOST_HELD ? [] : ids;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (Date.now() < deadline && !cx.signal.aborted) {
      const id = attempted[next++];
      if (id === undefined) return;
      errors.set(id, await trySend(cx, id, notify));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const waiting = ids.filter((id) => !errors.has(id));
  if (waiting.length === 0) return errors;
  await giveBack(cx, waiting);
  for (const { id, error } of await unsent(cx, waiting)) errors.set(id, error);
  return errors;
}

const SENDERS = 4;
const WAITS = "The document has not been sent yet: it waits for its turn.";

/** Returns why deliveries have not been sent. The worker or an earlier attempt may have sent others by now. */
async function unsent(
  cx: Reader,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly error: string | null }[]> {
  const rows = await cx.rows<Pick<DeliveryRow, "id" | "channel" | "state" | "send_error">>(
    sql`select id, channel, state, send_error from deliveries where account_id = ${cx.caller.account_id} and id = any(${ids})`,
  );
  return rows.map(({ id, ...row }) => ({
    id,
    error: row.state === "queued" ? WAITS : sendErrorOf(row),
  }));
}

async function giveBack(cx: Context, ids: readonly string[]): Promise<void> {
  await cx.rows(sql`update deliveries set lease_until = null
     where account_id = ${cx.caller.account_id} and id = any(${ids}) and state = 'queued' and attempt = 0 and lease_until is not null`);
}
