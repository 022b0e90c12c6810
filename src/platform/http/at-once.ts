/**
 * The short way of a GET that one statement answers: the look-up of the key and the read are one statement, one round trip. It
 * answers what is as it should be. Whatever is not (no live key, a rate that is used up, anything that is not valid) goes the
 * ordinary way from its beginning, so that there is one order of checks.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { requireAccess } from "../commands/context.ts";
import type { StoredRead } from "../database/stored-read.ts";
import { isOverloaded, isUnavailable } from "../database/unavailable.ts";
import type { JsonText } from "../runtime/json.ts";
import { contextFor, type Services } from "../runtime/services.ts";
import { type Admission, bearerOf, takeTurn, untilSent } from "./admission.ts";
import { wantsCsv } from "./csv.ts";
import { isBehind } from "./pipelined.ts";
import type { Route } from "./route.ts";

/** What the route reads for a request; undefined where that takes more than a statement, or is not valid. */
export type ReadFor = (request: FastifyRequest) => StoredRead | undefined;

/** Whether the look-up of the caller may be left to the statement. A body would be read before anybody is known. */
export function isForOnce({ headers }: FastifyRequest): boolean {
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
    return false;
  return !wantsCsv(headers.accept);
}

/**
 * The answer's text, with the caller in the request; undefined where the request has to go the ordinary way. Throws what the
 * caller behind the key is refused: INSUFFICIENT_SCOPE, NOT_FOUND; and what a database that is away throws.
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
    return null;
  });
  if (found === null) {
    release();
    return undefined;
  }
  untilSent(reply, release);
  request.caller = found.caller;
  requireAccess(found.caller, route.access);
  return read.textOf(found.row);
}

/** What the route reads for valid parameters. Throws nothing. */
export function readOf(
  route: Route,
  input: { readonly params: unknown; readonly query: unknown },
): StoredRead | undefined {
  try {
    return route.stored?.(input);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
