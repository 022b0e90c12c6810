/** Limits on attempts hold when an attacker changes addresses or spellings, and lock out the attacker, not the victim. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { openWorld, useWorld } from "../../../../test/support/world/world.ts";
import { csrfToken } from "../../../platform/security/sessions/csrf.ts";

const PASSWORD = "correct horse battery staple";

let email: string;
let browser: Browser;
const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_TRUSTED_PROXIES: "127.0.0.1" },
});
beforeAll(async () => {
  email = world.account.admin.email;
  browser = openBrowser(world);
  await browser.get("/sign-in");
});
beforeEach(() => world.sql("delete from rate_counters"));

/** Posts a form without a session, as if from the given address; returns the status. */
async function post(url: string, fields: Record<string, string>, from: string): Promise<number> {
  const csrf = csrfToken(browser.cookie() ?? "", url);
  const sender = openBrowser(world);
  sender.setCookie(browser.cookie());
  return (await sender.post(url, { csrf, ...fields }, { "x-forwarded-for": from })).status;
}

const signIn = (from: string, password: string, address = email) =>
  post("/sign-in", { email: address, password }, from);

const repeat = async (times: number, attempt: (index: number) => Promise<number>) => {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push(await attempt(index));
  return statuses;
};

describe("guesses at a login", () => {
  it("lock out their sender, but not the owner of the login", async () => {
    expect(await repeat(10, () => signIn("203.0.113.1", "guess"))).not.toContain(429);
    expect(await signIn("203.0.113.1", PASSWORD)).toBe(429);
    expect(await signIn("198.51.100.1", PASSWORD)).toBe(303);
  });

  it("are counted one by one when they arrive in parallel", async () => {
    const guesses = Array.from({ length: 40 }, () => signIn("203.0.113.1", "guess"));
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  it("from many networks are limited together", async () => {
    await signIn("203.0.113.1", "guess");
    await world.sql("update rate_counters set count = 50 where count = 1");
    expect(await signIn("203.0.113.2", "guess")).toBe(429);
  });

  it("are counted together for all spellings by which the login is found", async () => {
    const spellings = [
      email,
      email.toUpperCase(),
      email.replace("i", "İ"),
      email.replace("i", "I"),
    ];
    expect(new Set(spellings).size).toBe(4);
    const spelled = (index: number) => spellings[index % 4];
    await repeat(10, (index) => signIn("203.0.113.1", "guess", spelled(index)));
    for (const spelling of spellings) {
      expect(await signIn("203.0.113.1", "guess", spelling), spelling).toBe(429);
    }
  });

  it("from addresses of one network are counted together", async () => {
    await signIn("2001:db8:1:2::1", "guess", "first@x.example");
    await world.sql("update rate_counters set count = 100");
    expect(await signIn("2001:db8:1:2:ffff::2", "guess", "other@x.example")).toBe(429);
    expect(await signIn("2001:db8:1:3::1", "guess", "third@x.example")).toBe(401);
  });

  it("are forgotten when the owner sets a new password by a link", async () => {
    const oauth = openConsent(world);
    await oauth.person();
    const invitation = (await world.mails()).find(({ text }) => text?.includes("/invitation?"));
    const address = invitation?.to?.[0]?.address ?? "";
    await repeat(10, () => signIn("198.51.100.9", "guess", address));
    await post("/forgot-password", { email: address }, "198.51.100.9");
    const link = async () =>
      (await world.mails())
        .map((mail) => /\/password-reset\?token=\S+/.exec(mail.text ?? "")?.[0])
        .find((found) => found !== undefined);
    await expect.poll(link).toBeDefined();
    const fields = { password: "a newer horse", again: "a newer horse" };
    expect(await post((await link()) ?? "", fields, "198.51.100.9")).toBe(303);
    expect(await signIn("198.51.100.9", "a newer horse", address)).toBe(303);
  });
});

describe("people who share an address", () => {
  it("may all sign in: only failures are counted", async () => {
    await signIn("203.0.113.5", PASSWORD);
    await world.sql("update rate_counters set count = 99");
    expect(await repeat(3, () => signIn("203.0.113.5", PASSWORD))).toEqual([303, 303, 303]);
    expect(await repeat(2, () => signIn("203.0.113.5", "guess"))).toEqual([401, 429]);
  });
});

describe("links for a new password", () => {
  it("are limited for a login in any spelling, as for an unknown address", async () => {
    for (const spellings of [
      [email, email.toUpperCase(), email.replace("i", "İ")],
      ["ida@x.example", "IDA@x.example", "İda@x.example"],
    ]) {
      const ask = (index: number) =>
        post("/forgot-password", { email: spellings[index % 3] ?? "" }, `203.0.113.${index}`);
      expect(await repeat(4, ask)).toEqual([303, 303, 303, 429]);
    }
  });

  it("with made-up tokens cost no hashing", async () => {
    // This many in parallel would be refused if they did.
    const fields = { password: "abcdefgh", again: "abcdefgh" };
    const junk = (_: unknown, index: number) =>
      post(`/password-reset?token=junk${index}`, fields, "203.0.113.1");
    const statuses = await Promise.all(Array.from({ length: 150 }, junk));
    expect(new Set(statuses)).toEqual(new Set([404]));
  });
});

it("a sender that is not a trusted proxy cannot choose the address for which attempts are counted", async () => {
  const plain = await openWorld({ knows_origin: true });
  try {
    const sender = openBrowser(plain);
    const attempt = async (from: string) => {
      const page = await sender.get("/sign-in");
      const hidden = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
      const fields = { csrf: hidden, email: `${from}@x.example`, password: "guess" };
      return (await sender.post("/sign-in", fields, { "x-forwarded-for": from })).status;
    };
    expect(await attempt("203.0.113.1")).toBe(401);
    await plain.sql("update rate_counters set count = 100");
    expect(await attempt("203.0.113.2")).toBe(429);
  } finally {
    await plain.close();
  }
});
