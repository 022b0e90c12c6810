/**
 * Nothing that began before a new password or a deactivation survives it:
 * sessions, codes, grants. In each round the steps race in a random order.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { runAtEntryPoint } from "../../../platform/commands/entry-point.ts";
import { tokenAuthentication } from "../oauth/authenticate.ts";
import { setPassword } from "./change-password.ts";
import { findLogin } from "./sign-in.ts";

const ROUNDS = 8;

let oauth: ReturnType<typeof openConsent>;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
});
beforeEach(() => world.sql("delete from rate_counters"));

const whoIs = (token: unknown) => tokenAuthentication(world.services).authenticate(String(token));
const isSignedIn = async (browser: Browser) =>
  (await browser.get("/assistants")).html.includes("Sign out");

/** All actions of a person and their assistants, begun in parallel with the change that ends them. */
async function race(browser: Browser, email: string, end: () => Promise<unknown>) {
  const client = await oauth.client();
  const other = await oauth.client();
  const [code, first] = [await client.code(browser), (await other.connect(browser)).body];
  const stranger = openBrowser(world);
  await stranger.get("/sign-in");
  const second = openBrowser(world);
  second.setCookie(browser.cookie());
  const page = await second.get("/choose-account");
  const account = world.account.account_id;
  const [exchanged, refreshed, consented] = await Promise.all([
    client.exchange(code),
    other.refresh(first.refresh_token),
    oauth.decide(browser, client.request(), "allow").catch(() => null),
    second.submit(page, "/choose-account", { account }).catch(() => null),
    stranger.signIn(email, oauth.password),
    end(),
  ]);
  const late =
    new URL(consented?.location ?? "x:", world.origin).searchParams.get("code") ?? "none";
  const tokens = [
    first.access_token,
    exchanged.body.access_token,
    refreshed.body.access_token,
    (await client.exchange(late)).body.access_token,
  ];
  return { tokens, browsers: [browser, second, stranger] };
}

describe("no session, code or grant survives", () => {
  it("a new password", async () => {
    const { email } = world.account.admin;
    for (let round = 0; round < ROUNDS; round += 1) {
      const login = await findLogin(world.db, email);
      if (login === undefined) throw new Error("the admin has no login");
      const browser = openBrowser(world);
      expect((await browser.signIn(email, oauth.password)).status).toBe(303);
      const { tokens, browsers } = await race(browser, email, () =>
        runAtEntryPoint(setPassword, world.services, { login, password: "another password" }),
      );
      for (const token of tokens) expect(await whoIs(token)).toBeNull();
      for (const used of browsers) expect(await isSignedIn(used)).toBe(false);
      const changed = await findLogin(world.db, email);
      if (changed === undefined) continue;
      await runAtEntryPoint(setPassword, world.services, {
        login: changed,
        password: oauth.password,
      });
    }
  });

  it("a deactivation", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { browser, user_id } = await oauth.person();
      const user = await world.done(`GET /users/${user_id}`);
      const { tokens, browsers } = await race(browser, user.email, () =>
        world.done(`PATCH /users/${user_id}`, { active: false }),
      );
      for (const token of tokens) expect(await whoIs(token)).toBeNull();
      for (const used of browsers) expect(await isSignedIn(used)).toBe(false);
      // Nor does reactivating the person restore anything.
      await world.done(`PATCH /users/${user_id}`, { active: true });
      for (const token of tokens) expect(await whoIs(token)).toBeNull();
      expect(await isSignedIn(browser)).toBe(false);
    }
  });
});
