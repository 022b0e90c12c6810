/** Opens the studio of a login, one for each, and puts it away or brings it back. Its year is played in the background. */
import type { AccountId } from "../../../domain/base/brand.ts";
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import { defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import { insert, raw, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { PERSON_COLUMNS, type PersonRow } from "../../../platform/security/person.ts";
import { openAccountOfLogin } from "../../access/accounts/create.ts";
import { findStudioOf } from "./find-studio.ts";
import { OWNER_NAME, STUDIO_NAME } from "./firm.ts";

interface WantedStudio {
  readonly login: { readonly id: string; readonly email: string };
  /** The last day of its year; yesterday unless given. Then its clock stands on the day after. */
  readonly ends_on?: CalendarDate | undefined;
}

/** Returns the account of the login's studio, which this call opens where there is none. Two calls at once open one. */
export async function openStudio(
  services: Services,
  { login, ends_on }: WantedStudio,
): Promise<string> {
  const yesterday = addDays(todayIn(services.clock, "Europe/Copenhagen"), -1);
  const fields = {
    name: STUDIO_NAME,
    admin_name: OWNER_NAME,
    login,
    sandbox: true,
    currency: "DKK",
  };
  const opened = await openAccountOfLogin(
    services,
    fields,
    async (tx) => {
      // The second of two calls waits here, and then finds the studio of the first.
      tx.lock(sql`select from logins where id = ${login.id} for no key update`);
      return (await findStudioOf(tx, login.id)) === undefined;
    },
    (tx) =>
      tx.write(
        insert("studios", {
          account_id: tx.caller.account_id,
          login_id: login.id,
          ends_on: ends_on ?? yesterday,
          stands: ends_on !== undefined,
          lease_until: null,
          finished_at: null,
          put_away_at: null,
        }),
      ),
  );
  const account_id = opened ?? (await findStudioOf(services.db, login.id))?.account_id;
  if (account_id === undefined) throw new Error("the studio was not opened");
  return account_id;
}

/**
 * Puts the studio of a login away, or brings it back. Its data stay, and its sessions leave it. Returns the account; undefined
 * where the login has no studio, or it is so already.
 */
export const changeStudio = defineDoorCommand({
  name: "change_studio",
  async commit(
    tx,
    { login_id, is_put_away }: { readonly login_id: string; readonly is_put_away: boolean },
  ): Promise<AccountId | undefined> {
    tx.lock(sql`select from studios where login_id = ${login_id} for no key update`);
    const person = await tx.row<PersonRow>(sql`select ${raw(PERSON_COLUMNS)} from studios t
       join users u on u.account_id = t.account_id and u.login_id = t.login_id
       join accounts a on a.id = u.account_id
       where t.login_id = ${login_id} and (t.put_away_at is null) = ${is_put_away}`);
    if (person === undefined) return undefined;
    const { account_id } = person;
    tx.write(sql`update studios set put_away_at = case when ${is_put_away} then (select clock_timestamp()) end
       where account_id = ${account_id}`);
    if (is_put_away) {
      tx.write(
        sql`update sessions set account_id = null, user_id = null where account_id = ${account_id}`,
      );
    }
    tx.as(person).audit("account", account_id, is_put_away ? "put_away" : "brought_back", {
      before: null,
      after: jsonText({ object: "account", id: account_id, name: person.account_name }),
    });
    return account_id;
  },
});
