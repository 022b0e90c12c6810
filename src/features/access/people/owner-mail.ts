/**
 * Mails notices that the owner of an address gets without a request: another password, another address, a new assistant, another
 * admin, too many wrong passwords, a sign-in link. Other mail of an account does not count against these notices. They have their own small
 * limit, so that an attacker cannot fill a mailbox with them.
 */

import { Problem } from "../../../domain/base/problem.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { countAttempt, type Limit } from "../../../platform/fairness/limits/rate-counter.ts";
import { sendNote } from "../../../platform/mail/note.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { findWriter } from "./find-language.ts";
import { type News, ownerTexts } from "./owner-texts.ts";

/** The owner of an address, in the account that writes to them and in its language. */
interface Owner {
  readonly email: string;
  /** Null for a login that is not a user of any account. */
  readonly account_id: string | null;
  /** The people of a sandbox are fictitious: their mail goes to the outbox folder. */
  readonly sandbox: boolean;
}

const HOUR = 3600;
/** The limits of notices: further guesses are no news to an owner who has been notified. */
const LIMITS: Readonly<Record<News["kind"], Limit>> = {
  password: { name: "note of a password", most: 10, seconds: HOUR },
  address: { name: "note of an address", most: 10, seconds: HOUR },
  grant: { name: "note of a grant", most: 10, seconds: HOUR },
  admin: { name: "note of an admin", most: 10, seconds: HOUR },
  factor_added: { name: "note of a factor", most: 10, seconds: HOUR },
  factor_removed: { name: "note of a removed factor", most: 10, seconds: HOUR },
  factors_reset: { name: "note of reset factors", most: 10, seconds: HOUR },
  locked_out: { name: "note of a lock-out", most: 1, seconds: HOUR },
  sign_in_link: { name: "note of a sign-in link", most: 10, seconds: HOUR },
  factor_locked: { name: "note of a locked factor", most: 1, seconds: HOUR },
};

/** Notifies the owner. Never throws. Call outside of any transaction. */
export async function notifyOwner(
  cx: Pick<Services, "db" | "log" | "mail">,
  owner: Owner,
  news: News,
): Promise<void> {
  try {
    await countAttempt(cx.db, LIMITS[news.kind], owner.email.toLowerCase());
    const { language, account_name } = await findWriter(cx.db, owner.account_id);
    const facts = {
      email: owner.email,
      account: account_name ?? "Matchbook",
      base_url: cx.mail.base_url,
    };
    await sendNote({ ...cx, caller: { sandbox: owner.sandbox } }, owner.email, {
      language,
      ...ownerTexts[language](news, facts),
    });
  } catch (error) {
    // The same notice again within an hour adds nothing.
    if (error instanceof Problem) return;
    cx.log.warn({ err: error, news: news.kind }, "the owner of an address could not be notified");
  }
}

/** Notifies the other active admins of a new admin. Never throws. Call outside of any transaction. */
export async function notifyAdmins(
  cx: Context,
  { id, name, email }: { readonly id: string; readonly name: string; readonly email: string },
): Promise<void> {
  const { account_id, sandbox } = cx.caller;
  const others = await cx.rows<{ email: string }>(sql`select email from users
     where account_id = ${account_id} and role = 'admin' and active and id <> ${id} order by id`);
  const news = { kind: "admin", admin_name: name, admin_email: email } as const;
  await Promise.all(
    others.map((other) => notifyOwner(cx, { email: other.email, account_id, sandbox }, news)),
  );
}

/** Returns a login as the owner of its address, in its first account; of a sandbox if it has only sandbox accounts. */
export async function ownerOfLogin(
  { db }: Pick<Services, "db">,
  login: { readonly id: string; readonly email: string },
): Promise<Owner> {
  // A person who is also in a real account, or invited to one, has a real mailbox.
  const row = await db.row<{ sandbox: boolean | null; account_id: string | null }>(sql`
    select bool_and(a.sandbox) as sandbox, (array_agg(a.id order by a.name, a.id))[1] as account_id
     from users u join accounts a on a.id = u.account_id
     where u.active and (u.login_id = ${login.id} or lower(u.email) = lower(${login.email}))`);
  const { sandbox = null, account_id = null } = row ?? {};
  return { email: login.email, account_id, sandbox: sandbox ?? false };
}
