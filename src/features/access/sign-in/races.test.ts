/**
 * Requests in parallel with a change that ends sessions or moves an address. A transaction of the
 * test holds the change open, so that the other side has to wait for it.
 */
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../../test/support/browser/browser.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { hashPassword } from "../people/password.ts";

const PASSWORD = "correct horse battery staple";
const CHOOSE = "/choose-account";

const HELD_UP = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

let email: string;
let login_id: string;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  email = world.account.admin.email;
  [{ id: login_id }] = (await world.sql("select id from logins where email = $1", [email])) as [
    { id: string },
  ];
});

/** Runs an action while a transaction with these statements is open, waits until it is blocked, and commits. */
async function during<Result>(
  statements: readonly (readonly [string, readonly unknown[]])[],
  act: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: world.database_url });
  await client.connect();
  try {
    await client.query("begin");
    for (const [text, values] of statements) await client.query(text, [...values]);
    const acted = act();
    await expect.poll(() => world.sql(HELD_UP), { timeout: 20_000 }).not.toEqual([]);
    await client.query("commit");
    return await acted;
  } finally {
    await client.end();
  }
}

async function signedIn(): Promise<Browser> {
  const browser = openBrowser(world);
  await browser.signIn(email, PASSWORD);
  return browser;
}

const chosen = (browser: Browser, page: PageReply) =>
  browser.submit(page, CHOOSE, { account: world.account.account_id });

const isSignedIn = async (browser: Browser) =>
  (await browser.get("/assistants")).html.includes("Sign out");

describe("the choice of an account", () => {
  it("keeps the session with the end that it had", async () => {
    const browser = await signedIn();
    await world.sql("update sessions set expires_at = now() + interval '1 hour'");
    await chosen(browser, await browser.get(CHOOSE));
    expect(await isSignedIn(browser)).toBe(true);
    const late = await world.sql("select 1 from sessions where expires_at > now() + interval '2h'");
    expect(late).toEqual([]);
  });

  it("does not outlive a new password that is set at the same moment", async () => {
    const browser = await signedIn();
    const page = await browser.get(CHOOSE);
    const reply = await during(
      [
        ["update logins set email = email where id = $1", [login_id]],
        ["delete from sessions where login_id = $1", [login_id]],
      ],
      () => chosen(browser, page),
    );
    expect(reply.status).toBe(200);
    expect(reply.html).toContain("Sign in");
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("a deactivation", () => {
  it("lets no user enter the account at the same moment", async () => {
    const browser = await signedIn();
    const page = await browser.get(CHOOSE);
    const before = browser.cookie();
    const person = [world.account.account_id, world.account.admin.user_id];
    const set = (active: boolean) =>
      `update users set active = ${active} where account_id = $1 and id = $2`;
    const reply = await during([[set(false), person]], () => chosen(browser, page));
    expect([reply.location, browser.cookie()]).toEqual([null, before]);
    await world.sql(set(true), person);
  });
});

describe("a change of the password", () => {
  it("loses to a password that is set by a link at the same moment", async () => {
    const browser = await signedIn();
    const page = await browser.get("/me/password");
    const fields = { old_password: PASSWORD, password: "the thief's", again: "the thief's" };
    const by_link = await hashPassword("the owner's");
    const reply = await during(
      [["update logins set password_hash = $2 where id = $1", [login_id, by_link]]],
      () => browser.submit(page, "/me/password", fields),
    );
    expect(reply.location).toBe("/sign-in");
    expect((await openBrowser(world).signIn(email, "the thief's")).status).toBe(401);
    expect((await openBrowser(world).signIn(email, "the owner's")).status).toBe(303);
  });
});

describe("an invitation that is requested again", () => {
  it("never goes to an address that the user has just lost", async () => {
    const user = await world.done("POST /users", { name: "Moving", email: "old@x.example" });
    const browser = openBrowser(world);
    const page = await browser.get("/forgot-password");
    const mailedTo = async (address: string) =>
      (await world.mails()).filter((mail) => mail.to?.[0]?.address === address).length;
    expect(await mailedTo("old@x.example")).toBe(1);
    const moved = "update users set email = 'new@x.example' where account_id = $1 and id = $2";
    await during([[moved, [world.account.account_id, user.id]]], () =>
      browser.submit(page, "/forgot-password", { email: "old@x.example" }),
    );
    // A later request shows that nothing is in progress any more.
    await browser.submit(page, "/forgot-password", { email: "new@x.example" });
    await expect.poll(() => mailedTo("new@x.example")).toBe(1);
    expect(await mailedTo("old@x.example")).toBe(1);
  });
});

it("a late page does not restore the cookie that a sign-in has replaced", async () => {
  const browser = openBrowser(world);
  await browser.get("/sign-in");
  const again = await browser.get("/sign-in");
  expect(again.headers.get("set-cookie")).toBeNull();
});
