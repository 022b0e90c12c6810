/**
 * Signing in: address and password against the login, then a session. Unknown addresses cost the same work
 * and get the same answer; attempts are counted by login and by the address that they come from.
 */
import { recordAudit } from "../../platform/audit.ts";
import { fullAccess } from "../../platform/context.ts";
import { type Database, query } from "../../platform/database/database.ts";
import { transaction } from "../../platform/database/transaction.ts";
import { jsonText } from "../../platform/json.ts";
import { type PersonRow, personCaller, personsOfLogin } from "../../platform/person.ts";
import { contextFor, type Services } from "../../platform/services.ts";
import { countAttempt, forgetAttempts, type Limit } from "../../platform/web/rate-counter.ts";
import { beginSession } from "../../platform/web/session.ts";
import { isPassword } from "../people/password.ts";

export const SIGN_INS_OF_LOGIN: Limit = { name: "sign-in of a login", most: 10, seconds: 900 };
export const SIGN_INS_OF_ADDRESS: Limit = {
  name: "sign-in from an address",
  most: 100,
  seconds: 900,
};

export interface Login {
  readonly id: string;
  readonly email: string;
}

/** A login with the hash of the password that was right a moment ago. */
export interface LoginRow extends Login {
  readonly password_hash: string;
}

/** The login of an address, whatever its case. */
export async function findLogin(db: Database, email: string): Promise<LoginRow | undefined> {
  const [row] = await query<LoginRow>(
    db,
    "select id, email, password_hash from logins where lower(email) = lower($1)",
    [email],
  );
  return row;
}

/** The login whose password it is; null otherwise. Throws RATE_LIMITED. */
export async function checkPassword(
  services: Services,
  email: string,
  password: string,
  address: string,
): Promise<LoginRow | null> {
  const { db } = services;
  await countAttempt(db, SIGN_INS_OF_ADDRESS, address);
  await countAttempt(db, SIGN_INS_OF_LOGIN, email.toLowerCase());
  const login = await findLogin(db, email);
  if (!(await isPassword(login?.password_hash ?? null, password)) || login === undefined) {
    return null;
  }
  await forgetAttempts(db, SIGN_INS_OF_LOGIN, email.toLowerCase());
  return login;
}

/**
 * Begins a session of a login whose password was right. With one user it is in that user's account at
 * once; with several it has none until one is chosen. Answers the new cookie; undefined when the password
 * has changed in the meantime.
 */
export async function startSession(
  services: Services,
  login: LoginRow,
  before: string,
): Promise<string | undefined> {
  const [first, ...others] = await personsOfLogin(services.db, login.id);
  return transaction(services.db, async (db) => {
    // A new password waits for this, and then ends this session too.
    const unchanged = await query(
      db,
      "select 1 from logins where id = $1 and password_hash = $2 for share",
      [login.id, login.password_hash],
    );
    if (unchanged.length === 0) return undefined;
    return first === undefined || others.length > 0
      ? beginSession(db, login.id, null, before)
      : enterAccount({ ...services, db }, login.id, first, before);
  });
}

/** Begins a session in the account of a person, with the audit event that says so. */
export async function enterAccount(
  services: Services,
  login_id: string,
  person: PersonRow,
  before: string,
): Promise<string> {
  const caller = personCaller(person, fullAccess, null);
  return transaction(services.db, async (db) => {
    const cx = { ...contextFor(services, caller, services.log), db, locks: true };
    const token = await beginSession(db, login_id, person, before);
    await recordAudit(cx, {
      action: "signed_in",
      resource_type: "user",
      resource_id: person.user_id,
      before: null,
      after: jsonText({ object: "session", user_id: person.user_id }),
    });
    return token;
  });
}
