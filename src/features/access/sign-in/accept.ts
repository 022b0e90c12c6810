/**
 * Accepts an invitation: its holder sets the first password of a new login or, when the address has a login already, signs in as
 * the owner of that login. Only then does the user belong to a login (spec 12.6).
 */
import { Problem } from "../../../domain/base/problem.ts";
import { type DoorTx, defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { PERSON_COLUMNS, type PersonRow } from "../../../platform/security/person.ts";
import { hashPassword } from "../people/password.ts";
import { findLogin, type Login, type LoginRow, recordLogin } from "./sign-in.ts";

/** Returns the user that a link invites; undefined for a used, expired or unknown link. */
export function findInvited(db: Reads, token: string | undefined): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`select ${raw(PERSON_COLUMNS)} from invitations i
     join users u on u.account_id = i.account_id and u.id = i.user_id
     join accounts a on a.id = u.account_id
     where i.hash = ${sha256(token ?? "")} and i.expires_at > clock_timestamp() and u.active and u.login_id is null`);
}

/** Creates the login of the invited address. Returns undefined when the link is used up or the address has a login. */
export const acceptWithPassword = defineDoorCommand({
  name: "accept_invitation_with_password",
  before: async (_services, { token, password }: { token: string; password: string }) => ({
    token,
    password_hash: await hashPassword(password),
  }),
  commit: (tx, { token, password_hash }) =>
    accept(tx, token, async ({ email }): Promise<LoginRow | undefined> => {
      if (await findLogin(tx, email)) return undefined;
      const login = { id: newId<string>(), email, password_hash };
      const made =
        await tx.row(sql`insert into logins (id, email, password_hash) values (${login.id}, ${email}, ${password_hash})
       on conflict ((lower(email))) do nothing returning id`);
      return made === undefined ? undefined : login;
    }),
});

/** Adds the invited user to the signed-in login with that address. Returns undefined otherwise. */
export const acceptAs = defineDoorCommand({
  name: "accept_invitation",
  commit: (tx, { token, login }: { token: string; login: Login }) =>
    accept(tx, token, ({ email }) =>
      email.toLowerCase() === login.email.toLowerCase() ? login : undefined,
    ),
});

async function accept<Owner extends Login>(
  tx: DoorTx,
  token: string,
  loginFor: (person: PersonRow) => Promise<Owner | undefined> | Owner | undefined,
): Promise<{ readonly login: Owner; readonly person: PersonRow } | undefined> {
  const person = await findInvited(tx, token);
  if (person === undefined) return undefined;
  const login = await loginFor(person);
  if (login === undefined) return undefined;
  const taken = await tx.row(
    sql`delete from invitations where account_id = ${person.account_id} and user_id = ${person.user_id} and hash = ${sha256(token)} returning hash`,
  );
  if (taken === undefined) throw new Problem("NOT_FOUND");
  tx.write(
    sql`update users set login_id = ${login.id} where account_id = ${person.account_id} and id = ${person.user_id}`,
  );
  recordLogin(tx.as(person), "joined", person.user_id, "login", person.email);
  return { login, person };
}
