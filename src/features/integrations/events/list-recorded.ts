/** Lists events for people, as they are recorded: the newest first, or in the order of the feed. */
import type { Context } from "../../../platform/commands/context.ts";
import { whereOf } from "../../../platform/database/page.ts";
import { numbered } from "../../../platform/database/sql.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { conditionsOf, MOST_EXAMINED, readHead } from "./queries.ts";
import type { EventQuery } from "./schemas.ts";

interface RecordedQuery extends Pick<EventQuery, "types" | "resource_id" | "customer" | "limit"> {
  readonly order: "newest" | "sequence";
  /** The sequence before which, or after which, the page begins; null for the end of the feed that comes first. */
  readonly from: bigint | null;
}

interface RecordedEvent {
  readonly seq: bigint;
  readonly id: string;
  readonly payload: JsonText;
}

interface RecordedPage {
  readonly events: readonly RecordedEvent[];
  /** Where the next page begins; null on the last page. A page may be empty and have a next one. */
  readonly next: bigint | null;
}

/** Returns a page. It examines so many events at most, however few of them fit. Throws NOT_FOUND for a customer. */
export async function listRecorded(
  cx: Context,
  { order, from, limit, ...filters }: RecordedQuery,
  most_examined = MOST_EXAMINED,
): Promise<RecordedPage> {
  const { seq: head } = await readHead(cx);
  const is_newest = order === "newest";
  const after = is_newest ? larger((from ?? head + 1n) - 1n - most_examined, 0n) : (from ?? 0n);
  const through = is_newest
    ? smaller((from ?? head + 1n) - 1n, head)
    : smaller(after + most_examined, head);
  const { where, values } = whereOf([
    ["account_id =", cx.caller.account_id],
    ["seq >", after],
    ["seq <=", through],
    ...(await conditionsOf(cx, filters)),
  ]);
  const direction = is_newest ? "desc" : "asc";
  const events = await cx.rows<RecordedEvent>(
    numbered(
      `select seq, id, payload from audit_events where ${where} order by seq ${direction} limit $${values.length + 1}`,
      [...values, limit],
    ),
  );
  const last = events.length < limit ? undefined : events.at(-1)?.seq;
  if (is_newest) {
    const next = last ?? after + 1n;
    return { events, next: next > 1n ? next : null };
  }
  const next = last ?? through;
  return { events, next: next < head ? next : null };
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
