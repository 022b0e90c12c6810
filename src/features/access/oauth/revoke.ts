/** Ends a grant at the request of its client (RFC 7009), of its person, or of an admin of the account. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { findPerson } from "../../../platform/security/person.ts";
import { endGrant } from "./grants.ts";
import { verifyAccessToken } from "./tokens.ts";

/** Ends a grant of the account; with `own`, only a grant of that person. Throws NOT_FOUND. */
export const revokeGrant = defineCommand({
  name: "revoke_grant",
  access: "write",
  input: z.object({ id: Uuid, own: z.boolean() }),
  plan: async (cx, { id, own }) => ({
    id,
    user_id: own ? (cx.caller.person?.user_id ?? "") : null,
  }),
  async commit(tx, { id, user_id }): Promise<void> {
    await endGrant(tx, id, user_id, "revoked in the settings");
  },
});

/** Ends the grant of an access or refresh token of the client; does nothing for any other token. */
export const revokeToken = defineDoorCommand({
  name: "revoke_token",
  before: async (services, { client_id, token }: { client_id: string; token: string }) => ({
    client_id,
    token,
    verified: await verifyAccessToken(services, token),
  }),

  async commit(tx, { client_id, token, verified }) {
    const grant = await tx.row<{ id: string; account_id: string; user_id: string }>(sql`
      select g.id, g.account_id, g.user_id from oauth_grants g
       where g.client_id = ${client_id} and (g.id = ${verified?.grant_id ?? null}
         or g.id = (select grant_id from oauth_refresh_tokens where hash = ${sha256(token)}))
       for update`);
    if (grant === undefined) return;
    const person = await findPerson(tx, grant.account_id, grant.user_id);
    if (person === undefined) return;
    await endGrant(tx.as(person), grant.id, null, "revoked by the assistant");
  },
});
