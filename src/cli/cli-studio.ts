/** The command that makes the example year of a studio, for a login. The service plays it too, when a person asks for it. */
import { setTimeout as delay } from "node:timers/promises";
import { findLogin } from "../features/access/sign-in/sign-in.ts";
import { findStudioOf } from "../features/overview/studio/find-studio.ts";
import { openStudio } from "../features/overview/studio/open-studio.ts";
import { resumeStudio } from "../features/overview/studio/run-studio.ts";
import { withServices } from "./cli-database.ts";
import { answer, day, mailAddress, optionsOf, required } from "./cli-options.ts";

/** The pause before the command looks again whether another process has finished the year, in milliseconds. */
const PAUSE_MS = 200;

/** Makes the studio of an address and returns when its year is played. Exit code 1 for an address without a login. */
export async function studioCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    email: { type: "string" },
    "ends-on": { type: "string" },
    json: { type: "boolean" },
  });
  const email = mailAddress(required(options, "email"));
  const ends_on = day(options, "ends-on");
  return withServices("existing", async (services) => {
    const login = await findLogin(services.db, email);
    if (login === undefined) throw new Error(`There is no login ${email}.`);
    const account_id = await openStudio(services, { login, ends_on });
    while (!(await findStudioOf(services.db, login.id))?.is_ready) {
      if (!(await resumeStudio(services))) await delay(PAUSE_MS);
    }
    answer(options, { email, account_id }, [account_id]);
  });
}
