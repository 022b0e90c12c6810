/** The notices by mail to the owner of an address about their sign-in. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { csrfToken } from "../../../platform/security/sessions/csrf.ts";
import { notifyOwner } from "../people/owner-mail.ts";

let oauth: ReturnType<typeof openConsent>;
const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1" },
});
beforeAll(async () => {
  oauth = openConsent(world);
});
beforeEach(() => world.sql("delete from rate_counters"));

async function post(url: string, fields: Record<string, string>) {
  const browser = openBrowser(world);
  await browser.get("/sign-in");
  const csrf = csrfToken(browser.cookie() ?? "", url);
  return browser.post(url, { csrf, ...fields });
}

describe("the owner of an address", () => {
  const mailsTo = async (address: string) =>
    (await world.mails()).filter(({ to }) => to?.[0]?.address === address);
  const subjectsTo = async (address: string) =>
    (await mailsTo(address)).map(({ subject }) => subject ?? "").sort();

  async function person(): Promise<{ browser: Browser; user_id: string; email: string }> {
    const made = await oauth.person();
    const [row] = await world.sql("select email from users where id = $1", [made.user_id]);
    return { ...made, email: row.email };
  }

  it("gets a mail about a new password, in the language of the account", async () => {
    const { browser, email } = await person();
    const page = await browser.get("/me/password");
    const fields = { password: "another password", again: "another password" };
    await browser.submit(page, "/me/password", { ...fields, old_password: oauth.password });
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

  it("gets a mail about a new address at the old one", async () => {
    const { user_id, email } = await person();
    await world.done(`PATCH /users/${user_id}`, { email: `moved-${email}` });
    const [mail] = (await mailsTo(email)).filter(({ subject }) => /changed$/.test(subject ?? ""));
    expect(mail?.text).toContain(`${email} can no longer sign in there`);
    expect(mail?.text).not.toContain("moved-");
    await world.done(`PATCH /users/${user_id}`, { name: "Another name" });
    expect(await mailsTo(`moved-${email}`)).toHaveLength(1);
  });

  it("gets a mail about a new address only if the owner has signed in with the old one", async () => {
    const made = await world.done("POST /users", { name: "New", email: "invited@x.example" });
    for (const email of ["address-1@x.example", "address-2@x.example", "address-3@x.example"]) {
      await world.done(`PATCH /users/${made.id}`, { active: false, email });
    }
    const [invitation] = await mailsTo("invited@x.example");
    const link = /http\S+\/invitation\?token=\S+/.exec(invitation?.text ?? "")?.[0];
    expect(invitation?.html).toContain(`<a href="${link}"`);
    expect(invitation?.html).toContain(">Set a password</a>");
    expect(invitation?.html).not.toMatch(/<img|src=|<link|url\(/);
    expect(await mailsTo("invited@x.example")).toHaveLength(1);
    expect(await mailsTo("address-1@x.example")).toEqual([]);
    expect(await mailsTo("address-2@x.example")).toEqual([]);
  });

  it("gets a mail about a connected assistant, with the name that it gives itself", async () => {
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

  it("gets one mail an hour about a lock-out, and an address without a login gets none", async () => {
    const { email } = await person();
    const guess = (address: string) => post("/sign-in", { email: address, password: "wrong" });
    for (const address of [email, "unknown@x.example"]) {
      for (let index = 0; index < 10; index += 1) await guess(address);
      expect((await guess(address)).status).toBe(429);
      expect((await guess(address)).status).toBe(429);
    }
    const reported = async () =>
      (await subjectsTo(email)).filter((subject) => /wrong passwords/.test(subject));
    await expect.poll(reported).toEqual(["Too many wrong passwords for your address"]);
    expect(await mailsTo("unknown@x.example")).toEqual([]);
  });

  it("gets mails although the account has reached its limit, up to a separate limit", async () => {
    const email = "owner@x.example";
    const { account_id } = world.account;
    await world.sql(
      `insert into mail_counters values ($1, 'all', 100000, now() + interval '1 hour')
       on conflict (account_id, subject) do update set count = 100000`,
      [account_id],
    );
    for (let index = 0; index < 15; index += 1) {
      await notifyOwner(
        world.services,
        { email, account_id, sandbox: false },
        { kind: "password" },
      );
    }
    expect(await mailsTo(email)).toHaveLength(10);
    await world.sql("delete from mail_counters");
  });

  async function accountName(): Promise<string> {
    const { account_id } = world.account;
    return (await world.sql("select name from accounts where id = $1", [account_id]))[0].name;
  }
});
