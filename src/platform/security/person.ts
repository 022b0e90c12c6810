/** Makes the caller from a user's row, read at every request so that a deactivation or new role applies at once. */

import type { AccountId, Timestamp, UserId } from "../../domain/base/brand.ts";
import type { Role } from "../../domain/base/user.ts";
import type { Access, Caller, Person } from "../commands/context.ts";
import type { Reads } from "../database/database.ts";
import { raw, sql } from "../database/sql.ts";

/** The columns for `personCaller`, for a select from `users u` and `accounts a`. */
export const PERSON_COLUMNS = `u.id as user_id, u.name, u.email, u.role, a.id as account_id,
  a.name as account_name, a.sandbox, a.test_clock, a.ledger_kind`;

export interface PersonRow {
  readonly user_id: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly account_id: AccountId;
  readonly account_name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

/** Returns the caller; `grant` is null in a browser. */
export function personCaller(
  row: PersonRow,
  access: ReadonlySet<Access>,
  grant: Person["grant"],
): Caller {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    sandbox: row.sandbox,
    test_clock: row.test_clock,
    ledger_kind: row.ledger_kind,
    actor: { kind: "user", id: row.user_id },
    access,
    person: {
      user_id: row.user_id,
      name: row.name,
      email: row.email,
      role: row.role,
      grant,
    },
  };
}

/** Returns an active user of an account; undefined otherwise. */
export function findPerson(
  db: Reads,
  account_id: string,
  user_id: string,
): Promise<PersonRow | undefined> {
  return db.row<PersonRow>(sql`select ${raw(PERSON_COLUMNS)} from users u join accounts a on a.id = u.account_id
     where u.account_id = ${account_id} and u.id = ${user_id} and u.active`);
}

/** Returns the active users of a login, by the name of their account. A studio that was put away is left out. */
export function personsOfLogin(db: Reads, login_id: string): Promise<PersonRow[]> {
  return db.rows(sql`select ${raw(PERSON_COLUMNS)} from users u join accounts a on a.id = u.account_id
     where u.login_id = ${login_id} and u.active
       and not exists (select from studios t where t.account_id = a.id and t.put_away_at is not null)
     order by a.name, a.id`);
}
