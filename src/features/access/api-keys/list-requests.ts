/** Reads the last requests of an API key, for the page of developers. `platform/http/request-log.ts` writes them. */
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { MOST_KEPT } from "../../../platform/http/request-log.ts";

/** How requests end, with their status codes. */
const STATUSES = { answered: [100, 399], refused: [400, 499], failed: [500, 599] } as const;

export type RequestEnd = keyof typeof STATUSES;
export const REQUEST_ENDS = Object.keys(STATUSES) as readonly RequestEnd[];

export interface ShownRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The code of the refusal; null for a request that was answered. */
  readonly refusal: string | null;
  readonly request_id: string;
}

interface RequestPage {
  readonly requests: readonly ShownRequest[];
  /** The id before which the next page begins; null on the last page. */
  readonly next: string | null;
}

const REQUESTS_A_PAGE = 50;

/** Returns the name and the beginning of a key of the account, live or ended; undefined without one. */
export function findKey(
  cx: Reader,
  id: string,
): Promise<{ readonly name: string; readonly prefix: string } | undefined> {
  return cx.row<{ name: string; prefix: string }>(
    sql`select name, prefix from api_keys where account_id = ${cx.caller.account_id} and id = ${id}`,
  );
}

/** Returns a page of the last 1,000 requests of a key, the newest first; those that ended as `end` says, or all for null. */
export async function listRequests(
  cx: Reader,
  key_id: string,
  end: RequestEnd | null,
  before: string | null,
): Promise<RequestPage> {
  const { account_id } = cx.caller;
  const [from, to] = end === null ? [0, 999] : STATUSES[end];
  const rows =
    await cx.rows<ShownRequest>(sql`select id, at, method, path, status, milliseconds, refusal, request_id
     from api_key_requests
     where account_id = ${account_id} and key_id = ${key_id} and (${before}::uuid is null or id < ${before})
       and status between ${from} and ${to}
       and id > coalesce((select id from api_key_requests where account_id = ${account_id} and key_id = ${key_id}
         order by id desc offset ${raw(MOST_KEPT)} limit 1), '00000000-0000-0000-0000-000000000000')
     order by id desc limit ${raw(REQUESTS_A_PAGE + 1)}`);
  const requests = rows.slice(0, REQUESTS_A_PAGE);
  return { requests, next: rows.length > REQUESTS_A_PAGE ? (requests.at(-1)?.id ?? null) : null };
}
