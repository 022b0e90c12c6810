/** The REST routes of the calling key, and of what the keys of its account have asked. */
import type * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, envelope, startOf } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { listRequests, type ShownRequest, statusesOf } from "./list-requests.ts";
import { ApiKeyResource, ApiRequestList, ApiRequestQuery } from "./schemas.ts";

export const apiKeyRoutes = routesOf("Keys", [
  defineRoute("GET /key", {
    operation: "key.get",
    summary: "Read the calling key",
    description:
      "The key of the request: its account, what it may do, and the limits of the account.",
    access: "read",
    replies: { 200: ApiKeyResource },
    handle: async (cx) => ({ status: 200, json: await readKey(cx) }),
  }),

  defineRoute("GET /requests", {
    operation: "requests.list",
    summary: "List what the keys of the account have asked",
    description:
      "The requests of seven days, at most the last 1,000 of each key, the newest first. A request is listed a second after its answer. Neither queries nor bodies are kept.",
    access: "read",
    query: ApiRequestQuery,
    replies: { 200: ApiRequestList },
    handle: (cx, { query }) => readRequests(cx, query),
  }),
]);

interface KeyRow {
  readonly name: string;
  readonly scope: "read" | "read_write";
  readonly expires_at: string | null;
}

/** Returns the key of the caller. Throws UNAUTHORIZED when it was revoked while the request ran. */
async function readKey({ caller, limits, row }: Reader): Promise<z.infer<typeof ApiKeyResource>> {
  const { account_id, sandbox, actor } = caller;
  const key = await row<KeyRow>(
    sql`select name, scope, expires_at from api_keys where account_id = ${account_id} and id = ${actor.id}`,
  );
  if (key === undefined) throw new Problem("UNAUTHORIZED");
  const { rate_limit, in_flight } = limits;
  return {
    object: "api_key",
    id: actor.id,
    ...key,
    account_id,
    sandbox,
    limits: {
      per_second: rate_limit?.per_second ?? null,
      burst: rate_limit?.burst ?? null,
      at_once: in_flight?.requests ?? null,
      heavy: in_flight?.heavy ?? null,
    },
  };
}

async function readRequests(cx: Reader, query: z.infer<typeof ApiRequestQuery>): Promise<JsonText> {
  const { key = null, path = null, from = null, to = null, limit } = query;
  const before = startOf(query).id ?? null;
  const statuses = statusesFrom(query.status);
  const filter = { key_id: key, statuses, path, from, to, before, limit };
  const { requests, next } = await listRequests(cx, filter);
  const next_cursor = next === null ? null : cursorFrom({ id: next, horizon: null });
  return envelope(requests.map(presentRequest), next_cursor);
}

function presentRequest({
  request_id,
  path,
  refusal,
  milliseconds,
  ...request
}: ShownRequest): JsonText {
  const { at, key_id, method, status } = request;
  const shown = path.split("?", 1)[0] ?? "";
  return jsonText({
    object: "request",
    id: request_id,
    at,
    key_id,
    method,
    path: shown,
    status,
    code: refusal,
    duration_ms: milliseconds,
  });
}

/** Returns the first and the last status that `404` or `4xx` stands for. */
function statusesFrom(text: string | undefined): readonly [first: number, last: number] {
  if (text === undefined) return statusesOf(null);
  return [Number(text.replace("xx", "00")), Number(text.replace("xx", "99"))];
}
