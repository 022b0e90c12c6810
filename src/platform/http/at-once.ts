/**
 * The short path of a GET that one SQL query answers: key look-up and data in one round trip. It answers only valid
 * requests. All others take the ordinary path from its beginning, so that the checks have one order.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { requireAccess } from "../commands/context.ts";
import type { SingleRead } from "../database/stored-read.ts";
import { isOverloaded, isUnavailable } from "../database/unavailable.ts";
import type { JsonText } from "../runtime/json.ts";
import { contextFor, type Services } from "../runtime/services.ts";
import { type Admission, bearerOf, takeTurn, untilSent } from "./admission.ts";
import { wantsCsv } from "./csv.ts";
import { isBehind } from "./pipelined.ts";
import type { Route } from "./route.ts";
import { logShortPathFailure } from "./short-path.ts";
import { knowsVersion } from "./version.ts";

/** Returns the query that answers a request; undefined if it is invalid or takes more than one query. */
export type ReadFor = (request: FastifyRequest) => SingleRead | undefined;

/** Whether the short path may answer. A body excludes it, because it would be read before the caller is known. */
export function isForOnce(request: FastifyRequest): boolean {
  const { headers } = request;
  if (!knowsVersion(request)) return false;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
    return false;
  return !wantsCsv(headers.accept);
}

/**
 * Returns the response text and sets the request's caller; undefined to take the ordinary path. Throws the refusals
 * for the key's caller, INSUFFICIENT_SCOPE, NOT_FOUND, and the errors of an absent or overloaded database.
 */
export async function answeredAtOnce(
  services: Services,
  admission: Admission,
  route: Route,
  readFor: ReadFor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<JsonText | undefined> {
  if (isBehind(reply)) return undefined;
  const { keys, limiter } = admission;
  const token = bearerOf(request);
  const seen = token === undefined ? undefined : keys.seen(token);
  if (seen === undefined) return undefined;
  const read = readFor(request);
  const release = read && services.shares.takeNow(seen.caller.account_id, false);
  if (read === undefined || release === undefined) return undefined;
  if (takeTurn(limiter, seen.caller.account_id, reply) !== null) {
    release();
    return undefined;
  }
  const reads = contextFor(services, seen.caller, services.log);
  const found = await keys.reading(reads, seen, read).catch((error: unknown) => {
    if (isUnavailable(error) || isOverloaded(error)) {
      release();
      throw error;
    }
    logShortPathFailure(services.log, error);
    return null;
  });
  if (found === null) {
    release();
    return undefined;
  }
  untilSent(reply, release);
  request.caller = found.caller;
  requireAccess(found.caller, route.access);
  return read.answerFrom(found.row);
}

/** Returns the query that the route reads with for valid parameters. Throws no Problem: a refusal returns undefined. */
export function readOf(
  route: Route,
  input: { readonly params: unknown; readonly query: unknown },
): SingleRead | undefined {
  try {
    return route.read?.(input).single;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
