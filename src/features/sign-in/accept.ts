/**
 * Accepting an invitation: its holder sets the first password of a new login, or, where the address has a
 * login already, has signed in as its owner. Only then is the user somebody's (spec 12.6).
 */
import { Problem } from "../../domain/base/problem.ts";
import type { Reads } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { type Transaction, transaction } from "../../platform/database/transaction.ts";
import { newId } from "../../platform/id.ts";
import { jsonText, sha256 } from "../../platform/json.ts";
import { PERSON_COLUMNS, type PersonRow, txOfPerson } from "../../platform/person.ts";
import type { Services } from "../../platform/services.ts";
import { hashPassword } from "../people/password.ts";
import { findLogin, type Login, type LoginRow } from "./sign-in.ts";

/** The user that a link invites; undefined when it is used, expired or none of ours. */
export async function findInvited(
  db: Reads,
  token: string | undefined,
): Promise<PersonRow | undefined> {
  const row = await db.row<PersonRow>(sql`select ${raw(PERSON_COLUMNS)} from invitations i
     join users u on u.account_id = i.account_id and u.id = i.user_id
     join accounts a on a.id = u.account_id
     where i.hash = ${sha256(token ?? "")} and i.expires_at > clock_timestamp() and u.active and u.login_id is null`);
  return row;
}

interface Accepted<Owner> {
  readonly login: Owner;
  readonly person: PersonRow;
}

/** Makes the login of the invited address; undefined when the link is used up or the address has a login by now. */
export async function acceptWithPassword(
  services: Services,
  token: string,
  password: string,
): Promise<Accepted<LoginRow> | undefined> {
  const password_hash = await hashPassword(password);
  return accept(services, token, async (db, person) => {
    if (await findLogin(db, person.email)) return undefined;
    const login = { id: newId<string>(), email: person.email, password_hash };
    const found =
      await db.row(sql`insert into logins (id, email, password_hash) values (${login.id}, ${login.email}, ${password_hash})
       on conflict ((lower(email))) do nothing returning id`);
    return found === undefined ? undefined : login;
  });
}

/** Makes the invited user one of a login that is signed in and has the address. */
export function acceptAs(
  services: Services,
  token: string,
  login: Login,
): Promise<Accepted<Login> | undefined> {
  return accept(services, token, async (_db, person) =>
    person.email.toLowerCase() === login.email.toLowerCase() ? login : undefined,
  );
}

async function accept<Owner extends Login>(
  services: Services,
  token: string,
  loginFor: (db: Transaction, person: PersonRow) => Promise<Owner | undefined>,
): Promise<Accepted<Owner> | undefined> {
  return transaction(services.db, async (tx) => {
    const person = await findInvited(tx, token);
    if (person === undefined) return undefined;
    const login = await loginFor(tx, person);
    if (login === undefined) return undefined;
    const taken = await tx.row(
      sql`delete from invitations where account_id = ${person.account_id} and user_id = ${person.user_id} and hash = ${sha256(token)} returning hash`,
    );
    if (taken === undefined) throw new Problem("NOT_FOUND");
    tx.write(
      sql`update users set login_id = ${login.id} where account_id = ${person.account_id} and id = ${person.user_id}`,
    );
    txOfPerson(services, tx, person).audit({
      action: "joined",
      resource_type: "user",
      resource_id: person.user_id,
      before: null,
      after: jsonText({ object: "login", user_id: person.user_id, email: person.email }),
    });
    return { login, person };
  });
}
