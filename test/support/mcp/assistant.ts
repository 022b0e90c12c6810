/** A user with an assistant and granted scopes, created by the product's own code. */

import type { Role } from "../../../src/domain/base/user.ts";
import { operatorContext } from "../../../src/features/access/accounts/create.ts";
import { tokenAuthentication } from "../../../src/features/access/oauth/authenticate.ts";
import { insertGrant } from "../../../src/features/access/oauth/grants.ts";
import { layersOf } from "../../../src/features/access/oauth/scopes.ts";
import { issueAccessToken } from "../../../src/features/access/oauth/tokens.ts";
import { insertUser } from "../../../src/features/access/people/save.ts";
import type { Caller, McpScope } from "../../../src/platform/commands/context.ts";
import { transact } from "../../../src/platform/commands/tx.ts";
import type { World } from "../world/world.ts";

export interface Assistant {
  readonly user_id: string;
  readonly email: string;
  readonly grant_id: string;
  /** A valid access token, as the assistant sends it. */
  readonly token: string;
  /** The caller behind the token, read again as for a request; throws if the token is no longer valid. */
  caller(): Promise<Caller>;
}

export interface AssistantFields {
  /** For a new user; ignored when `user_id` names an existing one. */
  readonly role?: Role;
  readonly name?: string;
  readonly email?: string;
  readonly user_id?: string;
  /** The highest scope; lower ones are included. */
  readonly scope?: McpScope;
  /** Exactly these scopes, instead of `scope`. */
  readonly scopes?: readonly McpScope[];
  readonly client_name?: string;
  /** The world's own account unless given. */
  readonly account_id?: string;
}

let count = 0;

/** Creates a user (standard by default), a grant (`mcp:issue` by default) and an access token. */
export async function assistantOf(world: World, fields: AssistantFields = {}): Promise<Assistant> {
  count += 1;
  const { services } = world;
  const scopes = fields.scopes ?? layersOf(fields.scope ?? "mcp:issue");
  const email = fields.email ?? `person-${count}-${process.pid}@studio.example`;
  const client_id = `test-client-${count}`;
  const cx = await operatorContext(services, fields.account_id ?? world.account.account_id);
  const user = { name: fields.name ?? `Person ${count}`, email, role: fields.role ?? "standard" };
  const user_id =
    fields.user_id ??
    (await transact(cx, (tx) => insertUser(tx, { ...user, external_id: null }, null, null))).user
      .id;
  const client_name = fields.client_name ?? "Test assistant";
  const grant = await transact(cx, (tx) =>
    insertGrant(tx, { user_id, client_id, client_name, scopes }),
  );
  const subject = { grant_id: grant.id, user_id: grant.user_id, client_id, scopes };
  const token = await issueAccessToken(services, subject);
  const { authenticate } = tokenAuthentication(services);
  return {
    user_id: grant.user_id,
    email,
    grant_id: grant.id,
    token,
    async caller() {
      const caller = await authenticate(token);
      if (caller === null) throw new Error("the assistant's token is not valid");
      return caller;
    },
  };
}
