/** Queueing deliveries: where documents go, and what is stored of them in the transaction that asks for it. */
import type { Context, Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, sql, tableOf } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type DeliveryListener, type DeliveryRow, LEASE, sendErrorOf, trySend } from "./attempt.ts";

/** What is sent, and where it goes. */
export type Addressed = Pick<DeliveryRow, "document_id" | "channel" | "address">;

/** As many as are attempted by whoever queued them; more wait for the worker. */
const MOST_HELD = 20;

/**
 * Queues deliveries of issued documents, in the transaction that asks for them; answers their ids in the same order. The
 * lease keeps a few for this process, which attempts them as soon as the transaction has committed. What a caller asks to
 * be sent is counted before (`countMail`); everything else at its first attempt, and waits when the account has sent
 * enough.
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
    channel: ["text", ({ channel }) => channel],
    address: ["text", ({ address }) => address],
  });
  tx.write(sql`insert into deliveries (account_id, state, at, is_counted, next_attempt_at, lease_until, ${columns})
     select ${tx.caller.account_id}, 'queued', ${tx.clock.now()}, ${is_counted}, clock_timestamp(),
       case when ${queued.length <= MOST_HELD} then clock_timestamp() + ${raw(LEASE)} end, d.*
     from ${table} as d`);
  return queued.map(({ id }) => id);
}

/** A document and whose it is. */
interface Document {
  readonly document_id: string;
  readonly customer_id: string;
}

/** Where documents go: by their customers' ways of being sent to, as they are now (spec 5.3). */
export async function recipientsOf(
  cx: Reader,
  documents: readonly Document[],
): Promise<Addressed[]> {
  if (documents.length === 0) return [];
  const ids = [...new Set(documents.map(({ customer_id }) => customer_id))];
  const rows = await cx.rows<{
    id: string;
    send_method: "email" | "einvoice";
    email: string | null;
  }>(sql`select id, send_method, email from customers
     where account_id = ${cx.caller.account_id} and id = any(${ids})`);
  const customers = new Map(rows.map((row) => [row.id, row]));
  return documents.map(({ document_id, customer_id }) => {
    const { send_method: channel = "email", email = null } = customers.get(customer_id) ?? {};
    return { document_id, channel, address: channel === "email" ? email : null };
  });
}

/** The same of one document. */
export async function recipientOf(
  cx: Reader,
  document_id: string,
  customer_id: string,
): Promise<Addressed> {
  const [recipient] = await recipientsOf(cx, [{ document_id, customer_id }]);
  return recipient ?? { document_id, channel: "email", address: null };
}

/** The same, and the customer is held until the transaction ends, so that what somebody agrees to is sent to whom it names. */
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
 * Attempts what this process has queued, where it is little, as long as there is time; answers of each why it has not
 * left, null when it has. What is not attempted is the worker's at once.
 */
export async function sendQueued(
  cx: Context,
  ids: readonly string[],
  deadline: number,
  told?: DeliveryListener,
): Promise<Map<string, string | null>> {
  const errors = new Map<string, string | null>();
  const attempted = ids.length > MOST_HELD ? [] : ids;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (Date.now() < deadline && !cx.signal.aborted) {
      const id = attempted[next++];
      if (id === undefined) return;
      errors.set(id, await trySend(cx, id, told));
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

/** Why some have not left: the worker, or who attempted them before, may have sent them by now. */
async function unsent(
  cx: Reader,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly error: string | null }[]> {
  const rows = await cx.rows<Pick<DeliveryRow, "id" | "state" | "send_error">>(
    sql`select id, state, send_error from deliveries where account_id = ${cx.caller.account_id} and id = any(${ids})`,
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
