/**
 * The short way of a call that one statement answers. The lookup of the token and the data of the tool are one statement and one
 * round trip, as for a GET of the API (`platform/http/at-once.ts`). It answers only the regular case. Anything else (no live
 * token, a changed role, an exhausted rate, invalid input) takes the ordinary way from its beginning.
 */
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../platform/commands/context.ts";
import { isOverloaded, isUnavailable } from "../../platform/database/unavailable.ts";
import { contextFor, type Services } from "../../platform/runtime/services.ts";
import { type Catalogues, levelOf } from "./catalogue.ts";
import { type Gate, type GrantTokens, isPersonal, offeredTo } from "./gate.ts";
import { answeredText, plainMessage } from "./plain-message.ts";
import { outcomeOfRead, type PersonCaller, readOfCall, resultText } from "./tool-outcome.ts";

/**
 * The text of the answer; sets the caller of the request. Undefined where the request must take the ordinary way. Throws the
 * errors of a database that is away or overloaded.
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
      if (!isUnavailable(error) && !isOverloaded(error)) return null;
      request.unasked = null;
      throw error;
    });
    if (found === null || !isAsBefore(found.caller, caller)) return undefined;
    request.caller = found.caller;
    const now = { ...call, caller: found.caller };
    return answeredText(id, resultText(await outcomeOfRead(services, now, read, found.row)));
  } finally {
    release();
  }
}

/** Whether the person still has the role and scope level for which the statement was built. */
function isAsBefore(now: Caller, before: PersonCaller): now is PersonCaller {
  if (!isPersonal(now)) return false;
  const level = ({ person }: PersonCaller) => levelOf(person.grant?.scopes ?? new Set());
  return now.person.role === before.person.role && level(now) === level(before);
}
