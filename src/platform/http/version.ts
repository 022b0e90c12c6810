/**
 * The version of the API, which every answer below /api/v1 names (spec 15.5): the day of the newest addition. A client may name
 * the version that it was made for; one that this service does not know is refused, so that no client runs on an older service.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { calendarDate } from "../../domain/base/calendar.ts";
import { cut } from "../../domain/base/field-errors.ts";
import { Problem } from "../../domain/base/problem.ts";
import { API_CHANGES } from "./api-changes.ts";

export const API_PREFIX = "/api/v1";

/** The day of the newest entry of the change log. */
export const API_VERSION: string = API_CHANGES[0].date;

export const VERSION_HEADER = "matchbook-version";

/** The paths of the API, also in an absolute address. */
const API_PATH = /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?#]|$)/i;

/** The most characters of a requested version that a refusal repeats. */
const MOST_SHOWN = 40;

/** Names the version in the answer to a request of the API, whatever the answer is. */
export function nameVersion({ url }: FastifyRequest, reply: FastifyReply): void {
  if (API_PATH.test(url.includes("%") ? decoded(url) : url)) {
    reply.header(VERSION_HEADER, API_VERSION);
  }
}

/** Whether the request names no version, or one that this service knows: every day up to its own. */
export function knowsVersion({ headers }: FastifyRequest): boolean {
  const requested = headers[VERSION_HEADER];
  if (requested === undefined) return true;
  const day = typeof requested === "string" ? calendarDate(requested) : undefined;
  return day !== undefined && day <= API_VERSION;
}

/** Throws VERSION_UNKNOWN for a request that names a later version, or no day. */
export function requireKnownVersion(request: FastifyRequest): void {
  if (knowsVersion(request)) return;
  const requested = cut(String(request.headers[VERSION_HEADER]), MOST_SHOWN);
  throw new Problem("VERSION_UNKNOWN", { details: { requested, known: API_VERSION } });
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
