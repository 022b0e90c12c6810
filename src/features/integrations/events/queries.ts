/**
 * Reads the feed of events: the audit trail in the order of commits (spec 15.1). A page reads the head of the trail first, so that it
 * shows no event beyond the head that it names.
 */
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import {
  type Condition,
  cursorFrom,
  positionFrom,
  strangeCursor,
  whereOf,
} from "../../../platform/database/page.ts";
import { numbered, sql } from "../../../platform/database/sql.ts";
import type { WaitForChange } from "../../../platform/http/asked.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getCustomer } from "../../catalogue/customers/queries.ts";
import { auditParts, eventText } from "./present.ts";
import { readRelated } from "./read-related.ts";
import type { EventQuery } from "./schemas.ts";

/** A page examines at most this many events, however few of them it shows. */
export const MOST_EXAMINED = 10_000n;

/** The least and the most events of a portion of a stream, and how many characters it should have. */
const LEAST_IN_A_PORTION = 50;
const MOST_IN_A_PORTION = 1_000;
const PORTION_LENGTH = 1_000_000;

interface Head {
  readonly seq: bigint;
  readonly feed_id: string;
}

interface EventRow {
  readonly seq: bigint;
  readonly payload: string;
  readonly customer_id: string | null;
}

interface EventPage {
  readonly text: JsonText;
  readonly headers: Readonly<Record<string, string>>;
  readonly wait?: WaitForChange;
}

/**
 * Returns a page of the feed, the oldest first. Throws VALIDATION_FAILED for a cursor of no feed of the account, a sequence beyond the
 * head or an unknown type, NOT_FOUND for a customer, and FEED_RESET for a cursor of a feed that has ended.
 */
export async function listFeed(cx: Context, query: EventQuery): Promise<EventPage> {
  requireOnePlace(query);
  const head = await readHead(cx);
  const start = await startOf(cx, query, head);
  const end = endAfter(start, head);
  const rows = await rowsBetween(cx, await conditionsOf(cx, query), start, end, query.limit);
  const examined = rows.length < query.limit ? end : (rows.at(-1)?.seq ?? end);
  const data = await presentEvents(cx, head, rows);
  const cursor = cursorAt(head, examined);
  const has_more = examined < head.seq;
  const seconds = rows.length === 0 && !has_more ? (query.wait ?? 0) : 0;
  const rest = jsonText({ next_cursor: cursor, has_more });
  return {
    text: `{"object":"list","data":[${data.join(",")}],${rest.slice(1)}` as JsonText,
    headers: headersOf(head),
    ...(seconds > 0 && { wait: { seconds, sequence: head.seq, cursor } }),
  };
}

/**
 * Returns the rest of the feed up to its head, an event in each line, which are read in portions while they are sent. Throws as
 * `listFeed` does.
 */
export async function readRest(
  cx: Context,
  query: EventQuery,
): Promise<{ readonly lines: AsyncIterable<string>; readonly headers: EventPage["headers"] }> {
  requireOnePlace(query);
  const head = await readHead(cx);
  const start = await startOf(cx, query, head);
  const which = await conditionsOf(cx, query);
  return { lines: linesBetween(cx, which, head, start), headers: headersOf(head) };
}

async function* linesBetween(
  cx: Context,
  which: readonly Condition[],
  head: Head,
  start: bigint,
): AsyncGenerator<string> {
  let portion = LEAST_IN_A_PORTION;
  const readAfter = (at: bigint): Promise<EventRow[]> => {
    const rows = rowsBetween(cx, which, at, endAfter(at, head), portion);
    // A reader that leaves waits for nothing; one that stays gets the error below.
    rows.catch(() => {});
    return rows;
  };
  let at = start;
  let next = at < head.seq ? readAfter(at) : undefined;
  while (next !== undefined) {
    cx.signal.throwIfAborted();
    const rows = await next;
    at = rows.length < portion ? endAfter(at, head) : (rows.at(-1)?.seq ?? head.seq);
    if (rows.length > 0) portion = fittingIn(rows);
    // The database reads the next events while these are sent.
    next = at < head.seq ? readAfter(at) : undefined;
    if (rows.length > 0) yield `${(await presentEvents(cx, head, rows)).join("\n")}\n`;
  }
}

/** Returns the last sequence that is examined with the one after `at`. */
const endAfter = (at: bigint, { seq }: Head): bigint =>
  at + MOST_EXAMINED < seq ? at + MOST_EXAMINED : seq;

/** Returns how many events like these a portion has. */
function fittingIn(rows: readonly EventRow[]): number {
  const length = rows.reduce((sum, { payload }) => sum + payload.length, 0);
  const fitting = Math.floor((rows.length * PORTION_LENGTH) / length);
  return Math.max(LEAST_IN_A_PORTION, Math.min(fitting, MOST_IN_A_PORTION));
}

function requireOnePlace({ cursor, after }: EventQuery): void {
  if (cursor !== undefined && after !== undefined) {
    throw invalidField("after", "not_allowed", "Either `cursor` or `after`.");
  }
}

/** Returns the headers that name the head of the feed as the reader sees it. */
export async function readFeedHeaders(cx: Reader): Promise<EventPage["headers"]> {
  return headersOf(await readHead(cx));
}

const headersOf = (head: Head): EventPage["headers"] => ({
  "matchbook-sequence": String(head.seq),
  "matchbook-cursor": cursorAt(head, head.seq),
});

/** Returns one event. Throws NOT_FOUND. */
export async function getEvent(cx: Reader, id: string): Promise<JsonText> {
  const head = await readHead(cx);
  const row = await cx.row<EventRow>(sql`select seq, payload, customer_id from audit_events
    where account_id = ${cx.caller.account_id} and id = ${id}`);
  if (row === undefined) throw notFound("event", id);
  const [event] = await presentEvents(cx, head, [row]);
  if (event === undefined) throw notFound("event", id);
  return event;
}

/** Returns the texts of events by their sequences, in the order of the feed. */
export async function eventsBySequence(
  cx: Reader,
  sequences: readonly bigint[],
): Promise<JsonText[]> {
  if (sequences.length === 0) return [];
  const head = await readHead(cx);
  const rows = await cx.rows<EventRow>(sql`select seq, payload, customer_id from audit_events
    where account_id = ${cx.caller.account_id} and seq = any(${sequences}::bigint[]) order by seq`);
  return presentEvents(cx, head, rows);
}

/** Returns the head of the feed as the reader sees it. */
export async function readHead(cx: Reader): Promise<Head> {
  const head = await cx.row<Head>(
    sql`select seq, feed_id from audit_heads where account_id = ${cx.caller.account_id}`,
  );
  if (head === undefined) throw new Error("the account has no audit trail");
  return head;
}

const cursorAt = ({ feed_id }: Head, seq: bigint): string =>
  cursorFrom({ id: `${feed_id}:${seq}`, horizon: null });

/** Returns the sequence after which a page begins. */
async function startOf(cx: Reader, { cursor, after = 0 }: EventQuery, head: Head): Promise<bigint> {
  if (cursor === undefined) {
    if (BigInt(after) <= head.seq) return BigInt(after);
    throw invalidField("after", "too_large", `The last event has the sequence ${head.seq}.`);
  }
  const { id } = positionFrom(cursor, /^[0-9a-f-]{36}:\d{1,18}$/);
  const [feed_id = "", place = ""] = id.split(":");
  const seq = BigInt(place);
  if (feed_id !== head.feed_id) throw await resetFrom(cx, { feed_id, seq }, head);
  if (seq > head.seq) throw strangeCursor();
  return seq;
}

/**
 * Returns the refusal of a cursor of another feed, with the sequence after which its reader continues: its own place, or the last event
 * that both feeds have. Of a feed that this copy does not know, nothing is known to be shared.
 */
async function resetFrom(cx: Reader, { feed_id, seq }: Head, head: Head): Promise<Problem> {
  const { account_id } = cx.caller;
  const shared = await cx.row<{ sequence: bigint | null; restored_at: string | null }>(sql`
    select min(e.shared_through) as sequence, min(e.ended_at) as restored_at from ended_feeds e
      join ended_feeds o on o.account_id = ${account_id} and o.feed_id = ${feed_id} and e.ended_at >= o.ended_at
    where e.account_id = ${account_id}`);
  const { sequence, restored_at = null } = shared ?? {};
  const last = sequence ?? 0n;
  const details = {
    feed_id: head.feed_id,
    sequence: Number(seq < last ? seq : last),
    restored_at,
  };
  return new Problem("FEED_RESET", { details });
}

/** Returns the conditions of the filters. Throws NOT_FOUND for a customer. */
export async function conditionsOf(
  cx: Context,
  {
    types,
    resource_type,
    resource_id,
    customer,
  }: Pick<EventQuery, "types" | "resource_type" | "resource_id" | "customer">,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  if (resource_type) conditions.push(["resource_type =", resource_type]);
  if (resource_id) conditions.push(["resource_id =", resource_id]);
  if (customer) {
    const { id } = await getCustomer(cx, customer);
    conditions.push(["customer_id =", id]);
  }
  if (types) {
    const is_named = `(resource_type || '.' || action = any($value) or resource_type || '.*' = any($value))`;
    conditions.push([is_named, types]);
  }
  return conditions;
}

/** Returns the first events after `start` and up to `end` that fit the conditions, at most `limit`. */
function rowsBetween(
  cx: Context,
  which: readonly Condition[],
  start: bigint,
  end: bigint,
  limit: number,
): Promise<EventRow[]> {
  const { where, values } = whereOf([
    ["account_id =", cx.caller.account_id],
    ["seq >", start],
    ["seq <=", end],
    ...which,
  ]);
  return cx.rows<EventRow>(
    numbered(
      `select seq, payload, customer_id from audit_events where ${where} order by seq limit $${values.length + 1}`,
      [...values, limit],
    ),
  );
}

async function presentEvents(
  cx: Reader,
  { feed_id }: Head,
  rows: readonly EventRow[],
): Promise<JsonText[]> {
  const events = rows.map((row) => ({ ...row, parts: auditParts(row.payload) }));
  const relatedOf = await readRelated(
    cx,
    events.map(({ parts }) => parts),
  );
  const { sandbox } = cx.caller;
  return events.map(({ seq: sequence, customer_id, parts }) =>
    eventText(parts, { feed_id, sequence, customer_id, related: relatedOf(parts), sandbox }),
  );
}
