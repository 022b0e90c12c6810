/**
 * From an access token to its caller. Grant, user, role and account are read at every call: a revoked
 * grant, a deactivated user or a changed role shows at the very next one.
 */
import type { McpScope } from "../../platform/context.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import type { Authenticate } from "../../platform/http/admission.ts";
import { PERSON_COLUMNS, type PersonRow, personCaller } from "../../platform/person.ts";
import type { Services } from "../../platform/services.ts";
import { accessOf } from "./scopes.ts";
import { rememberingVerifier } from "./tokens.ts";

interface GrantRow extends PersonRow {
  readonly scopes: readonly McpScope[];
}

/** The check that the MCP endpoint asks for each request; answers null for anything but a live token. */
export function tokenAuthentication(services: Services): Authenticate {
  const verify = rememberingVerifier(services);
  const noted = new Map<string, number>();
  return async (token) => {
    const verified = await verify(token);
    if (verified === null) return null;
    const row = await services.gate.row<GrantRow>(sql`select g.scopes, ${raw(PERSON_COLUMNS)}
       from oauth_grants g
       join users u on u.account_id = g.account_id and u.id = g.user_id
       join accounts a on a.id = g.account_id
       where g.id = ${verified.grant_id} and g.user_id = ${verified.user_id} and g.expires_at > clock_timestamp() and u.active`);
    if (row === undefined) return null;
    noteUse(services, noted, verified.grant_id);
    // A client may have asked for a token of less than its grant.
    const scopes = new Set(row.scopes.filter((scope) => verified.scopes.has(scope)));
    return personCaller(row, accessOf(scopes), { id: verified.grant_id, scopes });
  };
}

const NOTED_EVERY_MS = 60_000;
const MOST_NOTED = 10_000;

/** The time of last use is written at most once a minute, outside of the request. */
function noteUse({ gate, log }: Services, noted: Map<string, number>, id: string): void {
  const now = Date.now();
  if (now - (noted.get(id) ?? 0) < NOTED_EVERY_MS) return;
  if (noted.size > MOST_NOTED) noted.clear();
  noted.set(id, now);
  gate
    .rows(sql`update oauth_grants set last_used_at = clock_timestamp() where id = ${id}`)
    .catch((error: unknown) => log.warn({ err: error }, "the use of a grant could not be noted"));
}
