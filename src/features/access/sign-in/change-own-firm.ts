/**
 * Makes an account the firm of its admin: names the account and the person. The login of the first start also gets the address
 * and the password of its owner, without a mail, because its own address has no mailbox; it can do so once.
 */
import { Problem } from "../../../domain/base/problem.ts";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { findPerson, PERSON_COLUMNS, type PersonRow } from "../../../platform/security/person.ts";
import { hashPassword } from "../people/password.ts";
import { storeIdentity } from "../people/save.ts";
import { type LoginRow, recordLogin } from "./sign-in.ts";

interface OwnFirm {
  readonly account_id: string;
  readonly user_id: string;
  readonly login_id: string;
  /** The name of the account. */
  readonly firm: string;
  /** The name of the person. */
  readonly name: string;
  /** The address and the password of the first start's login; null for other logins. */
  readonly credentials: { readonly email: string; readonly password: string } | null;
}

/** Whether the login was made by the first start and has not got its owner's address yet. */
export async function isUnclaimed(db: Reads, login_id: string): Promise<boolean> {
  const row = await db.row(
    sql`select from first_start where login_id = ${login_id} and claimed_at is null`,
  );
  return row !== undefined;
}

/**
 * Returns the login and its person; with a new password all sessions of the login have ended. Throws NOT_FOUND unless the person
 * is an admin of the account, or where credentials are given for another login than the first start's; and EMAIL_TAKEN.
 */
export const changeOwnFirm = defineDoorCommand({
  name: "change_own_firm",
  async before(_services, { credentials, ...firm }: OwnFirm) {
    if (credentials === null) return { ...firm, credentials };
    const { email, password } = credentials;
    return { ...firm, credentials: { email, password_hash: await hashPassword(password) } };
  },

  async commit(tx, { account_id, user_id, login_id, firm, name, credentials }) {
    const before = await tx.row<LoginRow>(
      sql`select id, email, password_hash from logins where id = ${login_id} for no key update`,
    );
    // The users are locked before the sessions end, and before anything is stamped.
    tx.lock(
      sql`select from users where login_id = ${login_id} order by account_id, id for no key update`,
    );
    const person = await findPerson(tx, account_id, user_id);
    if (before === undefined || person?.role !== "admin") throw new Problem("NOT_FOUND");
    const login = credentials === null ? before : await claimed(tx, login_id, credentials);
    const own = tx.as(person);
    await storeIdentity(own, user_id, { name, email: login.email });
    if (credentials !== null) {
      for (const other of await otherPersons(tx, login_id, account_id)) {
        await storeIdentity(tx.as(other), other.user_id, { email: login.email });
      }
      recordLogin(own, "password_changed", user_id, "login");
    }
    renameAccount(tx, person, firm);
    tx.write(sql`insert into put_away_steps (account_id, step) values (${account_id}, 'welcome')
       on conflict do nothing`);
    return { login, person };
  },
});

/** Gives the first start's login its owner's address and password, and ends its sessions and links. */
async function claimed(
  tx: DoorTx,
  login_id: string,
  { email, password_hash }: { readonly email: string; readonly password_hash: string },
): Promise<LoginRow> {
  const first = await tx.row(sql`update first_start set claimed_at = (select clock_timestamp())
     where login_id = ${login_id} and claimed_at is null returning login_id`);
  if (first === undefined) throw new Problem("NOT_FOUND");
  tx.write(
    sql`update logins set email = ${email}, password_hash = ${password_hash} where id = ${login_id}`,
  );
  // An address in use is refused here, before the address of any user changes.
  await tx.settled();
  tx.write(sql`delete from sessions where login_id = ${login_id}`);
  tx.write(sql`delete from password_resets where login_id = ${login_id}`);
  tx.write(sql`delete from sign_in_links where login_id = ${login_id}`);
  return { id: login_id, email, password_hash };
}

/** The users of the login in other accounts, such as its studio. */
function otherPersons(tx: DoorTx, login_id: string, account_id: string): Promise<PersonRow[]> {
  return tx.rows<PersonRow>(sql`select ${raw(PERSON_COLUMNS)} from users u
     join accounts a on a.id = u.account_id
     where u.login_id = ${login_id} and u.account_id <> ${account_id} order by u.account_id`);
}

function renameAccount(tx: DoorTx, person: PersonRow, name: string): void {
  const { account_id: id, account_name, sandbox } = person;
  if (name === account_name) return;
  tx.write(sql`update accounts set name = ${name} where id = ${id}`);
  const shown = (of: string) => jsonText({ object: "account", id, name: of, sandbox });
  tx.as(person).audit("account", id, "updated", {
    before: shown(account_name),
    after: shown(name),
  });
}
