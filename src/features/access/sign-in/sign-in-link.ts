/**
 * Sign-in links: a way in without a password and without a mail, for the operator of the installation. The first start and the
 * command line make them. A link works once, for ten minutes; a newer one of the same login replaces it.
 */
import { randomBytes } from "node:crypto";
import type { Actor } from "../../../platform/commands/context.ts";
import { defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { personsOfLogin } from "../../../platform/security/person.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import { findLogin, type LoginRow, recordLogin } from "./sign-in.ts";

/** How long a sign-in link works. */
export const LINK_MINUTES = 10;

interface WantedLink {
  readonly operator: Actor;
  readonly email: string;
  /** Whether the owner is informed by mail; not at the first start, whose address has no mailbox. */
  readonly is_mailed: boolean;
}

interface MadeLink {
  readonly login: LoginRow;
  /** The secret of the link, which is stored as a hash only. */
  readonly token: string;
  readonly is_mailed: boolean;
}

/**
 * Makes a sign-in link of the login with an address, and ends an older one. Each account of the login records it. Returns
 * undefined when the address has no login, or the login no active user.
 */
export const makeSignInLink = defineDoorCommand({
  name: "make_sign_in_link",
  async before({ gate }, { operator, email, is_mailed }: WantedLink) {
    return { operator, is_mailed, login: await findLogin(gate, email) };
  },

  async commit(tx, { operator, is_mailed, login }): Promise<MadeLink | undefined> {
    if (login === undefined) return undefined;
    const persons = await personsOfLogin(tx, login.id);
    if (persons.length === 0) return undefined;
    const token = randomBytes(32).toString("base64url");
    tx.write(sql`insert into sign_in_links (login_id, hash, expires_at)
     values (${login.id}, ${sha256(token)}, clock_timestamp() + make_interval(mins => ${LINK_MINUTES}))
     on conflict (login_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`);
    // The heads of the audit trails are locked in one order, as by changes of passwords.
    for (const person of persons.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1))) {
      recordLogin(tx.as(person, operator), "sign_in_link_made", person.user_id, "login");
    }
    return { login, token, is_mailed };
  },

  async after(services, made) {
    if (made === undefined) return undefined;
    const { login, token, is_mailed } = made;
    if (is_mailed) {
      const owner = await ownerOfLogin(services, login);
      await notifyOwner(services, owner, { kind: "sign_in_link", minutes: LINK_MINUTES });
    }
    return `${services.config.base_url}/sign-in/link?token=${token}`;
  },
});

/** Returns the login that a link signs in; undefined for a used, replaced, expired or unknown link. */
export function findLinkedLogin(
  db: Reads,
  token: string | undefined,
): Promise<LoginRow | undefined> {
  return db.row<LoginRow>(sql`select l.id, l.email, l.password_hash
     from sign_in_links k join logins l on l.id = k.login_id
     where k.hash = ${sha256(token ?? "")} and k.expires_at > clock_timestamp()
       and exists (select from users u where u.login_id = l.id and u.active)`);
}

/** Uses a link up and returns its login, for which a session may begin; undefined for a link that does not work. */
export const takeSignInLink = defineDoorCommand({
  name: "take_sign_in_link",
  async commit(tx, token: string): Promise<LoginRow | undefined> {
    const login = await findLinkedLogin(tx, token);
    if (login === undefined) return undefined;
    const taken = await tx.row(
      sql`delete from sign_in_links where login_id = ${login.id} and hash = ${sha256(token)} returning login_id`,
    );
    return taken === undefined ? undefined : login;
  },
});
