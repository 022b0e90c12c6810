/**
 * Conditional requests (RFC 9110, 8.8.3 and 13; spec 15.7). The tag of a resource is a digest of what the caller sees. A client
 * that has it already gets 304; a change is refused when the resource is no longer the one that the client has seen. The tag of a
 * resource with fields of progress has two parts (decision 0104).
 */
import type { FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import type { Context, Reader } from "../commands/context.ts";
import { type JsonText, sha256 } from "../runtime/json.ts";
import type { CheckedRequest, Conditions, Reply } from "./asked.ts";
import type { Route } from "./route.ts";

/** Returns the conditions of a request; null when it has none. */
export function conditionsOf({ headers }: FastifyRequest): Conditions | null {
  const { "if-match": if_match = null, "if-none-match": if_none_match = null } = headers;
  return if_match === null && if_none_match === null ? null : { if_match, if_none_match };
}

/** 132 bits of the digest, so that no two texts have the same tag. */
const TAG_LENGTH = 22;

/** Separates the parts of a tag; no digest has it. */
const SEPARATOR = ".";

/** Returns the tag of a resource as it is answered, with its quotes: with progress, first that of everything else. */
function etagOf({ progress }: Route, text: string): string {
  if (progress === undefined) return `"${digestOf(text)}"`;
  const others = Object.entries(JSON.parse(text)).filter(([name]) => !progress.includes(name));
  return `"${digestOf(JSON.stringify(others))}${SEPARATOR}${digestOf(text)}"`;
}

function digestOf(text: string): string {
  return sha256(text).toString("base64url").slice(0, TAG_LENGTH);
}

/** Whether a header lists a tag that fits. A weak tag fits only where a comparison may be weak. */
function lists(header: string, may_be_weak: boolean, fits: (tag: string) => boolean): boolean {
  if (header.trim() === "*") return true;
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].some(
    ([, weak, tag = ""]) => fits(tag) && (may_be_weak || weak === undefined),
  );
}

/** Whether `If-Match` allows a request for the resource with this tag: progress alone refuses none. */
function matches({ if_match }: Conditions, etag: string): boolean {
  if (if_match === null) return true;
  const end = etag.indexOf(SEPARATOR);
  const others = etag.slice(0, end + 1);
  return lists(if_match, false, (tag) => (end < 0 ? tag === etag : tag.startsWith(others)));
}

/** Whether `If-None-Match` lists this tag. */
function isHeld({ if_none_match }: Conditions, etag: string): boolean {
  return if_none_match !== null && lists(if_none_match, true, (tag) => tag === etag);
}

/**
 * Returns the reply of a conditional route with the tag of its resource, or 304 when the client has it. Throws
 * PRECONDITION_FAILED for a GET whose `If-Match` lists other tags.
 */
export function withTag(route: Route, conditions: Conditions | null, reply: Reply): Reply {
  const { status, headers, body } = reply;
  if (route.shown === undefined || status !== 200 || typeof body !== "string") return reply;
  const etag = etagOf(route, body);
  if (route.method === "GET" && conditions !== null) {
    if (!matches(conditions, etag)) throw new Problem("PRECONDITION_FAILED");
    if (isHeld(conditions, etag)) return { status: 304, headers: { etag }, body: null };
  }
  return { status, headers: { ...headers, etag }, body };
}

/**
 * Does a change under the conditions of its request: the command compares them when it has its locks (`run`), with the tag of
 * the resource as this caller sees it. Throws PRECONDITION_FAILED.
 */
export async function underConditions<Answer>(
  route: Route,
  cx: Context,
  { conditions, input }: Pick<CheckedRequest, "conditions" | "input">,
  work: (cx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { shown, method, path } = route;
  if (shown === undefined || method === "GET" || conditions === null) return work(cx);
  let is_checked = false;
  const precondition = async (tx: Reader): Promise<void> => {
    const text: JsonText = await shown(tx, input.params);
    const etag = etagOf(route, text);
    if (!matches(conditions, etag) || isHeld(conditions, etag)) {
      throw new Problem("PRECONDITION_FAILED");
    }
    is_checked = true;
  };
  const answer = await work({ ...cx, precondition });
  if (!is_checked) throw new Error(`${method} ${path} ran no command under its conditions`);
  return answer;
}
