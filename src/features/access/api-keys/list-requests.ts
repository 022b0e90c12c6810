/**
 * Reads the last requests of the account's keys, for the page of developers and for `GET /requests`.
 * `platform/http/request-log.ts` writes them.
 */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { MOST_KEPT } from "../../../platform/http/request-log.ts";

/** How requests end, with their status codes. */
const STATUSES = { answered: [100, 399], refused: [400, 499], failed: [500, 599] } as const;

export type RequestEnd = keyof typeof STATUSES;
export const REQUEST_ENDS = Object.keys(STATUSES) as readonly RequestEnd[];

/** Returns the status codes of an end, the first and the last; all for null. */
export function statusesOf(end: RequestEnd | null): readonly [first: number, last: number] {
  return end === null ? [0, 999] : STATUSES[end];
}

export interface ShownRequest {
  readonly id: string;
  readonly key_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The code of the refusal; null for a request that was answered. */
  readonly refusal: string | null;
  readonly request_id: string;
}

/** Which requests are listed; null leaves a condition out. */
interface RequestFilter {
  readonly key_id: string | null;
  readonly statuses: readonly [first: number, last: number];
  /** The beginning of the path, without a query. */
  readonly path: string | null;
  /** A timestamp, or a day in UTC. */
  readonly from: string | null;
  /** The same; a day is included. */
  readonly to: string | null;
  /** The id before which the page begins. */
  readonly before: string | null;
  readonly limit: number;
}

interface RequestPage {
  readonly requests: readonly ShownRequest[];
  /** The id before which the next page begins; null on the last page. */
  readonly next: string | null;
}

/** The length of `2026-11-27`. */
const DAY_LENGTH = 10;

/** Returns the name and the beginning of a key of the account, live or ended; undefined without one. */
export function findKey(
  cx: Reader,
  id: string,
): Promise<{ readonly name: string; readonly prefix: string } | undefined> {
  return cx.row<{ name: string; prefix: string }>(
    sql`select name, prefix from api_keys where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
}

/** Returns a page of the requests of seven days, the newest first, among the last 1,000 of each key of the account. */
export async function listRequests(cx: Reader, filter: RequestFilter): Promise<RequestPage> {
  const { account_id } = cx.caller;
  const { key_id, path, from, to, before, limit } = filter;
  // Moments have milliseconds.
  const beyond = to !== null && to.length === DAY_LENGTH ? "1 day" : "1 millisecond";
  const [first, last] = filter.statuses;
  const rows =
    await cx.rows<ShownRequest>(sql`select id, key_id, at, method, path, status, milliseconds, refusal, request_id
     from (select *, row_number() over (partition by key_id order by id desc) as place from api_key_requests
       where account_id = ${account_id} and (${key_id}::uuid is null or key_id = ${key_id})) as kept
     where place <= ${raw(MOST_KEPT)} and at > clock_timestamp() - interval '7 days'
       and (${before}::uuid is null or id < ${before}) and status between ${first} and ${last}
       and (${path}::text is null or starts_with(split_part(path, '?', 1), ${path}))
       and (${from}::timestamptz is null or at >= ${from})
       and (${to}::timestamptz is null or at < ${to}::timestamptz + ${beyond}::interval)
     order by id desc limit ${limit + 1}`);
  const requests = rows.slice(0, limit);
  return { requests, next: rows.length > limit ? (requests.at(-1)?.id ?? null) : null };
}
