/** The second factor: set-up, sign-in with it, recovery codes, limits, removal and reset. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Browser,
  hiddenFields,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import {
  addApp,
  beginApp,
  codesOn,
  freshCodes,
  type TestApp,
} from "../../../test/support/browser/factor.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { operator } from "../../features/access/accounts/create.ts";
import { resetFactors } from "../../features/access/factors/revoke-factors.ts";
import { rollKeys } from "../../features/ledger/connections/roll-keys.ts";
import { runAtEntryPoint } from "../../platform/commands/entry-point.ts";

const FACTOR = "/sign-in/factor";
const world = useWorld({ knows_origin: true });
const textOf = ({ html }: PageReply): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

let person: Browser;
let email: string;
let user_id: string;
let app: TestApp;
beforeEach(async () => {
  ({ browser: person, user_id } = await openConsent(world).person());
  ({ email } = await world.done(`GET /users/${user_id}`));
  app = await addApp(world, person);
});

const password = "correct horse battery staple";

/** A browser whose password was right, with the page of the second step. */
async function pending(): Promise<{ readonly browser: Browser; readonly page: PageReply }> {
  const browser = openBrowser(world);
  const { location } = await browser.signIn(email, password);
  const led = await browser.get(location ?? "");
  return { browser, page: await browser.get(led.location ?? "") };
}
const answered = async (code: string): Promise<PageReply> => {
  const { browser, page } = await pending();
  return browser.submit(page, FACTOR, { code });
};
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get("/me")).html.includes("<h1>Me</h1>");
const mailsTo = async (): Promise<string[]> =>
  (await world.mails())
    .filter(({ to }) => to?.[0]?.address === email)
    .map(({ subject }) => subject ?? "");
const actionsOf = async (): Promise<string[]> => {
  const { data } = await world.done(
    `GET /audit-events?resource_type=user&resource_id=${user_id}&limit=20`,
  );
  return data.map(({ action }: { action: string }) => action);
};

describe("an authenticator app", () => {
  it("counts after its first right code, ends other sessions, and is mailed and recorded", async () => {
    const { browser, user_id: id } = await openConsent(world).person();
    ({ email } = await world.done(`GET /users/${id}`));
    user_id = id;
    const other = openBrowser(world);
    await other.signIn(email, password);
    const { page, secret, code } = await beginApp(browser);
    expect(textOf(page)).toContain((secret.match(/.{4}/g) ?? []).join(" "));
    const wrong = await browser.submit(page, "/me/factors/app", { code: "000000" });
    expect([wrong.status, wrong.html.includes(secret)]).toEqual([422, true]);
    expect((await openBrowser(world).signIn(email, password)).location).toBe("/");
    expect(await isSignedIn(other)).toBe(true);

    const done = await browser.submit(page, "/me/factors/app", { code: code() });
    expect(codesOn(done)).toHaveLength(10);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect(textOf(await browser.get("/me"))).toContain("10 codes left");
    expect(await mailsTo()).toContain("En godkendelsesapp er føjet til dit login");
    expect(await actionsOf()).toContain("factor_added");
    const [row] = await world.sql("select sealed_secret from authenticators limit 1");
    expect(row.sealed_secret.toString("latin1")).not.toContain(secret);
    const repeated = await browser.submit(page, "/me/factors/app", { code: code() });
    expect(codesOn(repeated)).toEqual([]);
  });

  it("is asked for after the password, and leads on to the page that was asked for", async () => {
    const browser = openBrowser(world);
    const form = await browser.get("/hours");
    const { location } = await browser.submit(form, "/sign-in", { email, password });
    expect(location).toBe("/hours");
    const led = await browser.get("/hours");
    expect(led.location).toBe(`${FACTOR}?next=%2Fhours`);
    const page = await browser.get(led.location ?? "");
    expect(hiddenFields(page.html, FACTOR).next).toBe("/hours");
    expect(page.headers.get("content-security-policy")).not.toContain("script-src");
    const done = await browser.submit(page, FACTOR, { code: app.code() });
    expect([done.status, done.location]).toEqual([303, "/hours"]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it.each(["/", "/me", "/today", "/choose-account", "/sign-in", "/forgot-password", "/search"])(
    "keeps %s closed between password and code",
    async (path) => {
      const { browser } = await pending();
      const led = await browser.get(path);
      expect(led.location).toBe(`${FACTOR}?next=${encodeURIComponent(path)}`);
    },
  );

  it("keeps actions, forms and the consent closed between password and code", async () => {
    const { browser, page } = await pending();
    const { csrf = "" } = hiddenFields(page.html, FACTOR);
    expect((await browser.act("/app/hours/save", {}, csrf)).status).toBe(401);
    const { client, urlFor } = openConsent(world);
    const { request } = await client();
    const consent = await browser.get(urlFor(request()));
    expect(consent.location).toContain(FACTOR);
    expect(new URL(consent.location ?? "", world.origin).searchParams.get("next")).toBe(
      urlFor(request()),
    );
    await browser.submit(page, "/sign-out", {});
    expect((await browser.get("/me")).html).toContain("<h1>Sign in</h1>");
  });

  it("accepts a code once, also of two requests at the same moment", async () => {
    const code = app.code();
    const waiting = await Promise.all([pending(), pending(), pending()]);
    const replies = await Promise.all(
      waiting.map(({ browser, page }) => browser.submit(page, FACTOR, { code })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
    expect((await answered(code)).status).toBe(401);
    expect((await answered(app.code(1))).status).toBe(303);
  });

  it("has five minutes", async () => {
    const { browser, page } = await pending();
    await world.sql("update pending_sign_ins set expires_at = clock_timestamp()");
    const late = await browser.submit(page, FACTOR, { code: app.code() });
    expect(late.location).toMatch(/^\/sign-in\?next=/);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("is asked for after a new password by a link, too", async () => {
    const browser = openBrowser(world);
    await browser.submit(await browser.get("/forgot-password"), "/forgot-password", { email });
    const linkOf = async () =>
      (await world.mails())
        .filter(({ to }) => to?.[0]?.address === email)
        .map(({ text }) => /\/password-reset\S+/.exec(text ?? "")?.[0])
        .find((found) => found !== undefined);
    await expect.poll(linkOf).toBeDefined();
    const link = (await linkOf()) ?? "";
    const fresh = "another long password";
    await browser.submit(await browser.get(link), link, { password: fresh, again: fresh });
    expect(await isSignedIn(browser)).toBe(false);
    await browser.signIn(email, fresh);
    expect((await browser.get("/me")).location).toContain(FACTOR);
  });

  it("is sealed again with a new key, and its codes count as before", async () => {
    const before = await world.sql("select key_id from authenticators");
    const { key_id, apps } = await rollKeys(world.services);
    expect(apps).toBe(before.length);
    expect(before.map((row) => row.key_id)).not.toContain(key_id);
    expect((await answered(app.code())).status).toBe(303);
  });

  it("is replaced by another one, whose codes alone count then", async () => {
    const next = await beginApp(person);
    expect((await answered(app.code())).status).toBe(303);
    await freshCodes(world);
    const done = await person.submit(next.page, "/me/factors/app", { code: next.code() });
    expect(done.location).toBe("/me");
    await freshCodes(world);
    expect((await answered(app.code())).status).toBe(401);
    expect((await answered(next.code())).status).toBe(303);
  });
});

describe("a recovery code", () => {
  it("signs in once, in whichever way it is typed", async () => {
    const [first = "", second = ""] = app.recovery;
    expect((await answered(first.toLowerCase().replaceAll("-", " "))).status).toBe(303);
    expect((await answered(first)).status).toBe(401);
    expect((await answered(second)).status).toBe(303);
    expect(textOf(await person.get("/me"))).toContain("8 codes left");
    const hashes = await world.sql("select hash from recovery_codes");
    expect(hashes.map(({ hash }) => hash.toString("latin1")).join()).not.toContain(second);
  });

  it("ends with a new set", async () => {
    const page = await person.submit(await person.get("/me"), "/me/factors/codes", {});
    const [fresh = ""] = codesOn(page);
    expect((await answered(app.recovery[0] ?? "")).status).toBe(401);
    expect((await answered(fresh)).status).toBe(303);
    expect(await actionsOf()).toContain("recovery_codes_made");
  });
});

describe("wrong answers", () => {
  it("are ten in a quarter of an hour, then 429, and the owner is notified", async () => {
    const { browser, page } = await pending();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await browser.submit(page, FACTOR, { code: "12 34 56 7" })).status).toBe(401);
    }
    const limited = await browser.submit(page, FACTOR, { code: app.code() });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(600);
    expect((await answered(app.recovery[0] ?? "")).status).toBe(429);
    expect((await mailsTo()).filter((subject) => subject.includes("forkerte koder"))).toHaveLength(
      1,
    );
  });

  it("do not count where the answer was right", async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await freshCodes(world);
      expect((await answered(app.code())).status).toBe(303);
    }
  });
});

describe("the removal", () => {
  it("says what it means, ends the codes, and is mailed and recorded", async () => {
    const path = "/me/factors/app/remove";
    const page = await person.get(path);
    expect(textOf(page)).toContain("your only second factor");
    expect((await person.submit(page, path, {})).location).toBe("/me");
    expect((await openBrowser(world).signIn(email, password)).location).toBe("/");
    expect(await isSignedIn(person)).toBe(true);
    expect(await mailsTo()).toContain("En godkendelsesapp er fjernet fra dit login");
    expect(await actionsOf()).toContain("factor_removed");
    const again = openBrowser(world);
    await again.signIn(email, password);
    expect(await isSignedIn(again)).toBe(true);
    expect((await person.get(path)).location).toBe("/me");
  });

  it("by the operator is the last way back: factors and sessions end, grants stay", async () => {
    const { client } = openConsent(world);
    const connected = await (await client()).connect(person);
    expect(connected.status).toBe(200);
    const { browser, page } = await pending();
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await browser.submit(page, FACTOR, { code: "000000" });
    }
    await runAtEntryPoint(resetFactors, world.services, { operator, email });
    expect(await isSignedIn(person)).toBe(false);
    expect((await browser.get("/me")).location).toBeNull();
    const again = openBrowser(world);
    await again.signIn(email, password);
    expect(await isSignedIn(again)).toBe(true);
    expect(
      await world.sql("select 1 from oauth_grants where user_id = $1", [user_id]),
    ).toHaveLength(1);
    expect(await mailsTo()).toContain("Din totrinsbekræftelse til Matchbook er nulstillet");
    const { data } = await world.done(
      `GET /audit-events?resource_type=user&resource_id=${user_id}&limit=5`,
    );
    const reset = data.find(({ action }: { action: string }) => action === "factors_reset");
    expect(reset.actor.kind).not.toBe("user");
    const none = { operator, email: "none@x.example" };
    expect(await runAtEntryPoint(resetFactors, world.services, none)).toBeUndefined();
  });
});

describe("a login in two accounts", () => {
  it("chooses its account after the second step", async () => {
    const other = await world.openAnother();
    await world.sql(
      "update users set login_id = (select id from logins where email = $1) where id = $2",
      [email, other.admin.user_id],
    );
    const { browser, page } = await pending();
    expect((await browser.submit(page, FACTOR, { code: app.code() })).location).toBe("/");
    expect((await browser.get("/")).location).toContain("/choose-account");
  });
});
