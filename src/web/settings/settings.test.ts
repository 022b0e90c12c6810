/** The settings pages: API keys and assistants, the permissions, and escaped text from other sources. */

import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, disconnected, openBrowser } from "../../../test/support/browser/browser.ts";
import { assistantOf } from "../../../test/support/mcp/assistant.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { changedByOperator } from "../../../test/support/world/people.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { operatorContext } from "../../features/access/accounts/create.ts";
import { mintKey } from "../../features/access/api-keys/mint.ts";
import { tokenAuthentication } from "../../features/access/oauth/authenticate.ts";
import { transact } from "../../platform/commands/tx.ts";

const DEVELOPER = "/settings/developer";
const CREATE = `${DEVELOPER}/create-key`;

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

async function createKey(name: string, scope: string) {
  const page = await admin.get(DEVELOPER);
  const reply = await admin.submit(page, CREATE, { name, scope });
  return { reply, key: /mbk_[0-9A-Za-z]{36}/.exec(reply.html)?.[0] };
}

describe("API keys", () => {
  it.each([
    ["read", 403],
    ["read_write", 201],
  ])("with scope %s are created, shown once, and accepted", async (scope, status) => {
    const { key } = await createKey(`Key ${scope}`, scope);
    expect((await world.rest("POST /customers", { name: "A" }, key ?? "")).status).toBe(status);
    const page = await admin.get(DEVELOPER);
    expect(page.html).toContain(`Key ${scope}`);
    expect(page.html).not.toContain(key);
    expect(page.html).toContain(key?.slice(0, 10));
  });

  it("are created and revoked in the name of the user", async () => {
    const { key } = await createKey("Short-lived", "read");
    const [{ id }] = await world.sql("select id from api_keys where name = 'Short-lived'");
    const page = await admin.get(DEVELOPER);

    const reply = await admin.submit(page, `${DEVELOPER}/revoke-key`, { id });

    expect(reply.location).toBe(DEVELOPER);
    expect((await world.rest("GET /customers", undefined, key ?? "")).status).toBe(401);
    const { data } = await world.done(`GET /audit-events?resource_type=api_key&resource_id=${id}`);
    const actor = { kind: "user", id: world.account.admin.user_id };
    expect(data).toMatchObject([
      { action: "revoked", actor },
      { action: "created", actor },
    ]);
    expect((await admin.submit(page, `${DEVELOPER}/revoke-key`, { id })).status).toBe(404);
  });

  it("show their creator and date, also after the creator is deactivated", async () => {
    const { browser, user_id } = await oauth.person();
    await changedByOperator(world, user_id, { name: "Gone Admin", role: "admin" });
    const page = await browser.get(DEVELOPER);
    const made = await browser.submit(page, CREATE, { name: "Kept along", scope: "read_write" });
    const key = /mbk_[0-9A-Za-z]{36}/.exec(made.html)?.[0] ?? "";
    const rowOf = async (name: string) => {
      const { html } = await admin.get(DEVELOPER);
      return html.split("<tr").find((row) => row.includes(name)) ?? "";
    };
    expect(await rowOf("Kept along")).toMatch(/Gone Admin/);
    expect(await rowOf("Kept along")).toContain(
      `datetime="${new Date().toISOString().slice(0, 10)}`,
    );
    expect(await rowOf("Kept along")).not.toContain("no longer an admin");

    await changedByOperator(world, user_id, { active: false });

    expect((await world.rest("GET /customers", undefined, key)).status).toBe(200);
    expect(await rowOf("Kept along")).toMatch(/Gone Admin.*no longer an admin/s);
    expect(await rowOf("First read key")).toContain("the command line, or unknown");
  });

  it("are created once for repeated requests of one form", async () => {
    const page = await admin.get(DEVELOPER);
    const send = () => admin.submit(page, CREATE, { name: "Reloaded", scope: "read" });
    const replies = await Promise.all([send(), send(), send()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const again = await send();
    expect(again.status).toBe(409);
    expect(again.html).toContain("<strong>Reloaded</strong> has already been created");
    expect(again.html).not.toMatch(/mbk_\w{36}/);
    const made = await world.sql("select id from api_keys where name = 'Reloaded'");
    expect(made).toHaveLength(1);
    const { data } = await world.done(`GET /audit-events?resource_id=${made[0].id}`);
    expect(data).toHaveLength(1);

    await admin.submit(page, `${DEVELOPER}/revoke-key`, { id: made[0].id });
    expect((await send()).status).toBe(409);
    // The form on the page of the refusal is a new one.
    const fresh = await admin.submit(again, CREATE, { name: "Reloaded", scope: "read" });
    expect(fresh.html).toMatch(/mbk_\w{36}/);
  });

  it("are accepted until the end of their last day", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const page = await admin.get(DEVELOPER);
    expect(page.html).toMatch(/name="last_day"[^>]*placeholder="No last day"/);
    const fields = { name: "Until tonight", scope: "read", last_day: today };
    const { html } = await admin.submit(page, CREATE, fields);
    const key = /mbk_[0-9A-Za-z]{36}/.exec(html)?.[0] ?? "";
    expect((await world.rest("GET /customers", undefined, key)).status).toBe(200);
    const [row] = await world.sql(
      "select id, expires_at from api_keys where name = 'Until tonight'",
    );
    expect(Date.parse(row.expires_at)).toBe(Date.parse(`${today}T00:00:00Z`) + 86_400_000);
    const { data } = await world.done(`GET /audit-events?resource_id=${row.id}`);
    expect(data[0].after).toMatchObject({ name: "Until tonight", last_day: today });
    await world.sql("update api_keys set expires_at = now() where id = $1", [row.id]);
    expect((await world.rest("GET /customers", undefined, key)).status).toBe(401);
    expect((await admin.get(DEVELOPER)).html).not.toContain("Until tonight");
    expect((await admin.get(`${DEVELOPER}?keys=ended`)).html).toContain("Until tonight");
  });

  it("take a last day as people type it, and keep what was typed when they are refused", async () => {
    const fields = { name: "Typed day", scope: "read_write", last_day: "24.12.2099" };
    await admin.submit(await admin.get(DEVELOPER), CREATE, fields);
    const [row] = await world.sql("select expires_at from api_keys where name = 'Typed day'");
    expect(row.expires_at).toBe("2099-12-25T00:00:00.000Z");
    const wrong = { ...fields, name: "Kept name", last_day: "31.2." };
    const { html } = await admin.submit(await admin.get(DEVELOPER), CREATE, wrong);
    expect(html).toContain('value="Kept name"');
    expect(html).toMatch(/name="last_day"[^>]*value="31.2."[^>]*aria-invalid="true"/);
    expect(html).toContain('<option value="read_write" selected>');
  });

  it("are all listed in pages, including those of the command line and ended ones", async () => {
    const cx = await operatorContext(world.services, world.account.account_id);
    const names = Array.from({ length: 103 }, (_, index) => `Machine ${index}.`);
    await transact(cx, async (tx) => {
      for (const name of names) await mintKey(tx, { name, scope: "read" });
    });
    const pages: string[] = [];
    let next: string | undefined = DEVELOPER;
    while (next !== undefined) {
      const { html } = await admin.get(next);
      pages.push(html);
      next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(pages).toHaveLength(2);
    for (const name of names) expect(pages.join("").split(`>${name}<`), name).toHaveLength(2);

    const [{ id }] = await world.sql("select id from api_keys where name = 'Machine 0.'");
    const last = await admin.get(DEVELOPER);
    await admin.submit(last, `${DEVELOPER}/revoke-key`, { id });
    const ended = await admin.get(`${DEVELOPER}?keys=ended`);
    expect(ended.html).toContain(">Machine 0.<");
    expect(ended.html).not.toContain(">Machine 1.<");
    await world.sql("update api_keys set revoked_at = now() where name like 'Machine%'");
  });

  it.each([
    ["a last day in the past", { name: "x", scope: "read", last_day: "2020-01-31" }],
    ["an invalid last day", { name: "x", scope: "read", last_day: "31/02/2099" }],
    ["no one-time value", { name: "x", scope: "read", once: "" }],
    ["an empty name", { name: "", scope: "read" }],
    ["a name of 101 characters", { name: "x".repeat(101), scope: "read" }],
    ["an unknown scope", { name: "x", scope: "admin" }],
  ])("with %s are refused", async (_what, fields) => {
    const page = await admin.get(DEVELOPER);
    const reply = await admin.submit(page, CREATE, fields);
    expect(reply.status).toBe(422);
    expect(reply.html).not.toMatch(/mbk_\w{36}/);
  });

  it("show a name with markup as text", async () => {
    const { reply } = await createKey("<img src=x onerror=alert(1)>", "read");
    expect(reply.html).toContain("&lt;img src=x onerror=alert(1)>");
    expect(reply.html).not.toContain("<img");
  });

  it.each(["x", "", "0190a000-0000-7000-8000-000000000000"])(
    "with the unknown id %j cannot be revoked",
    async (id) => {
      const page = await admin.get(DEVELOPER);
      expect((await admin.submit(page, `${DEVELOPER}/revoke-key`, { id })).status).toBe(404);
    },
  );

  it("of another account are neither shown nor revoked", async () => {
    const other = await world.openAnother();
    const [{ id }] = await world.sql("select id from api_keys where account_id = $1 limit 1", [
      other.account_id,
    ]);
    const page = await admin.get(DEVELOPER);
    expect(page.html).not.toContain(id);
    expect((await admin.submit(page, `${DEVELOPER}/revoke-key`, { id })).status).toBe(404);
    expect((await world.rest("GET /customers", undefined, other.keys.read)).status).toBe(200);
  });
});

describe("a standard user", () => {
  it("sees only their own assistants, without the developer settings", async () => {
    const { browser, user_id } = await oauth.person();
    const own = await assistantOf(world, { user_id, client_name: "Own <helper>" });
    const foreign = await assistantOf(world, { client_name: "Another user's" });

    const page = await browser.get("/assistants");

    expect(page.html).toContain("Own &lt;helper>");
    expect(page.html).not.toContain("Another user");
    expect(page.html).not.toContain(DEVELOPER);
    expect((await browser.get(DEVELOPER)).status).toBe(404);
    const csrf = "x".repeat(43);
    expect((await browser.post(CREATE, { csrf, name: "x", scope: "read" })).status).toBe(400);
    expect((await disconnected(browser, foreign.grant_id)).status).toBe(404);
    await disconnected(browser, own.grant_id);
    const { authenticate } = tokenAuthentication(world.services);
    expect(await authenticate(own.token)).toBeNull();
    expect(await authenticate(foreign.token)).not.toBeNull();
  });

  it("cannot create a key with a form from the time when they were an admin", async () => {
    const { browser, user_id } = await oauth.person();
    await changedByOperator(world, user_id, { role: "admin" });
    const page = await browser.get(DEVELOPER);
    await changedByOperator(world, user_id, { role: "standard" });
    const reply = await browser.submit(page, CREATE, { name: "x", scope: "read_write" });
    expect(reply.status).toBe(404);
  });
});

describe("the assistants of an account", () => {
  it("are shown to admins with user, scopes and last use", async () => {
    const assistant = await assistantOf(world, { name: "Bo", scope: "mcp:write" });
    await assistant.caller();
    await expect
      .poll(async () => (await admin.get("/assistants")).html)
      .toMatch(/<div>Bo<\/div>.*?read, make and change drafts</);
    const used = () =>
      world.sql(
        "select last_used_at from oauth_grants where id = $1 and last_used_at is not null",
        [assistant.grant_id],
      );
    await expect.poll(used).toHaveLength(1);
  });

  it("can be connected with the shown address", async () => {
    const page = await admin.get("/assistants");
    expect(page.html).toContain(`${world.origin}/api/mcp`);
    expect(page.html).toContain(".vscode/mcp.json");
    expect((await admin.get(DEVELOPER)).html).toContain('href="/api/docs"');
  });
});

it("shows visitors the sign-in page", async () => {
  const stranger = openBrowser(world);
  for (const path of [DEVELOPER, "/assistants", "/me/password"]) {
    const page = await stranger.get(path);
    expect(page.html).toContain("Sign in");
    expect(page.html).not.toContain("Revoke");
    expect(page.html).not.toContain("Disconnect");
  }
});
