/**
 * The short path of a call that one SQL query answers. The query looks up the token and reads the data of the tool, in one round
 * trip, as for a GET of the API (`platform/http/at-once.ts`). The short path answers only the regular case. All other calls (no
 * live token, a changed role, an exhausted rate, invalid input) take the ordinary path from its beginning.
 */
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../platform/commands/context.ts";
import { isOverloaded, isUnavailable } from "../../platform/database/unavailable.ts";
import { logShortPathFailure } from "../../platform/http/short-path.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { type Catalogues, levelOf } from "./catalogue.ts";
import { type Gate, type GrantTokens, isPersonal, offeredTo } from "./gate.ts";
import { answeredText, plainMessage } from "./plain-message.ts";
import { outcomeOfRead, type PersonCaller, readOfCall, resultText } from "./tool-outcome.ts";

/**
 * Returns the response text and sets the caller of the request. Undefined where the request must take the ordinary path. Throws
 * the errors of a database that is away or overloaded.
 */
export async function answeredAtOnce(
  services: Services,
  gate: Gate,
  catalogues: Catalogues,
  tokens: GrantTokens,
  request: FastifyRequest,
): Promise<string | undefined> {
  const { unasked: seen } = request;
  if (seen === null || !isPersonal(seen.caller)) return undefined;
  const { caller } = seen;
  const message = plainMessage(request, offeredTo(catalogues, caller));
  if (message?.method !== "tools/call") return undefined;
  const { id, offered, sent } = message;
  const call = { request_id: request.id, caller, offered, sent };
  const read = readOfCall(call);
  if (read === undefined) return undefined;
  const release = services.shares.takeNow(caller.account_id, false);
  if (release === undefined) return undefined;
  try {
    if (!gate.hasTurn(caller)) return undefined;
    const reads = contextFor(services, caller, services.log);
    const found = await tokens.reading(reads, seen, read).catch((error: unknown) => {
      if (isUnavailable(error) || isOverloaded(error)) {
        request.unasked = null;
        throw error;
      }
      logShortPathFailure(services.log, error);
      return null;
    });
    if (found === null || !isAsBefore(found.caller, caller)) return undefined;
    request.caller = found.caller;
    const now = { ...call, caller: found.caller };
    return answeredText(id, resultText(await outcomeOfRead(services, now, read, found.row)));
  } finally {
    release();
  }
}

/** Whether the person still has the role and scope level for which the query was built. */
function isAsBefore(now: Caller, before: PersonCaller): now is PersonCaller {
  if (!isPersonal(now)) return false;
  const level = ({ person }: PersonCaller) => levelOf(person.grant?.scopes ?? new Set());
  return now.person.role === before.person.role && level(now) === level(before);
}
