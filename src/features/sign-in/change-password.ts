/**
 * A new password for a login, by its owner who knows the old one or has the link of a mail. Whatever was
 * signed in or allowed before ends, in all accounts of the login.
 */
import { randomBytes } from "node:crypto";
import { Problem } from "../../domain/base/problem.ts";
import { type Actor, type Context, fullAccess, type Reader } from "../../platform/context.ts";
import type { Reads } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { type Transaction, transaction } from "../../platform/database/transaction.ts";
import { jsonText, sha256 } from "../../platform/json.ts";
import { countAttempt, countAttemptFrom, type Limit } from "../../platform/limits/rate-counter.ts";
import { countMail } from "../../platform/mail/limit.ts";
import { sendNote } from "../../platform/mail/note.ts";
import { digestOf, notice } from "../../platform/notice.ts";
import {
  PERSON_COLUMNS,
  type PersonRow,
  personCaller,
  personsOfLogin,
  txOfPerson,
} from "../../platform/person.ts";
import { contextFor, type Services } from "../../platform/services.ts";
import type { Visitor } from "../../platform/sessions/visitor.ts";
import { transact } from "../../platform/tx.ts";
import { type Invitation, mailInvitation, storeInvitation } from "../people/invite.ts";
import { ownerOfLogin, tellOwner } from "../people/owner-mail.ts";
import { hashPassword } from "../people/password.ts";
import { findLogin, forgetSignIns, type Login, type LoginRow, spellingOf } from "./sign-in.ts";

const RESET_MINUTES = 60;
const RESETS_OF_LOGIN: Limit = { name: "reset of a login", most: 3, seconds: 3600 };
const RESETS_OF_ADDRESS: Limit = { name: "reset from an address", most: 30, seconds: 3600 };

/**
 * Sets the password of a login whose old one was right, ends its sessions and grants, and records it in
 * each of its accounts. Its owner is told by mail. Answers the login as it is now; undefined when somebody else has
 * set one since.
 */
export async function setPassword(
  services: Services,
  login: LoginRow,
  password: string,
): Promise<LoginRow | undefined> {
  const password_hash = await hashPassword(password);
  const changed = await transaction(services.db, async (db) => {
    const unchanged = await db.row(
      sql`select 1 from logins where id = ${login.id} and password_hash = ${login.password_hash} for no key update`,
    );
    if (unchanged === undefined) return undefined;
    await storePassword(services, db, login.id, password_hash);
    return { ...login, password_hash };
  });
  if (changed !== undefined) await tellOfPassword(services, login);
  return changed;
}

/**
 * Sets the password of an address on behalf of the installation's operator, as when the last admin has lost theirs and
 * no mail reaches them. Sessions and grants end as with any new password, attempts are forgotten, and each of the
 * login's accounts records it. False when nobody signs in with the address.
 */
export async function setPasswordByOperator(
  services: Services,
  operator: Actor,
  email: string,
  password: string,
): Promise<boolean> {
  const login = await findLogin(services.db, email);
  if (login === undefined) return false;
  const password_hash = await hashPassword(password);
  await transaction(services.db, (db) =>
    storePassword(services, db, login.id, password_hash, operator),
  );
  await forgetSignIns(services.db, email, LOCAL);
  await tellOfPassword(services, login);
  return true;
}

/** Whose attempts are forgotten, beside those from anywhere: whoever sits at the machine. */
const LOCAL = "127.0.0.1";

async function tellOfPassword(services: Services, login: Login): Promise<void> {
  const owner = await ownerOfLogin(services, login);
  await tellOwner(services, owner, { kind: "password" });
}

async function storePassword(
  services: Services,
  tx: Transaction,
  login_id: string,
  password_hash: string,
  actor?: Actor,
): Promise<void> {
  tx.write(sql`update logins set password_hash = ${password_hash} where id = ${login_id}`);
  tx.write(sql`delete from sessions where login_id = ${login_id}`);
  tx.write(sql`delete from password_resets where login_id = ${login_id}`);
  for (const table of ["oauth_codes", "oauth_grants"] as const) {
    tx.write(sql`delete from ${raw(table)} t using users u
       where u.login_id = ${login_id} and t.account_id = u.account_id and t.user_id = u.id`);
  }
  const persons = await personsOfLogin(tx, login_id);
  // The heads of the trails are locked in one order, whoever else changes a password.
  for (const person of persons.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1))) {
    txOfPerson(services, tx, person, actor).audit({
      action: "password_changed",
      resource_type: "user",
      resource_id: person.user_id,
      before: null,
      after: jsonText({ object: "login", user_id: person.user_id }),
    });
  }
}

/**
 * Mails a link to whoever owns the address: to a new password, and to each account that still waits for
 * them. Nothing tells whether there is any. Throws RATE_LIMITED.
 */
export async function requestReset(
  services: Services,
  email: string,
  visitor: Visitor,
): Promise<void> {
  const { db } = services;
  const { address } = visitor;
  const spelled = await spellingOf(db, email);
  const digest = await digestOf(db, spelled);
  visitor.concerns(digest);
  await countAttemptFrom(db, RESETS_OF_ADDRESS, address);
  await countAttempt(db, RESETS_OF_LOGIN, spelled);
  const noticeUnknown = () =>
    notice(services, "reset_failed", { address, login: digest, reason: "nobody has the address" });
  // Not waited for: how long an answer takes would tell whether the address is known.
  sendLinks(services, email, noticeUnknown).catch((error: unknown) =>
    services.log.warn({ err: error }, "a link for a password could not be sent"),
  );
}

/** What an account may not send any more is left out in silence: the answer is given, and says nothing. */
async function sendLinks(
  services: Services,
  email: string,
  noticeUnknown: () => void,
): Promise<void> {
  const waiting = await waitingPersons(services.db, email);
  for (const person of waiting) {
    const cx = contextFor(services, personCaller(person, fullAccess, null), services.log);
    const invitation = await unlessLimited(cx, () => inviteAgain(cx, person));
    if (invitation !== undefined) await mailInvitation(cx, invitation);
  }
  const login = await findLogin(services.db, email);
  if (login === undefined && waiting.length === 0) noticeUnknown();
  if (login !== undefined && (await countReset(services, login))) await sendReset(services, login);
}

/** What the work answers; undefined when the account has sent as much mail as it may. */
async function unlessLimited<Result>(
  cx: Reader,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { account_id } = cx.caller;
    cx.log.warn(
      { account_id, code: error.code },
      "a link was not sent: the limit of mail is reached",
    );
    return undefined;
  }
}

/**
 * Counts the link in one of the login's accounts; false when none of them may send any more mail. One account
 * that was made to send too much keeps nobody out of the others.
 */
async function countReset(services: Services, login: Login): Promise<boolean> {
  const persons = await personsOfLogin(services.db, login.id);
  for (const person of persons) {
    const cx = contextFor(services, personCaller(person, fullAccess, null), services.log);
    const count = () => transact(cx, (tx) => countMail(tx, "people"));
    if (await unlessLimited(cx, async () => count().then(() => true))) return true;
  }
  return persons.length === 0;
}

/** Active users with the address who have not accepted an invitation yet. */
function waitingPersons(db: Reads, email: string): Promise<PersonRow[]> {
  return db.rows(sql`select ${raw(PERSON_COLUMNS)} from users u join accounts a on a.id = u.account_id
     where lower(u.email) = lower(${email}) and u.active and u.login_id is null limit 20`);
}

/** Stores a new invitation; undefined when the user is no longer who waited at that address. Throws RATE_LIMITED. */
function inviteAgain(cx: Context, person: PersonRow): Promise<Invitation | undefined> {
  return transact(cx, async (tx) => {
    const waits =
      await tx.row(sql`select 1 from users where account_id = ${person.account_id} and id = ${person.user_id} and email = ${person.email} and active
         and login_id is null for no key update`);
    if (waits === undefined) return undefined;
    await countMail(tx, "people");
    return storeInvitation(tx, { id: person.user_id, email: person.email });
  });
}

async function sendReset(services: Services, login: Login): Promise<void> {
  const { db, mail, log, config } = services;
  const token = randomBytes(32).toString("base64url");
  await db.rows(sql`insert into password_resets (login_id, hash, expires_at)
     values (${login.id}, ${sha256(token)}, clock_timestamp() + make_interval(mins => ${RESET_MINUTES}))
     on conflict (login_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`);
  const { sandbox } = await ownerOfLogin(services, login);
  await sendNote({ mail, log, caller: { sandbox } }, login.email, {
    subject: "A new password for Matchbook",
    text: `Somebody, probably you, asked for a new password for this address.

Open this address to choose one:

${config.base_url}/password-reset?token=${token}

It can be used once, within an hour. If you did not ask for it, do nothing: your password stays as it is.
`,
  });
}

/** The login of a reset's link; undefined when it is used, expired or none of ours. */
export async function findReset(db: Reads, token: string | undefined): Promise<Login | undefined> {
  const row =
    await db.row<Login>(sql`select l.id, l.email from password_resets r join logins l on l.id = r.login_id
     where r.hash = ${sha256(token ?? "")} and r.expires_at > clock_timestamp()`);
  return row;
}

/** Uses a reset's link up and sets the password; false when somebody was first. `address` is the client's. */
export async function resetPassword(
  services: Services,
  token: string,
  password: string,
  address: string,
): Promise<boolean> {
  // Before the costly part: anybody can send junk.
  const found = await findReset(services.db, token);
  if (found === undefined) return false;
  const password_hash = await hashPassword(password);
  const is_done = await transaction(services.db, async (db) => {
    const used = await db.row<{
      login_id: string;
    }>(sql`delete from password_resets where hash = ${sha256(token)} and expires_at > clock_timestamp()
       returning login_id`);
    if (used === undefined) return false;
    await storePassword(services, db, used.login_id, password_hash);
    return true;
  });
  // Whoever was locked out by somebody's guesses is let in again.
  if (is_done) {
    await forgetSignIns(services.db, found.email, address);
    await tellOfPassword(services, found);
  }
  return is_done;
}
