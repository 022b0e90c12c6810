/**
 * Sessions of browsers. The cookie is a random value whose SHA-256 finds the session's row; without a row the session is
 * anonymous and only binds forms to their browser. A sign-in always begins a new value.
 */
import { type Caller, fullAccess } from "../../commands/context.ts";
import type { Reads } from "../../database/database.ts";
import { raw, type Sql, sql } from "../../database/sql.ts";
import type { Transaction } from "../../database/transaction.ts";
import { networkOf } from "../../fairness/limits/rate-counter.ts";
import { sha256 } from "../../runtime/json.ts";
import { PERSON_COLUMNS, type PersonRow, personCaller } from "../person.ts";
import { findPending, type PendingLogin } from "./pending-sign-in.ts";
import { newToken } from "./token.ts";
import type { Visitor } from "./visitor.ts";

/** A session ends this long after its beginning, and earlier when it was not used for the idle time. */
const SESSION_DAYS = 14;
const IDLE_HOURS = 24;
/** An answer counts for so long: a later change of rights asks again. */
const ANSWER_MINUTES = 10;

export interface Session {
  /** The cookie's value. It is never shown and never logged. */
  readonly token: string;
  readonly login: { readonly id: string; readonly email: string } | null;
  /** The login whose second factor is missing; then there is no login yet. */
  readonly pending: PendingLogin | null;
  /** Whether the person has proved who they are within the last ten minutes, by the factor of the login or its password. */
  readonly has_answered: boolean;
  /** The person in the chosen account; null before the choice, and when the person is no longer an active user of it. */
  readonly caller: Caller | null;
  /** The person's preferences for the pages; null where they set none. */
  readonly language: "da" | "en" | null;
  readonly theme: "dark" | "light" | null;
  /** The person's start page; null for the default of their role. */
  readonly start_page: "today" | "hours" | "close" | null;
  /** The time zone of the account; null without an account. */
  readonly time_zone: string | null;
}

const SIGNED_OUT = {
  login: null,
  pending: null,
  has_answered: false,
  caller: null,
  language: null,
  theme: null,
  start_page: null,
  time_zone: null,
} as const;

/** `__Host-` needs https; on a loopback http origin browsers would refuse the cookie (spec 12.6). */
export function cookieName(base_url: string): string {
  return base_url.startsWith("https:") ? "__Host-matchbook" : "matchbook";
}

/** Returns the Set-Cookie header for a session's token. */
export function sessionCookie(base_url: string, token: string): string {
  const secure = base_url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(base_url)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the token in a Cookie header; undefined when there is none, or more than one. */
export function tokenFromCookies(base_url: string, header: string | undefined): string | undefined {
  const start = `${cookieName(base_url)}=`;
  const found = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  const token = found[0]?.slice(start.length) ?? "";
  return found.length === 1 && /^[\w-]{43}$/.test(token) ? token : undefined;
}

type SessionRow = (PersonRow | { readonly [Name in keyof PersonRow]: null }) & {
  readonly login_id: string;
  readonly login_email: string;
  readonly is_stale: boolean;
  readonly has_answered: boolean;
};

/** Returns the session of a cookie; an anonymous one when the token has no live session, with a new token when there was none. */
export async function readSession(db: Reads, token: string | undefined): Promise<Session> {
  return (await readSessionWith(db, token, () => sql`null::json`))[0];
}

/**
 * As `readSession`, with other JSON about the person `u`, which is read with the preferences once the account is known. Null
 * without a user.
 */
export async function readSessionWith<Beside>(
  db: Reads,
  token: string | undefined,
  besideOf: (account_id: string) => Sql,
): Promise<readonly [Session, Beside | null]> {
  if (token === undefined) return [{ token: newToken(), ...SIGNED_OUT }, null];
  const hash = sha256(token);
  const row = await db.row<SessionRow>(sql`select s.login_id, l.email as login_email,
       s.last_seen_at < clock_timestamp() - interval '1 minute' as is_stale,
       s.answered_at > clock_timestamp() - make_interval(mins => ${ANSWER_MINUTES}) as has_answered, ${raw(PERSON_COLUMNS)}
     from sessions s join logins l on l.id = s.login_id
     left join users u on u.account_id = s.account_id and u.id = s.user_id and u.active
       and u.login_id = s.login_id
     left join accounts a on a.id = u.account_id
     where s.hash = ${hash} and s.expires_at > clock_timestamp()
       and s.last_seen_at > clock_timestamp() - make_interval(hours => ${IDLE_HOURS})`);
  if (row === undefined) {
    const pending = (await findPending(db, token)) ?? null;
    return [{ token, ...SIGNED_OUT, pending }, null];
  }
  if (row.is_stale) {
    await db.rows(
      sql`update sessions set last_seen_at = (select clock_timestamp()) where hash = ${hash}`,
    );
  }
  const settings = row.user_id === null ? undefined : await readBeside<Beside>(db, row, besideOf);
  const session = {
    token,
    login: { id: row.login_id, email: row.login_email },
    pending: null,
    has_answered: row.has_answered,
    caller: row.user_id === null ? null : personCaller(row, fullAccess, null),
    language: settings?.language ?? null,
    theme: settings?.theme ?? null,
    start_page: settings?.start_page ?? null,
    time_zone: settings?.time_zone ?? null,
  };
  return [session, settings?.beside ?? null];
}

/** What is read of a person's account once it is known. */
interface BesideRow<Beside> {
  readonly language: Session["language"];
  readonly theme: Session["theme"];
  readonly start_page: Session["start_page"];
  readonly time_zone: string | null;
  readonly beside: Beside | null;
}

/** Its own statement, because the account is then a value: a cluster reads it on the machine of the account. */
function readBeside<Beside>(
  db: Reads,
  { account_id, user_id }: PersonRow,
  besideOf: (account_id: string) => Sql,
): Promise<BesideRow<Beside> | undefined> {
  return db.row<BesideRow<Beside>>(sql`select p.language, p.theme, p.start_page, g.time_zone,
       (${besideOf(account_id)})::json as beside
     from users u
     left join configurations g on g.account_id = ${account_id}
     left join preferences p on p.account_id = ${account_id} and p.user_id = u.id
     where u.account_id = ${account_id} and u.id = ${user_id}`);
}

/** Begins a session of a login, in an account when it is known; the previous session of this browser ends. */
export function beginSession(
  tx: Transaction,
  login_id: string,
  person: { readonly account_id: string; readonly user_id: string } | null,
  before: string,
  { address, browser }: Pick<Visitor, "address" | "browser">,
): string {
  endSession(tx, before);
  const token = newToken();
  tx.write(sql`insert into sessions (hash, login_id, account_id, user_id, browser, network, expires_at)
     values (${sha256(token)}, ${login_id}, ${person?.account_id ?? null}, ${person?.user_id ?? null},
       ${browser}, ${networkOf(address)}, clock_timestamp() + make_interval(days => ${SESSION_DAYS}))`);
  return token;
}

/** Gives a live session a new cookie for a person's account, with the same end. Undefined if the session is gone. */
export async function moveSession(
  tx: Transaction,
  login_id: string,
  person: { readonly account_id: string; readonly user_id: string },
  before: string,
): Promise<string | undefined> {
  const token = newToken();
  const moved =
    await tx.row(sql`update sessions set hash = ${sha256(token)}, account_id = ${person.account_id}, user_id = ${person.user_id}, last_seen_at = (select clock_timestamp())
     where hash = ${sha256(before)} and login_id = ${login_id} and expires_at > (select clock_timestamp()) returning hash`);
  return moved === undefined ? undefined : token;
}

/** Records that the person of a session has just proved who they are. */
export function renewAnswer(tx: Transaction, token: string): void {
  tx.write(
    sql`update sessions set answered_at = (select clock_timestamp()) where hash = ${sha256(token)}`,
  );
}

/** Ends the session of a cookie, and its pending sign-in. */
export function endSession(tx: Transaction, token: string): void {
  tx.write(sql`delete from pending_sign_ins where hash = ${sha256(token)}`);
  tx.write(sql`delete from sessions where hash = ${sha256(token)}`);
}

/** A session of a login as its owner sees it, in whichever account. */
export interface SignInShown {
  readonly id: string;
  /** The User-Agent header; null for a session from before it was stored. */
  readonly browser: string | null;
  readonly network: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  /** Whether it is the session of the given token. */
  readonly is_own: boolean;
}

/** Returns the live sessions of a login: that of the token first, then the most recently used. At most 50. */
export function listSessions(
  db: Reads,
  login_id: string,
  token: string,
): Promise<readonly SignInShown[]> {
  const hash = sha256(token);
  return db.rows<SignInShown>(sql`select id, browser, network, created_at, last_seen_at, hash = ${hash} as is_own
     from sessions where login_id = ${login_id} and expires_at > clock_timestamp()
       and last_seen_at > clock_timestamp() - make_interval(hours => ${IDLE_HOURS})
     order by hash = ${hash} desc, last_seen_at desc, id limit 50`);
}
