/**
 * Invitations: a link, mailed to a user's address, that lets its holder set a password and become that user. An
 * existing login of the address is unchanged; its owner accepts by signing in (spec 12.6).
 */
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { sendNote } from "../../../platform/mail/note.ts";
import { jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { findWriter } from "./find-language.ts";
import { invitationNote } from "./invite-texts.ts";
import { lockUser } from "./queries.ts";

const INVITATION_DAYS = 7;

/** A stored invitation; its token is only known until it has been mailed. */
export interface Invitation {
  readonly user_id: string;
  readonly email: string;
  readonly token: string;
  /** Whether the address has a login. Only the mail to its owner reveals that. */
  readonly has_login: boolean;
}

/** Invites a user again. Throws NOT_FOUND, USER_INACTIVE, USER_HAS_LOGIN, RATE_LIMITED. Returns the link, which is secret. */
export const inviteUser = defineCommand({
  name: "invite_user",
  access: "write",
  input: z.object({ ref: Ref }),

  async plan(tx, { ref }) {
    const { user } = await lockUser(tx, ref);
    if (!user.active) throw new Problem("USER_INACTIVE");
    const row = await tx.row<{ login_id: string | null }>(
      sql`select login_id from users where account_id = ${tx.caller.account_id} and id = ${user.id}`,
    );
    if (row?.login_id != null) throw new Problem("USER_HAS_LOGIN");
    return user;
  },

  async commit(tx, user): Promise<Invitation> {
    await countMail(tx, "people");
    const invitation = await storeInvitation(tx, user);
    tx.audit("user", user.id, "invited", {
      before: null,
      after: jsonText({ object: "invitation", user_id: user.id, email: user.email }),
    });
    return invitation;
  },

  async after(cx, invitation): Promise<string> {
    await mailInvitation(cx, invitation);
    return linkOf(cx, invitation.token);
  },
});

/** Stores an invitation in place of an older one; call inside a transaction, and mail it afterwards. */
export async function storeInvitation(
  cx: Reader,
  user: { readonly id: string; readonly email: string },
): Promise<Invitation> {
  const token = randomBytes(32).toString("base64url");
  const stored = cx.rows(sql`
    insert into invitations (account_id, user_id, hash, expires_at)
     values (${cx.caller.account_id}, ${user.id}, ${sha256(token)}, clock_timestamp() + make_interval(days => ${INVITATION_DAYS}))
     on conflict (account_id, user_id) do update set hash = excluded.hash,
       created_at = excluded.created_at, expires_at = excluded.expires_at`);
  const login = cx.row(sql`select from logins where lower(email) = lower(${user.email})`);
  const [, found] = await Promise.all([stored, login]);
  const has_login = found !== undefined;
  return { user_id: user.id, email: user.email, token, has_login };
}

/** Mails the link in the language of the account. A failure is logged: the user can be invited again. */
export async function mailInvitation(cx: Context, invitation: Invitation): Promise<void> {
  const { account_id, account_name: account } = cx.caller;
  const { language } = await findWriter(cx, account_id);
  const { email, token, has_login } = invitation;
  const facts = { account, link: linkOf(cx, token), days: INVITATION_DAYS, has_login };
  await sendNote(cx, email, invitationNote(language, facts));
}

/** Returns the link of an invitation. The token is in the query, which no log keeps. */
export function linkOf(cx: Reader, token: string): string {
  return `${cx.mail.base_url}/invitation?token=${token}`;
}
