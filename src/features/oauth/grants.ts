/** Grants: what a person has allowed an assistant. They begin with a code's exchange and end by deletion. */
import { Problem } from "../../domain/base/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context, McpScope } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { newId } from "../../platform/id.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";

/** Days from the consent to the end of a grant, however often its tokens are refreshed. */
const GRANT_DAYS = 30;

interface NewGrant {
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly McpScope[];
}

interface Grant extends NewGrant {
  readonly id: string;
}

/**
 * Stores a grant with its audit event; an older one of the same user and client gives way. Throws
 * USER_INACTIVE. To be called inside a transaction. The thirty days count from `consented_at`, which is now unless given; what else
 * belongs to the grant is stored by `storeTokens`, before the audit event.
 */
export async function insertGrant(
  cx: Context,
  fields: NewGrant,
  consented_at: string | null = null,
  storeTokens: (grant_id: string) => Promise<void> = async () => {},
): Promise<Grant> {
  const { account_id } = cx.caller;
  // Two exchanges of one client take turns, so that one grant remains; a deactivation comes before or after.
  const [user] = await query<{ active: boolean }>(
    cx.db,
    "select active from users where account_id = $1 and id = $2 for no key update",
    [account_id, fields.user_id],
  );
  if (!user?.active) throw new Problem("USER_INACTIVE");
  const replaced = await query<GrantRow>(
    cx.db,
    `delete from oauth_grants where account_id = $1 and user_id = $2 and client_id = $3
     returning id, user_id, client_id, client_name, scopes`,
    [account_id, fields.user_id, fields.client_id],
  );
  const id = newId<string>();
  await query(
    cx.db,
    `insert into oauth_grants (id, account_id, user_id, client_id, client_name, scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6,
       coalesce($7::timestamptz, clock_timestamp()) + make_interval(days => $8))`,
    [
      id,
      account_id,
      fields.user_id,
      fields.client_id,
      fields.client_name,
      [...fields.scopes],
      consented_at,
      GRANT_DAYS,
    ],
  );
  await storeTokens(id);
  for (const older of replaced) await recordEnd(cx, older, "replaced by a newer one");
  await recordAudit(cx, {
    action: "created",
    resource_type: "oauth_grant",
    resource_id: id,
    before: null,
    after: presentGrant({ id, ...fields }),
  });
  const { user_id, client_id, client_name, scopes } = fields;
  return { id, user_id, client_id, client_name, scopes };
}

interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: McpScope[];
}

/** Ends a grant, of one user when that is given. Throws NOT_FOUND. To be called inside a transaction. */
export async function endGrant(
  cx: Context,
  id: string,
  user_id: string | null,
  reason: string,
): Promise<void> {
  const [row] = await query<GrantRow>(
    cx.db,
    `delete from oauth_grants where id = $1 and account_id = $2 and ($3::uuid is null or user_id = $3)
     returning id, user_id, client_id, client_name, scopes`,
    [id, cx.caller.account_id, user_id],
  );
  if (row === undefined) throw new Problem("NOT_FOUND");
  await recordEnd(cx, row, reason);
}

function recordEnd(cx: Context, grant: GrantRow, reason: string): Promise<void> {
  return recordAudit(cx, {
    action: "revoked",
    resource_type: "oauth_grant",
    resource_id: grant.id,
    before: presentGrant(grant),
    after: null,
    reason,
  });
}

/** A grant as the audit trail shows it. The client's id is long and says nothing more. */
function presentGrant(grant: Grant): JsonText {
  const { id, user_id, client_name, scopes } = grant;
  return jsonText({ object: "oauth_grant", id, user_id, client_name, scopes });
}

export interface ShownGrant {
  readonly id: string;
  readonly client_name: string;
  readonly scopes: readonly McpScope[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly user_name: string;
  readonly user_email: string;
}

/** The live grants of an account, or of one of its users, the newest first; at most 500. */
export function listGrants(cx: Context, user_id: string | null): Promise<ShownGrant[]> {
  return query(
    cx.db,
    `select g.id, g.client_name, g.scopes, g.created_at, g.expires_at, g.last_used_at,
       u.name as user_name, u.email as user_email
     from oauth_grants g join users u on u.account_id = g.account_id and u.id = g.user_id
     where g.account_id = $1 and ($2::uuid is null or g.user_id = $2)
       and g.expires_at > clock_timestamp()
     order by g.id desc limit 500`,
    [cx.caller.account_id, user_id],
  );
}
