/** Each refusal at an entry point leaves one log line and one count. */
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { LINES_A_MINUTE, notice } from "../../../platform/security/notice.ts";
import { csrfToken } from "../../../platform/security/sessions/csrf.ts";

const lines: Json[] = [];
const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });

let oauth: ReturnType<typeof openConsent>;
const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1", MATCHBOOK_RATE_LIMIT: "1:2" },
  overrides: { log },
});
beforeAll(async () => {
  oauth = openConsent(world);
});
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

/** The additions of one request: its log lines, and the growth of the counter of their event. */
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

describe("a log line and a count", () => {
  it("are written for a failed sign-in, with the network and a digest of the login", async () => {
    const signIn = (email: string) => () => post("/sign-in", { email, password: "hunter2-secret" });
    const { email } = world.account.admin;
    const found = await leaves("sign_in_failed", signIn(email));
    const line = { event: "sign_in_failed", network: NETWORK, login: expect.any(String) };
    expect(found).toEqual([expect.objectContaining(line)]);
    expect(found[0].login).toMatch(/^[0-9a-f]{12}$/);
    const again = await leaves("sign_in_failed", signIn(email.toUpperCase()));
    expect(again[0].login).toBe(found[0].login);
    const other = await leaves("sign_in_failed", signIn("unknown@x.example"));
    expect(other[0].login).not.toBe(found[0].login);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|unknown@/);
  });

  it("are written for a wrong password in the settings, and not for a correct sign-in", async () => {
    const browser = await oauth.signedInAdmin();
    expect(noticed()).toEqual([]);
    const page = await browser.get("/me/password");
    const fields = { old_password: "wrong", password: "another one", again: "another one" };
    const found = await leaves("sign_in_failed", () =>
      browser.submit(page, "/me/password", fields),
    );
    expect(found).toHaveLength(1);
  });

  it("are written once for a locked login, with its digest", async () => {
    const signIn = () => post("/sign-in", { email: "locked@x.example", password: "wrong" });
    const [failed] = await leaves("sign_in_failed", signIn);
    await world.sql("update rate_counters set count = 100");
    const found = await leaves("rate_limited", signIn);
    expect(found).toEqual([
      expect.objectContaining({ network: NETWORK, login: failed.login, route: "/sign-in" }),
    ]);
  });

  it("are written for a refused API key, and not for a call without a key", async () => {
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

  it("are written for a refused access token, code and refresh token", async () => {
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

  it("are written for a reset for an unknown address, and for an invalid link", async () => {
    const unknown_one = await leaves("reset_failed", () =>
      post("/forgot-password", { email: "unknown@x.example" }),
    );
    expect(unknown_one).toEqual([
      expect.objectContaining({ network: NETWORK, login: expect.any(String) }),
    ]);
    const link = "/password-reset?token=x";
    const read = await leaves("reset_failed", () => openBrowser(world).get(link, FROM));
    expect(read).toEqual([expect.objectContaining({ reason: "the link is not good" })]);
    const password = "a new password";
    const sent = await leaves("reset_failed", () => post(link, { password, again: password }));
    expect(sent).toHaveLength(1);
  });

  it("are written for a key that exceeds its rate, with the key's account", async () => {
    const ask = () => world.rest("GET /customers");
    await Promise.all([ask(), ask()]);
    const found = await leaves("rate_limited", ask);
    const { account_id } = world.account;
    expect(found).toEqual([
      expect.objectContaining({ account_id, route: "/api/v1/customers", network: "127.0.0.1" }),
    ]);
  });

  it("are limited to a number of lines a minute, while the count continues", async () => {
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
