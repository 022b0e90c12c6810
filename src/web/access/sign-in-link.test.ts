/** Sign-in links: opened, used once, replaced, expired, and what the root address says until the first sign-in. */
import { describe, expect, it } from "vitest";
import { openBrowser } from "../../../test/support/browser/browser.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { operator } from "../../features/access/accounts/create.ts";
import { setPasswordByOperator } from "../../features/access/sign-in/change-password.ts";
import { makeSignInLink } from "../../features/access/sign-in/sign-in-link.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";

const world = useWorld({ knows_origin: true });

/** Makes a link of an address; returns its path and query. */
async function linkFor(email: string, is_mailed = true): Promise<string | undefined> {
  const wanted = { operator, email, is_mailed };
  const link = await runAtEntryPoint(makeSignInLink, world.services, wanted);
  return link?.slice(world.origin.length);
}

async function ownLink(): Promise<string> {
  return (await linkFor(world.account.admin.email)) ?? "";
}

const sessions = async () => (await world.sql("select count(*)::int as n from sessions"))[0].n;

describe("a sign-in link", () => {
  it("signs in by its button, once, and changes nothing when it is only opened", async () => {
    const link = await ownLink();
    const before = await sessions();
    const browser = openBrowser(world);
    for (const _ of [1, 2]) {
      const page = await browser.get(link);
      expect([page.status, await sessions()]).toEqual([200, before]);
      expect(page.html).toContain(world.account.admin.email);
    }
    const late = openBrowser(world);
    const late_page = await late.get(link);
    const entered = await browser.submit(await browser.get(link), link, {});
    expect([entered.status, entered.location]).toEqual([303, "/"]);
    expect((await browser.get("/today")).status).toBe(200);

    expect((await late.get(link)).status).toBe(404);
    const again = await late.submit(late_page, link, {});
    expect([again.status, await sessions()]).toEqual([404, before + 1]);
  });

  it("begins one session when it is used twice at once", async () => {
    const link = await ownLink();
    const browsers = [openBrowser(world), openBrowser(world), openBrowser(world)];
    const pages = await Promise.all(browsers.map((browser) => browser.get(link)));
    const before = await sessions();
    const answers = await Promise.all(
      browsers.map((browser, at) => browser.submit(pages[at] as (typeof pages)[0], link, {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    expect(await sessions()).toBe(before + 1);
  });

  it.each([
    ["a newer link of the login", () => ownLink()],
    [
      "ten minutes",
      () => world.sql("update sign_in_links set expires_at = expires_at - interval '10 minutes'"),
    ],
    [
      "a new password",
      () =>
        runAtEntryPoint(setPasswordByOperator, world.services, {
          operator,
          email: world.account.admin.email,
          password: "another password",
        }),
    ],
    [
      "the deactivation of its last user",
      () =>
        world.sql("update users set active = false where email = $1", [world.account.admin.email]),
    ],
  ])("ends with %s", async (_what, end) => {
    const link = await ownLink();
    const browser = openBrowser(world);
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    await end();
    const refused = await browser.submit(page, link, {});
    expect([refused.status, (await browser.get(link)).status]).toEqual([404, 404]);
    expect(refused.html).toContain("matchbook sign-in-link");
    await world.sql("update users set active = true where email = $1", [world.account.admin.email]);
  });

  it("works for about ten minutes", async () => {
    await ownLink();
    const [left] = await world.sql(
      "select extract(epoch from expires_at - clock_timestamp())::float as seconds from sign_in_links",
    );
    expect(left.seconds).toBeGreaterThan(590);
    expect(left.seconds).toBeLessThanOrEqual(600);
  });

  it("is stored as a hash, recorded in the audit trail, and its owner is informed", async () => {
    const { account_id, admin } = world.account;
    const link = await ownLink();
    const token = /token=(\S+)/.exec(link)?.[1] ?? "";
    const rows = await world.sql("select encode(hash, 'escape') as hash from sign_in_links");
    expect(JSON.stringify(rows)).not.toContain(token);
    const [event] = await world.sql(
      "select actor_kind, resource_id, payload from audit_events where account_id = $1 and action = 'sign_in_link_made' order by seq desc limit 1",
      [account_id],
    );
    expect(event).toMatchObject({ actor_kind: "operator", resource_id: admin.user_id });
    expect(event.payload).not.toContain(token);
    const mail = (await world.mails()).find(
      ({ subject }) => subject === "Der er lavet et loginlink til din adresse",
    );
    expect(mail?.to?.[0]?.address).toBe(admin.email);
    expect(mail?.text).not.toContain(token);
  });

  it("is not made for an address without a login or without an active user", async () => {
    expect(await linkFor("absent@x.example")).toBeUndefined();
    const other = await world.openAnother();
    const { email } = other.admin;
    await world.sql("update users set active = false where email = $1", [email]);
    expect(await linkFor(email)).toBeUndefined();
  });
});

it("the root address says where the link of the first start is, until its first sign-in", async () => {
  const { account_id, admin } = world.account;
  const says = async () => (await openBrowser(world).get("/")).html.includes("sign-in-link");
  expect(await says(), "without a first start").toBe(false);
  await world.sql(
    "insert into first_start (login_id, account_id) select login_id, account_id from users where account_id = $1 and id = $2",
    [account_id, admin.user_id],
  );
  expect(await says()).toBe(true);
  const link = await ownLink();
  const browser = openBrowser(world);
  await browser.submit(await browser.get(link), link, {});
  expect(await says()).toBe(false);
});
