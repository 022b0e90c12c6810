/** Creating and changing users. One active admin always remains (spec 7.1). */

import * as z from "zod";
import { requireAdminRemains } from "../../domain/base/user.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Reader } from "../../platform/context.ts";
import {
  findRepeat,
  type Saved,
  shownStamp,
  takeStamp,
} from "../../platform/database/resources.ts";
import { insert, raw, sql, update } from "../../platform/database/sql.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import { contentHash, type JsonText } from "../../platform/json.ts";
import { countMail } from "../../platform/mail/limit.ts";
import type { Tx } from "../../platform/tx.ts";
import { type Invitation, mailInvitation, storeInvitation } from "./invite.ts";
import { tellOwner } from "./owner-mail.ts";
import {
  countOtherAdmins,
  getUser,
  lockUser,
  presentUser,
  type StoredUser,
  type User,
} from "./queries.ts";
import { UserCreate, UserUpdate } from "./schemas.ts";

type CreatePlan =
  | { readonly repeat: JsonText }
  | { readonly sent: UserCreate; readonly request_hash: Buffer };

/** Creates a user. Throws EXTERNAL_ID_CONFLICT, EMAIL_TAKEN, and RATE_LIMITED before an invitation too many. */
export const createUser = defineCommand({
  name: "create_user",
  access: "write",
  input: UserCreate,

  async plan(cx, sent): Promise<CreatePlan> {
    const request_hash = contentHash(sent);
    const repeat = await findRepeat(cx, "users", sent.external_id ?? null, request_hash);
    return repeat === undefined ? { sent, request_hash } : { repeat };
  },

  async commit(cx, plan): Promise<Saved & { readonly invitation: Invitation | null }> {
    if ("repeat" in plan) return { created: false, document: plan.repeat, invitation: null };
    const external_id = plan.sent.external_id ?? null;
    await countMail(cx, "people");
    const stored = await insertUser(cx, { ...plan.sent, external_id }, plan.request_hash, null);
    if (stored !== undefined) {
      // After the audit event, and yet without waiting: nobody else knows the user.
      const invitation = await storeInvitation(cx, stored.user);
      return { created: true, document: stored.document, invitation };
    }
    const repeat = await findRepeat(cx, "users", external_id, plan.request_hash);
    if (repeat === undefined) throw new Error("the user is neither new nor a repeat");
    return { created: false, document: repeat, invitation: null };
  },

  async after(cx, { invitation, ...saved }): Promise<Saved> {
    if (invitation !== null) await mailInvitation(cx, invitation);
    return saved;
  },
});

/** Changes the fields sent. Throws NOT_FOUND, EMAIL_TAKEN, LAST_ADMIN, and RATE_LIMITED before an invitation too many. */
export const changeUser = defineCommand({
  name: "change_user",
  access: "write",
  input: z.object({ ref: Ref, changes: UserUpdate }),

  async plan(cx, { ref, changes }) {
    // All admins are locked first, in one order: two demotions wait for each other.
    const { user } = await getUser(cx, ref);
    const other_admins = await countOtherAdmins(cx, user.id);
    const stored = await lockUser(cx, ref);
    const given = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    );
    const after: User = { ...stored.user, ...given };
    requireAdminRemains(stored.user, after, other_admins);
    return { stored, after };
  },

  async commit(cx, { stored, after }) {
    if (JSON.stringify(stored.user) === JSON.stringify(after)) {
      return { document: stored.document, invitation: null, left: null };
    }
    const { account_id } = cx.caller;
    const { id, created_at: _, ...fields } = after;
    // Another address is another person's, as far as we know: who has it is invited.
    const has_moved = stored.user.email.toLowerCase() !== after.email.toLowerCase();
    if (has_moved && after.active) await countMail(cx, "people");
    const signed_in = has_moved && (await forgetLogin(cx, id));
    if (has_moved || !after.active) await endSignIns(cx, id);
    const invitation = has_moved && after.active ? await storeInvitation(cx, after) : null;
    const updated_at = await takeStamp(cx);
    const document = presentUser(after, updated_at);
    cx.write(sql`${update("users", { ...fields, document, updated_at })}
        where account_id = ${account_id} and id = ${id}`);
    cx.audit({
      action: "updated",
      resource_type: "user",
      resource_id: id,
      before: stored.document,
      after: document,
    });
    // Who never signed in with the address is told nothing: it may be anybody's, and nothing has ended.
    return { document, invitation, left: signed_in ? stored.user.email : null };
  },

  async after(cx, { document, invitation, left }): Promise<JsonText> {
    const { account_id, sandbox } = cx.caller;
    await Promise.all([
      left === null
        ? undefined
        : tellOwner(cx, { email: left, account_id, sandbox }, { kind: "address" }),
      invitation === null ? undefined : mailInvitation(cx, invitation),
    ]);
    return document;
  },
});

/** Ends the sessions of a user, and what they have allowed assistants; their history stays. */
async function endSignIns(tx: Tx, user_id: string): Promise<void> {
  for (const table of ["sessions", "oauth_codes", "oauth_grants", "invitations"] as const) {
    tx.write(sql`delete from ${raw(table)}
        where account_id = ${tx.caller.account_id} and user_id = ${user_id}`);
  }
}

/** Answers whether there was one. */
async function forgetLogin(cx: Reader, user_id: string): Promise<boolean> {
  const forgotten = await cx.rows(sql`update users set login_id = null
      where account_id = ${cx.caller.account_id} and id = ${user_id} and login_id is not null
      returning id`);
  return forgotten.length === 1;
}

/** Stores a new user and its audit event; undefined when the external id is taken. */
export async function insertUser(
  tx: Tx,
  fields: Pick<User, "name" | "email" | "role" | "external_id">,
  request_hash: Buffer | null,
  login_id: string | null,
): Promise<StoredUser | undefined> {
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
  const inserted = await tx.rows(
    sql`${insert("users", row)} on conflict (account_id, external_id) do nothing returning id`,
  );
  if (inserted.length === 0) return undefined;
  tx.audit({
    action: "created",
    resource_type: "user",
    resource_id: user.id,
    before: null,
    after: document,
  });
  return { user, document };
}
