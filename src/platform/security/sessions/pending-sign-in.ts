/**
 * A sign-in whose password was right, and which waits for the second factor of the login. It is no session: everything that asks
 * for a session sees a visitor who is not signed in.
 */
import type { Reads } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Transaction } from "../../database/transaction.ts";
import { sha256 } from "../../runtime/json.ts";
import { newToken } from "./token.ts";

const MINUTES = 5;

/** The login whose factor a visitor has to answer with. */
export interface PendingLogin {
  readonly id: string;
  readonly email: string;
}

/** Whether a login has a second factor that counts. */
export async function hasFactor(db: Reads, login_id: string): Promise<boolean> {
  const found = await db.row(sql`select 1 from logins where id = ${login_id} and (
       exists (select 1 from authenticators a where a.login_id = logins.id and a.state = 'active')
       or exists (select 1 from passkeys p where p.login_id = logins.id and p.last_used_at is not null))`);
  return found !== undefined;
}

/** Begins a pending sign-in; returns the new cookie, which is good for five minutes. */
export function beginPending(tx: Transaction, login_id: string): string {
  const token = newToken();
  tx.write(sql`insert into pending_sign_ins (hash, login_id, expires_at)
     values (${sha256(token)}, ${login_id}, clock_timestamp() + make_interval(mins => ${MINUTES}))`);
  return token;
}

/** Returns the login that a cookie waits to enter; undefined where it waits for none, or the five minutes are over. */
export function findPending(db: Reads, token: string): Promise<PendingLogin | undefined> {
  return db.row<PendingLogin>(sql`select l.id, l.email from pending_sign_ins p join logins l on l.id = p.login_id
     where p.hash = ${sha256(token)} and p.expires_at > clock_timestamp()`);
}

/** Ends a pending sign-in; returns whether it was still good. */
export async function takePending(
  tx: Transaction,
  login_id: string,
  token: string,
): Promise<boolean> {
  const taken = await tx.row(sql`delete from pending_sign_ins
     where hash = ${sha256(token)} and login_id = ${login_id} and expires_at > (select clock_timestamp()) returning 1`);
  return taken !== undefined;
}
