/** Creates and changes users. One active admin always remains, and a key cannot create admins (spec 7.1). */

import * as z from "zod";
import { given } from "../../../domain/base/given.ts";
import {
  becomesAdmin,
  requireAdminRemains,
  requireMayChangeAdmin,
} from "../../../domain/base/user.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { isAdminInPerson, type Reader } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { shownStamp, takeStamp } from "../../../platform/database/resources.ts";
import { insert, raw, sql, update } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { type Invitation, linkOf, mailInvitation, storeInvitation } from "./invite.ts";
import { notifyAdmins, notifyOwner } from "./owner-mail.ts";
import {
  countOtherAdmins,
  getUser,
  lockUser,
  presentUser,
  type StoredUser,
  type User,
} from "./queries.ts";
import { UserCreate, UserUpdate } from "./schemas.ts";

/** Creates and invites a user. Throws ROLE_FORBIDDEN, EXTERNAL_ID_CONFLICT, EMAIL_TAKEN, RATE_LIMITED (invitations). */
export const createUser = defineCreation({
  name: "create_user",
  input: UserCreate,
  table: "users",
  async plan(tx, sent, request_hash) {
    requireMayChangeAdmin(isAdminInPerson(tx.caller), null, { ...sent, active: true });
    return { sent, request_hash };
  },

  async commit(tx, { sent, request_hash }): Promise<CreatedUser> {
    await countMail(tx, "people");
    const fields = { ...sent, external_id: sent.external_id ?? null };
    const { user, document } = await insertUser(tx, fields, request_hash, null);
    const invitation = await storeInvitation(tx, user);
    return { created: true, document, invitation, new_admin: newAdmin(null, user) };
  },

  repeated: async (tx, id): Promise<CreatedUser> => ({
    ...(await storedAgain(tx, "users", id)),
    invitation: null,
    new_admin: null,
  }),

  async after(cx, { invitation, new_admin, ...saved }): Promise<InvitedUser> {
    await Promise.all([
      invitation === null ? undefined : mailInvitation(cx, invitation),
      new_admin === null ? undefined : notifyAdmins(cx, new_admin),
    ]);
    return { ...saved, link: invitation && linkOf(cx, invitation.token) };
  },
});

/** The link of the invitation is secret, and null for a repeated call. Only the pages show it, once. */
interface InvitedUser extends Saved {
  readonly link: string | null;
}

interface CreatedUser extends Saved {
  readonly invitation: Invitation | null;
  readonly new_admin: User | null;
}

/** The user when the change makes them an admin, otherwise null; `before` is null for a new user. */
function newAdmin(before: User | null, after: User): User | null {
  return becomesAdmin(before, after) ? after : null;
}

/** Changes the given fields. Throws NOT_FOUND, ROLE_FORBIDDEN, EMAIL_TAKEN, LAST_ADMIN, RATE_LIMITED (invitations). */
export const changeUser = defineCommand({
  name: "change_user",
  access: "write",
  input: z.object({ ref: Ref, changes: UserUpdate }),

  async plan(tx, { ref, changes }) {
    // All admins are locked first, in one order, so that the second of two demotions waits for the first.
    const { user } = await getUser(tx, ref);
    const other_admins = await countOtherAdmins(tx, user.id);
    const stored = await lockUser(tx, ref);
    const after = { ...stored.user, ...given(changes) } as User;
    requireMayChangeAdmin(isAdminInPerson(tx.caller), stored.user, after);
    requireAdminRemains(stored.user, after, other_admins);
    return { stored, after };
  },

  async commit(tx, { stored, after }) {
    if (JSON.stringify(stored.user) === JSON.stringify(after)) {
      return { document: stored.document, invitation: null, left: null, new_admin: null };
    }
    const { account_id } = tx.caller;
    const { id, created_at: _, ...fields } = after;
    // A new address may belong to another person: its holder is invited.
    const has_moved = stored.user.email.toLowerCase() !== after.email.toLowerCase();
    if (has_moved && after.active) await countMail(tx, "people");
    const signed_in = has_moved && (await forgetLogin(tx, id));
    if (has_moved || !after.active) await endSignIns(tx, id);
    const invitation = has_moved && after.active ? await storeInvitation(tx, after) : null;
    const updated_at = await takeStamp(tx);
    const document = presentUser(after, updated_at);
    tx.write(sql`${update("users", { ...fields, document, updated_at })}
        where account_id = ${account_id} and id = ${id}`);
    tx.audit("user", id, "updated", { before: stored.document, after: document });
    // An address that was never used to sign in gets no notice: its holder is unknown, and no session ends.
    const left = signed_in ? stored.user.email : null;
    return { document, invitation, left, new_admin: newAdmin(stored.user, after) };
  },

  async after(cx, { document, invitation, left, new_admin }): Promise<JsonText> {
    const { account_id, sandbox } = cx.caller;
    await Promise.all([
      left === null
        ? undefined
        : notifyOwner(cx, { email: left, account_id, sandbox }, { kind: "address" }),
      invitation === null ? undefined : mailInvitation(cx, invitation),
      new_admin === null ? undefined : notifyAdmins(cx, new_admin),
    ]);
    return document;
  },
});

/** Ends the sessions of a user, and the grants of their assistants; their history stays. */
async function endSignIns(tx: Tx, user_id: string): Promise<void> {
  for (const table of ["sessions", "oauth_codes", "oauth_grants", "invitations"] as const) {
    tx.write(sql`delete from ${raw(table)}
        where account_id = ${tx.caller.account_id} and user_id = ${user_id}`);
  }
}

/** Removes the user from their login; returns whether there was a login. */
async function forgetLogin(cx: Reader, user_id: string): Promise<boolean> {
  const forgotten = await cx.row(sql`update users set login_id = null
      where account_id = ${cx.caller.account_id} and id = ${user_id} and login_id is not null
      returning id`);
  return forgotten !== undefined;
}

/** Changes the name or address of a user whose login stays theirs: no invitation, and no session ends. Throws EMAIL_TAKEN. */
export async function storeIdentity(
  tx: Tx,
  user_id: string,
  fields: Partial<Pick<User, "name" | "email">>,
): Promise<void> {
  const stored = await lockUser(tx, user_id);
  const { id, created_at, ...after } = { ...stored.user, ...fields };
  if (stored.user.name === after.name && stored.user.email === after.email) return;
  const updated_at = await takeStamp(tx);
  const document = presentUser({ ...after, id, created_at }, updated_at);
  tx.write(sql`${update("users", { name: after.name, email: after.email, document, updated_at })}
      where account_id = ${tx.caller.account_id} and id = ${id}`);
  tx.audit("user", id, "updated", { before: stored.document, after: document });
}

/** Stores a new user and its audit event. */
export async function insertUser(
  tx: Tx,
  fields: Pick<User, "name" | "email" | "role" | "external_id">,
  request_hash: Buffer | null,
  login_id: string | null,
): Promise<StoredUser> {
  const { account_id } = tx.caller;
  const updated_at = await takeStamp(tx);
  const user: User = {
    id: newId(),
    external_id: fields.external_id,
    name: fields.name,
    email: fields.email,
    role: fields.role,
    active: true,
    created_at: shownStamp(updated_at),
  };
  const document = presentUser(user, updated_at);
  const row = { ...user, account_id, login_id, request_hash, document, updated_at };
  tx.write(insert("users", row));
  tx.audit("user", user.id, "created", { before: null, after: document });
  return { user, document };
}
