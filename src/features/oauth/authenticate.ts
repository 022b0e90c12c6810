/**
 * From an access token to its caller. Grant, user, role and account are read at every call: a revoked
 * grant, a deactivated user or a changed role shows at the very next one.
 */
import type { AccountId, Timestamp, UserId } from "../../domain/brand.ts";
import type { Role } from "../../domain/user.ts";
import type { Caller, McpScope } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import type { Authenticate } from "../../platform/http/server.ts";
import type { Services } from "../../platform/services.ts";
import { accessOf } from "./scopes.ts";
import { verifyAccessToken } from "./tokens.ts";

interface GrantRow {
  readonly scopes: readonly McpScope[];
  readonly user_id: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly account_id: AccountId;
  readonly account_name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

/** The check that the MCP endpoint asks for each request; answers null for anything but a live token. */
export function tokenAuthentication(services: Services): Authenticate {
  const noted = new Map<string, number>();
  return async (token) => {
    const verified = await verifyAccessToken(services, token);
    if (verified === null) return null;
    const [row] = await query<GrantRow>(
      services.db,
      `select g.scopes, u.id as user_id, u.name, u.email, u.role, a.id as account_id,
         a.name as account_name, a.sandbox, a.test_clock, a.ledger_kind
       from oauth_grants g
       join users u on u.account_id = g.account_id and u.id = g.user_id
       join accounts a on a.id = g.account_id
       where g.id = $1 and g.user_id = $2 and g.expires_at > clock_timestamp() and u.active`,
      [verified.grant_id, verified.user_id],
    );
    if (row === undefined) return null;
    noteUse(services, noted, verified.grant_id);
    // A client may have asked for a token of less than its grant.
    const scopes = new Set(row.scopes.filter((scope) => verified.scopes.has(scope)));
    return callerOf(row, verified.grant_id, scopes);
  };
}

function callerOf(row: GrantRow, grant_id: string, scopes: ReadonlySet<McpScope>): Caller {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    sandbox: row.sandbox,
    test_clock: row.test_clock,
    ledger_kind: row.ledger_kind,
    actor: { kind: "user", id: row.user_id },
    access: accessOf(scopes),
    person: {
      user_id: row.user_id,
      name: row.name,
      email: row.email,
      role: row.role,
      grant: { id: grant_id, scopes },
    },
  };
}

const NOTED_EVERY_MS = 60_000;
const MOST_NOTED = 10_000;

/** The time of last use is written at most once a minute, outside of the request. */
function noteUse({ db, log }: Services, noted: Map<string, number>, id: string): void {
  const now = Date.now();
  if (now - (noted.get(id) ?? 0) < NOTED_EVERY_MS) return;
  if (noted.size > MOST_NOTED) noted.clear();
  noted.set(id, now);
  query(db, "update oauth_grants set last_used_at = clock_timestamp() where id = $1", [id]).catch(
    (error: unknown) => log.warn({ err: error }, "the use of a grant could not be noted"),
  );
}
