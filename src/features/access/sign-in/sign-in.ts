/**
 * Signs people in: address and password are checked against the login, then a session begins. For unknown addresses, work and
 * response are the same; attempts are counted by login and by their source address.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { EventAction } from "../../../domain/events/event-types.ts";
import type { Actor } from "../../../platform/commands/context.ts";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  countAttempt,
  countAttemptFrom,
  forgetAttempts,
  type Limit,
  networkOf,
  takeBackAttemptFrom,
} from "../../../platform/fairness/limits/rate-counter.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { digestOf, notice } from "../../../platform/security/notice.ts";
import { type PersonRow, personsOfLogin } from "../../../platform/security/person.ts";
import { beginPending, hasFactor } from "../../../platform/security/sessions/pending-sign-in.ts";
import {
  beginSession,
  endSession,
  moveSession,
} from "../../../platform/security/sessions/session.ts";
import type { Visitor } from "../../../platform/security/sessions/visitor.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import { isPassword } from "../people/password.ts";

/** The limits of attempts at a login: from one network, so that attackers only lock out themselves, and in total. */
const SIGN_INS_OF_LOGIN: Limit = { name: "sign-in of a login", most: 10, seconds: 900 };
const SIGN_INS_ANYWHERE: Limit = { name: "sign-in of a login anywhere", most: 50, seconds: 900 };
const SIGN_INS_OF_ADDRESS: Limit = { name: "sign-in from an address", most: 100, seconds: 900 };

export interface Login {
  readonly id: string;
  readonly email: string;
}

/** A login with the hash of the password that was just checked. */
export interface LoginRow extends Login {
  readonly password_hash: string;
}

/** The login with an e-mail address, compared without regard to upper and lower case. */
export function findLogin(db: Reads, email: string): Promise<LoginRow | undefined> {
  return db.row<LoginRow>(
    sql`select id, email, password_hash from logins where lower(email) = lower(${email})`,
  );
}

/** Returns the login with this address and password; null otherwise. Throws RATE_LIMITED, and then notifies the login's owner. */
export async function checkPassword(
  services: Services,
  email: string,
  password: string,
  visitor: Visitor,
): Promise<LoginRow | null> {
  const { gate } = services;
  const { address } = visitor;
  const spelled = await spellingOf(gate, email);
  const digest = await digestOf(gate, spelled);
  visitor.concerns(digest);
  await countAttemptFrom(gate, SIGN_INS_OF_ADDRESS, address);
  try {
    await countAttempt(gate, SIGN_INS_OF_LOGIN, `${spelled}\n${networkOf(address)}`);
    await countAttempt(gate, SIGN_INS_ANYWHERE, spelled);
  } catch (error) {
    // Not awaited: the response time would reveal whether the address is known.
    if (error instanceof Problem) void notifyLockedOut(services, email);
    throw error;
  }
  const login = await findLogin(gate, email);
  if (!(await isPassword(login?.password_hash ?? null, password)) || login === undefined) {
    notice(services, "sign_in_failed", { address, login: digest });
    return null;
  }
  await takeBackAttemptFrom(gate, SIGN_INS_OF_ADDRESS, address);
  await forgetSignIns(gate, spelled, address);
  return login;
}

/** Notifies the owner of a login that reached the limit of attempts. Never throws. */
async function notifyLockedOut(services: Services, email: string): Promise<void> {
  try {
    const login = await findLogin(services.gate, email);
    if (login === undefined) return;
    const owner = await ownerOfLogin(services, login);
    const minutes = SIGN_INS_ANYWHERE.seconds / 60;
    await notifyOwner(services, owner, { kind: "locked_out", minutes });
  } catch (error) {
    services.log.warn({ err: error }, "the owner of a login could not be notified of a lock-out");
  }
}

/** Deletes the failed attempts at a login after its owner has proved their identity. */
export async function forgetSignIns(db: Reads, email: string, address: string): Promise<void> {
  const spelled = await spellingOf(db, email);
  await forgetAttempts(db, SIGN_INS_OF_LOGIN, `${spelled}\n${networkOf(address)}`);
  await forgetAttempts(db, SIGN_INS_ANYWHERE, spelled);
}

/** Returns the common spelling of an address. The database computes it, since it finds logins by its own case rules. */
export async function spellingOf(db: Reads, email: string): Promise<string> {
  const row = await db.row<{ spelled: string }>(sql`select lower(${email}::text) as spelled`);
  return row?.spelled ?? email;
}

/** A login for which a session begins, with its browser's cookie, and with the person when that is known. */
interface Entry {
  readonly login: Login;
  readonly session_token: string;
  readonly person?: PersonRow;
}

/** An entry by a password, with the visitor who typed it. */
interface FirstEntry extends Entry {
  readonly login: LoginRow;
  readonly visitor: Visitor;
  /** Whether the visitor has already answered with the second factor of the login. */
  readonly has_answered?: boolean;
}

/**
 * Begins a session of a login whose password was right. With a given person, the session is in that person's account; else, with
 * one user, immediately in that user's account; with several users in none until one is chosen. A login with a second factor
 * gets a pending sign-in instead, unless it has been answered. Returns the new cookie; undefined when the password, or the login
 * of the user, has changed in the meantime.
 */
export const startSession = defineDoorCommand({
  name: "start_session",
  async before({ gate }, { person, ...entry }: FirstEntry) {
    const persons = person ? [person] : await personsOfLogin(gate, entry.login.id);
    return { ...entry, person: persons.length === 1 ? persons[0] : undefined };
  },

  async commit(tx, { login, session_token, person, visitor, has_answered = false }) {
    // A new password waits for this lock, and then also ends this session.
    const unchanged = await tx.row(
      sql`select 1 from logins where id = ${login.id} and password_hash = ${login.password_hash} for share`,
    );
    if (unchanged === undefined) return undefined;
    if (person !== undefined && !(await isStillOf(tx, login.id, person))) return undefined;
    // A factor that is being added waits for the lock, and then ends this session; or it precedes, and is seen.
    if (!has_answered && (await hasFactor(tx, login.id))) {
      endSession(tx, session_token);
      return beginPending(tx, login.id);
    }
    const token = beginSession(tx, login.id, person ?? null, session_token, visitor);
    tx.write(
      sql`update first_start set signed_in_at = (select clock_timestamp()) where login_id = ${login.id} and signed_in_at is null`,
    );
    if (person) recordLogin(tx.as(person), "signed_in", person.user_id, "session");
    return token;
  },
});

/**
 * Takes a signed-in session into the account of a person. Returns the new cookie, which ends when
 * the old one would have; undefined when the session has ended in the meantime, or the person is no longer active.
 */
export const enterAccount = defineDoorCommand({
  name: "enter_account",
  async commit(tx, { login, person, session_token }: Required<Entry>) {
    // A new password precedes this lock, and has ended the session, or waits for it and ends the new session.
    tx.lock(sql`select 1 from logins where id = ${login.id} for share`);
    if (!(await isStillOf(tx, login.id, person))) return undefined;
    const token = await moveSession(tx, login.id, person, session_token);
    if (token) recordLogin(tx.as(person), "signed_in", person.user_id, "session");
    return token;
  },
});

/** Ends the session of a cookie, if there is one. */
export const signOut = defineDoorCommand({ name: "sign_out", commit: endSession });

/** Whether the person still belongs to the login. Locked: a deactivation waits for the new session, and then ends it too. */
export async function isStillOf(db: Reads, login_id: string, person: PersonRow): Promise<boolean> {
  const found = await db.row(
    sql`select 1 from users where account_id = ${person.account_id} and id = ${person.user_id} and login_id = ${login_id} and active for share`,
  );
  return found !== undefined;
}

/** Records an event of a person's login. */
export function recordLogin(
  tx: Tx,
  action: EventAction<"user">,
  user_id: string,
  object: "login" | "session",
  email?: string,
): void {
  tx.audit("user", user_id, action, { before: null, after: jsonText({ object, user_id, email }) });
}

/** Records an event of a login in each of its accounts, by the person of that account or by an actor who acts for them. */
export async function recordEverywhere(
  tx: DoorTx,
  login_id: string,
  action: EventAction<"user">,
  actor?: Actor,
): Promise<void> {
  const persons = await personsOfLogin(tx, login_id);
  // The heads of the audit trails are locked in one order, also by other changes of logins.
  for (const person of persons.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1))) {
    recordLogin(tx.as(person, actor), action, person.user_id, "login");
  }
}
