/** Sets a login's password by the old one or a mailed link. Ends its earlier sessions and grants in all accounts. */
import { randomBytes } from "node:crypto";
import { Problem } from "../../../domain/base/problem.ts";
import type { Actor } from "../../../platform/commands/context.ts";
import {
  type DoorTx,
  defineDoorCommand,
  runAtEntryPoint,
} from "../../../platform/commands/entry-point.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import {
  countAttempt,
  countAttemptFrom,
  type Limit,
} from "../../../platform/fairness/limits/rate-counter.ts";
import { countMail } from "../../../platform/mail/limit.ts";
import { sendNote } from "../../../platform/mail/note.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { contextFor, type Services } from "../../../platform/runtime/services.ts";
import { digestOf, notice } from "../../../platform/security/notice.ts";
import {
  PERSON_COLUMNS,
  type PersonRow,
  personsOfLogin,
} from "../../../platform/security/person.ts";
import type { Visitor } from "../../../platform/security/sessions/visitor.ts";
import { findWriter } from "../people/find-language.ts";
import { mailInvitation, storeInvitation } from "../people/invite.ts";
import { resetNote } from "../people/invite-texts.ts";
import { notifyOwner, ownerOfLogin } from "../people/owner-mail.ts";
import { hashPassword } from "../people/password.ts";
import {
  findLogin,
  forgetSignIns,
  type Login,
  type LoginRow,
  recordEverywhere,
  spellingOf,
} from "./sign-in.ts";

const RESET_MINUTES = 60;
const RESETS_OF_LOGIN: Limit = { name: "reset of a login", most: 3, seconds: 3600 };
const RESETS_OF_ADDRESS: Limit = { name: "reset from an address", most: 30, seconds: 3600 };

/**
 * Sets the password of a login whose old one was right, ends its sessions and grants, records it in each account and
 * mails the owner. Returns the login with the new password; undefined if another request has set one since.
 */
export const setPassword = defineDoorCommand({
  name: "set_password",
  before: async (_services, { login, password }: { login: LoginRow; password: string }) => ({
    login,
    password_hash: await hashPassword(password),
  }),

  async commit(tx, { login, password_hash }) {
    const unchanged = await tx.row(
      sql`select 1 from logins where id = ${login.id} and password_hash = ${login.password_hash} for no key update`,
    );
    return unchanged === undefined ? undefined : storePassword(tx, login, password_hash);
  },

  after: notifyOfPassword,
});

interface OperatorsPassword {
  readonly operator: Actor;
  readonly email: string;
  readonly password: string;
}

/**
 * Sets the password of an address for the installation's operator, for example when the last admin has lost theirs and
 * no mail reaches them. Sessions and grants end as with any new password, attempts are forgotten, and each of the
 * login's accounts records it. Returns undefined when the address has no login.
 */
export const setPasswordByOperator = defineDoorCommand({
  name: "set_password_by_operator",
  async before({ gate }, { operator, email, password }: OperatorsPassword) {
    const login = await findLogin(gate, email);
    return login && { operator, login, password_hash: await hashPassword(password) };
  },

  async commit(tx, prepared) {
    if (prepared === undefined) return undefined;
    const { operator, login, password_hash } = prepared;
    await forgetSignIns(tx, login.email, LOCAL);
    return storePassword(tx, login, password_hash, operator);
  },

  after: notifyOfPassword,
});

/** The network whose attempts are forgotten, in addition to those from anywhere: the machine of the operator. */
const LOCAL = "127.0.0.1";

/** Notifies the owner of a login with a new password, and returns the login. */
async function notifyOfPassword(
  services: Services,
  changed: LoginRow | undefined,
): Promise<LoginRow | undefined> {
  if (changed === undefined) return undefined;
  await notifyOwner(services, await ownerOfLogin(services, changed), { kind: "password" });
  return changed;
}

/** Returns the login with the new password. */
async function storePassword(
  tx: DoorTx,
  { id, email }: Login,
  password_hash: string,
  actor?: Actor,
): Promise<LoginRow> {
  tx.write(sql`update logins set password_hash = ${password_hash} where id = ${id}`);
  tx.write(sql`delete from pending_sign_ins where login_id = ${id}`);
  tx.write(sql`delete from sessions where login_id = ${id}`);
  tx.write(sql`delete from password_resets where login_id = ${id}`);
  tx.write(sql`delete from sign_in_links where login_id = ${id}`);
  for (const table of ["oauth_codes", "oauth_grants"] as const) {
    tx.write(sql`delete from ${raw(table)} t using users u
       where u.login_id = ${id} and t.account_id = u.account_id and t.user_id = u.id`);
  }
  await recordEverywhere(tx, id, "password_changed", actor);
  return { id, email, password_hash };
}

/**
 * Mails links to the owner of the address: one for a new password, and one for each account whose invitation they have not
 * accepted. The response does not reveal whether there are any. Throws RATE_LIMITED.
 */
export async function requestReset(
  services: Services,
  email: string,
  visitor: Visitor,
): Promise<void> {
  const { gate } = services;
  const { address } = visitor;
  const spelled = await spellingOf(gate, email);
  const digest = await digestOf(gate, spelled);
  visitor.concerns(digest);
  await countAttemptFrom(gate, RESETS_OF_ADDRESS, address);
  await countAttempt(gate, RESETS_OF_LOGIN, spelled);
  const noticeUnknown = () =>
    notice(services, "reset_failed", {
      address,
      login: digest,
      reason: "no login has the address",
    });
  // Not awaited: the response time would reveal whether the address is known.
  sendLinks(services, email, noticeUnknown).catch((error: unknown) =>
    services.log.warn({ err: error }, "a link for a password could not be sent"),
  );
}

/** Sends the links. Accounts that have reached their limit of mail are skipped, without any sign in the response. */
async function sendLinks(
  services: Services,
  email: string,
  noticeUnknown: () => void,
): Promise<void> {
  const waiting = await waitingPersons(services.gate, email);
  for (const person of waiting) {
    await unlessLimited(services, person, () => runAtEntryPoint(inviteAgain, services, person));
  }
  const login = await findLogin(services.gate, email);
  if (login === undefined && waiting.length === 0) noticeUnknown();
  if (login === undefined) return;
  const persons = await personsOfLogin(services.gate, login.id);
  if (persons.length === 0) await runAtEntryPoint(sendReset, services, { login, person: null });
  // An account at its limit does not keep the person out of the other accounts.
  for (const person of persons) {
    const send = () => runAtEntryPoint(sendReset, services, { login, person });
    if (await unlessLimited(services, person, send)) return;
  }
}

/** Does the work for an account; returns false when the account has reached its limit of mail. */
async function unlessLimited(
  { log }: Services,
  { account_id }: PersonRow,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ account_id, code: error.code }, "a link was not sent: the limit of mail is reached");
    return false;
  }
}

/** Returns active users with the address who have not accepted an invitation yet. */
function waitingPersons(db: Reads, email: string): Promise<PersonRow[]> {
  return db.rows(sql`select ${raw(PERSON_COLUMNS)} from users u join accounts a on a.id = u.account_id
     where lower(u.email) = lower(${email}) and u.active and u.login_id is null limit 20`);
}

/** Mails a new invitation, unless the user or their address has changed. Throws RATE_LIMITED. */
const inviteAgain = defineDoorCommand({
  name: "invite_again",
  async commit(tx, person: PersonRow) {
    const waits =
      await tx.row(sql`select 1 from users where account_id = ${person.account_id} and id = ${person.user_id} and email = ${person.email} and active
         and login_id is null for no key update`);
    if (waits === undefined) return undefined;
    const own = tx.as(person);
    await countMail(own, "people");
    const user = { id: person.user_id, email: person.email };
    return { caller: own.caller, invitation: await storeInvitation(own, user) };
  },

  async after(services, invited) {
    if (invited === undefined) return;
    await mailInvitation(contextFor(services, invited.caller, services.log), invited.invitation);
  },
});

/** Mails a link for a new password, in the language of the login's first account. Throws RATE_LIMITED. */
const sendReset = defineDoorCommand({
  name: "send_reset",
  async commit(tx, { login, person }: { login: Login; person: PersonRow | null }) {
    if (person !== null) await countMail(tx.as(person), "people");
    const token = randomBytes(32).toString("base64url");
    tx.write(sql`insert into password_resets (login_id, hash, expires_at)
     values (${login.id}, ${sha256(token)}, clock_timestamp() + make_interval(mins => ${RESET_MINUTES}))
     on conflict (login_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`);
    return { login, token };
  },

  async after(services, { login, token }) {
    const { mail, log, config } = services;
    const { sandbox, account_id } = await ownerOfLogin(services, login);
    const { language } = await findWriter(services.db, account_id);
    const link = `${config.base_url}/password-reset?token=${token}`;
    await sendNote({ mail, log, caller: { sandbox } }, login.email, resetNote(language, link));
  },
});

/** Returns the login of a reset's link; undefined for a used, expired or unknown link. */
export function findReset(db: Reads, token: string | undefined): Promise<Login | undefined> {
  return db.row<Login>(sql`select l.id, l.email from password_resets r join logins l on l.id = r.login_id
     where r.hash = ${sha256(token ?? "")} and r.expires_at > clock_timestamp()`);
}

interface Reset {
  readonly token: string;
  readonly password: string;
  /** The client's address. */
  readonly address: string;
}

/** Uses a reset's link up and sets the password. Returns undefined for a used, expired or unknown link. */
export const resetPassword = defineDoorCommand({
  name: "reset_password",
  async before({ gate }, { password, ...reset }: Reset) {
    // Checked before the costly part, because anyone can send invalid tokens.
    const login = await findReset(gate, reset.token);
    return login && { ...reset, login, password_hash: await hashPassword(password) };
  },

  async commit(tx, prepared) {
    if (prepared === undefined) return undefined;
    const { token, address, login, password_hash } = prepared;
    const used = await tx.row(
      sql`delete from password_resets where hash = ${sha256(token)} and expires_at > (select clock_timestamp()) returning 1`,
    );
    if (used === undefined) return undefined;
    // An owner who was locked out by an attacker's guesses gets in again.
    await forgetSignIns(tx, login.email, address);
    return storePassword(tx, login, password_hash);
  },

  after: notifyOfPassword,
});
