/** Ending a grant: by its client (RFC 7009), by its person, or by an admin of the account. */
import * as z from "zod";
import { defineCommand } from "../../platform/command.ts";
import { fullAccess } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { sha256 } from "../../platform/json.ts";
import { findPerson, personCaller } from "../../platform/person.ts";
import { contextFor, type Services } from "../../platform/services.ts";
import { endGrant } from "./grants.ts";
import { verifyAccessToken } from "./tokens.ts";

/** Ends a grant of the account; a person's own when `own` is given. Throws NOT_FOUND. */
export const revokeGrant = defineCommand({
  name: "revoke_grant",
  access: "write",
  input: z.object({ id: Uuid, own: z.boolean() }),
  plan: async (cx, { id, own }) => ({
    id,
    user_id: own ? (cx.caller.person?.user_id ?? "") : null,
  }),
  async commit(cx, { id, user_id }): Promise<void> {
    await endGrant(cx, id, user_id, "revoked in the settings");
  },
});

/** Ends the grant of a token, access or refresh, when it is the client's; anything else is nothing to do. */
export async function revokeToken(
  services: Services,
  client_id: string,
  token: string,
): Promise<void> {
  const verified = await verifyAccessToken(services, token);
  await transaction(services.db, async (db) => {
    const [grant] = await query<{ id: string; account_id: string; user_id: string }>(
      db,
      `select g.id, g.account_id, g.user_id from oauth_grants g
       where g.client_id = $1 and (g.id = $2
         or g.id = (select grant_id from oauth_refresh_tokens where hash = $3))
       for update`,
      [client_id, verified?.grant_id ?? null, sha256(token)],
    );
    if (grant === undefined) return;
    const person = await findPerson(db, grant.account_id, grant.user_id);
    if (person === undefined) return;
    const caller = personCaller(person, fullAccess, null);
    const cx = { ...contextFor(services, caller, services.log), db, locks: true };
    await endGrant(cx, grant.id, null, "revoked by the assistant");
  });
}
