/** Signing in and out in a browser: the cookie, the forms, the limits, and the end of a session (spec 12.6). */

import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  hiddenFields,
  openBrowser,
} from "../../../../test/support/browser/browser.ts";
import { changedByOperator, userByOperator } from "../../../../test/support/world/people.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { openAccount } from "../accounts/create.ts";
import { removeExpired } from "./clean.ts";

const PASSWORD = "correct horse battery staple";

let email: string;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  email = world.account.admin.email;
});

async function signedIn(): Promise<Browser> {
  const browser = openBrowser(world);
  const reply = await browser.signIn(email, PASSWORD);
  expect(reply.status).toBe(303);
  return browser;
}

/** The newest link in a mail to an address. */
async function linkTo(address: string, path = "/invitation"): Promise<string> {
  const mails = await world.mails();
  const links = mails
    .filter((mail) => mail.to?.[0]?.address?.toLowerCase() === address.toLowerCase())
    .toSorted((a, b) => ((a.date ?? "") < (b.date ?? "") ? -1 : 1))
    .map((mail) => /http\S+/.exec(mail.text ?? "")?.[0])
    .filter((link) => link?.startsWith(world.origin + path));
  const link = links.at(-1);
  if (link === undefined) throw new Error(`no mail to ${address} has a link`);
  return link.slice(world.origin.length);
}

describe("signing in", () => {
  it("begins a session with a new cookie, and leads to the requested page", async () => {
    const browser = openBrowser(world);
    const page = await browser.get("/settings/developer");
    expect(page.html).toContain("Sign in");
    const before = browser.cookie();

    const reply = await browser.submit(page, "/sign-in", { email, password: PASSWORD });

    expect([reply.status, reply.location]).toEqual([303, "/settings/developer"]);
    expect(browser.cookie()).not.toBe(before);
    expect(reply.headers.get("set-cookie")).toMatch(
      /^matchbook=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const settings = await browser.get("/settings/developer");
    expect(settings.status).toBe(200);
    expect(settings.html).toContain("Create key");
  });

  it("is in the audit trail as an action of the person", async () => {
    await signedIn();
    const actor = world.account.admin.user_id;
    const { data } = await world.done(`GET /audit-events?actor=${actor}&resource_type=user`);
    expect(data[0]).toMatchObject({ action: "signed_in", actor: { kind: "user", id: actor } });
  });

  it("stores neither the cookie nor the password", async () => {
    const browser = await signedIn();
    const rows = await world.sql("select * from sessions");
    expect(JSON.stringify(rows)).not.toContain(browser.cookie());
  });

  it.each([
    ["another password", () => ({ email, password: "wrong horse" })],
    ["an unknown address", () => ({ email: "unknown@x.example", password: PASSWORD })],
    ["nothing", () => ({})],
    ["a very long password", () => ({ email, password: "x".repeat(5_000) })],
    ["a password with NUL", () => ({ email, password: "a\0b" })],
  ])("is refused with %s", async (_what, fields) => {
    const browser = openBrowser(world);
    const page = await browser.get("/sign-in");
    const reply = await browser.submit(page, "/sign-in", fields() as Record<string, string>);
    expect([400, 401]).toContain(reply.status);
    expect(reply.html).not.toContain("Assistants");
  });

  it("gives the same answer for an unknown address as for a wrong password", async () => {
    const answers = await Promise.all(
      [email, "unknown@x.example"].map(async (address) => {
        const browser = openBrowser(world);
        const page = await browser.get("/sign-in");
        const fields = { email: address, password: "wrong" };
        const { html, status } = await browser.submit(page, "/sign-in", fields);
        return { status, html: html.replace(address, "").replace(/name="csrf" value="[^"]*"/, "") };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it("is limited by login, from whatever addresses, with 429 and Retry-After", async () => {
    const browser = openBrowser(world);
    const page = await browser.get("/sign-in");
    const attempt = () =>
      browser.submit(page, "/sign-in", { email: "target@x.example", password: "guess" });
    for (let count = 0; count < 10; count += 1) expect((await attempt()).status).toBe(401);

    const reply = await attempt();

    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(800);
    // Other logins are not blocked by it.
    expect((await browser.submit(page, "/sign-in", { email, password: PASSWORD })).status).toBe(
      303,
    );
    await world.sql("delete from rate_counters");
  });

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example",
    "javascript:alert(1)",
    "\\\\evil.example",
    "/a\r\nset-cookie: x=1",
    "evil.example",
    "",
  ])("never redirects to %j", async (next) => {
    const browser = openBrowser(world);
    const page = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
    expect(hiddenFields(page.html, "/sign-in").next).toBe("/");
    const reply = await browser.submit(page, "/sign-in", { email, password: PASSWORD, next });
    expect(reply.location).toBe("/");
    const again = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
    expect(again.location).toBe("/");
  });
});

describe("a form", () => {
  const fields = () => ({ email, password: PASSWORD });

  it.each([
    ["without a CSRF value", {}],
    ["with a made-up CSRF value", { csrf: "x".repeat(43) }],
  ])("%s is refused", async (_what, csrf) => {
    const browser = openBrowser(world);
    await browser.get("/sign-in");
    expect((await browser.post("/sign-in", { ...fields(), ...csrf })).status).toBe(400);
  });

  it("with the CSRF value of another browser, or of another form, is refused", async () => {
    const [mine, others] = [openBrowser(world), openBrowser(world)];
    const page = await mine.get("/sign-in");
    await others.get("/sign-in");
    expect((await others.submit(page, "/sign-in", fields())).status).toBe(400);

    const settings = await (await signedIn()).get("/assistants");
    const hidden = hiddenFields(settings.html, "/sign-out");
    const browser = await signedIn();
    expect((await browser.post("/me/password", hidden)).status).toBe(400);
  });

  it.each([
    ["Sec-Fetch-Site names another site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site names the same site, but another origin", { "sec-fetch-site": "same-site" }],
    ["Origin is another", { "sec-fetch-site": undefined, origin: "https://evil.example" }],
    ["Origin is null", { "sec-fetch-site": undefined, origin: "null" }],
  ])("is refused when %s", async (_what, headers) => {
    const browser = openBrowser(world);
    const page = await browser.get("/sign-in");
    const hidden = hiddenFields(page.html, "/sign-in");
    const sent = Object.fromEntries(
      Object.entries(headers).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const response = await fetch(`${world.origin}/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: {
        cookie: `matchbook=${browser.cookie()}`,
        "content-type": "application/x-www-form-urlencoded",
        ...sent,
      },
      body: new URLSearchParams({ ...hidden, ...fields() }).toString(),
    });
    expect(response.status).toBe(400);
  });

  it.each([
    ["a field twice", "email=a&email=b"],
    ["NUL", "email=%00"],
    ["a lone surrogate", "email=%ED%A0%80&next=%"],
    ["prototype names", "__proto__=x&constructor=y&toString=z"],
    ["a large body", `email=${"x".repeat(20_000)}`],
    ["no form", "{}"],
  ])("with %s is refused with status 400", async (_what, body) => {
    const browser = await signedIn();
    const status = (await browser.post("/settings/developer/create-key", body)).status;
    expect(status).toBe(400);
  });

  it("of another content type is refused", async () => {
    const browser = await signedIn();
    const headers = { "content-type": "application/json" };
    expect((await browser.post("/sign-out", "{}", headers)).status).toBe(400);
  });
});

describe("every page", () => {
  it.each(["/sign-in", "/settings/developer", "/invitation?token=x", "/forgot-password"])(
    "such as %s may not be framed, scripted or stored",
    async (path) => {
      const { headers } = await (await signedIn()).get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    },
  );

  it("loads only files of our own origin, which are compressed and cacheable permanently", async () => {
    const browser = openBrowser(world);
    const { html } = await browser.get("/sign-in");
    const loaded = [...html.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(loaded).toHaveLength(3);
    for (const href of loaded) {
      const { status, headers } = await browser.get(href, { "accept-encoding": "br" });
      const kept = headers.get("cache-control");
      expect([href, status, kept]).toEqual([href, 200, "public, max-age=31536000, immutable"]);
      const is_font = href.endsWith(".woff2");
      expect(headers.get("content-encoding")).toBe(is_font ? null : "br");
    }
    expect((await browser.get("/assets/nothing.css")).status).toBe(404);
  });
});

describe("a session", () => {
  it("ends with the sign-out", async () => {
    const browser = await signedIn();
    const page = await browser.get("/assistants");
    const before = browser.cookie();

    await browser.submit(page, "/sign-out", {});
    browser.setCookie(before);

    expect((await browser.get("/assistants")).html).toContain("Sign in");
  });

  it.each([
    ["its time is over", "update sessions set expires_at = now()"],
    ["it was not used for a day", "update sessions set last_seen_at = now() - interval '25 hours'"],
  ])("ends when %s", async (_what, statement) => {
    const browser = await signedIn();
    await world.sql(statement);
    expect((await browser.get("/assistants")).html).toContain("Sign in");
  });

  it("ends when its user is deactivated, and shows a new role immediately", async () => {
    const user = await world.done("POST /users", { name: "Eva", email: "eva@x.example" });
    const browser = openBrowser(world);
    const link = await linkTo("eva@x.example");
    const page = await browser.get(link);
    await browser.submit(page, link, { password: PASSWORD, again: PASSWORD });
    expect((await browser.get("/settings/developer")).status).toBe(404);

    await changedByOperator(world, user.id, { role: "admin" });
    expect((await browser.get("/settings/developer")).status).toBe(200);
    await changedByOperator(world, user.id, { active: false });
    expect((await browser.get("/settings/developer")).html).toContain("Sign in");
  });

  it("is deleted after it has expired", async () => {
    await signedIn();
    await world.sql("update sessions set expires_at = now() - interval '1 hour'");
    await removeExpired(world.services);
    expect(await world.sql("select 1 from sessions")).toEqual([]);
  });
});

describe("an invitation", () => {
  it("lets its holder set a password once, and signs them in", async () => {
    await world.done("POST /users", { name: "Ida <b>", email: "ida@x.example" });
    const link = await linkTo("ida@x.example");
    const browser = openBrowser(world);
    const page = await browser.get(link);
    expect(page.html).toContain("ida@x.example");

    const short = await browser.submit(page, link, { password: "short", again: "short" });
    const differing = await browser.submit(page, link, { password: PASSWORD, again: "other one" });
    const joined = await browser.submit(page, link, { password: PASSWORD, again: PASSWORD });

    expect([short.status, differing.status, joined.status]).toEqual([422, 422, 303]);
    expect((await browser.get("/assistants")).html).toContain("Ida &lt;b>");
    expect((await openBrowser(world).get(link)).status).toBe(404);
    expect((await openBrowser(world).signIn("IDA@x.example", PASSWORD)).status).toBe(303);
  });

  it("to an address that has a login changes nothing of it until its owner accepts", async () => {
    const other = await world.openAnother();
    const body = { name: "Admin too", email: email.toUpperCase() };
    const user = await userByOperator(world, body, other.account_id);
    const link = await linkTo(email.toUpperCase());
    const stranger = openBrowser(world);
    const page = await stranger.get(link);
    expect(page.html).not.toContain("New password");
    const forged = await stranger.post(link, { password: "evil evil", again: "evil evil" });
    expect(forged.status).toBe(400);
    const linked = () => world.sql("select login_id from users where id = $1", [user.id]);
    expect(await linked()).toEqual([{ login_id: null }]);
    expect((await openBrowser(world).signIn(email, "evil evil")).status).toBe(401);

    const owner = await signedIn();
    const accept = await owner.get(link);
    const joined = await owner.submit(accept, link, {});

    expect(joined.status).toBe(303);
    expect((await linked())[0].login_id).not.toBeNull();
    // From now on the person chooses the account.
    const browser = openBrowser(world);
    const signed_in = await browser.signIn(email, PASSWORD);
    const choice = await browser.get(signed_in.location ?? "");
    expect(choice.location).toMatch(/^\/choose-account\?next=/);
    const chooser = await browser.get(choice.location ?? "");
    const chosen = await browser.submit(chooser, "/choose-account", { account: other.account_id });
    expect(chosen.location).toBe("/");
    expect((await browser.get("/assistants")).html).toContain("Admin too");
    const foreign = { account: "0190a000-0000-7000-8000-000000000000" };
    expect((await browser.submit(chooser, "/choose-account", foreign)).status).toBe(400);
    await world.sql("update users set active = false where id = $1", [user.id]);
  });

  it("says whether its page asks for a new password or for the existing one", async () => {
    const other = await world.openAnother();
    const textTo = async (address: string) => {
      const fields = { name: "Invited", email: address };
      await world.done("POST /users", fields, other.keys.read_write);
      const mails = await world.mails();
      return mails.find((mail) => mail.to?.[0]?.address === address)?.text ?? "";
    };
    const unknown = await textTo("not-yet@x.example");
    const known = await textTo(email.replace("a", "A"));
    expect(unknown).toContain("for at vælge en adgangskode og logge ind:");
    expect(known).toContain("log ind med din adgangskode til Matchbook:");
    expect(known).not.toContain("vælge en adgangskode");
    await world.sql("update users set active = false where account_id = $1", [other.account_id]);
  });

  it("is also sent to the admin of a new account whose address has a login", async () => {
    const fields = { name: "Third", sandbox: false, currency: "DKK" };
    const opened = await openAccount(world.services, { ...fields, admin_email: email });
    expect(opened.admin.password).toBeNull();
    expect(await linkTo(email)).toMatch(/^\/invitation\?token=/);
  });

  it.each(["", "x", "x".repeat(43), "%00", "'"])("of %j does not exist", async (token) => {
    const reply = await openBrowser(world).get(`/invitation?token=${token}`);
    expect([400, 404]).toContain(reply.status);
  });

  it("goes to the new address of a user, and the old login loses its access", async () => {
    const user = await world.done("POST /users", { name: "Moving", email: "old@x.example" });
    const link = await linkTo("old@x.example");
    const browser = openBrowser(world);
    const page = await browser.get(link);
    await browser.submit(page, link, { password: PASSWORD, again: PASSWORD });

    await world.done(`PATCH /users/${user.id}`, { email: "new@x.example" });

    expect((await browser.get("/assistants")).html).not.toContain("Moving");
    expect(await linkTo("new@x.example")).toMatch(/^\/invitation\?token=/);
  });
});

describe("a password", () => {
  async function person(address: string): Promise<Browser> {
    await world.done("POST /users", { name: "P", email: address });
    const browser = openBrowser(world);
    const link = await linkTo(address);
    const page = await browser.get(link);
    await browser.submit(page, link, { password: PASSWORD, again: PASSWORD });
    return browser;
  }

  it("is changed with the old one, and other sessions end", async () => {
    const browser = await person("pw@x.example");
    const other = openBrowser(world);
    await other.signIn("pw@x.example", PASSWORD);
    const page = await browser.get("/me/password");
    const change = (old_password: string) =>
      browser.submit(page, "/me/password", {
        old_password,
        password: "another horse",
        again: "another horse",
      });

    expect((await change("wrong")).status).toBe(422);
    expect((await change(PASSWORD)).status).toBe(303);

    expect((await browser.get("/assistants")).html).toContain("Sign out");
    expect((await other.get("/assistants")).html).not.toContain("Sign out");
    expect((await openBrowser(world).signIn("pw@x.example", PASSWORD)).status).toBe(401);
    expect((await openBrowser(world).signIn("pw@x.example", "another horse")).status).toBe(303);
  });

  it("that was never set is requested in the same way, and the invitation is sent again", async () => {
    await world.done("POST /users", { name: "Late", email: "late@x.example" });
    await world.sql("update invitations set expires_at = now()");
    const before = (await world.mails()).length;
    const browser = openBrowser(world);
    const page = await browser.get("/forgot-password");
    await browser.submit(page, "/forgot-password", { email: "Late@x.example" });
    await expect.poll(async () => (await world.mails()).length).toBe(before + 1);
    const links = (await world.mails())
      .filter((mail) => mail.to?.[0]?.address === "late@x.example")
      .map((mail) => /\/invitation\S+/.exec(mail.text ?? "")?.[0] ?? "");
    const pages = await Promise.all(links.map((link) => browser.get(link)));
    expect(pages.map((reply) => reply.status).sort()).toEqual([200, 404]);
  });

  it("that was forgotten is replaced by a link that works once", async () => {
    const browser = await person("lost@x.example");
    const stranger = openBrowser(world);
    const ask = async (address: string) => {
      const page = await stranger.get("/forgot-password");
      return stranger.submit(page, "/forgot-password", { email: address });
    };
    const known = await ask("lost@x.example");
    expect((await ask("unknown@x.example")).html).toBe(known.html);
    const find = () => linkTo("lost@x.example", "/password-reset").catch(() => "");
    await expect.poll(find).not.toBe("");
    const link = await find();
    const page = await stranger.get(link);
    const fields = { password: "found horse", again: "found horse" };
    expect((await stranger.submit(page, link, fields)).status).toBe(303);
    expect((await stranger.submit(page, link, fields)).status).toBe(404);
    expect((await browser.get("/assistants")).html).not.toContain("Sign out");
    expect((await stranger.signIn("lost@x.example", "found horse")).status).toBe(303);
  });
});
