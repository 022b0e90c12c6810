/** Opens the studio of a login, one for each. Its year is played in the background. */
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import type { Services } from "../../../platform/runtime/services.ts";
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
