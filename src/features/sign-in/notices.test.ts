/** What is refused at the doors leaves one line and a count each; and what the owner of an address is told by mail. */
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser.ts";
import { openConsent } from "../../../test/support/consent.ts";
import { type Json, openWorld, type World } from "../../../test/support/world.ts";
import { LINES_A_MINUTE, notice } from "../../platform/notice.ts";
import { csrfToken } from "../../platform/web/csrf.ts";
import { tellOwner } from "../people/owner-mail.ts";

const lines: Json[] = [];

let world: World;
let oauth: ReturnType<typeof openConsent>;
beforeAll(async () => {
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  world = await openWorld({
    knows_origin: true,
    environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1", MATCHBOOK_RATE_LIMIT: "1:2" },
    overrides: { log },
  });
  oauth = openConsent(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.sql("delete from rate_counters");
  lines.length = 0;
});

const noticed = () => lines.filter((line) => line.event !== undefined);
const FROM = { "x-forwarded-for": "2001:db8:1:2:3:4:5:6" };
const NETWORK = "2001:db8:1:2::/64";

async function countOf(event: string): Promise<number> {
  const text = await world.services.metrics.text();
  const found = new RegExp(`^matchbook_security_events_total\\{event="${event}"\\} (\\d+)$`, "m");
  return Number(found.exec(text)?.[1]);
}

/** What one request adds: the lines of it, and how much the counter of their event grew. */
async function leaves(event: string, ask: () => Promise<unknown>): Promise<Json[]> {
  const before = await countOf(event);
  lines.length = 0;
  await ask();
  await expect.poll(noticed).not.toEqual([]);
  expect((await countOf(event)) - before).toBe(noticed().length);
  return noticed();
}

async function post(url: string, fields: Record<string, string>) {
  const browser = openBrowser(world);
  await browser.get("/sign-in");
  const csrf = csrfToken(browser.cookie() ?? "", url);
  return browser.post(url, { csrf, ...fields }, FROM);
}

describe("a line and a count", () => {
  it("come of a sign-in that failed, with the network and a digest of the login", async () => {
    const signIn = (email: string) => () => post("/sign-in", { email, password: "hunter2-secret" });
    const { email } = world.account.admin;
    const found = await leaves("sign_in_failed", signIn(email));
    const line = { event: "sign_in_failed", network: NETWORK, login: expect.any(String) };
    expect(found).toEqual([expect.objectContaining(line)]);
    expect(found[0].login).toMatch(/^[0-9a-f]{12}$/);
    const again = await leaves("sign_in_failed", signIn(email.toUpperCase()));
    expect(again[0].login).toBe(found[0].login);
    const other = await leaves("sign_in_failed", signIn("nobody@x.example"));
    expect(other[0].login).not.toBe(found[0].login);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|nobody@/);
  });

  it("come of a wrong password in the settings, and none of a sign-in that is right", async () => {
    const browser = await oauth.signedInAdmin();
    expect(noticed()).toEqual([]);
    const page = await browser.get("/settings/password");
    const fields = { old_password: "wrong", password: "another one", again: "another one" };
    const found = await leaves("sign_in_failed", () =>
      browser.submit(page, "/settings/password", fields),
    );
    expect(found).toHaveLength(1);
  });

  it("come of a login that is locked, once, with its digest", async () => {
    const signIn = () => post("/sign-in", { email: "locked@x.example", password: "wrong" });
    const [failed] = await leaves("sign_in_failed", signIn);
    await world.sql("update rate_counters set count = 100");
    const found = await leaves("rate_limited", signIn);
    expect(found).toEqual([
      expect.objectContaining({ network: NETWORK, login: failed.login, route: "/sign-in" }),
    ]);
  });

  it("come of an API key that is refused, and none where no key is sent", async () => {
    const key = `mbk_${"x".repeat(36)}`;
    const found = await leaves("key_refused", () => world.rest("GET /customers", undefined, key));
    expect(found).toEqual([
      expect.objectContaining({
        event: "key_refused",
        network: "127.0.0.1",
        route: "/api/v1/customers",
      }),
    ]);
    expect(found[0].credential).toMatch(/^[0-9a-f]{12}$/);
    expect(JSON.stringify(lines)).not.toContain("xxxxxxx");
    lines.length = 0;
    await world.rest("GET /customers", undefined, null);
    expect(noticed()).toEqual([]);
  });

  it("come of an access token that is refused, of a code, and of a refresh token", async () => {
    const headers = {
      authorization: "Bearer not.a.token",
      accept: "application/json, text/event-stream",
      ...FROM,
    };
    const mcp = () => fetch(`${world.origin}/api/mcp`, { method: "POST", headers, body: "{}" });
    expect(await leaves("token_refused", mcp)).toEqual([
      expect.objectContaining({ network: NETWORK, route: "/api/mcp" }),
    ]);
    const client = await oauth.client();
    const code = await leaves("token_refused", () => client.exchange("made-up"));
    expect(code).toEqual([expect.objectContaining({ reason: "the code is not known" })]);
    const token = await leaves("token_refused", () => client.refresh("made-up"));
    expect(token).toEqual([expect.objectContaining({ reason: "the refresh token is not known" })]);
    expect(JSON.stringify(lines)).not.toContain("made-up");
  });

  it("come of a reset for nobody, and of a link that is not good", async () => {
    const nobody = await leaves("reset_failed", () =>
      post("/forgot-password", { email: "nobody@x.example" }),
    );
    expect(nobody).toEqual([
      expect.objectContaining({ network: NETWORK, login: expect.any(String) }),
    ]);
    const link = "/password-reset?token=x";
    const read = await leaves("reset_failed", () => openBrowser(world).get(link, FROM));
    expect(read).toEqual([expect.objectContaining({ reason: "the link is not good" })]);
    const password = "a new password";
    const sent = await leaves("reset_failed", () => post(link, { password, again: password }));
    expect(sent).toHaveLength(1);
  });

  it("come of a key over its rate, with whose it is", async () => {
    const ask = () => world.rest("GET /customers");
    await Promise.all([ask(), ask()]);
    const found = await leaves("rate_limited", ask);
    const { account_id } = world.account;
    expect(found).toEqual([
      expect.objectContaining({ account_id, route: "/api/v1/customers", network: "127.0.0.1" }),
    ]);
  });

  it("stop at so many lines a minute, while the count goes on", async () => {
    const { services } = world;
    const before = await countOf("reset_failed");
    for (let index = 0; index < LINES_A_MINUTE + 50; index += 1) {
      notice(services, "reset_failed", { address: "203.0.113.9" });
    }
    expect(noticed().length).toBeLessThanOrEqual(LINES_A_MINUTE);
    expect(noticed().length).toBeGreaterThan(LINES_A_MINUTE - 50);
    expect((await countOf("reset_failed")) - before).toBe(LINES_A_MINUTE + 50);
  });
});

describe("the owner of an address", () => {
  const mailsTo = async (address: string) =>
    (await world.mails()).filter(({ to }) => to?.[0]?.address === address);
  const subjectsTo = async (address: string) =>
    (await mailsTo(address)).map(({ subject }) => subject ?? "").sort();

  async function person(): Promise<{ browser: Browser; user_id: string; email: string }> {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const made = await oauth.person();
    const [row] = await world.sql("select email from users where id = $1", [made.user_id]);
    return { ...made, email: row.email };
  }

  it("is told of a new password, in the language of the account", async () => {
    const { browser, email } = await person();
    const page = await browser.get("/settings/password");
    const fields = { password: "another password", again: "another password" };
    await browser.submit(page, "/settings/password", { ...fields, old_password: oauth.password });
    expect(await subjectsTo(email)).toContain("Din adgangskode til Matchbook er ændret");
    await world.sql("update configurations set invoice_language_key = 'en-GB'");
    const stranger = openBrowser(world);
    await stranger.submit(await stranger.get("/forgot-password"), "/forgot-password", { email });
    const linkOf = async () =>
      /\/password-reset\S+/.exec((await mailsTo(email)).map(({ text }) => text).join("\n"))?.[0];
    await expect.poll(linkOf).toBeDefined();
    const link = (await linkOf()) ?? "";
    const reset = await stranger.get(link);
    expect((await stranger.submit(reset, link, fields)).status).toBe(303);
    expect(await subjectsTo(email)).toContain("Your password for Matchbook was changed");
  });

  it("is told of another address at the old one", async () => {
    const { user_id, email } = await person();
    await world.done(`PATCH /users/${user_id}`, { email: `moved-${email}` });
    const [mail] = (await mailsTo(email)).filter(({ subject }) => /changed$/.test(subject ?? ""));
    expect(mail?.text).toContain(`${email} no longer signs in there`);
    expect(mail?.text).not.toContain("moved-");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await world.done(`PATCH /users/${user_id}`, { name: "Another name" });
    expect(await mailsTo(`moved-${email}`)).toHaveLength(1);
  });

  it("is told of that only where they signed in with it: other addresses are anybody's", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const made = await world.done("POST /users", { name: "New", email: "invited@x.example" });
    for (const email of ["anybody-1@x.example", "anybody-2@x.example", "anybody-3@x.example"]) {
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await world.done(`PATCH /users/${made.id}`, { active: false, email });
    }
    expect(await mailsTo("invited@x.example")).toHaveLength(1);
    expect(await mailsTo("anybody-1@x.example")).toEqual([]);
    expect(await mailsTo("anybody-2@x.example")).toEqual([]);
  });

  it("is told of an assistant that was connected, by the name that it gives itself", async () => {
    const { browser, email } = await person();
    const client = await oauth.client({ client_name: "Helper" });
    const { body } = await client.connect(browser, { scope: "mcp:write" });
    await expect.poll(() => mailsTo(email)).toHaveLength(2);
    const mail = (await mailsTo(email)).find(({ text }) => text?.includes("calls itself"));
    expect(mail?.subject).toBe(`An assistant was connected to ${await accountName()}`);
    expect(mail?.text).toContain('calls itself "Helper"');
    expect(mail?.text).toContain("mcp:read, mcp:write");
    await client.refresh(body.refresh_token);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it("is told of a lock-out once in an hour, and strangers to us are told nothing", async () => {
    const { email } = await person();
    const guess = (address: string) => post("/sign-in", { email: address, password: "wrong" });
    for (const address of [email, "nobody-here@x.example"]) {
      for (let index = 0; index < 10; index += 1) await guess(address);
      expect((await guess(address)).status).toBe(429);
      expect((await guess(address)).status).toBe(429);
    }
    const told = async () =>
      (await subjectsTo(email)).filter((subject) => /wrong passwords/.test(subject));
    await expect.poll(told).toEqual(["Too many wrong passwords for your address"]);
    expect(await mailsTo("nobody-here@x.example")).toEqual([]);
  });

  it("is told though the account has sent as much as it may, up to a limit of its own", async () => {
    const email = "owner@x.example";
    const { account_id } = world.account;
    await world.sql(
      `insert into mail_counters values ($1, 'all', 100000, now() + interval '1 hour')
       on conflict (account_id, subject) do update set count = 100000`,
      [account_id],
    );
    for (let index = 0; index < 15; index += 1) {
      await tellOwner(world.services, { email, account_id, sandbox: false }, { kind: "password" });
    }
    expect(await mailsTo(email)).toHaveLength(10);
    await world.sql("delete from mail_counters");
  });

  async function accountName(): Promise<string> {
    const { account_id } = world.account;
    return (await world.sql("select name from accounts where id = $1", [account_id]))[0].name;
  }
});
