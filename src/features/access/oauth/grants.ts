/** Stores the grants of assistants. A grant begins when a code is exchanged and ends when it is deleted. */

import { Problem } from "../../../domain/base/problem.ts";
import type { McpScope, Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

/** The number of days from the consent to the end of a grant, regardless of refreshes. */
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
 * Stores a grant with its audit event, in place of an older one of the same user and client. Throws
 * USER_INACTIVE. Call inside a transaction. The thirty days count from `consented_at`, by default now.
 */
export async function insertGrant(
  tx: Tx,
  fields: NewGrant,
  consented_at: string | null = null,
): Promise<Grant> {
  const { account_id } = tx.caller;
  // Two exchanges of one client are serialized, so that one grant remains; a deactivation precedes or follows.
  const user = await tx.row<{ active: boolean }>(
    sql`select active from users where account_id = ${account_id} and id = ${fields.user_id} for no key update`,
  );
  if (!user?.active) throw new Problem("USER_INACTIVE");
  const replaced =
    await tx.rows<Grant>(sql`delete from oauth_grants where account_id = ${account_id} and user_id = ${fields.user_id} and client_id = ${fields.client_id}
     returning id, user_id, client_id, client_name, scopes`);
  const id = newId<string>();
  tx.write(sql`insert into oauth_grants (id, account_id, user_id, client_id, client_name, scopes, expires_at)
     values (${id}, ${account_id}, ${fields.user_id}, ${fields.client_id}, ${fields.client_name}, ${[...fields.scopes]},
       coalesce(${consented_at}::timestamptz, clock_timestamp()) + make_interval(days => ${GRANT_DAYS}))`);
  for (const older of replaced) recordEnd(tx, older, "replaced by a newer one");
  tx.audit("oauth_grant", id, "created", { before: null, after: presentGrant({ id, ...fields }) });
  const { user_id, client_id, client_name, scopes } = fields;
  return { id, user_id, client_id, client_name, scopes };
}

/** Ends a grant; with a user, only a grant of that user. Throws NOT_FOUND. Call inside a transaction. */
export async function endGrant(
  tx: Tx,
  id: string,
  user_id: string | null,
  reason: string,
): Promise<void> {
  const row =
    await tx.row<Grant>(sql`delete from oauth_grants where id = ${id} and account_id = ${tx.caller.account_id} and (${user_id}::uuid is null or user_id = ${user_id})
     returning id, user_id, client_id, client_name, scopes`);
  if (row === undefined) throw new Problem("NOT_FOUND");
  recordEnd(tx, row, reason);
}

function recordEnd(tx: Tx, grant: Grant, reason: string): void {
  tx.audit("oauth_grant", grant.id, "revoked", {
    before: presentGrant(grant),
    after: null,
    reason,
  });
}

/** Presents a grant for the audit trail, without the client's id, which is long and adds no information. */
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

/** Returns a live grant with the number of its open plans; with a user, only a grant of that user. Throws NOT_FOUND. */
export async function getGrant(
  cx: Reader,
  id: string,
  user_id: string | null,
): Promise<Pick<ShownGrant, "client_name" | "user_name"> & { readonly open_plans: number }> {
  const grant = await cx.row<{ client_name: string; user_name: string; open_plans: number }>(
    sql`select g.client_name, u.name as user_name,
         (select count(*) from plans p where p.account_id = ${cx.caller.account_id} and p.grant_id = g.id::text
            and p.user_id = g.user_id and p.state = 'open' and p.expires_at > clock_timestamp())::int as open_plans
       from oauth_grants g join users u on u.account_id = g.account_id and u.id = g.user_id
       where g.account_id = ${cx.caller.account_id} and g.id = ${id}
         and (${user_id}::uuid is null or g.user_id = ${user_id}) and g.expires_at > clock_timestamp()`,
  );
  if (grant === undefined) throw new Problem("NOT_FOUND");
  return grant;
}

/** Returns the live grants of an account, or of one of its users, the newest first; at most 500. */
export function listGrants(cx: Reader, user_id: string | null): Promise<ShownGrant[]> {
  return cx.rows(sql`select g.id, g.client_name, g.scopes, g.created_at, g.expires_at, g.last_used_at,
       u.name as user_name, u.email as user_email
     from oauth_grants g join users u on u.account_id = g.account_id and u.id = g.user_id
     where g.account_id = ${cx.caller.account_id} and (${user_id}::uuid is null or g.user_id = ${user_id})
       and g.expires_at > clock_timestamp()
     order by g.id desc limit 500`);
}
