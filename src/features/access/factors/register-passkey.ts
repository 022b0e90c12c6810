/** Adds a passkey to a login, in two steps: the browser makes it, and its first right answer makes it count. */
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Login } from "../sign-in/sign-in.ts";
import { checkNewPasskey, checkPasskey, MOST_PASSKEYS } from "./check-passkey.ts";
import { type AddedFactor, addFactor, notifyOfFactor } from "./register-authenticator.ts";

const LONGEST_NAME = 60;

interface SentPasskey {
  readonly login: Login;
  readonly session_token: string;
  /** The name that the person gives the passkey; an empty one becomes `Passkey`. */
  readonly name: string;
  /** The answer of the browser, as JSON. */
  readonly sent: string;
}

/**
 * Stores a new passkey, which does not count yet: its registration is not signed by the passkey. It replaces another one that does
 * not count. Returns undefined for one that does not verify, that a login has already, and beyond the tenth.
 */
export const registerPasskey = defineDoorCommand({
  name: "register_passkey",
  async before(services, { sent, ...given }: SentPasskey) {
    const key = await checkNewPasskey(services, given.login.id, given.session_token, sent);
    return { ...given, key };
  },

  async commit(tx, { login, name, key }): Promise<true | undefined> {
    if (key === undefined || !(await hasRoom(tx, login))) return undefined;
    tx.write(sql`delete from passkeys where login_id = ${login.id} and last_used_at is null`);
    const shown = [...name.trim()].slice(0, LONGEST_NAME).join("") || "Passkey";
    const stored =
      await tx.row(sql`insert into passkeys (id, login_id, name, public_key, counter, transports)
       values (${key.id}, ${login.id}, ${shown}, ${key.public_key}, ${key.counter}, ${[...key.transports]})
       on conflict (id) do nothing returning 1`);
    return stored === undefined ? undefined : true;
  },
});

/**
 * Makes the new passkey of a login count by its first answer. Returns undefined for a wrong answer, where no passkey waits for one,
 * and beyond the tenth. The other sessions of the login end, and its owner is notified.
 */
export const confirmPasskey = defineDoorCommand({
  name: "confirm_passkey",
  async before(services, { login, session_token, sent }: Omit<SentPasskey, "name">) {
    const answer = await checkPasskey(services, login.id, session_token, sent, "new");
    return { login, session_token, answer };
  },

  async commit(tx, { login, session_token, answer }): Promise<AddedFactor | undefined> {
    if (answer === undefined || !(await hasRoom(tx, login))) return undefined;
    const counts =
      await tx.row(sql`update passkeys set counter = ${answer.new_counter}, last_used_at = (select clock_timestamp())
       where login_id = ${login.id} and id = ${answer.id} and last_used_at is null returning 1`);
    if (counts === undefined) return undefined;
    return addFactor(tx, login, session_token, "passkey");
  },

  after: notifyOfFactor,
});

/** Locks the login; returns whether it may have another passkey. */
async function hasRoom(tx: DoorTx, login: Login): Promise<boolean> {
  tx.lock(sql`select 1 from logins where id = ${login.id} for no key update`);
  const row = await tx.row<{ count: number }>(sql`select count(*)::int as count from passkeys
     where login_id = ${login.id} and last_used_at is not null`);
  return (row?.count ?? 0) < MOST_PASSKEYS;
}
