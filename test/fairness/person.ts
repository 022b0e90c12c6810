/** A person of an account in a browser at the running program. */
import { openBrowser } from "../support/browser/browser.ts";
import type { UsedWorld } from "../support/world/world.ts";
import type { Account, useAccounts } from "./two-accounts.ts";

/** The password of the admins whom a world makes. */
const PASSWORD = "correct horse battery staple";

interface Person {
  readonly cookie: string;
  /** One page, read to its end. Rejects when `signal` aborts. */
  page(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly html: string }>;
}

/** The admin of an account, signed in. */
export async function adminOf(
  { world, program }: ReturnType<typeof useAccounts>,
  { id }: Account,
): Promise<Person> {
  const [admin] = await world.sql(
    "select email from users where account_id = $1 and role = 'admin'",
    [id],
  );
  const at_program: UsedWorld = { ...world, origin: program.origin };
  const browser = openBrowser(at_program);
  await browser.signIn(admin.email, PASSWORD);
  const cookie = browser.cookie() ?? "";
  return {
    cookie,
    async page(path, signal) {
      const response = await fetch(program.origin + path, {
        headers: { cookie: `matchbook=${cookie}` },
        redirect: "manual",
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: response.status, html: await response.text() };
    },
  };
}
