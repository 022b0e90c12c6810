/** Adds a passkey to a login. Its registration proves that the browser has the key: it counts from then on. */
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Login } from "../sign-in/sign-in.ts";
import { checkNewPasskey, MOST_PASSKEYS, type NewPasskey } from "./check-passkey.ts";
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
 * Stores a new passkey. Returns undefined for one that does not verify, that a login has already, and beyond the tenth. The other
 * sessions of the login end, and its owner is notified.
 */
export const registerPasskey = defineDoorCommand({
  name: "register_passkey",
  async before(services, { sent, ...given }: SentPasskey) {
    const key = await checkNewPasskey(services, given.login.id, given.session_token, sent);
    return { ...given, key };
  },

  async commit(tx, { login, session_token, name, key }): Promise<AddedFactor | undefined> {
    if (key === undefined || !(await storeKey(tx, login, name, key))) return undefined;
    return addFactor(tx, login, session_token, "passkey");
  },

  after: notifyOfFactor,
});

async function storeKey(tx: DoorTx, login: Login, name: string, key: NewPasskey): Promise<boolean> {
  tx.lock(sql`select 1 from logins where id = ${login.id} for no key update`);
  const row = await tx.row<{ count: number }>(
    sql`select count(*)::int as count from passkeys where login_id = ${login.id}`,
  );
  if ((row?.count ?? 0) >= MOST_PASSKEYS) return false;
  const shown = [...name.trim()].slice(0, LONGEST_NAME).join("") || "Passkey";
  const stored =
    await tx.row(sql`insert into passkeys (id, login_id, name, public_key, counter, transports)
     values (${key.id}, ${login.id}, ${shown}, ${key.public_key}, ${key.counter}, ${[...key.transports]})
     on conflict (id) do nothing returning 1`);
  return stored !== undefined;
}
