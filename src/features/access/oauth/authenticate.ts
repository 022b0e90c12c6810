/** Finds an access token's caller. Every call reads grant, user, role and account, so changes have immediate effect. */
import type { Caller, McpScope } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { heldBy, type ReadRow } from "../../../platform/database/stored-read.ts";
import type { Credentials, SeenBefore } from "../../../platform/http/admission.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { lastUseOf } from "../../../platform/security/last-use.ts";
import { PERSON_COLUMNS, type PersonRow, personCaller } from "../../../platform/security/person.ts";
import { accessOf } from "./scopes.ts";
import { rememberingVerifier, type VerifiedToken } from "./tokens.ts";

interface GrantRow extends PersonRow {
  readonly scopes: readonly McpScope[];
}

const LIVE_GRANTS = `select g.scopes, ${PERSON_COLUMNS}
  from oauth_grants g
  join users u on u.account_id = g.account_id and u.id = g.user_id
  join accounts a on a.id = g.account_id
  where g.expires_at > clock_timestamp() and u.active`;

const withLiveGrant = heldBy(`${LIVE_GRANTS} and g.id = $1 and g.user_id = $2`, 2);

/** The data of a token as last read. */
interface SeenToken extends SeenBefore {
  readonly token: VerifiedToken;
}

/** Returns the checks that the MCP endpoint makes for each request; they return null for any text that is not a live token. */
export function tokenAuthentication(services: Services): Credentials<SeenToken> {
  const { verify, cached } = rememberingVerifier(services);
  const noteUse = lastUseOf("oauth_grants", services.gate, services.log);
  // An entry lives as long as the cached signature.
  const seen = new WeakMap<VerifiedToken, SeenToken>();
  const found = (token: VerifiedToken, row: GrantRow): Caller => {
    noteUse(token.grant_id);
    return callerOf(token, row);
  };
  return {
    async authenticate(text) {
      const token = await verify(text);
      if (token === null) return null;
      const row = await services.gate.row<GrantRow>(
        sql`${raw(LIVE_GRANTS)} and g.id = ${token.grant_id} and g.user_id = ${token.user_id}`,
      );
      seen.delete(token);
      if (row === undefined) return null;
      const caller = found(token, row);
      seen.set(token, { token, caller });
      return caller;
    },
    seen(text) {
      const token = cached(text);
      return token && seen.get(token);
    },
    async reading(reads, { token, caller }, read) {
      if (Date.now() >= token.expires_at) return null;
      const credential = [token.grant_id, token.user_id];
      const [both] = await reads.rows(withLiveGrant(credential, caller.account_id, read));
      if (both === undefined) return null;
      const row = both as GrantRow & ReadRow;
      return { caller: found(token, row), row };
    },
  };
}

function callerOf(token: VerifiedToken, row: GrantRow): Caller {
  // A client may have requested a token with fewer scopes than its grant.
  const scopes = new Set(row.scopes.filter((scope) => token.scopes.has(scope)));
  return personCaller(row, accessOf(scopes), { id: token.grant_id, scopes });
}
